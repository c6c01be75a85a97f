import time
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from companion.core.mat import CELLS, GRID, MARKERS
from companion.drawn.drawn_camera import Lens, Sensor
from companion.drawn.drawn_card import CardFace, DrawnCard, card_back
from companion.drawn.drawn_film import Bump, Film, Happening, Hover, Lay, Lift, Switch
from companion.drawn.drawn_hand import SKINS, SLEEVES, Hand, Style
from companion.drawn.drawn_light import Glare, Light, RoomLamp, illuminant
from companion.drawn.drawn_lot import LIGHTS, light_by_lot, scene_by_lot
from companion.drawn.drawn_surface import KINDS, Surface
from companion.drawn.painter import NO_PILES, Painter, Pile, Scene, paint

from ..kinds import mostly_slow

YELLOW, PINK, BLUE, ORANGE = (40, 200, 240), (160, 90, 230), (200, 120, 40), (40, 125, 235)
NEUTRAL = Light((RoomLamp(6500, 0.7),), 0.3, 6500)
SMALL = Lens(640, 480)
CLEAN = replace(Sensor.metered(NEUTRAL.in_the_middle(), bright=0.85, neutral=1.0), photons=1e9, read=0.0, blur=0.0)
LEFT_HAND_OVER_4 = Hand(Style(), CELLS[4].centre, 20.0, 180.0)


def plain(
    colour: tuple[int, int, int], name: tuple[str, str] | None = ("raft", "pink"), gloss: float = 0.0
) -> CardFace:
    return CardFace(np.full((176, 126, 3), colour, np.uint8), name, gloss=gloss)


def lying(faces: dict[int, CardFace], turn: float = 0.0) -> tuple[Pile, ...]:
    return tuple(
        (DrawnCard(faces[cell], *CELLS[cell].centre, turn),) if cell in faces else () for cell in range(9)
    )


def a_table(faces: dict[int, CardFace] | None = None) -> Scene:
    piles = lying(faces) if faces else NO_PILES
    return Scene(NEUTRAL, Surface("cloth", 3), mat=False, lens=SMALL, sensor=CLEAN, piles=piles)


def at(picture: MatLike, scene: Scene, place: tuple[float, float], up: float = 0.0) -> list[int]:
    x, y = scene.lens.project(np.array([place]), up).round().astype(int)[0]
    return [int(part) for part in picture[y, x]]


def share_differing(one: MatLike, two: MatLike) -> float:
    return float((np.abs(one.astype(int) - two) > 12).any(-1).mean())


@pytest.mark.parametrize("colour", [YELLOW, PINK, BLUE, ORANGE])
def test_a_card_keeps_its_colour_in_neutral_light(colour: tuple[int, int, int]) -> None:
    """The middle of a card in neutral light, well exposed, has about the colour it is printed in."""
    for cell in range(9):
        scene = a_table({cell: plain(colour)})
        picture, truth = paint(scene)
        seen = at(picture, scene, CELLS[cell].centre, 0.5)
        assert [colour[part] for part in range(3)] == pytest.approx(seen, abs=14)
        assert [cell == other for other in range(9)] == [card is not None for card in truth.cells]


def test_the_outline_is_where_the_card_is() -> None:
    """Just inside a card's outline is its colour, just outside it is not, at any turn and lens."""
    lens = Lens(640, 480, tilt=8, tilt_towards=200, turn=11, bend=0.04, vignette=0.0)
    for turn in (0.0, 33.0, 90.0, 187.0):
        scene = replace(a_table(), lens=lens, piles=lying({1: plain(BLUE), 6: plain(BLUE)}, turn))
        picture, truth = paint(scene)
        for cell in (1, 6):
            outline = truth.outlines[cell]
            assert outline is not None
            corners = np.array(outline)
            middle = corners.mean(0)
            for start, end in pairwise([*corners, corners[0]]):
                edge = (start + end) / 2
                out = (edge - middle) / np.linalg.norm(edge - middle)
                (x, y), (x_out, y_out) = (edge - 4 * out).round().astype(int), (edge + 6 * out).round().astype(int)
                assert list(BLUE) == pytest.approx([int(part) for part in picture[y, x]], abs=25)
                assert int(picture[y_out, x_out, 0]) < 150


