"""Drawn films of the table, watched by the eyes: what happened is told, and nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from companion.core.cards import Card
from companion.core.mat import CELLS, Point
from companion.core.reading import Hidden, Shown, Sight, Why
from companion.drawn.drawn_film import Action, Bump, Film, Happening, Hover, Lay, Lift, Shot, Switch
from companion.drawn.drawn_hand import Style
from companion.drawn.drawn_light import Glare, Light
from companion.drawn.drawn_lot import light_by_lot, pile_by_lot, scene_by_lot, sensor_by_lot
from companion.drawn.drawn_surface import Surface
from companion.drawn.painter import Painter, Scene
from companion.errors import GridNotFound, NoFootage
from companion.eyes.card.card_candidate import CardCandidate
from companion.eyes.grid.flat_picture import FlatPicture
from companion.eyes.grid.grid_from_mat import Grid
from companion.eyes.look import Eyes, LookResult
from companion.eyes.table_tracker import TableTracker
from companion.rig.watch_pictures import watch_pictures

from ..kinds import mostly_slow
from ..said import no_remark
from .conftest import Taught
from .lessons import faces
from .looking import eyes_of

Event = dict[str, Any]
# After the hand has gone: a picture in which that is seen to move, and two that agree.
LATE = 3
LYING = {0: ("raft", "blue"), 4: ("ring", "pink"), 5: ("jetski", "yellow"), 7: ("rowboat", "orange")}
HARBOUR, CARNIVAL = faces("harbour"), faces("carnival")


@dataclass(frozen=True)
class Told:
    events: list[Event]
    shots: list[Shot]

    @property
    def facts(self) -> list[Event]:
        """After the first grid."""
        return [event for event in self.events if event["type"] != "seen"][1:]


@pytest.fixture(scope="session")
def eyes(on_mat: Taught) -> Eyes:
    return Eyes(on_mat.lesson.deck)


@pytest.fixture(scope="session")
def eyes_on_table(on_table: Taught) -> Eyes:
    return Eyes(on_table.lesson.deck)


def table(seed: int, light: str = "neutral", *, mat: bool = True) -> Scene:
    deck = HARBOUR if mat else CARNIVAL
    scene = scene_by_lot(seed, [*deck.values()], light=light, mat=mat, filled=0, width=640, height=480)
    piles = [pile_by_lot(cell, [deck[LYING[cell]]], seed) if cell in LYING else () for cell in range(9)]
    return replace(scene, piles=tuple(piles))


def told(film: Film, eyes: Eyes) -> Told:
    shots: list[Shot] = []
    corners: Sequence[Point] | None = None if film.scene.mat else next(iter(film)).truth.corners

    def pictures() -> Iterator[tuple[int, MatLike]]:
        for shot in film:
            shots.append(shot)
            yield shot.t_ns, shot.picture

    events = [*watch_pictures(pictures(), eyes, corners, no_remark)]
    return Told(events, shots)


def plain(happening: Happening) -> tuple[str, int, object]:
    card = happening.card
    return ("lift" if card is None else "card", happening.cell, card.face.name if card else None)


def plainly(event: Event) -> list[tuple[str, int, object]]:
    if event["type"] == "card":
        return [("card", event["cell"], (event["boat"], event["colour"]))]
    return [(event["type"], cell, None) for cell in event["cells"]]


def assert_told(film: Film, seen: Told) -> None:
    """What happened, in time, and nothing else."""
    assert sorted(map(plain, film.happenings), key=str) == sorted(
        (one for event in seen.facts for one in plainly(event)), key=str
    )
    for event in seen.facts:
        if event["type"] == "card":
            happening = next(one for one in film.happenings if [plain(one)] == plainly(event))
            assert event["from"] <= happening.t_ns <= event["t"]
            assert late(happening, event["t"], seen.shots) <= LATE


def late(happening: Happening, t: int, shots: Sequence[Shot]) -> int:
    """In how many pictures before `t` the hand had already left the cell."""
    cell = happening.cell
    left = next(
        shot.t_ns
        for shot in shots
        if shot.t_ns >= happening.t_ns and max(shot.truth.hidden[cell], shot.truth.card_hidden[cell]) < 0.01
    )
    return sum(left < shot.t_ns <= t for shot in shots)


@pytest.mark.parametrize("mat", mostly_slow([True, False]))
def test_cards_laid_and_piles_lifted_are_told(eyes: Eyes, eyes_on_table: Eyes, *, mat: bool) -> None:
    """A card on an empty cell, one on a pile of the same boat, a pile that is taken: each once, in time."""
    deck = HARBOUR if mat else CARNIVAL
    actions = (
        Lay(1.5, 1, deck["raft", "yellow"], "near", turn=4),
        Lay(3.0, 4, deck["ring", "blue"], "left", off=(3, -2), turn=176),
        Lift(4.6, (5,), "right"),
    )
    film = Film(table(1, mat=mat), actions, 6.4)

    assert_told(film, told(film, eyes if mat else eyes_on_table))


@pytest.mark.slow
def test_two_piles_lifted_by_one_hand_are_told(eyes: Eyes) -> None:
    """One after the other, while the first is carried over the table."""
    film = Film(table(2), (Lift(1.4, (7, 4), "far"),), 4)

    assert_told(film, told(film, eyes))


LAMP = light_by_lot("evening", 5)
SHADE = light_by_lot("arm", 6)


@pytest.mark.parametrize(
    "action",
    mostly_slow(
        [
            Hover(1.3, (4, 0), "near"),
            Bump(1.0, (3, -2), 0.3),
            Hover(1.3, (7,), "far", style=Style("dark", "striped")),
            Switch(1.0, LAMP),
            Switch(1.0, SHADE),
        ]
    ),
    ids=["hand", "bump", "sleeve", "lamp", "shadow"],
)
@pytest.mark.parametrize("mat", mostly_slow([False, True]), ids=["table", "mat"])
def test_what_is_no_event_is_not_told(action: Action, eyes: Eyes, eyes_on_table: Eyes, *, mat: bool) -> None:
    """A hand that hovers, a sleeve across cards, another lamp, a shadow, a push: the table is what it was."""
    film = Film(table(3, mat=mat), (action,), 3.6)

    assert [] == told(film, eyes if mat else eyes_on_table).facts


MIRRORED = replace(light_by_lot("neutral", 5), glares=(Glare(*CELLS[4].centre, 32, 20),))


@pytest.mark.parametrize(
    "action", mostly_slow([Bump(1.0, (3, -2), 0.3, 0.2), Switch(1.0, MIRRORED)]), ids=["bump", "lamp"]
)
def test_glare_that_nobody_has_touched_is_no_end(action: Action, eyes: Eyes) -> None:
    """A lamp mirrored in a sleeve hides a card; when it is switched on, or the table knocked then, all that
    happens beside it is still told up to when."""
    light = MIRRORED if isinstance(action, Bump) else light_by_lot("neutral", 5)
    sleeved = [pile and (replace(pile[0], face=replace(pile[0].face, gloss=1.0)),) for pile in table(3).piles]
    seen = told(Film(replace(table(3), piles=tuple(sleeved), light=light), (action,), 3.0), eyes)

    assert [] == [event for event in seen.facts if event["type"] != "grid"]
    assert seen.events[-1]["t"] > seen.shots[-1].t_ns - 300_000_000


def whys_of(film: Film, eyes: Eyes) -> set[Why]:
    """Why what a hand hides isn't read; all that isn't, where there is no hand."""
    tracker, whys = TableTracker(eyes), set[Why]()
    for shot in film:
        tracker, reading = tracker.look(shot.picture, shot.t_ns)
        for sight, hidden in zip(reading.cells, shot.truth.hidden, strict=True):
            if isinstance(sight, Hidden) and (hidden > 0.4 or max(shot.truth.hidden) == 0):
                whys.add(sight.why)
    return whys


@pytest.mark.slow
def test_a_hand_is_told_from_what_only_moves(eyes: Eyes) -> None:
    """What it covers is hidden by a hand, and where the table is knocked nothing is."""
    assert {Why.HAND} == whys_of(Film(table(3), (Hover(1.0, (4,), "near"),), 1.6), eyes)
    assert {Why.MOVING} == whys_of(Film(table(3), (Bump(1.0),), 2.4), eyes)


@pytest.mark.slow
def test_what_was_no_event_ends(eyes: Eyes) -> None:
    """When the hand has gone and the push is over, the whole table is seen again, up to the last second."""
    film = Film(table(3), (Hover(1.3, (4, 0), "near"), Bump(3.0)), 4.6)
    seen = told(film, eyes)

    assert seen.events[-1]["t"] > seen.shots[-1].t_ns - 1_000_000_000


def held(seen: Told) -> float:
    """For how many seconds at most nothing was known of the table."""
    times = [event["t"] for event in seen.events]
    return max(after - before for before, after in pairwise([*times, seen.shots[-1].t_ns])) / 1e9


@dataclass(frozen=True)
class Shade:
    mat: bool
    before: str
    after: str


SHADES = {
    "comes": Shade(mat=True, before="ceiling", after="edge"),
    "goes": Shade(mat=False, before="arm", after="neutral"),
}


@pytest.mark.slow
@pytest.mark.parametrize("shade", mostly_slow(SHADES.values()), ids=SHADES)
def test_a_shadow_on_a_part_of_the_table_is_no_arm(shade: Shade, eyes: Eyes, eyes_on_table: Eyes) -> None:
    """The table is known again as soon as the shadow is still."""
    scene = replace(table(3, shade.before, mat=shade.mat), surface=Surface("wood", 3))
    film = Film(scene, (Switch(1.0, light_by_lot(shade.after, 10)),), 3.6)
    seen = told(film, eyes if shade.mat else eyes_on_table)

    assert [] == seen.facts
    assert held(seen) < 0.5


@pytest.mark.slow
def test_nor_is_one_that_comes_in_several_pictures() -> None:
    """At sixty a second a camera needs some of them to follow the light."""
    scene = scene_by_lot(17, [*CARNIVAL.values()], light="window", filled=0.7, width=640, height=480)
    seen = told(Film(scene, (Switch(0.6, light_by_lot("edge", 18)),), 2, rate=60), eyes_of("carnival", mat=True))

    assert [] == seen.facts
    assert held(seen) < 0.5


def hunting(steps: Sequence[float], pictures: Sequence[MatLike]) -> Iterator[tuple[int, MatLike]]:
    """A still table out of focus by so many pixels, in picture after picture."""
    for number, blur in enumerate(steps):
        picture = pictures[number % len(pictures)]
        yield number * 66_666_667, cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture


FOCUS = {"jumps": [0.0] * 8 + [2.5] * 12 + [0.0] * 8, "ramp": [*np.clip(2.9 * np.sin(np.arange(40) / 5), 0, 3)]}


@pytest.mark.slow
@pytest.mark.parametrize("steps", mostly_slow(FOCUS.values()), ids=FOCUS)
def test_a_lens_that_hunts_for_its_focus_lays_nothing(steps: list[float]) -> None:
    """Many blurred pictures are no better than one: there is nothing new on the table."""
    deck = [*faces("chalk").values()]
    scene = scene_by_lot(1001, deck, light="neutral", mat=False, filled=1, width=640, height=480)
    painter = Painter()
    shots = [painter.paint(scene, number) for number in range(5)]
    pictures = hunting(steps, [picture for picture, _ in shots])
    events = [*watch_pictures(pictures, eyes_of("chalk", mat=False), shots[0][1].corners, no_remark)]

    assert ["grid"] == [event["type"] for event in events if event["type"] != "seen"]


@pytest.mark.slow
def test_print_that_flickers_is_not_moving(eyes_on_table: Eyes) -> None:
    """By the light of a bulb a camera without much blue makes noise of it, and JPEG more of what is printed."""
    deck = [*CARNIVAL.values()]
    scene = scene_by_lot(203, deck, light="ceiling", mat=False, filled=0.5, width=640, height=480)

    assert held(told(Film(scene, (), 3), eyes_on_table)) < 0.6


@pytest.mark.slow
def test_a_table_that_is_cleared_is_still_there(eyes_on_table: Eyes) -> None:
    """Where nothing else is printed than what was lifted, nothing is left by which to know it."""
    scene = replace(table(7, mat=False), surface=Surface("plain", 586))
    film = Film(scene, (Lift(1.4, (0, 4), "left"), Lift(4.0, (5, 7), "right")), 7)
    seen = told(film, eyes_on_table)

    assert_told(film, seen)
    assert seen.events[-1]["t"] > seen.shots[-1].t_ns - 300_000_000


@pytest.mark.slow
def test_something_pushed_before_the_camera_lifts_nothing(eyes_on_table: Eyes) -> None:
    """It comes in from the side like an arm, until it is all that is seen."""
    shots = [*Film(table(6, mat=False), (), 1.2)]
    pictures = [shot.picture for shot in shots]
    for share in np.linspace(0, 1, 20):
        board = pictures[0].copy()
        board[:, : round(share * board.shape[1])] = 90
        pictures.append(board)
    pictures += [pictures[-1]] * 60 + [shot.picture for shot in shots]
    remarks: list[str] = []
    timed = ((number * 66_000_000, picture) for number, picture in enumerate(pictures))
    events = [*watch_pictures(timed, eyes_on_table, shots[0].truth.corners, remarks.append)]

    assert [] == [event for event in events if event["type"] in ("card", "lift")]
    assert remarks != []


@pytest.mark.parametrize(("rate", "lost"), mostly_slow([(15, 0.4), (5, 0.0), (60, 0.0)]))
def test_any_rate_will_do(rate: float, lost: float, eyes: Eyes) -> None:
    """Five pictures a second, sixty, or fifteen of which four in ten get lost."""
    film = Film(table(4), (Lay(1.2, 3, HARBOUR["jetski", "pink"], "left"),), 2.6, rate=rate, lost=lost, seed=4)

    assert_told(film, told(film, eyes))


def test_a_dim_room(eyes: Eyes) -> None:
    """What one picture can't read for noise, several together do."""
    scene = table(5)
    dim: Light = light_by_lot("dimmest", 5)
    dark = replace(scene, light=dim, sensor=sensor_by_lot(dim, 5))
    film = Film(dark, (Lay(2.5, 3, HARBOUR["jetski", "pink"], "left"),), 5.5)

    assert [("card", 3, ("jetski", "pink"))] == [
        one for event in told(film, eyes).facts if event["type"] == "card" for one in plainly(event)
    ]


