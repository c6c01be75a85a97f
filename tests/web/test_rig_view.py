"""A look through the camera: the newest picture, where the grid is in it, and corners tapped on it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.reading import Bare, Hidden, Why
from companion.errors import GridNotFound
from companion.eyes.grid.grid_from_mat import Found, Grid, grid_at_corners
from companion.rig.preview import WIDEST_PX, Aim, Preview
from companion.rig.race_photos import RacePhotos
from companion.rig.vision import OPENING, Vision
from companion.web.rig_page import WHY

from ..demo.evenings import InPictures, S, drawn_evening, eyes
from ..interleaved import interleavings

CELLS = (Bare(),) * 9
PIXELS = np.full((480, 640, 3), 90, np.uint8)
SQUARE = ((0.25, 0.125), (0.75, 0.125), (0.75, 0.875), (0.25, 0.875))


@pytest.fixture
def finder() -> Preview:
    """On a bare table."""
    finder = Preview()
    finder.show(1, PIXELS, CELLS, None)
    return finder


def test_it_shows_the_newest_picture() -> None:
    """As a JPEG that is no wider than a phone needs; before the first there is none."""
    finder = Preview()
    assert (None, None) == (finder.seen(), finder.picture())
    for t, (high, wide) in enumerate(((480, 640), (1520, 2028))):
        finder.show(t, np.full((high, wide, 3), 90, np.uint8), CELLS, None)
        jpeg = finder.picture()
        assert jpeg is not None
        shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert shown is not None
        assert min(wide, WIDEST_PX) == shown.shape[1]
        assert abs(high / wide - shown.shape[0] / shown.shape[1]) < 0.01


def test_a_picture_is_packed_once(finder: Preview) -> None:
    """However many look; a new one anew."""
    assert finder.picture() is finder.picture()
    before = finder.picture()
    finder.show(2, PIXELS, CELLS, None)
    assert before is not finder.picture()


def test_it_says_where_the_grid_is(finder: Preview) -> None:
    """As fractions of the picture, so that any size of it will do."""
    seen = finder.seen()
    assert seen is not None
    assert ("none", None) == (seen.found, seen.corners)
    finder.show(3, PIXELS, CELLS, grid_at_corners([(x * 640, y * 480) for x, y in SQUARE]))
    seen = finder.seen()
    assert seen is not None
    assert (3, "corners", SQUARE) == (seen.t, seen.found, seen.corners)


def test_corners_are_heard_once(finder: Preview) -> None:
    """The newest ones, in the picture's own pixels; with none the mat is looked for again."""
    assert finder.new_aim() is None
    finder.tap(None)
    finder.tap(SQUARE)
    aim = finder.new_aim()
    assert aim is not None
    assert aim.grid is not None
    assert [(160, 60), (480, 60), (480, 420), (160, 420)] == [(round(x), round(y)) for x, y in aim.grid.corners]
    assert finder.new_aim() is None
    finder.tap(None)
    aim = finder.new_aim()
    assert aim is not None
    assert aim.grid is None


def test_no_tap_is_lost(finder: Preview) -> None:
    """Whenever it comes while the camera's thread asks for one."""

    def begin() -> tuple[Callable[[], Aim | None], Callable[[], None]]:
        return finder.new_aim, lambda: finder.tap(None)

    heard = [[aim, finder.new_aim()].count(None) for aim in interleavings(Preview.new_aim, begin)]
    # In the last round it had returned before there was anything to tap between.
    assert [1] * (len(heard) - 1) == heard[:-1]


@pytest.mark.parametrize(
    "corners",
    [
        (SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]),
        SQUARE[::-1],
        (SQUARE[0],) * 4,
        ((0.5, 0.5), (0.51, 0.5), (0.51, 0.51), (0.5, 0.51)),
        ((-1.0, -1.0), (0.75, 0.125), (0.75, 0.875), (0.25, 0.875)),
    ],
    ids=["crossed", "the wrong way round", "one point", "tiny", "outside"],
)
def test_no_grid_is_seen_between_some_corners(finder: Preview, corners: tuple[tuple[float, float], ...]) -> None:
    """They are refused in one sentence, and the camera looks where it looked before."""
    with pytest.raises(GridNotFound, match=r"^the corner[^\n]*$"):
        finder.tap(corners)
    assert finder.new_aim() is None


