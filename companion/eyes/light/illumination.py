"""What the lamp did to a card's colours, if it were this card: one factor for each channel and a veil of gloss
over all.

Everything is the square root of light, on which a sensor's noise is about even. A pixel's brightness is left free,
so that a shadow across the card says nothing; what is compared is its colour alone. But no shadow follows what is
printed: where the brightness that is left does, it is another card (`uneven`). A card of satin mirrors a little of
the lamp, at the teaching too, so a veil may also have to be taken off; without it orange passes for yellow under a
lamp that shines flat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from companion.eyes.image.arrays import Floats, Whole, in_blocks, median, quantile

# All figures here were chosen by hand; no command measures them.
# The lamp is fitted in so many rounds to one pixel of so many, and then once to all.
ROUNDS: Final = 4
ONE_OF: Final = 5
# A veil costs as much as a misfit of so much at full strength; more than that is a burnt card.
VEIL_COST: Final = 0.001
MOST_VEIL: Final = 0.6
# A pixel that is off by so many times what is usual counts half. Chosen by hand, not measured, like the least
# that is taken for usual.
TOLERANCE: Final = 4.0
LEAST_USUAL: Final = 1e-5
# What keeps a channel that shows nothing solvable: a share of what is known of all, and next to nothing. By hand.
STIFF_SHARE: Final = 1e-4
STIFF_LEAST: Final = 1e-6
# One pixel that doesn't fit (a thumb, glare) can't cost more.
MOST_MISFIT: Final = 0.02

# So many pixels each way are compared in their brightness. One can't count for more (a spark, a scratch), nor a
# whole block of them (a shadow's edge).
BLOCK: Final = 4
SPARK: Final = 0.3
MOST_UNEVEN: Final = 0.02
# Without its rim, beside which something else may show.
RIM: Final = 1

# A gain is less certain than its fit says, because neighbouring pixels are blurred into each other.
BLURRED: Final = 30.0
# A channel in which there is hardly any light may have so little of it.
NOTHING: Final = 0.01
# Of what noise may have made in a channel so much is left in the comparison after all.
STILL_UNREAL: Final = 0.1
# Noise that is cut off at black has a mean of so much of what it may add.
SURELY: Final = 0.25
# Where more of the light is real than that, noise is forgotten.
OUTSHONE: Final = 0.99
NO_NOISE: Final = np.zeros(3, np.float32)

# A lamp's colour as two numbers: how far it goes from red to blue, and from magenta to green.
_AXES: Final = np.array([[1, 0, -1], [-0.5, 1, -0.5]]) / np.sqrt([[2], [1.5]])


def tint(root: Floats) -> Floats:
    """The tint of blue, green, red: two numbers, along red to blue and magenta to green."""
    return np.log(np.maximum(root, 1e-4)) @ _AXES.T


@dataclass(frozen=True, slots=True, eq=False)
class LampFits:
    """The lamps that fit many pictures with a taught card each, row by row."""

    gain: Floats
    """The lamp's factor for each channel."""
    veil: Floats
    """The light of gloss over the whole card."""
    misfit: Floats
    """How badly the colours fit."""
    spread: Floats
    """The covariance of the tint, as the noise makes it."""
    unreal: Floats
    """How much of the misfit noise may have made or hidden."""
    uneven: Floats
    """How much the brightness left over varies from pixel to pixel."""

    @property
    def tint(self) -> Floats:
        return tint(self.gain)

    def part(self, rows: slice) -> "LampFits":
        return LampFits(
            self.gain[rows],
            self.veil[rows],
            self.misfit[rows],
            self.spread[rows],
            self.unreal[rows],
            self.uneven[rows],
        )