@dataclass(frozen=True, eq=False)
class Dazzled(Eyes):
    """They can't make out a cell for so many pictures."""

    pictures: list[int]

    def judge(self, grid: Grid, flat: FlatPicture, candidates: Sequence[CardCandidate | None]) -> LookResult:
        seen = super().judge(grid, flat, candidates)
        if len(self.pictures) > 40:
            return seen
        sights = [Hidden(Why.GLARE) if cell == 4 else sight for cell, sight in enumerate(seen.sights)]
        return replace(seen, sights=tuple(sights))

    def judge_changed(
        self,
        before: LookResult,  # noqa: ARG002
        grid: Grid,
        flat: FlatPicture,
        candidates: Sequence[CardCandidate | None],
        cells: Sequence[int],  # noqa: ARG002
    ) -> LookResult:
        return self.judge(grid, flat, candidates)


@pytest.mark.slow
def test_what_was_hidden_is_read_when_it_can_be(eyes: Eyes) -> None:
    """Though nothing stirs, and the means of many pictures couldn't be read."""
    dazzled = Dazzled(eyes.deck, [])
    tracker, read = TableTracker(dazzled), list[int]()
    for shot in Film(table(3), (), 5):
        dazzled.pictures.append(shot.t_ns)
        tracker, reading = tracker.look(shot.picture, shot.t_ns)
        if not isinstance(reading.cells[4], Hidden):
            read.append(shot.t_ns)

    assert 40 <= dazzled.pictures.index(read[0]) <= 40 + 2 * 15
    assert read == dazzled.pictures[dazzled.pictures.index(read[0]) :]