@pytest.mark.slow
def test_the_mat_is_found_where_the_truth_has_it() -> None:
    """OpenCV finds all four markers of the drawn mat, and through them the grid's corners within a pixel."""
    lens = Lens(tilt=6, tilt_towards=40, turn=170)
    picture, truth = paint(replace(a_table(), mat=True, lens=lens))
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture)
    found = {int(number): quad.reshape(4, 2) for number, quad in zip(numbers.ravel(), corners, strict=True)}
    assert [marker.number for marker in MARKERS] == sorted(found)
    printed = np.array([marker.square.corners for marker in MARKERS], np.float64).reshape(-1, 2)
    seen = np.concatenate([found[marker.number] for marker in MARKERS])
    way, _ = cv2.findHomography(printed, seen)
    grid = cv2.perspectiveTransform(np.array([GRID.corners], np.float64), way)[0]
    assert np.abs(grid - np.array(truth.corners)).max() < 1.0


def test_pixels_and_millimetres_are_each_others_way_back() -> None:
    """Projecting the point of the table that a pixel sees gives that pixel again, bent lens or not."""
    for bend in (-0.05, 0.0, 0.05):
        lens = Lens(640, 480, tilt=9, tilt_towards=130, turn=-20, bend=bend, aim=(180.0, 160.0))
        table = lens.widen(lens.coarse()[0])
        pixels = np.array([[0, 0], [639, 479], [320, 11], [77, 401]])
        again = lens.project(table[pixels[:, 1], pixels[:, 0]])
        assert np.abs(again - pixels).max() < 0.02


def test_the_same_scene_gives_the_same_picture_whatever_came_before() -> None:
    """A painter that has drawn other tables, hands and lights draws a scene as one that begins with it."""
    scene = scene_by_lot(5, [plain(PINK), plain(BLUE), plain(YELLOW)], light="mixed", width=640, height=480)
    scene = replace(scene, hands=(LEFT_HAND_OVER_4,))
    fresh, truth = paint(scene, 7)
    painter = Painter()
    other = replace(scene, piles=lying({0: plain(ORANGE), 4: plain(PINK)}), hands=())
    for before in (
        scene,
        other,
        replace(other, light=light_by_lot("evening", 2)),
        replace(scene, sensor=replace(scene.sensor, exposure=0.2)),
        replace(
            scene,
            hands=(
                replace(LEFT_HAND_OVER_4, grip=(100.0, 100.0), moved=(5.0, 9.0), holds=(scene.lying()[0].card,)),
            ),
        ),
    ):
        painter.paint(before)
        again, truth_again = painter.paint(scene, 7)
        assert np.array_equal(fresh, again)
        assert truth.hidden == truth_again.hidden
    once_more, _ = paint(scene, 7)
    assert np.array_equal(fresh, once_more)


def test_scenes_by_lot_depend_on_their_number_alone() -> None:
    """The same number gives the same table and picture, another number another one."""
    faces = [plain(PINK), plain(BLUE)]
    one, same, other = (scene_by_lot(seed, faces, light="window", width=320, height=240) for seed in (1, 1, 2))
    assert np.array_equal(paint(one)[0], paint(same)[0])
    assert share_differing(paint(one)[0], paint(other)[0]) > 0.2


@pytest.mark.parametrize("kind", mostly_slow(LIGHTS, 3))
def test_every_light_shows_a_picture_within_its_range(kind: str) -> None:
    """Under each light most of the mat is neither black nor burnt."""
    for seed in (3, 4):
        picture, _ = paint(scene_by_lot(seed, [plain(PINK)], light=kind, filled=0.0, width=320, height=240))
        middle = picture[60:180, 80:240].max(-1)
        assert float(((middle > 40) & (middle < 252)).mean()) > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("kind", mostly_slow(reversed(KINDS)))
def test_every_surface_differs_by_its_seed(kind: str) -> None:
    """A surface is deterministic, and its seeds give different ones."""
    pictures = [paint(replace(a_table(), surface=Surface(kind, seed)))[0] for seed in (1, 1, 2, 3, 4)]
    assert np.array_equal(pictures[0], pictures[1])
    assert max(share_differing(pictures[0], other) for other in pictures[2:]) > 0.05


