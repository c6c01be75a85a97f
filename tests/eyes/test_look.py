"""One picture at a time, of decks that nobody tuned the eyes for: a wrong card is far worse than a hidden one."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from companion.core.cards import CARDS, sets_on
from companion.core.mat import CELLS
from companion.core.reading import Bare, Hidden, Shown, Why
from companion.drawn.drawn_camera import Sensor
from companion.drawn.drawn_card import CardFace, card_back
from companion.drawn.drawn_hand import Hand, Style
from companion.drawn.drawn_light import Glare, Light, RoomLamp
from companion.drawn.drawn_lot import LIGHTS, sensor_by_lot
from companion.drawn.drawn_surface import Surface
from companion.eyes.grid.flat_picture import flatten
from companion.eyes.grid.grid_from_mat import Found, grid_at_corners
from companion.eyes.look import Eyes
from companion.eyes.scene.tabletop import area_covered

from ..kinds import mostly_slow
from ..remembered import paint
from .decks import DECKS
from .lessons import faces
from .looking import Looked, by_lot, deck_of, eyes_of, looked, nine, placed

on_both = pytest.mark.parametrize("mat", [True, False], ids=["mat", "table"])
on_either = pytest.mark.parametrize("mat", mostly_slow([True, False]), ids=["mat", "table"])
every_deck = pytest.mark.parametrize("deck", mostly_slow(DECKS))
# Half of the decks on the mat, the others on the bare table.
half_of_them = pytest.mark.parametrize(
    ("deck", "mat"), mostly_slow(((deck, number % 2 == 1) for number, deck in enumerate(DECKS)), 2)
)
one_or_all = pytest.mark.parametrize(
    "decks", mostly_slow([(tuple(DECKS)[:1],), (tuple(DECKS),)]), ids=["one", "all"]
)


@cache
def in_many_lights(deck: str, *, mat: bool) -> tuple[Looked, ...]:
    """Every other kind of light on the mat, the others on the bare table; of the next deck it is the other way."""
    kinds = tuple(LIGHTS)[(list(DECKS).index(deck) + mat) % 2 :: 2]
    return tuple(looked(deck, by_lot(deck, 10 + number, mat=mat, light=kind)) for number, kind in enumerate(kinds))


def everything(decks: Iterable[str] = DECKS) -> Iterator[Looked]:
    for deck in decks:
        yield from in_many_lights(deck, mat=True)
        yield from in_many_lights(deck, mat=False)


@on_both
@every_deck
def test_no_card_is_taken_for_another(deck: str, mat: bool) -> None:  # noqa: FBT001
    """Under many kinds of light what is shown is what lies there, and nothing where nothing lies."""
    for one in in_many_lights(deck, mat=mat):
        assert [] == one.wrong


@on_both
@every_deck
def test_most_cards_are_read(deck: str, mat: bool) -> None:  # noqa: FBT001
    """Even of the hardest deck six of seven cards are read, in shadows, glare and by candle light."""
    pictures = in_many_lights(deck, mat=mat)
    assert sum(one.right for one in pictures) >= sum(one.lying for one in pictures) * 6 / 7


@pytest.mark.slow
def test_hardly_any_card_is_hidden() -> None:
    """Of all the decks on all the tables at most one card of 27 can't be read."""
    lying, right = (sum(getattr(one, what) for one in everything()) for what in ("lying", "right"))
    assert lying > 400
    assert (lying - right) * 27 <= lying


@pytest.mark.slow
@one_or_all
def test_a_card_that_lies_there_is_never_called_bare(decks: tuple[str, ...]) -> None:
    """Without a hand in the way what can't be read is hidden, not empty."""
    for one in everything(decks):
        for there, sight in zip(one.truth.names, one.seen.sights, strict=True):
            assert there is None or not isinstance(sight, Bare)