@pytest.mark.parametrize("grey", mostly_slow([90, 0, 255]))
@pytest.mark.parametrize("mat", mostly_slow([True, False]), ids=["mat", "table"])
def test_a_camera_that_looks_away_lifts_nothing(grey: int, eyes: Eyes, eyes_on_table: Eyes, *, mat: bool) -> None:
    """Something held before it, the lamp switched off: nothing is known; when it is over, all lies as it did."""
    shots = [*Film(table(6, mat=mat), (), 1.2)]
    away = np.full_like(shots[0].picture, grey)
    pictures = [shot.picture for shot in shots] + [away] * 60 + [shot.picture for shot in shots]
    remarks: list[str] = []
    timed = ((number * 66_000_000, picture) for number, picture in enumerate(pictures))
    corners = None if mat else shots[0].truth.corners
    events = [*watch_pictures(timed, eyes if mat else eyes_on_table, corners, remarks.append)]

    assert [] == [event for event in events if event["type"] in ("card", "lift")]
    assert ["The grid is out of sight", "The grid is in sight again."] == [one.split(";")[0] for one in remarks]


def test_another_camera_may_have_another_size(eyes: Eyes) -> None:
    """Somebody plugs one in that shows less, without the lower markers: what it shows is read on."""
    shot = next(iter(Film(table(3), (), 1.2)))
    lower = shot.picture[: round(shot.picture.shape[0] * 0.6)]
    tracker, before = TableTracker(eyes).look(shot.picture, 0)
    after = before
    for number in range(1, 4):
        tracker, after = tracker.look(lower, number * 66_000_000)
    assert [_of(sight) for sight in before.cells[:3]] == [_of(sight) for sight in after.cells[:3]]


