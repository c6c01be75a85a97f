"""What a lamp does to a card's colours, and which colour each card has under it."""

import numpy as np
import pytest

from companion.eyes.image.arrays import Bools, Floats
from companion.eyes.light.card_colours import colour_costs
from companion.eyes.light.illumination import (
    MOST_VEIL,
    STILL_UNREAL,
    LampFits,
    fit_lamp,
    join_fits,
    tint,
    tint_covariance,
)

SIZE = (20, 20)
PIXELS = 400
SURE_OF_THE_PAPER = np.zeros((1, 2, 2))
NOISE = 0.006
# The square root of how much light the four inks give back: blue, green, red.
INKS = np.array([[0.35, 0.88, 0.96], [0.80, 0.55, 0.92], [0.85, 0.65, 0.35], [0.30, 0.65, 0.95]])
YELLOW, PINK, BLUE, ORANGE = range(4)
BULB, DAY, SHADE = np.array([0.75, 1.0, 1.25]), np.array([1.0, 1.0, 1.0]), np.array([1.15, 1.0, 0.88])
LAMPS = {"bulb": BULB, "day": DAY, "shade": SHADE}


def printed(seed: int) -> Floats:
    """A taught card of many colours: channels x pixels."""
    chance = np.random.default_rng((seed, 1))
    inks = chance.uniform(0.25, 0.95, (3, 9))
    return np.repeat(inks, -(-PIXELS // 9), axis=1)[:, :PIXELS].astype(np.float32)


def plain(ink: int, seed: int = 0) -> Floats:
    """A taught card of one ink, darker here and there; only the lamp could tell one from another."""
    bright = np.random.default_rng((seed, 2)).uniform(0.7, 1.0, PIXELS)
    return (INKS[ink][:, None] * bright).astype(np.float32)


def seen_under(
    taught: Floats, gain: Floats, *, seed: int, veil: float = 0.0, bright: Floats | float = 1.0
) -> Floats:
    noise = np.random.default_rng((seed, 3)).normal(0, NOISE, taught.shape)
    root = np.sqrt(taught**2 + veil) * gain[:, None] * bright + noise
    return np.maximum(root, 0).astype(np.float32)


CLEAR = np.ones((1, 3, PIXELS), np.float32)


def fit(seen: Floats, taught: Floats, clear: Floats | None = None) -> LampFits:
    return fit_lamp(seen[None], CLEAR if clear is None else clear[None], taught[None], SIZE)


def tint_of(gain: Floats) -> Floats:
    return tint(gain[None])[0]


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("seed", range(4))
def test_a_lamps_colour_is_recovered(lamp: str, seed: int) -> None:
    """What the lamp does to each channel is found to 2 % beside the others, however bright it is."""
    taught = printed(seed)
    for bright in (0.3, 1.0):
        fits = fit(seen_under(taught, LAMPS[lamp], seed=seed, bright=bright), taught)
        assert np.abs(fits.tint[0] - tint_of(LAMPS[lamp])).max() < 0.02
        assert abs(float(fits.veil[0])) < 0.02
        assert fits.misfit[0] < 0.0005


@pytest.mark.parametrize("veil", [0.0, 0.05, 0.1, 0.2, 0.4])
@pytest.mark.parametrize("seed", range(3))
def test_a_veil_of_gloss_is_recovered(seed: int, veil: float) -> None:
    """Gloss over the whole card is told from its colours, to a tenth of it."""
    taught = printed(seed)
    fits = fit(seen_under(taught, BULB, seed=seed, veil=veil), taught)
    assert float(fits.veil[0]) == pytest.approx(veil, abs=0.01 + 0.1 * veil)
    assert np.abs(fits.tint[0] - tint_of(BULB)).max() < 0.03


def test_a_veil_can_be_taken_off_again() -> None:
    """A card that was taught with gloss on it is known without, but nothing gives back less than no light."""
    bare = printed(1)
    glossy = np.sqrt(bare**2 + 0.04).astype(np.float32)
    fits = fit(seen_under(bare, DAY, seed=1), glossy)
    assert float(fits.veil[0]) == pytest.approx(-0.04, abs=0.01)
    assert float(np.min(glossy**2) + fits.veil[0]) > 0


def test_a_veil_is_never_more_than_a_burnt_card() -> None:
    """A card that is nothing but gloss ends at the most there can be."""
    taught = printed(2)
    fits = fit(np.full_like(taught, 0.9), taught)
    assert fits.veil[0] <= MOST_VEIL


@pytest.mark.parametrize("seed", range(4))
def test_burnt_pixels_are_ignored(seed: int) -> None:
    """What a third of the pixels show changes nothing if they are known to be burnt."""
    taught = printed(seed)
    seen = seen_under(taught, BULB, seed=seed)
    clear = np.repeat(np.random.default_rng(seed).random((1, PIXELS)) > 0.33, 3, axis=0).astype(np.float32)
    burnt = np.where(clear > 0, seen, 1.0).astype(np.float32)
    here, there = fit(seen, taught, clear), fit(burnt, taught, clear)
    assert np.abs(there.tint[0] - tint_of(BULB)).max() < 0.02
    assert np.abs(here.tint - there.tint).max() < 0.01
    assert float(there.misfit[0]) == pytest.approx(float(here.misfit[0]), abs=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_a_channel_that_is_burnt_is_at_least_so_bright(seed: int) -> None:
    """A pixel with one channel burnt is told by the other two: its own card fits as well as it would unburnt, and
    one that would be darker there doesn't."""
    taught = printed(seed)
    seen, darker, clear = seen_under(taught, DAY, seed=seed), taught.copy(), CLEAR[0].copy()
    burnt = np.arange(PIXELS) % 9 >= 3
    seen[2, burnt] *= 0.8
    clear[2, burnt] = 0
    darker[2, burnt] *= 0.6
    own, other = fit(seen, taught, clear), fit(seen, darker, clear)
    assert float(own.misfit[0]) < 0.0003
    assert np.abs(own.tint[0]).max() < 0.03
    assert float(other.misfit[0]) > 0.002


@pytest.mark.parametrize("seed", range(4))
def test_what_may_be_noise_is_at_most_so_bright(seed: int) -> None:
    """By a bulb there is blue on white and noise instead of it on orange: that is no other card's blue, though one
    with far more of it would show it."""
    taught = printed(seed)
    inks = np.arange(PIXELS) % 9 >= 3
    taught[0, inks] = 0.1
    seen, bluer = seen_under(taught, DAY, seed=seed), taught.copy()
    seen[0, inks] = 0.25
    bluer[0, inks] = 0.6
    noise = np.array([0.08, 0.002, 0.002], np.float32)
    own, other = (fit_lamp(seen[None], CLEAR, card[None], SIZE, noise) for card in (taught, bluer))
    assert own.misfit[0] < 0.0005
    assert other.misfit[0] > 3 * own.misfit[0]
    assert fit(seen, taught).misfit[0] > 3 * own.misfit[0]


def test_a_card_all_burnt_is_no_error() -> None:
    """With no pixel left there is an answer still, with numbers in it."""
    taught = printed(3)
    fits = fit(np.ones_like(taught), taught, np.zeros_like(taught))
    for numbers in (fits.gain, fits.veil, fits.misfit, fits.spread, fits.unreal, fits.uneven):
        assert np.isfinite(numbers).all()


def test_a_channel_as_dark_as_its_noise_is_uncertain() -> None:
    """Where there is no more blue than noise makes of black, the lamp's blue may be anything; where there is ten
    times as much, noise adds nothing to it."""
    taught = printed(1)
    seen = seen_under(taught, np.array([0.1, 1.0, 1.0]), seed=1)
    blue = float((seen[0] ** 2).mean())
    certain, outshone, dead = (
        fit_lamp(seen[None], CLEAR, taught[None], SIZE, np.array([noise, 0, 0], np.float32))
        for noise in (0.0, blue / 10, blue)
    )
    np.testing.assert_allclose(outshone.spread, certain.spread, atol=1e-4)
    assert dead.spread[0, 0, 0] > 1
    assert float(certain.unreal[0]) == pytest.approx(0, abs=1e-4)
    assert float(dead.unreal[0]) == pytest.approx(STILL_UNREAL * blue, rel=0.3)


@pytest.mark.parametrize("seed", range(4))
def test_a_hard_shadow_is_no_misfit(seed: int) -> None:
    """Half the card in a shadow four times as dark fits as well as without, under the same lamp."""
    taught = printed(seed)
    shadow = np.where(np.arange(PIXELS) % 40 < 20, 1.0, 0.5)
    lit, shaded = (
        fit(seen_under(taught, BULB, seed=seed, bright=bright), taught) for bright in (np.ones(PIXELS), shadow)
    )
    assert float(shaded.misfit[0]) == pytest.approx(float(lit.misfit[0]), abs=1e-4)
    assert np.abs(shaded.tint - lit.tint).max() < 0.02


def test_what_the_other_channels_tell_is_told_without_blue() -> None:
    """By candles blue is nothing but noise, the same all over; a card that differs in green is another all the
    same, and one that differs in blue alone might be this one."""
    taught = printed(1)
    in_green, in_blue = taught.copy(), taught.copy()
    in_green[1], in_blue[0] = taught[1][::-1], taught[0][::-1]
    seen = seen_under(taught, BULB, seed=1)
    seen[0] = 0.1
    cards = np.stack([taught, in_green, in_blue])
    noise = np.array([0.01, 1e-6, 1e-6], np.float32)
    fits = fit_lamp(np.stack([seen] * 3), np.repeat(CLEAR, 3, axis=0), cards, SIZE, noise)
    own, green, blue = fits.misfit + fits.unreal
    assert green > 4 * own
    assert blue < 1.5 * own


@pytest.mark.parametrize("lamp", LAMPS)
def test_the_wrong_card_fits_worse(lamp: str) -> None:
    """Of a few cards of many colours the right one fits at least five times as well as any other."""
    cards = [printed(seed) for seed in range(4)]
    for number, taught in enumerate(cards):
        seen = seen_under(taught, LAMPS[lamp], seed=number, veil=0.05)
        misfit = [float(fit(seen, card).misfit[0]) for card in cards]
        assert number == int(np.argmin(misfit))
        assert min(misfit[:number] + misfit[number + 1 :]) > 5 * misfit[number]


def test_cards_are_fitted_each_by_itself() -> None:
    """What is fitted together, or put together afterwards, is as if it were alone."""
    cards = [printed(seed) for seed in range(3)]
    seen = [seen_under(card, BULB, seed=number) for number, card in enumerate(cards)]
    alone = join_fits([fit(one, card) for one, card in zip(seen, cards, strict=True)])
    at_once = fit_lamp(np.stack(seen), np.repeat(CLEAR, 3, axis=0), np.stack(cards), SIZE)
    for one, other in ((alone, at_once), (alone.part(slice(1, 2)), at_once.part(slice(1, 2)))):
        np.testing.assert_allclose(one.gain, other.gain, rtol=1e-4)
        np.testing.assert_allclose(one.misfit, other.misfit, rtol=1e-3, atol=1e-7)


SLOPE = np.linspace(1.0, 0.5, PIXELS)
EDGE = np.where(np.arange(PIXELS) % SIZE[0] < 9, 1.0, 0.4)


@pytest.mark.parametrize("shade", [SLOPE, EDGE], ids=["slope", "edge"])
def test_a_shadow_does_not_follow_the_print(shade: Floats) -> None:
    """The brightness left over is nearly even under the right card, whatever shadow lies on it; of another, whose
    light and dark lie elsewhere, it follows the print."""
    card, other = plain(YELLOW, 1), plain(YELLOW, 2)
    seen = seen_under(card, BULB, seed=1, bright=shade)
    right, wrong = float(fit(seen, card).uneven[0]), float(fit(seen, other).uneven[0])
    assert wrong > 2.5 * right
    assert fit(seen, other).misfit[0] < fit(seen, card).misfit[0] + 0.0002


def test_what_is_burnt_is_not_uneven() -> None:
    """What the camera could not see says nothing of its brightness."""
    card, everywhere = plain(PINK), CLEAR[0].copy()
    seen = seen_under(card, DAY, seed=2)
    clear = float(fit(seen, card).uneven[0])
    seen[:, ::3], everywhere[:, ::3] = 1.0, 0
    assert float(fit(seen, card, everywhere).uneven[0]) == pytest.approx(clear, rel=0.5)


def test_light_and_dark_tell_what_the_lamp_leaves_open() -> None:
    """Of two cards whose inks one lamp each makes the same, the one whose light and dark is seen."""
    seen = seen_under(plain(ORANGE, 1), BULB, seed=3)
    fits = join_fits([fit(seen, plain(ORANGE, 1)), fit(seen, plain(YELLOW, 2))])
    around = np.zeros((1, 12, 2))
    assert 0 == int(
        colour_costs(fits, around, SURE_OF_THE_PAPER, np.ones((1, 2), np.bool_), white=False).argmin(1)[0]
    )


def test_brightness_is_no_tint() -> None:
    """Twice the light has the same tint; more red and more blue are opposite ways."""
    assert np.abs(tint_of(DAY * 0.4)).max() < 1e-6
    assert tint_of(BULB)[0] * tint_of(SHADE)[0] < 0


def test_paper_as_dark_as_the_noise_shows_no_tint() -> None:
    """Light that is no brighter than noise makes black says nothing of the lamp; bright light says all."""
    noise = np.array([0.01, 0.001, 0.001], np.float32)
    dead, bright = tint_covariance(np.array([[0.01, 0.3, 0.5], [0.3, 0.3, 0.5]], np.float32), noise)
    assert dead[0, 0] > 1
    np.testing.assert_allclose(bright, 0, atol=1e-4)


# Which colour: cards of one ink each, of which under one lamp each could be any other.


def laid(inks: list[int], gains: list[Floats], *, real: Bools | None = None) -> tuple[LampFits, Floats, Bools]:
    """Cards of these inks, each under its lamp, on white paper that shows it; compared with all four inks."""
    all_real = np.ones((len(inks), 4), np.bool_) if real is None else real
    fits: list[LampFits] = []
    around: list[Floats] = []
    for number, (ink, gain) in enumerate(zip(inks, gains, strict=True)):
        seen = seen_under(plain(ink, number), gain, seed=number)
        fits += [fit(seen, plain(other, number)) for other in range(4)]
        scatter = np.random.default_rng((number, 4)).normal(0, 0.01, (12, 2))
        around.append(tint_of(gain) + scatter)
    return join_fits(fits), np.stack(around), all_real


def told(inks: list[int], gains: list[Floats], *, white: bool) -> list[int]:
    fits, around, real = laid(inks, gains)
    return colour_costs(fits, around, SURE_OF_THE_PAPER, real, white=white).argmin(1).tolist()


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("ink", range(4))
def test_beside_white_paper_the_lamp_tells(ink: int, lamp: str) -> None:
    """One card by itself, of one ink alone, is told by the lamp that the paper around it shows."""
    assert [ink] == told([ink], [LAMPS[lamp]], white=True)


def test_each_card_has_its_own_lamp_on_paper() -> None:
    """A cold window on one side and a bulb on the other confuse nobody where the paper shows both."""
    inks = [YELLOW, PINK, BLUE, ORANGE, ORANGE, BLUE]
    assert inks == told(inks, [BULB, SHADE, BULB, SHADE, BULB, DAY], white=True)


def test_paper_that_shows_no_blue_tells_nothing_of_it() -> None:
    """Two colours under lamps that differ in blue alone are as far apart as paper with blue on it says, and hardly
    where it shows none."""
    gain = np.array([[0.5, 1, 1], [1, 1, 1]])
    certain = np.repeat(1e-4 * np.eye(2)[None], 2, axis=0)
    fits = LampFits(gain, np.zeros(2), np.array([1e-4, 6e-4]), certain, np.zeros(2), np.zeros(2))
    around = np.repeat(tint(gain[:1])[None], 12, axis=1)
    blind = tint_covariance(np.array([[0.01, 0.3, 0.5]], np.float32), np.array([0.01, 0.001, 0.001], np.float32))
    sure, doubtful = (
        colour_costs(fits, around, doubts, np.ones((1, 2), np.bool_), white=True)[0]
        for doubts in (SURE_OF_THE_PAPER, blind)
    )
    assert sure[1] - sure[0] > doubtful[1] - doubtful[0] + 1


def test_what_glows_dull_is_green_beside_its_blue() -> None:
    """A candle of 2000 K has a fortieth of daylight's blue and seven tenths of its green; a lamp as red that has
    less green is none, and by day none has more of it."""
    candle, none = np.array([0.158, 0.828, 1.43]), np.array([0.1, 0.233, 1.0])
    assert told_between(candle, none) == 0
    assert told_between(candle / candle, np.array([1, 1.3, 1])) == 0


def told_between(*gains: Floats) -> int:
    """Which of two colours a card has that would fit as well under the one lamp as under the other."""
    certain = np.repeat(1e-4 * np.eye(2)[None], 2, axis=0)
    fits = LampFits(np.stack(gains), np.zeros(2), np.full(2, 1e-3), certain, np.zeros(2), np.zeros(2))
    nothing = np.zeros((1, 12, 2))
    return int(colour_costs(fits, nothing, SURE_OF_THE_PAPER, np.ones((1, 2), np.bool_), white=False)[0].argmin())


def test_paper_of_which_half_is_covered_still_tells() -> None:
    """Two thirds of the places around a card may show other cards instead of the paper."""
    fits, around, real = laid([ORANGE], [BULB])
    around[0, :8] = tint_of(np.array([1.6, 1.0, 0.5]))
    assert ORANGE == int(colour_costs(fits, around, SURE_OF_THE_PAPER, real, white=True).argmin(1)[0])


@pytest.mark.parametrize("lamp", LAMPS)
def test_on_a_bare_table_all_cards_tell_together(lamp: str) -> None:
    """Without anything white the four inks together fit one lamp only, whatever the table's colour."""
    inks = [YELLOW, PINK, BLUE, ORANGE, PINK, BLUE]
    fits, around, real = laid(inks, [LAMPS[lamp]] * len(inks))
    table = tint_of(np.array([0.5, 0.9, 1.4]))
    assert inks == colour_costs(fits, around + table, SURE_OF_THE_PAPER, real, white=False).argmin(1).tolist()


def test_on_a_bare_table_the_lamp_may_change_from_left_to_right() -> None:
    """With a window on the left and a bulb on the right the table beside the cards shows the change."""
    inks = [YELLOW, PINK, BLUE, ORANGE, PINK, BLUE, YELLOW, ORANGE]
    share = np.linspace(0, 1, len(inks))
    fits, around, real = laid(inks, [SHADE ** (1 - part) * BULB**part for part in share])
    table = tint_of(np.array([0.5, 0.9, 1.4]))
    assert inks == colour_costs(fits, around + table, SURE_OF_THE_PAPER, real, white=False).argmin(1).tolist()


@pytest.mark.parametrize("white", [True, False])
@pytest.mark.parametrize("missing", range(4))
def test_a_colour_that_was_not_taught_is_never_chosen(missing: int, white: bool) -> None:  # noqa: FBT001
    """Where a boat has fewer colours the gap costs more than anything, even if it fitted best."""
    real = np.ones((4, 4), np.bool_)
    real[:, missing] = False
    fits, around, real = laid([0, 1, 2, 3], [BULB] * 4, real=real)
    cost = colour_costs(fits, around, SURE_OF_THE_PAPER, real, white=white)
    assert [missing] * 4 == cost.argmax(1).tolist()
    assert np.isinf(cost[:, missing]).all()
    assert np.isfinite(np.delete(cost, missing, axis=1)).all()


@pytest.mark.parametrize("white", [True, False])
def test_the_order_of_the_cards_says_nothing(white: bool) -> None:  # noqa: FBT001
    """The same cards the other way round cost the same."""
    inks, gains = [YELLOW, PINK, BLUE, ORANGE], [BULB, DAY, BULB, SHADE]
    fits, around, real = laid(inks, gains)
    back = join_fits([fits.part(slice(4 * card, 4 * card + 4)) for card in (3, 2, 1, 0)])
    here, there = (
        colour_costs(fits, around, SURE_OF_THE_PAPER, real, white=white),
        colour_costs(back, around[::-1], SURE_OF_THE_PAPER, real, white=white),
    )
    np.testing.assert_allclose(here, there[::-1], rtol=1e-5)