@pytest.mark.parametrize(
    ("decks", "least"), mostly_slow([(tuple(DECKS)[:1], 0), (tuple(DECKS), 10)]), ids=["one", "all"]
)
def test_one_more_card_is_judged_as_all_of_them_are(decks: tuple[str, ...], least: int) -> None:
    """It is quicker, for what lies beside it is not looked at again; and where that would not do, it is done."""
    quick = 0
    for deck in decks:
        for mat in (True, False):
            eyes = eyes_of(deck, mat=mat)
            for seen in (one.seen for one in in_many_lights(deck, mat=mat)):
                cell = max(range(9), key=seen.cards.__getitem__)
                before = [None if other == cell else one for other, one in enumerate(seen.candidates)]
                without = eyes.judge(seen.grid, seen.flat, before)
                more = eyes.judge_changed(without, seen.grid, seen.flat, seen.candidates, [cell])
                if more is not None:
                    quick += 1
                    # What this card made unreadable stays so until it is looked at again.
                    whole = [
                        was if isinstance(was, Hidden) and other != cell and now == Bare() else now
                        for other, (was, now) in enumerate(zip(without.sights, seen.sights, strict=True))
                    ]
                    assert (seen.cards, tuple(whole)) == (more.cards, more.sights)
    assert quick > least


@one_or_all
def test_most_empty_cells_are_bare(decks: tuple[str, ...]) -> None:
    """Nineteen of twenty cells with nothing in them are seen to be empty."""
    empty = [
        sight
        for one in everything(decks)
        for there, sight in zip(one.truth.names, one.seen.sights, strict=True)
        if there is None
    ]
    assert sum(sight != Bare() for sight in empty) * 20 <= len(empty)


@one_or_all
def test_no_set_is_made_up(decks: tuple[str, ...]) -> None:
    """Three in a row are only called when they lie there."""
    for one in everything(decks):
        shown = [None if name is None else CARDS[name] for name in one.shown]
        there = [None if name is None else CARDS[name] for name in one.truth.names]
        assert set(sets_on(shown)) <= set(sets_on(there))


@one_or_all
def test_poses_are_where_the_cards_lie(decks: tuple[str, ...]) -> None:
    """To 3 mm and 5 degrees: a card that looks alike upside down may be half a turn off, a ring a quarter."""
    for one in everything(decks):
        for cell, (card, sight) in enumerate(zip(one.truth.cells, one.seen.sights, strict=True)):
            if isinstance(sight, Shown) and card is not None:
                assert sight.pose is not None
                x, y = sight.pose.x_mm + CELLS[cell].left, sight.pose.y_mm + CELLS[cell].top
                assert np.hypot(x - card.x, y - card.y) < 3
                assert 0 <= sight.pose.turn < 360
                alike = 90 if sight.card.boat == "ring" else 180
                assert abs((sight.pose.turn - card.turn + alike / 2) % alike - alike / 2) < 5


@one_or_all
def test_how_sure_is_between_a_half_and_one(decks: tuple[str, ...]) -> None:
    """What is less than half sure is not shown."""
    sure = [sight.sure for one in everything(decks) for sight in one.seen.sights if isinstance(sight, Shown)]
    assert 0.5 <= min(sure) <= max(sure) <= 1


@half_of_them
def test_a_card_is_the_same_at_any_turn(deck: str, mat: bool) -> None:  # noqa: FBT001
    """Lying crosswise, aslant or upside down it is still that card."""
    on = by_lot(deck, 3, mat=mat, light="neutral", filled=0)
    turns = np.random.default_rng(8).uniform(0, 360, 9).tolist()
    one = looked(deck, placed(on, nine(deck, 1), turns))
    assert [] == one.wrong
    assert one.right >= 8


@every_deck
def test_upside_down_is_the_same_card(deck: str) -> None:
    """Half a turn changes no reading."""
    on = by_lot(deck, 4, mat=True, light="ceiling", filled=0)
    upright, upside_down = (looked(deck, placed(on, nine(deck, 5), [turn] * 9)) for turn in (2.0, 182.0))
    assert upright.truth.names == upright.shown == upside_down.shown


@half_of_them
def test_messy_piles_are_read_by_their_top_cards(deck: str, mat: bool) -> None:  # noqa: FBT001
    """Piles of up to eight cards that lie as they fell show what lies on top, or nothing."""
    one = looked(deck, by_lot(deck, 21, mat=mat, light="neutral", filled=1, mess=8))
    assert [] == one.wrong
    assert one.right >= 7


@half_of_them
def test_a_back_is_no_card(deck: str, mat: bool) -> None:  # noqa: FBT001
    """Cards face down are none of the taught ones, and their cells aren't empty."""
    on = by_lot(deck, 6, mat=mat, light="neutral", filled=0)
    one = looked(deck, placed(on, {**nine(deck, 6), **dict.fromkeys((1, 4, 6), card_back(3))}))
    assert [] == one.wrong
    assert {1, 4, 6} <= set(one.whys())
    assert one.right >= 5


