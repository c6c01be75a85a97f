"""Taught cards laid over the picture exactly: from a rough place to one that is right to half a millimetre.

Gauss-Newton on the pattern, all guesses of all cells at once; pixels that don't fit (a thumb, a shadow's edge,
glare) count for less.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Final

import cv2
import numpy as np

from companion.eyes.card.print_pattern import print_pattern
from companion.eyes.card.search import CONTEXT, CardPlace
from companion.eyes.deck.taught_deck import TAUGHT_MM, TaughtDeck
from companion.eyes.grid.flat_picture import COARSE_MM, LEFT_MM, TOP_MM, FlatPicture
from companion.eyes.image.arrays import Bools, Floats, Whole, floats, in_blocks, mean_of_channels, median, product
from companion.eyes.image.cut_window import cut_window, cut_windows
from companion.eyes.light.illumination import fit_lamp

# Of Gauss-Newton. Chosen by hand, not measured.
STEPS: Final = 5
# The figures below were chosen by hand too; no command measures them.
# A block's side in pixels.
BLOCK: Final = 4
# A block whose likeness is lower is taken for covered.
SPOILT: Final = 0.4
# By noise, or a thumb on a card, one boat may be liker than another by this.
BY_CHANCE: Final = 0.04
# Of the likeness in brightness and that in colour the better one has this weight.
BETTER: Final = 0.7
DARK: Final = 0.3
# The least contrast in brightness, as a share of the taught one, by which colours are divided.
LEAST_LIGHT: Final = 0.02
# The middle of the coarse picture's first pixel.
MIDDLE_MM: Final = (LEFT_MM + COARSE_MM / 2, TOP_MM + COARSE_MM / 2)
# A Gauss-Newton step is clipped to so many pixels and radians, so that a bad beginning doesn't diverge.
FURTHEST: Final = 1.5
MOST_TURN: Final = 0.15
# The least distance between two boats' taught prints by which a lead is divided; nearer ones differ only by
# chance.
LEAST_APART: Final = 0.05
# The least contrast, as a share of the taught one, with which a print counts in Gauss-Newton.
LEAST_STRENGTH: Final = 0.2


# Times this, a block's numbers lose the mean of their channel.
_ABOUT_MEAN: Final = np.eye(3 * BLOCK**2, dtype=np.float32) - np.float32(
    np.kron(np.ones((BLOCK**2, BLOCK**2)), np.eye(3)) / BLOCK**2
)


@dataclass(frozen=True, eq=False)
class Overlay:
    deck: TaughtDeck

    @cached_property
    def size(self) -> tuple[int, int]:
        wide, high = self.deck.size_px
        return int(wide * TAUGHT_MM / COARSE_MM), int(high * TAUGHT_MM / COARSE_MM)

    @cached_property
    def roots(self) -> Floats:
        """The taught pictures as the coarse one would show them: cards x pixels x channels."""
        return np.stack([self._render_coarse(card.root, 0).reshape(-1, 3) for card in self.deck.cards])

    @cached_property
    def planes(self) -> Floats:
        """The same, channel by channel."""
        return np.ascontiguousarray(self.roots.transpose(0, 2, 1))

    def _render_coarse(self, root: Floats, around: int) -> Floats:
        high, wide = root.shape[:2]
        soft = cv2.GaussianBlur(root, (0, 0), 0.4 * COARSE_MM / TAUGHT_MM)
        size = (self.size[0] + 2 * around, self.size[1] + 2 * around)
        return cut_window(soft, (wide - 1) / 2, (high - 1) / 2, 0, size, COARSE_MM / TAUGHT_MM)

    @cached_property
    def _patterns_and_slopes(self) -> tuple[Floats, Floats]:
        """Each card's pattern, and how it changes when it is moved right, down, and turned: cards x numbers, and
        cards x 3 x numbers."""
        wide, high = self.size
        patterns: list[Floats] = []
        slopes: list[Floats] = []
        down, across = np.mgrid[:high, :wide].astype(np.float32)
        for card in self.deck.cards:
            whole = print_pattern(self._render_coarse(card.root, CONTEXT), COARSE_MM)
            right = cv2.Sobel(whole, cv2.CV_32F, 1, 0)[CONTEXT:-CONTEXT, CONTEXT:-CONTEXT] / 8
            below = cv2.Sobel(whole, cv2.CV_32F, 0, 1)[CONTEXT:-CONTEXT, CONTEXT:-CONTEXT] / 8
            turned = below * (across - (wide - 1) / 2)[..., None] - right * (down - (high - 1) / 2)[..., None]
            patterns.append(whole[CONTEXT:-CONTEXT, CONTEXT:-CONTEXT].ravel())
            slopes.append(np.stack([right, below, turned]).reshape(3, -1))
        return np.stack(patterns), np.stack(slopes)

    def settle(self, printed: Floats, guesses: Sequence[CardPlace], steps: int = STEPS) -> list[CardPlace]:
        """Gauss-Newton: moves and turns each guess to where its card fits best. `printed` is the pattern of the
        coarse picture."""
        patterns, slopes = self._patterns_and_slopes
        numbers = [guess.number for guess in guesses]
        taught, slope = patterns[numbers], slopes[numbers]
        power = np.maximum(product("np,np->n", taught, taught), 1e-6)
        at = pixels_and_turns(guesses)
        for _ in range(steps):
            seen = self.cut_cards(printed, at).reshape(taught.shape)
            strength = np.maximum(product("np,np->n", seen, taught) / power, LEAST_STRENGTH)[:, None]
            at += _newton_step(seen - strength * taught, strength, slope, at[:, 2])
        return [
            replace(guess, x_mm=x * COARSE_MM + MIDDLE_MM[0], y_mm=y * COARSE_MM + MIDDLE_MM[1], turn=turn % 360)
            for guess, (x, y, turn) in zip(guesses, at.tolist(), strict=True)
        ]

    def likenesses(self, coarse: Floats, places: Sequence[CardPlace]) -> Floats:
        """How like every taught card the picture is at each place: places x cards. Block by block, so that a
        shadow's edge or a thumb spoils only the blocks it lies on."""
        return _compare_cards(
            self._centred_blocks(self.cut_cards(coarse, pixels_and_turns(places))), self._weighted_roots
        )

    @cached_property
    def _boat_distances(self) -> Floats:
        """For each card the distance between its boat and the likest other boat, either way up: small for white
        cards with a broad frame, on which the boat is small."""
        either_way = [self._compare_blocks(way, self.colours(way)) for way in (self.roots, self.roots[:, ::-1])]
        like = np.maximum(*either_way)
        likest = np.where(self._same_boat, 0, like).max(1)
        return np.maximum(1 - np.where(self._same_boat, likest, 0).max(1), LEAST_APART)

    @cached_property
    def _same_boat(self) -> Bools:
        """Cards x cards."""
        boats = [one.card.boat for one in self.deck.cards]
        return np.array([[one == other for other in boats] for one in boats])

    def share_hidden(self, coarse: Floats, place: CardPlace) -> float:
        """The share of the card's print that can't be seen there."""
        seen = self._centred_blocks(self.cut_cards(coarse, pixels_and_turns([place])))
        taught = self._root_blocks[[place.number]]
        like = (_normalise(seen) * _normalise(taught)).sum(2)
        return float(_block_weights(taught)[like < SPOILT].sum())

    @cached_property
    def _root_blocks(self) -> Floats:
        return self._centred_blocks(self.roots)

    @cached_property
    def _weighted_roots(self) -> Floats:
        return _weight_units(self._root_blocks)

    def colours(self, seen: Floats) -> Floats:
        """The colours alone of the picture under each card, block by block."""
        return self._centred_blocks(_colours_alone(seen))

    def likenesses_in_colour(self, colours: Floats, places: Sequence[CardPlace]) -> Floats:
        """The likeness once more, of the colours alone, which a shadow's edge doesn't touch, and both together;
        what is printed in black and white is like in the one, what lies in a hard shadow in the other."""
        every = _compare_cards(colours, self._weighted_colours)
        bright = np.array([place.likeness for place in places])
        return _blend_towards_better(bright, every[range(len(places)), [place.number for place in places]])

    def leads(self, seen: Floats, colours: Floats, places: Sequence[CardPlace]) -> Floats:
        """How much liker each is than the next boat, as a share of how far apart these are as they were taught."""
        numbers = [place.number for place in places]
        every, same = self._compare_blocks(seen, colours), self._same_boat[numbers]
        own, rival = np.where(same, every, -inf).max(1), np.where(same, -inf, every).max(1)
        return np.asarray((own - rival - BY_CHANCE) / self._boat_distances[numbers])

    def _compare_blocks(self, seen: Floats, colours: Floats) -> Floats:
        """How like each card is to every taught one. In each block the better of brightness and colour counts
        more: where a hard shadow's edge crosses it, that is colour; where it has no colours, brightness."""
        light_units, colour_units, weights = self._units_and_weights
        light, hues = (
            _compare_each_block(self._centred_blocks(seen), light_units),
            _compare_each_block(colours, colour_units),
        )
        return product("bst,tb->st", _blend_towards_better(light, hues), weights)

    @cached_property
    def _units_and_weights(self) -> tuple[Floats, Floats, Floats]:
        """Of the taught cards: in light and dark and in colours, and how much each block counts."""
        return (
            _normalise(self._root_blocks),
            _normalise(self.colours(self.roots)),
            _block_weights(self._root_blocks),
        )

    @cached_property
    def _weighted_colours(self) -> Floats:
        return _weight_units(self.colours(self.roots))

    def vividness(self, seen: Floats, valid: Floats, same_boat: Whole) -> Floats:
        """How strong each card's colours are relative to its light and dark; 1 is as it was taught. A shadow or a
        veil of gloss weakens both alike, a camera without colours only the colours."""
        clear = self._cut_blocks(np.repeat(valid[..., None], 3, 2)).reshape(len(seen), -1)
        shares: list[Floats] = []
        for part, taught in zip((_hues(seen), _light(seen)), self._hues_and_light, strict=True):
            # By all the taught cards: to pick out each one's own first takes several times as long.
            both = (self._centred_blocks(part).reshape(len(seen), -1) * clear) @ taught.T
            shares.append(np.maximum(both, 0) / np.maximum(clear**2 @ (taught**2).T, 1e-6))
        vivid = np.take_along_axis(shares[0] / np.maximum(shares[1], LEAST_LIGHT), np.maximum(same_boat, 0), 1)
        return np.where(same_boat < 0, 0, vivid).max(1)

    @cached_property
    def _hues_and_light(self) -> tuple[Floats, Floats]:
        """Cards x numbers."""
        hues, light = self._centred_blocks(_hues(self.roots)), self._centred_blocks(_light(self.roots))
        return hues.reshape(len(hues), -1), light.reshape(len(light), -1)

    def misfits(self, flat: FlatPicture, places: Sequence[CardPlace]) -> list[float]:
        """How badly one lamp explains the colours of each."""
        if not places:
            return []
        at = pixels_and_turns(places)
        seen, clear = (self.cut_cards(part, at).transpose(0, 2, 1) for part in (flat.coarse, flat.clear))
        taught = self.planes[[place.number for place in places]]
        misfits: list[float] = fit_lamp(seen, clear, taught, self.size).misfit.tolist()
        return misfits

    def cut_cards(self, picture: Floats, at: Floats) -> Floats:
        """The picture under each card: cards x pixels x channels."""
        return cut_windows(picture, at, self.size).reshape(len(at), -1, picture.shape[2])

    def _centred_blocks(self, cards: Floats) -> Floats:
        """Cards x blocks x numbers, each about its mean."""
        blocks = self._cut_blocks(cards)
        return np.asarray(blocks.reshape(-1, blocks.shape[2]) @ _ABOUT_MEAN).reshape(blocks.shape)

    def _cut_blocks(self, cards: Floats) -> Floats:
        wide, high = self.size
        return in_blocks(cards.reshape(-1, high, wide, 3), BLOCK)