def test_a_hand_hides_what_it_covers() -> None:
    """The share of each cell that the truth calls hidden is the share of white paper that a dark hand covers."""
    scene = replace(a_table(), mat=True, light=Light((), 1.0, 6500))
    empty = paint(scene)[0].astype(float).sum(-1)
    for left in (False, True):
        hand = replace(LEFT_HAND_OVER_4, style=Style("dark", "black", left), up=2.0)
        picture, truth = paint(replace(scene, hands=(hand,)))
        # In the hand's shadow paper keeps more than half of its code.
        changed = picture.astype(float).sum(-1) < 0.5 * empty
        for cell in range(9):
            corners = np.array(CELLS[cell].corners)
            inside = np.zeros(empty.shape[:2], np.uint8)
            cv2.fillConvexPoly(inside, scene.lens.project(corners).round().astype(np.int32), (1,))
            assert truth.hidden[cell] == pytest.approx(float(changed[inside > 0].mean()), abs=0.08)
        assert truth.hidden[4] > 0.1
        assert truth.hidden[3] > 0.4
        assert [0, 0, 0] == [truth.hidden[cell] for cell in (2, 5, 8)]


def test_a_card_in_the_hand_hides_the_pile_below() -> None:
    """A card held over a pile covers it; it is none of the cells' cards until it rests."""
    held = DrawnCard(plain(ORANGE), *CELLS[2].centre)
    hand = replace(LEFT_HAND_OVER_4, grip=(CELLS[2].centre[0], 20.0), arm=270.0, holds=(held,))
    truth = paint(replace(a_table({2: plain(BLUE)}), hands=(hand,)))[1]
    assert truth.card_hidden[2] > 0.95
    assert (None, None, ("raft", "pink")) == truth.names[:3]


@pytest.mark.slow
def test_skins_and_sleeves_look_different() -> None:
    """Every skin and every sleeve changes the picture."""
    styles = [Style(skin) for skin in SKINS] + [Style("pale", sleeve) for sleeve in SLEEVES if sleeve != "navy"]
    hands = [replace(LEFT_HAND_OVER_4, style=style) for style in styles]
    seen = [paint(replace(a_table(), hands=(hand,)))[0].mean((0, 1)) for hand in hands]
    for number, one in enumerate(seen):
        assert all(np.abs(one - other).max() > 0.15 for other in seen[:number])


def test_warm_light_has_next_to_no_blue() -> None:
    """At 2200 K blue is under a twentieth of red, at 6500 K all three are alike; luminance is 1 throughout."""
    blue, _, red = illuminant(2200)
    assert blue < red / 20
    assert (1, 1, 1) == pytest.approx(illuminant(6500), abs=0.06)
    for kelvin in (2000, 2700, 4000, 9000):
        blue, green, red = illuminant(kelvin)
        assert pytest.approx(0.0722 * blue + 0.7152 * green + 0.2126 * red, abs=0.02) == 1


def test_noise_grows_in_the_dark() -> None:
    """Two shots of one scene differ by noise alone, and by more of it the less light there was."""
    spread: list[float] = []
    for level in (1.0, 0.1, 0.02):
        light = Light((RoomLamp(4000, level),), 0.0)
        scene = replace(a_table(), mat=True, light=light, sensor=Sensor.metered(light.in_the_middle()))
        one, two = (paint(scene, shot)[0].astype(float) for shot in (1, 2))
        assert (one - two).mean() == pytest.approx(0, abs=0.2)
        spread.append(float((one - two).std()))
    assert spread[0] * 2 < spread[1]
    assert spread[1] * 1.8 < spread[2]


def test_a_shadow_takes_one_lamps_light_only() -> None:
    """In the shadow of the warm lamp the paper is colder, and the other way round."""
    band = ((150.0, -400.0), (190.0, -400.0), (190.0, 700.0), (150.0, 700.0))
    warm, cold = RoomLamp(2600, 0.4), RoomLamp(8000, 0.4)
    ratio: dict[str, float] = {}
    for name, lamps in {
        "none": (warm, cold),
        "warm": (replace(warm, shade=(band,)), cold),
        "cold": (warm, replace(cold, shade=(band,))),
    }.items():
        scene = replace(a_table(), mat=True, light=Light(lamps, 0.05))
        blue, _, red = at(paint(scene)[0], scene, (170.0, 100.0))
        ratio[name] = blue / red
    assert ratio["cold"] * 1.2 < ratio["none"]
    assert ratio["none"] * 1.2 < ratio["warm"]


def test_glare_burns_gloss_and_spares_matt_cards() -> None:
    """A mirrored lamp clips part of a card in a sleeve, as the truth tells; a matt card stays readable."""
    light = replace(NEUTRAL, glares=(Glare(*CELLS[4].centre, 25, 9),))
    burnt: list[float] = []
    for gloss in (1.0, 0.0):
        scene = replace(a_table({4: plain(BLUE, gloss=gloss)}), light=light)
        picture, truth = paint(scene)
        burnt.append(truth.burnt[4])
        inside = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, np.array(truth.outlines[4]).round().astype(np.int32), (1,))
        white = (picture[inside > 0] >= 252).all(-1)
        assert truth.burnt[4] == pytest.approx(float(white.mean()), abs=0.05)
    assert burnt[0] > 0.1
    assert burnt[1] == 0