@half_of_them
def test_another_decks_card_is_no_card(deck: str, mat: bool) -> None:  # noqa: FBT001
    """Cards of another printing, with the same boats on them, are not taken for ours."""
    decks = list(DECKS)
    other = decks[(decks.index(deck) + 2) % len(decks)]
    foreign = {cell: CardFace(face.picture) for cell, face in nine(other, 7).items() if cell % 2}
    one = looked(deck, placed(by_lot(deck, 7, mat=mat, light="neutral", filled=0), {**nine(deck, 8), **foreign}))
    assert [] == one.wrong


@pytest.mark.parametrize(
    ("kind", "deck", "light"),
    mostly_slow(
        (kind, deck, light)
        for deck, light in (("chalk", "sun"), ("harbour", "sun"), ("night", "arm"))
        for kind in ("gingham", "wood", "stripes")
    ),
)
def test_an_empty_table_has_no_card(kind: str, deck: str, light: str) -> None:
    """Planks may be like a raft and checks like a frame, yet no card is seen on wood or cloth, in sun and
    shadow."""
    on = replace(by_lot(deck, 9, mat=False, light=light, filled=0), surface=Surface(kind, 5), beside=())
    assert (None,) * 9 == looked(deck, on).shown


@every_deck
def test_an_empty_mat_has_no_card(deck: str) -> None:
    """Nothing lies on it, and that is what is seen."""
    for light in ("neutral", "dim", "edge"):
        assert (Bare(),) * 9 == looked(deck, by_lot(deck, 11, mat=True, light=light, filled=0)).seen.sights


@half_of_them
def test_a_card_under_a_hand_is_never_another(deck: str, mat: bool) -> None:  # noqa: FBT001
    """Under fingers, a palm or a sleeve it is that card, or can't be told; those beside are read."""
    on = by_lot(deck, 12, mat=mat, light="neutral", filled=0)
    x, y = CELLS[4].centre
    hand = Hand(Style("light", "red"), (x + 10, y + 5), 12, 90, "pinch")
    one = looked(deck, replace(placed(on, nine(deck, 4)), hands=(hand,)))
    assert [] == one.wrong
    clear = [cell for cell in range(9) if one.truth.hidden[cell] < 0.02]
    assert sum(one.shown[cell] is not None for cell in clear) >= len(clear) - 1


@every_deck
def test_a_card_in_a_hand_is_not_what_lies_there(deck: str) -> None:
    """Though enough of it may be seen to know it; fingertips at its edge take nothing away."""
    on = by_lot(deck, 12, mat=True, light="neutral", filled=0)
    x, y = CELLS[4].centre
    hides = {
        reach: looked(deck, replace(placed(on, nine(deck, 4)), hands=(hand,)))
        for reach in (12, 60)
        for hand in [Hand(Style("light", "red"), (x + reach, y + 5), 12, 90, "pinch")]
    }
    assert hides[12].truth.hidden[4] > 0.15
    assert Hidden(Why.HAND) == hides[12].seen.sights[4]
    assert hides[60].truth.hidden[4] < 0.1
    assert hides[60].shown[4] is not None


@pytest.mark.parametrize("deck", mostly_slow(["chalk", "night"]))
def test_a_card_under_a_hand_is_no_part_of_it(deck: str) -> None:
    """Or an arm would go on through a card of which too little is seen, into the shadow that falls beside it."""
    on = by_lot(deck, 12, mat=True, light="neutral", filled=0)
    x, y = CELLS[4].centre
    hand = Hand(Style("light", "red"), (x + 12, y + 5), 12, 90, "pinch")
    seen = looked(deck, replace(placed(on, nine(deck, 4)), hands=(hand,))).seen
    one = seen.candidates[4]
    assert one is not None
    assert not seen.cards[4]
    assert seen.hands.any()
    assert not (seen.hands & area_covered([one.place], seen.size_mm)).any()


@every_deck
def test_too_dim_is_said_rather_than_guessed(deck: str) -> None:
    """By one candle far away no colour is told wrong on the bare table, and what isn't told is no other card."""
    candle = Light((RoomLamp(1900, 0.0015, 300, 0, 500, 40),), 0.0002, 1900)
    on = by_lot(deck, 13, mat=False, light="dimmest", filled=0)
    dim = replace(on, light=candle, sensor=replace(sensor_by_lot(candle, 13), exposure=on.sensor.exposure * 4))
    assert [] == looked(deck, placed(dim, nine(deck, 13))).wrong