def _mm_to_px(x: float, y: float) -> tuple[float, float]:
    return (x - MIDDLE_MM[0]) / COARSE_MM, (y - MIDDLE_MM[1]) / COARSE_MM


def pixels_and_turns(places: Sequence[CardPlace]) -> Floats:
    """Each place's x, y and turn in the coarse picture."""
    return np.array([(*_mm_to_px(place.x_mm, place.y_mm), place.turn) for place in places])


def robust_weights(off: Floats) -> Floats:
    """How much each pixel counts that is `off` by so much in each channel: half, if by as much as is usual."""
    square = np.matmul(off * off, np.ones(3, off.dtype))
    return 1 / (1 + square / (square.mean(-1, keepdims=True) + 1e-6))


def _newton_step(off: Floats, strength: Floats, slope: Floats, turns: Floats) -> Floats:
    weighted = slope * np.repeat(robust_weights(off.reshape(len(off), -1, 3)), 3, axis=1)[:, None]
    normal: Floats = np.matmul(weighted, slope.transpose(0, 2, 1)) * strength[..., None] ** 2
    normal += 1e-4 * np.trace(normal, axis1=1, axis2=2)[:, None, None] * np.eye(3)
    # The picture is shifted against the card as the card would be against the picture, the other way round.
    push: Floats = np.matmul(weighted, off[..., None]) * strength[..., None]
    solved = floats(np.linalg.solve(normal, push))
    right, below, turned = solved[:, 0, 0], solved[:, 1, 0], solved[:, 2, 0]
    right, below = np.clip(right, -FURTHEST, FURTHEST), np.clip(below, -FURTHEST, FURTHEST)
    turned = np.clip(turned, -MOST_TURN, MOST_TURN)
    c, s = np.cos(np.radians(turns)), np.sin(np.radians(turns))
    return -np.stack([c * right - s * below, s * right + c * below, np.degrees(turned)], 1)