def _of(sight: Sight) -> Card | None:
    return sight.card if isinstance(sight, Shown) else None


def test_never_a_mat_is_an_error(eyes: Eyes) -> None:
    """Then there is nothing to tell."""
    empty = np.full((480, 640, 3), 90, np.uint8)

    with pytest.raises(GridNotFound, match="no mat was in sight"):
        list(watch_pictures([(0, empty), (1, empty)], eyes, None, no_remark))


@pytest.mark.parametrize("mat", [True, False], ids=["mat", "table"])
def test_one_picture_is_no_film(eyes: Eyes, eyes_on_table: Eyes, *, mat: bool) -> None:
    """It proves nothing yet, and that is said, not that there was no mat."""
    shot = next(iter(Film(table(3, mat=mat), (), 1.2)))
    corners = None if mat else shot.truth.corners

    with pytest.raises(NoFootage, match="one alone proves nothing"):
        list(watch_pictures([(0, shot.picture)], eyes if mat else eyes_on_table, corners, no_remark))


@pytest.mark.slow
def test_a_film_may_end_when_the_mat_is_hardly_back(eyes: Eyes) -> None:
    """What was told before is enough: that it begins anew with one picture is no error."""
    shots = [*Film(table(3), (), 1.2)]
    away = np.full_like(shots[0].picture, 90)
    pictures = [shot.picture for shot in shots] + [away] * 90 + [shots[0].picture]
    remarks: list[str] = []
    timed = ((number * 66_000_000, picture) for number, picture in enumerate(pictures))

    assert "grid" == next(event["type"] for event in [*watch_pictures(timed, eyes, None, remarks.append)])