@pytest.mark.slow
def test_colours_that_the_lamp_swallows_are_dark() -> None:
    """By candle light in a camera's noise, uncorrected, some colours can't be told: that is what is said."""
    lamp = Light((RoomLamp(2200, 0.015, 300, 0, 500, 40),), 0.002, 2200)
    camera = Sensor.metered(lamp.in_the_middle(), bright=0.4, neutral=0.0)
    noisy = replace(camera, photons=60 * camera.exposure, blur=0.8, jpeg=88)
    whys: set[Why] = set()
    for deck, mat in (("paper", True), ("chalk", False)):
        on = replace(by_lot(deck, 13, mat=mat, filled=0), light=lamp, sensor=noisy)
        one = looked(deck, placed(on, nine(deck, 13)), find=False)
        assert [] == one.wrong
        whys |= set(one.whys().values())
    assert Why.DARK in whys


@half_of_them
def test_a_channel_without_light_says_nothing(deck: str, mat: bool) -> None:  # noqa: FBT001
    """By candles, in a camera that doesn't make up for them, there is nothing in blue but noise: no card is taken
    for one that differs from it in blue."""
    lamp = Light((RoomLamp(1900, 0.015, 300, 0, 500, 40),), 0.002, 1900)
    camera = Sensor.metered(lamp.in_the_middle(), bright=0.4, neutral=0.0)
    noisy = replace(camera, photons=200 * camera.exposure, blur=0.8, jpeg=88)
    on = replace(by_lot(deck, 13, mat=mat, filled=0), light=lamp, sensor=noisy)
    assert [] == looked(deck, placed(on, nine(deck, 13)), find=False).wrong


@pytest.mark.slow
def test_a_card_of_the_tables_colour_in_a_swallowed_channel_is_not_bare() -> None:
    """By candles without blue, yellow cards on wood or white paper are as bright and red as these: nobody knows
    whether one lies there, and that it is too dim is what is said."""
    lamp = Light((RoomLamp(1900, 0.015, 300, 0, 700, 60),), 0.015 * 0.13, 1900)
    camera = Sensor.metered(lamp.in_the_middle(), bright=0.2, neutral=0.0)
    noisy = replace(camera, photons=200 * camera.exposure, blur=0.8, jpeg=88)
    for mat in (True, False):
        on = replace(by_lot("mirror", 13, mat=mat, filled=0), light=lamp, sensor=noisy)
        one = looked("mirror", placed(on, nine("mirror", 13)), find=False)
        assert Bare() not in one.seen.sights
        assert Why.DARK == one.whys()[5]


def test_a_card_with_one_channel_burnt_is_not_bare() -> None:
    """By a warm lamp red is burnt all over a card long before blue is; that is glare, not a bare table."""
    on = placed(by_lot("chalk", 13, mat=False, light="evening", filled=0), nine("chalk", 13))
    camera = replace(on.sensor, exposure=Sensor.metered(on.light.in_the_middle(), bright=3).exposure)
    one = looked("chalk", replace(on, sensor=camera), find=False)
    assert Bare() not in one.seen.sights
    assert Why.GLARE == one.whys()[3]


@pytest.mark.parametrize("seed", mostly_slow([13, 14]))
def test_orange_by_candles_is_not_pink_on_the_mat(seed: int) -> None:
    """Where neither the cards nor the paper beside them show any blue, what differs in blue alone isn't told."""
    lamp = Light((RoomLamp(1900, 0.015, 300, 0, 700, 60),), 0.015 * 0.13, 1900)
    camera = Sensor.metered(lamp.in_the_middle(), bright=0.4, neutral=0.0)
    noisy = replace(camera, photons=200 * camera.exposure, blur=0.8, jpeg=88)
    on = replace(by_lot("harbour", seed, mat=True, filled=0), light=lamp, sensor=noisy)
    assert [] == looked("harbour", placed(on, nine("harbour", seed)), find=False).wrong