def _colours_alone(root: Floats) -> Floats:
    """The hues, weakened where it is dark and they are mostly noise."""
    return _hues(root) * np.minimum(mean_of_channels(root)[..., None] / DARK, 1)


def _hues(root: Floats) -> Floats:
    """By how much each channel exceeds the mean of the channels, as logarithms."""
    bright = np.log(np.maximum(root, 0.05))
    return np.asarray(bright - mean_of_channels(bright)[..., None])


def _light(root: Floats) -> Floats:
    """The mean of the channels' logarithms, repeated for each channel."""
    return np.repeat(mean_of_channels(np.log(np.maximum(root, 0.05)))[..., None], 3, 2)


def _compare_cards(blocks: Floats, weighed: Floats) -> Floats:
    """Of each card seen with each taught one."""
    return np.asarray(_normalise(blocks).reshape(len(blocks), -1) @ weighed.T)


def _blend_towards_better(ones: Floats, others: Floats) -> Floats:
    return np.asarray(BETTER * np.maximum(ones, others) + (1 - BETTER) * np.minimum(ones, others))


def _compare_each_block(blocks: Floats, taught_units: Floats) -> Floats:
    """The likeness: blocks x cards seen x cards taught."""
    return np.matmul(_normalise(blocks).swapaxes(0, 1), taught_units.transpose(1, 2, 0))


def _weight_units(taught: Floats) -> Floats:
    return (_normalise(taught) * _block_weights(taught)[..., None]).reshape(len(taught), -1)


def _normalise(blocks: Floats) -> Floats:
    """Each block scaled to length 1, so that the product of two is their correlation."""
    length = np.sqrt(product("nbp,nbp->nb", blocks, blocks))
    return np.asarray(blocks / np.maximum(length, 1e-6)[..., None])


def _block_weights(taught: Floats) -> Floats:
    """How much each block of a card counts, all together 1."""
    strength = np.sqrt(product("nbp,nbp->nb", taught, taught))
    # Where much is printed there is more to compare, but one bold line is not to decide alone.
    weight = np.minimum(strength, 1.5 * median(strength)[..., None]) + 1e-6
    return np.asarray(weight / weight.sum(1, keepdims=True))