def test_where_the_mat_is_seen_nothing_is_tapped(finder: Preview) -> None:
    """Its markers know better than a finger; without a picture there is nothing to tap on either."""
    finder.show(4, PIXELS, CELLS, Grid(Found.MAT, np.eye(3), markers=4))
    with pytest.raises(GridNotFound, match="sees the mat"):
        finder.tap(SQUARE)
    with pytest.raises(GridNotFound, match="not shown a picture"):
        Preview().tap(SQUARE)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[InPictures]:
    """With four cards on the table, and nobody's hand."""
    with drawn_evening(tmp_path, 3, seed=3) as evening:
        world = evening.world
        evening.until(lambda: evening.count("placed") >= 4 and not evening.stage.moves(world.now))
        evening.until(lambda: evening.lookout.known >= evening.stage.moved)
        yield evening


def test_the_drawn_table_is_seen_through_it(evening: InPictures) -> None:
    """What the page draws is what the eyes make of the newest picture."""
    seen = evening.lookout.view.seen()
    assert seen is not None
    assert "mat" == seen.found
    assert seen.corners is not None
    assert all(0 < x < 1 and 0 < y < 1 for x, y in seen.corners)
    assert 9 == len(seen.cells)
    assert not any(isinstance(sight, Hidden) for sight in seen.cells)


def test_what_is_tapped_is_where_it_looks(evening: InPictures) -> None:
    """From the next picture on; what lies there is told as a grid, and nothing of it as a move."""
    lookout = evening.lookout
    seen, now = lookout.view.seen(), evening.world.now
    assert seen is not None
    assert seen.corners is not None
    picture = newest(lookout)
    lookout.view.show(now, picture, seen.cells, None)
    lookout.view.tap(seen.corners)
    told = [one for step in range(1, 12) for one in lookout.see(picture, now + step * S // 5)]
    again = lookout.view.seen()
    assert again is not None
    assert "corners" == again.found
    assert [type(sight) for sight in seen.cells] == [type(sight) for sight in again.cells]
    assert "grid" == told[0]["type"]
    assert {"grid", "seen"} == {event["type"] for event in told}


def newest(lookout: Vision) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    jpeg = lookout.view.picture()
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(picture, np.uint8)


@pytest.mark.slow
def test_what_is_wrong_with_the_pictures_is_told_within_five_seconds(evening: InPictures) -> None:
    """Covered, too dark, out of focus, turned away: each by its name; and well again at once."""
    lookout, t = evening.lookout, evening.world.now
    well = newest(lookout)
    chance = np.random.default_rng(0)
    wrong = {
        "dark": np.clip(chance.normal(2, 2, well.shape), 0, 255).astype(np.uint8),
        "covered": np.clip(chance.normal((30, 35, 80), 3, well.shape), 0, 255).astype(np.uint8),
        "blur": np.asarray(cv2.GaussianBlur(well, (0, 0), 6), np.uint8),
        "lost": chance.integers(0, 255, (24, 32, 3), np.uint8).repeat(20, 0).repeat(20, 1),
    }
    for name, picture in wrong.items():
        for _ in range(25):
            t += S // 5
            lookout.see(well, t)
        assert lookout.words() is None, name
        for _ in range(25):
            t += S // 5
            lookout.see(picture, t)
        assert name == lookout.words()


def test_a_camera_without_pictures_is_missed(tmp_path: Path) -> None:
    """It is being opened, which takes some seconds, but not for ever; and that a picture takes long to be read is
    no reason to look for its plug."""
    now = [0]
    lookout = Vision(eyes(), RacePhotos(tmp_path), clock=lambda: now[0])
    now[0] = OPENING
    assert lookout.words() is None
    now[0] += 1
    assert "opening" == lookout.words()
    lookout.miss("busy")
    assert "busy" == lookout.words()
    lookout.see(PIXELS, now[0])
    assert lookout.words() is None
    now[0] += 9 * OPENING
    assert lookout.words() is None
    lookout.miss("gone")
    assert "gone" == lookout.words()
    assert OPENING < 5 * S


def test_every_reason_has_its_words() -> None:
    """No cell is hidden for a reason that the page can't say."""
    assert set(Why) == set(WHY)