@pytest.mark.slow
@on_either
def test_burnt_lines_on_black_are_glare(mat: bool) -> None:  # noqa: FBT001
    """Of neon on black only thin lines tell the colour; five times overexposed they are burnt, though mixed with
    the black beside them they don't look so."""
    on = placed(by_lot("night", 15, mat=mat, light="evening", filled=0), nine("night", 13))
    camera = replace(on.sensor, exposure=Sensor.metered(on.light.in_the_middle(), bright=5).exposure)
    one = looked("night", replace(on, sensor=camera), find=False)
    assert [] == one.wrong
    assert Why.GLARE in one.whys().values()


@pytest.mark.slow
@pytest.mark.parametrize(("mat", "bright"), [(True, 1.0), (False, 2.0)], ids=["mat", "table"])
def test_lines_on_black_that_are_burnt_in_one_channel_are_told_by_the_others(mat: bool, bright: float) -> None:  # noqa: FBT001
    """A camera that makes black cards out exposes their neon lines too long, by a bulb those with red in them."""
    on = placed(by_lot("night", 16, mat=mat, light="evening", filled=0), nine("night", 16))
    camera = replace(on.sensor, exposure=Sensor.metered(on.light.in_the_middle(), bright=bright).exposure)
    one = looked("night", replace(on, sensor=camera), find=False)
    assert one.truth.names == one.shown


@pytest.mark.parametrize(("deck", "seed"), mostly_slow([("harbour", 26), ("harbour", 31), ("carnival", 20)]))
def test_light_that_changes_over_the_table_is_no_hand(deck: str, seed: int) -> None:
    """Where a warm lamp's fades into a cold window's, the mat has a colour that it has nowhere else."""
    one = looked(deck, by_lot(deck, seed, mat=True, light="mixed", filled=0.4))
    assert Why.HAND not in one.whys().values()
    assert {Bare()} == {one.seen.sights[cell] for cell, name in enumerate(one.truth.names) if name is None}


def test_eyes_that_are_warm_have_nothing_left_to_make_ready() -> None:
    """The first picture of a game waits for no more than the next one does."""

    def ready(eyes: Eyes) -> dict[str, set[str]]:
        return {name: set(getattr(part, "__dict__", ())) for name, part in vars(eyes).items()}

    eyes = Eyes(deck_of("harbour", mat=True))
    eyes.warm_up()
    warm = ready(eyes)
    assert 9 == looked("harbour", by_lot("harbour", 3, mat=True, filled=1), eyes).right
    assert {"_search", "_overlay"} < set(warm)
    assert warm == ready(eyes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", mostly_slow([105, 106, 107]))
def test_the_edge_of_a_hard_shadow_hides_no_boat(seed: int) -> None:
    """Of white cards with a broad frame little is the boat. Where the edge of a shadow crosses it, its light and
    dark is unlike any, but its colours are not."""
    one = looked("frame", by_lot("frame", seed, mat=True, light="sun", filled=1))
    assert one.truth.names == one.shown


@pytest.mark.slow
@pytest.mark.parametrize(("lead", "is_bare"), mostly_slow([(0.5, False), (0.05, True)]))
def test_a_checked_cloth_is_no_frame(lead: float, is_bare: bool) -> None:  # noqa: FBT001
    """A cell of checks may look like a card's frame; but where no boat is in it, and no lamp would explain its
    colours, nothing lies there."""
    cloth = replace(by_lot("frame", 16, mat=False, filled=0), surface=Surface("gingham", 4))
    seen = looked("frame", cloth).seen
    candidates = list(seen.candidates)
    one = next(one for one in candidates if one is not None)
    fits = replace(one.fits, misfit=np.full_like(one.fits.misfit, 0.007))
    candidates[4] = replace(one, like=0.62, lead=lead, fits=fits)
    assert is_bare == (eyes_of("frame", mat=False).judge(seen.grid, seen.flat, candidates).sights[4] == Bare())


@pytest.mark.parametrize(
    ("like", "lead", "is_told"), [(0.8, 0.06, True), (0.8, 0.04, False), (0.6, 0.12, False), (0.6, 0.14, True)]
)
def test_what_surely_is_a_card_needs_less_of_a_lead(like: float, lead: float, is_told: bool) -> None:  # noqa: FBT001
    """By candle light two boats may look nearly alike; but a cloth that does is never so like a card."""
    one = looked("harbour", by_lot("harbour", 13, mat=True, filled=9))
    candidates = list(one.seen.candidates)
    card = candidates[4]
    assert card is not None
    candidates[4] = replace(card, like=like, lead=lead)
    sights = eyes_of("harbour", mat=True).judge(one.seen.grid, one.seen.flat, candidates).sights
    assert is_told == isinstance(sights[4], Shown)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "mat"), mostly_slow([(13, False), (15, True), (16, True), (16, False)]))