def test_lower_cards_show_at_the_edges_of_a_messy_pile() -> None:
    """Of eight cards askew the top one is the cell's card, and colours of lower ones can be seen beside it."""
    below = plain(YELLOW)
    middle = CELLS[4].centre
    cards = tuple(DrawnCard(below, middle[0] + 3 * number - 12, middle[1], 5.0 * number) for number in range(7))
    top = DrawnCard(plain(BLUE, ("ring", "blue")), *middle)
    scene = replace(a_table(), piles=(*NO_PILES[:4], (*cards, top), *NO_PILES[5:]))
    picture, truth = paint(scene)
    assert truth.names[4] == ("ring", "blue")
    yellow = (np.abs(picture.astype(int) - YELLOW) < 40).all(-1)
    assert 0.003 < float(yellow.mean()) < 0.05


def test_a_back_is_no_card_of_the_game() -> None:
    """A card lying face down is there, but has no name."""
    truth = paint(a_table({3: card_back(2)}))[1]
    assert truth.cells[3] is not None
    assert truth.names[3] is None


def a_film(rate: float = 15.0, lost: float = 0.0, **changes: object) -> Film:
    actions = (
        Lay(1.0, 4, plain(ORANGE), "left", (3.0, -2.0), 7.0),
        Hover(2.4, (8, 6), "near"),
        Lift(4.2, (0, 4), "right", 0.5),
    )
    scene = replace(a_table({0: plain(BLUE), 8: plain(PINK)}), lens=Lens(320, 240))
    return replace(Film(scene, actions, 6.0, rate, lost), **changes)


@pytest.mark.slow
def test_a_film_tells_when_cards_come_to_rest_and_go() -> None:
    """What happens stands in the film in order, to the nanosecond, and the pictures' cells follow it."""
    film = a_film(begin_ns=5_000)
    told = [(one.t_ns, one.cell, one.card is not None) for one in film.happenings]
    assert [(1_000_005_000, 4, True), (4_200_005_000, 0, False), (4_700_005_000, 4, False)] == told
    for shot in film:
        seconds = (shot.t_ns - 5_000) / 1e9
        lies = [cell for cell, card in enumerate(shot.truth.cells) if card]
        expected = {0} if seconds < 4.2 else set[int]()
        assert sorted(expected | {8} | ({4} if 1.0 <= seconds < 4.7 else set[int]())) == lies
        assert shot.happened == tuple(one for one in film.happenings if one.t_ns <= shot.t_ns)


def test_a_laid_card_is_still_from_its_instant_on() -> None:
    """Before its instant the card moves, at it it lies exactly where it stays, so the picture does not jump."""
    film = a_film()
    card = film.happenings[0].card
    assert card is not None
    before, just_before = film.at(0.8).hands[0].holds[0], film.at(1.0 - 1e-6).hands[0].holds[0]
    assert np.hypot(before.x - card.x, before.y - card.y) > 5
    assert (card.x, card.y, card.turn) == pytest.approx((just_before.x, just_before.y, just_before.turn), abs=1e-3)
    assert [()] == [hand.holds for hand in film.at(1.0).hands]
    painter = Painter()
    last, first = (painter.paint(film.at(at))[0] for at in (1.0 - 1e-6, 1.0))
    assert share_differing(last, first) < 0.01


def test_hands_come_and_go_and_hide_nothing_else() -> None:
    """Between the actions there is no hand; during a hover the cell below is hidden and nothing happens to it."""
    film = a_film()
    hidden = {round(shot.t_ns / 1e9, 2): shot.truth.hidden for shot in film}
    assert all(not any(shares) for seconds, shares in hidden.items() if seconds < 0.3 or 1.75 < seconds < 1.8)
    assert hidden[2.6][8] > 0.05
    assert hidden[3.4][6] > 0.05
    assert not any(hidden[5.93])