def join_fits(fits: Sequence[LampFits]) -> LampFits:
    return LampFits(
        np.concatenate([one.gain for one in fits]),
        np.concatenate([one.veil for one in fits]),
        np.concatenate([one.misfit for one in fits]),
        np.concatenate([one.spread for one in fits]),
        np.concatenate([one.unreal for one in fits]),
        np.concatenate([one.uneven for one in fits]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pixels:
    """The pixels of many pictures with a taught card each."""

    seen: Floats
    clear: Floats
    """How far each channel counts: 0 where it is burnt, less where it may be noise."""
    burnt: Floats
    """1 where a channel is burnt."""
    told: Floats
    """How much each pixel tells of its colour: 0 where more than one channel is burnt."""
    light: Floats
    """The light of the taught card."""

    def only(self, which: Whole) -> "_Pixels":
        parts = (self.seen, self.clear, self.burnt, self.told, self.light)
        return _Pixels(*(np.take(part, which, -1) for part in parts))


@cache
def _scattered_pixels(size: tuple[int, int]) -> Whole:
    """Each row's begin two further on, so that no column is left out."""
    rows, columns = np.divmod(np.arange(size[0] * size[1]), size[0])
    return np.flatnonzero((columns + 2 * rows) % ONE_OF == 0)


def colour_shown(clear: Floats) -> Floats:
    """How much of each pixel has a colour, if each channel is so clear: with one burnt the other two tell."""
    blue, green, red = clear.swapaxes(0, 1)
    return np.maximum(np.minimum(blue, green), np.minimum(np.maximum(blue, green), red))


def fit_lamp(
    seen: Floats, clear: Floats, taught: Floats, size: tuple[int, int], noise: Floats = NO_NOISE
) -> LampFits:
    """`seen`, `clear` and `taught`: cards x channels x pixels, `size` of these across and down; `clear` is 0 where
    one is burnt. `noise`: the light that each channel shows where there is none."""
    light = taught**2
    # Nothing gives back less than no light: the darkest ink says how much of a veil can be in the taught picture.
    least = -0.8 * quantile(np.minimum(np.minimum(light[:, 0], light[:, 1]), light[:, 2]), 0.02)
    valid = colour_shown(clear)
    area = np.maximum(valid.sum(1), 1.0)
    shown = np.maximum((seen * seen * clear).sum(2) / np.maximum(clear.sum(2), 1.0), 1e-6)
    unreal = STILL_UNREAL * ((np.sqrt(shown) - np.sqrt(_real_light(shown, noise))) ** 2).sum(1)
    burnt = 1 - clear
    seen, trust = _subtract_noise(seen, noise)
    clear = clear * trust
    gain = (seen * clear).sum(2) / np.maximum((taught * clear).sum(2), 1e-4)
    veil = np.zeros(len(seen), np.float32)
    whole = _Pixels(seen, clear, burnt, valid, light)
    for pixels in (*[whole.only(_scattered_pixels(size))] * ROUNDS, whole):
        normal, push, *_ = _build_equations(pixels, gain, veil)
        step = np.linalg.solve(normal, push[..., None])[..., 0]
        gain = np.maximum(gain + step[:, :3], 1e-3).astype(np.float32)
        veil = np.clip(veil + step[:, 3], least, MOST_VEIL).astype(np.float32)
    normal, _, off, bright = _build_equations(whole, gain, veil)
    misfit = (np.minimum(off, MOST_MISFIT) * valid).sum(1) / area + VEIL_COST * veil**2
    usual = median(off)[:, None, None]
    of_gain = np.linalg.inv(normal)[:, :3, :3] * usual / (gain[:, :, None] * gain[:, None, :])
    spread = _AXES @ (BLURRED * of_gain) @ _AXES.T + tint_covariance(shown, noise)
    return LampFits(
        gain, veil, misfit.astype(np.float32), spread, unreal, _measure_unevenness(bright, valid, size)
    )


def _measure_unevenness(bright: Floats, valid: Floats, size: tuple[int, int]) -> Floats:
    """As a share of the brightness, squared, within blocks."""
    free = _cut_blocks(valid, size)
    light = _cut_blocks(np.log(np.maximum(bright, 1e-3)), size)
    area = free.sum(2)
    mean = (light * free).sum(2) / np.maximum(area, 1)
    off = np.minimum((light - mean[..., None]) ** 2, SPARK**2) * free
    uneven = np.minimum(off.sum(2) / np.maximum(area, 1), MOST_UNEVEN)
    told = area > BLOCK**2 / 2
    return np.asarray((uneven * told).sum(1) / np.maximum(told.sum(1), 1))


def _cut_blocks(values: Floats, size: tuple[int, int]) -> Floats:
    """Cards x blocks x pixels."""
    wide, high = size
    return in_blocks(values.reshape(-1, high, wide, 1)[:, RIM : high - RIM, RIM : wide - RIM], BLOCK)


def _subtract_noise(seen: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Each pixel without what noise surely adds to it, and how much of its light can't be noise."""
    light = np.maximum(seen * seen, 1e-6)
    trust = _real_light(light, noise[:, None]) / light
    without = np.sqrt(_real_light(light, SURELY * noise[:, None]))
    return without.astype(np.float32), np.where(trust > OUTSHONE, 1, trust).astype(np.float32)


def tint_covariance(shown: Floats, noise: Floats) -> Floats:
    """The covariance of the tint of so much light in each channel, as the noise makes it."""
    shown = np.maximum(shown, 1e-6)
    factor = np.log(shown / _real_light(shown, noise)) / 2
    return _AXES @ (factor[..., None] ** 2 * np.eye(3)) @ _AXES.T


def _real_light(shown: Floats, noise: Floats) -> Floats:
    """How much of the light that each channel shows may be real: noise can't be less than black, so what is black
    is seen as bright as the noise; by what is brighter it is soon outshone."""
    noise = np.maximum(noise, 1e-6)
    return np.maximum(shown - noise * np.exp(1 - np.maximum(shown / noise, 1)), NOTHING * shown)


def _build_equations(pixels: _Pixels, gain: Floats, veil: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Least squares for three factors and the veil, with each pixel's brightness taken out: the normal equations,
    by how much each pixel is off, and its brightness.

    With the veiled light of the taught picture its square root is what a pixel should show but for its brightness,
    and everything is a weighted sum of few products: written out pixel by pixel it takes twice as long."""
    seen, valid = pixels.seen, pixels.told
    area = np.maximum(valid.sum(1), 1.0)
    veiled = pixels.light + veil[:, None, None]
    np.maximum(veiled, 1e-4, out=veiled)
    turned, root = 1 / veiled, np.sqrt(veiled)
    counts = _channel_weights(pixels, root, gain)
    seen = seen * counts
    both = root * seen
    veiled *= counts
    # Of what should be shown the strength, and how far what is seen is along it.
    square = np.maximum(_sum_channels(veiled, gain * gain), 1e-6)
    shown = _sum_channels(both, gain)
    bright = shown / square
    off = np.maximum(_sum_channels(seen * pixels.seen, np.ones_like(gain)) - shown * bright, 0)
    weight = valid / (1 + off / (TOLERANCE * median(off) + LEAST_USUAL)[:, None])
    once = weight * bright
    twice = once * bright
    shares = twice / square
    strength, half = _sum_pixels(counts, twice), _sum_channels(counts, gain * gain) / 2
    of_light, of_shares = _sum_pixels(veiled, twice), _sum_pixels(veiled, shares * half)
    normal = np.empty((len(seen), 4, 4))
    together = np.matmul(veiled * shares[:, None], veiled.transpose(0, 2, 1))
    normal[:, :3, :3] = -together * gain[:, :, None] * gain[:, None, :]
    normal[:, range(3), range(3)] += of_light
    normal[:, :3, 3] = normal[:, 3, :3] = gain * (strength / 2 - of_shares)
    normal[:, 3, 3] = (gain**2 * _sum_pixels(turned * counts, twice)).sum(1) / 4 - (half**2 * shares).sum(1)
    push = np.empty((len(seen), 4))
    push[:, :3] = _sum_pixels(both, once) - gain * of_light
    both *= turned
    push[:, 3] = (gain * _sum_pixels(both, once)).sum(1) / 2 - (half * twice).sum(1)
    normal[:, 3, 3] += VEIL_COST * area
    push[:, 3] -= VEIL_COST * area * veil
    # All channels together are the brightness, which is free; of a card that is burnt all over nothing is known.
    channels = np.trace(normal[:, :3, :3], axis1=1, axis2=2)
    normal[:, :3, :3] += (STIFF_SHARE * channels[:, None, None] + STIFF_LEAST) * np.eye(3)
    return normal, push, off, bright


def _channel_weights(pixels: _Pixels, root: Floats, gain: Floats) -> Floats:
    """What of each channel is compared. What is burnt is at least so bright, and what may be noise at most:
    neither says anything against a card that would be brighter still, or darker."""
    clear = pixels.clear
    if clear.min() == 1:
        return clear
    clearly = root * clear
    bright = _sum_channels(clearly * pixels.seen, gain) / np.maximum(
        _sum_channels(clearly * root, gain * gain), 1e-6
    )
    should = root * gain[..., None] * bright[:, None]
    return np.maximum(clear, np.where(pixels.burnt > 1 / 2, should < pixels.seen, should > pixels.seen))


def _sum_channels(values: Floats, weight: Floats) -> Floats:
    """The weighted sum over the channels, for each pixel."""
    return np.matmul(weight[:, None], values)[:, 0]


def _sum_pixels(values: Floats, weight: Floats) -> Floats:
    """The weighted sum over all pixels, for each channel."""
    return np.matmul(values, weight[..., None])[..., 0]