def test_what_is_printed_in_black_is_no_noise(seed: int, mat: bool) -> None:  # noqa: FBT001
    """Dark cards are told in the dimmest light in which other cards are: where a channel has light enough, nothing
    is blacker than the blackest that is seen."""
    one = looked("night", placed(by_lot("night", seed, mat=mat, light="dimmest", filled=0), nine("night", seed)))
    assert ([], 9) == (one.wrong, one.right)


@pytest.mark.parametrize("spot", mostly_slow([((32, 20),), ((60, 20),), ((60, 6),)]))
def test_a_card_burnt_white_on_white_paper_is_not_bare(spot: tuple[float, float]) -> None:
    """Where a lamp mirrored in a sleeve burns all of a white card away, nobody knows whether the mat is bare."""
    sleeved = {cell: replace(face, gloss=1.0) for cell, face in nine("harbour", 14).items()}
    on = by_lot("harbour", 14, mat=True, light="neutral", filled=0)
    light = replace(on.light, glares=(Glare(*CELLS[4].centre, *spot),))
    one = looked("harbour", placed(replace(on, light=light), sleeved), find=False)
    assert one.truth.burnt[4] > 0.9
    assert Bare() not in one.seen.sights
    assert Why.GLARE == one.whys()[4]


@half_of_them
def test_a_lamp_mirrored_in_a_card_spoils_no_other(deck: str, mat: bool) -> None:  # noqa: FBT001
    """A small spot of glare on coated cards makes no wrong one, and most of those around it are read."""
    coated = {cell: replace(face, gloss=0.3) for cell, face in nine(deck, 14).items()}
    on = by_lot(deck, 14, mat=mat, light="neutral", filled=0)
    one = looked(
        deck, placed(replace(on, light=replace(on.light, glares=(Glare(*CELLS[4].centre, 25, 9),))), coated)
    )
    assert [] == one.wrong
    assert one.right >= 6


@pytest.mark.parametrize(
    ("deck", "mat"), mostly_slow([("harbour", False), ("carnival", True), ("carnival", False)])
)
def test_glare_is_said(deck: str, mat: bool) -> None:  # noqa: FBT001
    """A card in its sleeve under a mirrored lamp is hidden by glare; those away from it are read."""
    sleeved = {cell: replace(face, gloss=1.0) for cell, face in nine(deck, 14).items()}
    on = by_lot(deck, 14, mat=mat, light="neutral", filled=0)
    one = looked(
        deck, placed(replace(on, light=replace(on.light, glares=(Glare(*CELLS[4].centre, 32, 20),))), sleeved)
    )
    assert [] == one.wrong
    assert one.truth.burnt[4] > 0.6
    assert Why.GLARE == one.whys().get(4)
    assert one.right >= 4


@pytest.mark.parametrize("deck", mostly_slow(["harbour", "paper", "carnival", "mirror"]))
@on_both
@pytest.mark.parametrize("bright", mostly_slow([1.2, 1.7]))
def test_an_overexposed_table_is_glare(deck: str, bright: float, mat: bool) -> None:  # noqa: FBT001
    """Where a card's colours are burnt away none is told, and it isn't called empty."""
    on = placed(by_lot(deck, 15, mat=mat, light="neutral", filled=0), nine(deck, 15))
    camera = replace(on.sensor, exposure=Sensor.metered(on.light.in_the_middle(), bright=bright).exposure)
    # Its markers may be burnt as well; where the grid lies is not the matter here.
    one = looked(deck, replace(on, sensor=camera), find=False)
    assert [] == one.wrong
    assert Bare() not in one.seen.sights
    assert Why.GLARE in one.whys().values()