@pytest.mark.parametrize("rate", mostly_slow([5.0, 15.0, 60.0], 2))
def test_a_film_runs_at_any_rate(rate: float) -> None:
    """Pictures come at even distances, as many as the rate says, and what is seen does not depend on it."""
    film = replace(a_film(rate), lasts=1.2, scene=replace(a_table(), lens=Lens(160, 120)))
    times = [shot.t_ns for shot in film]
    assert round(1.2 * rate) == len(times)
    assert all(b - a == pytest.approx(1e9 / rate, abs=1) for a, b in pairwise(times))


def test_lost_pictures_leave_gaps_and_change_no_other() -> None:
    """A film that loses pictures shows, of the same film without losses, the same pictures at the same times."""
    whole = replace(a_film(), lasts=2.0, scene=replace(a_table(), lens=Lens(160, 120)))
    all_of_it = {shot.t_ns: shot.picture for shot in whole}
    left = {shot.t_ns: shot.picture for shot in replace(whole, lost=0.4)}
    assert 0.35 * len(all_of_it) < len(left) < 0.85 * len(all_of_it)
    assert all(np.array_equal(all_of_it[t_ns], picture) for t_ns, picture in left.items())


def test_a_bump_moves_the_corners_and_no_card() -> None:
    """After the shaking the whole grid lies a few millimetres away; nothing has happened."""
    film = Film(a_table({4: plain(BLUE)}), (Bump(0.5, (3.0, 2.0), 0.4),), 2.0)
    shots = list(film)
    moved = np.abs(np.array(shots[-1].truth.corners) - np.array(shots[0].truth.corners)).max()
    assert 2 < moved < 12
    assert shots[0].truth.corners == shots[7].truth.corners
    assert len({shot.truth.corners for shot in shots[8:14]}) == 6
    assert shots[-1].truth.corners == shots[-5].truth.corners
    assert () == shots[-1].happened


def test_a_lamp_that_is_switched_on_first_dazzles_the_camera() -> None:
    """The picture jumps with the lamp and comes back towards its old brightness as the camera follows."""
    lamp = RoomLamp(2700, 1.0, 500, -200, 700)
    film = Film(a_table(), (Switch(0.5, replace(NEUTRAL, lamps=(*NEUTRAL.lamps, lamp))),), 2.5)
    bright = [float(shot.picture.mean()) for shot in film]
    assert bright[0] == pytest.approx(bright[6], abs=0.5)
    assert bright[9] > bright[6] + 15
    assert bright[-1] < bright[9] - 10


@pytest.mark.slow
def test_a_still_table_costs_less_than_one_from_nothing() -> None:
    """What has not changed is not drawn again: a still table takes under half of the time of a new one, and a hand
    over it less than a moved camera."""
    scene = scene_by_lot(8, [plain(PINK), plain(BLUE)], light="window", filled=1.0)
    scene = replace(scene, sensor=replace(scene.sensor, jpeg=None))

    def least(scenes: list[Scene]) -> float:
        painter = Painter()
        painter.paint(scene)
        spent: list[float] = []
        for one in scenes:
            begun = time.perf_counter()
            painter.paint(one)
            spent.append(time.perf_counter() - begun)
        return min(spent)

    still = least([scene] * 5)
    hand = least([replace(scene, hands=(replace(LEFT_HAND_OVER_4, up=20.0 + step),)) for step in range(5)])
    moved = least([replace(scene, lens=replace(scene.lens, turn=scene.lens.turn + step + 1)) for step in range(5)])
    assert still * 2 < moved
    assert hand < moved


def test_a_jpeg_costs_detail_but_not_the_truth() -> None:
    """With a round trip through JPEG the picture differs a little; what it shows is told the same."""
    scene = a_table({4: plain(PINK)})
    raw, truth = paint(scene)
    packed, truth_packed = paint(replace(scene, sensor=replace(scene.sensor, jpeg=60)))
    assert not np.array_equal(raw, packed)
    assert share_differing(raw, packed) < 0.05
    assert truth.names == truth_packed.names


def test_a_happening_without_a_card_is_a_lift() -> None:
    """Lifting several piles is told pile by pile, the hand holding more and more."""
    film = Film(
        a_table({0: plain(BLUE), 1: plain(PINK), 2: plain(YELLOW)}), (Lift(1.0, (0, 1, 2), "far", 0.5),), 3.0
    )
    assert tuple(Happening(1_000_000_000 + 500_000_000 * cell, cell, None) for cell in range(3)) == film.happenings
    held = [len(hand.holds) for at in (0.9, 1.1, 1.6, 2.1) for hand in film.at(at).hands]
    assert [0, 1, 2, 3] == held