@pytest.mark.slow
@on_either
@pytest.mark.parametrize("deck", mostly_slow(["harbour", "paper", "chalk"]))
def test_the_number_of_pixels_does_not_matter(deck: str, mat: bool) -> None:  # noqa: FBT001
    """The same table 640, 1280 and 1920 pixels wide reads the same, but for a card on the verge of being
    hidden."""
    on = placed(
        by_lot(deck, 16, mat=mat, filled=0), {cell: face for cell, face in nine(deck, 16).items() if cell != 7}
    )
    for wide in (640, 1280, 1920):
        lens = replace(on.lens, width=wide, height=wide * 3 // 4)
        one = looked(deck, replace(on, lens=lens), find=wide > 640)
        assert [] == one.wrong
        assert one.right >= 7
        assert one.seen.sights[7] == Bare()


@on_either
def test_the_same_picture_twice_is_the_same(mat: bool) -> None:  # noqa: FBT001
    """The same sights from the same eyes, from others of the same deck, and from eyes that were warmed."""
    picture, truth = paint(by_lot("harbour", 17, mat=mat))
    grid = replace(grid_at_corners(truth.corners), found=Found.MAT if mat else Found.CORNERS)
    eyes, others = Eyes(deck_of("harbour", mat=mat)), Eyes(deck_of("harbour", mat=mat))
    others.warm_up()
    first = eyes.look(picture, grid).sights
    assert any(isinstance(sight, Shown) for sight in first)
    assert first == eyes.look(picture.copy(), grid).sights == others.look(picture, grid).sights


def test_warming_remembers_nothing() -> None:
    """What was looked at before says nothing about the next picture."""
    eyes = Eyes(deck_of("paper", mat=True))
    one, other = (by_lot("paper", seed, mat=True) for seed in (18, 19))
    alone = looked("paper", one).seen.sights
    looked("paper", other, eyes)
    assert alone == looked("paper", one, eyes).seen.sights


def test_a_few_cells_are_read_as_all_are() -> None:
    """What is candidates in some cells is what is candidates there when all are searched, in the order asked
    for."""
    picture, truth = paint(by_lot("carnival", 20, mat=False, filled=1))
    eyes = eyes_of("carnival", mat=False)
    flat = flatten(picture, grid_at_corners(truth.corners).to_mm)
    every = eyes.find_cards(flat, range(9))
    cells = (7, 2, 4)
    for cell, one in zip(cells, eyes.find_cards(flat, cells), strict=True):
        there = every[cell]
        assert one is not None
        assert there is not None
        assert there.place.number == one.place.number
        assert (there.place.x_mm, there.place.y_mm) == pytest.approx((one.place.x_mm, one.place.y_mm), abs=0.01)
        assert there.like == pytest.approx(one.like, abs=0.001)
    assert [] == eyes.find_cards(flat, ())


def test_a_deck_with_missing_cards_knows_the_others() -> None:
    """A boat with fewer colours than others is read, and the colour that nobody taught is never shown."""
    whole = deck_of("harbour", mat=True)
    missing = {("raft", "blue"), ("ring", "yellow"), ("ring", "pink")}
    some = replace(
        whole, cards=tuple(one for one in whole.cards if (one.card.boat, one.card.colour) not in missing)
    )
    lying = [face for name, face in faces("harbour").items() if name not in missing][:9]
    on = placed(by_lot("harbour", 21, mat=True, filled=0), dict(enumerate(lying)))
    one = looked("harbour", on, Eyes(some))
    assert one.truth.names == one.shown


@on_either
def test_a_deck_of_one_colour_a_boat_is_read(mat: bool) -> None:  # noqa: FBT001
    """Where no boat has another colour the print alone tells what lies there."""
    whole = deck_of("harbour", mat=mat)
    lying = {boat: name for name in faces("harbour") for boat in (name[0],)}
    some = replace(
        whole, cards=tuple(one for one in whole.cards if (one.card.boat, one.card.colour) in lying.values())
    )
    cards = dict(enumerate(faces("harbour")[name] for name in lying.values()))
    one = looked("harbour", placed(by_lot("harbour", 22, mat=mat, filled=0), cards), Eyes(some))
    assert one.truth.names == one.shown


def test_a_picture_of_nothing_has_no_card() -> None:
    """Grey, black, white, noise: nothing is seen in them."""
    eyes = eyes_of("chalk", mat=False)
    grid = grid_at_corners([(120, 40), (520, 40), (520, 440), (120, 440)])
    noise = np.random.default_rng(9).integers(0, 256, (480, 640, 3), np.uint8)
    for picture in (*(np.full((480, 640, 3), level, np.uint8) for level in (0, 90, 255)), noise,
                    cv2.GaussianBlur(noise, (0, 0), 9)):  # fmt: skip
        assert not any(isinstance(sight, Shown) for sight in eyes.look(picture, grid).sights)
