"""Where the grid lies in a picture, found by the printed markers."""

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from itertools import combinations

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike
from hypothesis import given
from hypothesis import strategies as st

from companion.core.mat import GRID, MARKERS, Point
from companion.drawn.drawn_camera import Lens, Sensor
from companion.drawn.drawn_card import CardFace, DrawnCard
from companion.drawn.drawn_lot import light_by_lot
from companion.drawn.painter import Scene, Truth
from companion.eyes.grid.grid_from_mat import Found, Grid, find_mat, grid_at_corners

from ..kinds import mostly_slow
from ..remembered import paint

WAYS = (0.0, 90.0, 180.0, 270.0)
ALL = range(len(MARKERS))
# From here the whole mat is in the picture whichever way it lies.
HIGH = Lens(above=800)
STEEP = Lens(above=860, tilt=14, tilt_towards=40)


@cache
def drawn(
    lens: Lens = HIGH, *, beside: tuple[DrawnCard, ...] = (), light: str = "neutral"
) -> tuple[MatLike, Truth]:
    lamps = light_by_lot(light, 3)
    sensor = Sensor.metered(lamps.in_the_middle(), bright=0.7)
    return paint(Scene(lamps, lens=lens, sensor=sensor, beside=beside))


def in_sight(markers: Collection[int], lens: Lens = HIGH, *, beside: tuple[DrawnCard, ...] = ()) -> MatLike:
    """The mat with something grey on its other markers."""
    picture = drawn(lens, beside=beside)[0].copy()
    for marker in MARKERS:
        if marker.number not in markers:
            outline = lens.project(np.array(marker.square.corners)).round().astype(np.int32)
            cv2.fillConvexPoly(picture, outline, (150, 150, 150))
    return picture


def coaster(number: int, at: Point, turn: float = 0.0) -> DrawnCard:
    """A marker of the mat, printed once more."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    marker = cv2.aruco.generateImageMarker(dictionary, number, 240)
    picture = cv2.copyMakeBorder(marker, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(235,))
    return DrawnCard(CardFace(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), None, 54, 54, 1), *at, turn)


def found(picture: MatLike) -> Grid:
    grid = find_mat(picture)
    assert grid is not None
    return grid


def off_px(grid: Grid, truth: Truth) -> float:
    return float(np.linalg.norm(np.array(grid.corners) - truth.corners, axis=1).max())


def off_mm(grid: Grid, truth: Truth) -> float:
    here = cv2.perspectiveTransform(np.array([truth.corners]), grid.to_mm)[0]
    return float(np.linalg.norm(here - np.array(GRID.corners), axis=1).max())


@pytest.mark.parametrize("way", mostly_slow(reversed(WAYS), 2))
@pytest.mark.parametrize("lens", mostly_slow([STEEP, HIGH]), ids=["tilted", "straight"])
def test_the_mat_may_lie_any_way_round(lens: Lens, way: float) -> None:
    """The corners are right to 2 pixels, and the first is the mat's own top left."""
    picture, truth = drawn(replace(lens, turn=lens.turn + way))
    grid = found(picture)
    assert (Found.MAT, 4) == (grid.found, grid.markers)
    assert off_px(grid, truth) < 2


@pytest.mark.parametrize("light", mostly_slow(["sun", "dim", "arm", "mixed"], 2))
def test_the_light_does_not_move_the_mat(light: str) -> None:
    """Shadows, a window's panes and a dim lamp leave the corners right to 2 pixels."""
    picture, truth = drawn(light=light)
    assert off_px(found(picture), truth) < 2


@pytest.mark.parametrize("bend", mostly_slow([-0.04, 0.04]))
def test_a_lens_may_bend_a_little(bend: float) -> None:
    """With straight lines bent by four in a hundred the corners are still right to 2 pixels."""
    picture, truth = drawn(replace(HIGH, bend=bend))
    assert off_px(found(picture), truth) < 2


@pytest.mark.parametrize("wide", mostly_slow([1920, 1280, 2592]))
def test_larger_pictures_are_as_good(wide: int) -> None:
    """The corners are right to a millimetre however many pixels there are."""
    picture, truth = drawn(replace(HIGH, width=wide, height=wide * 3 // 4))
    assert off_mm(found(picture), truth) < 1


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("share", [0.25, 0.22, 0.2, 0.17])
def test_a_mat_may_be_far_away(way: float, share: float) -> None:
    """Where it is a quarter of the picture's width, and its markers 13 to 20 pixels wide, the grid is still within
    2 mm."""
    near, truth = drawn(replace(HIGH, turn=HIGH.turn + way))
    small = cv2.resize(near, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    far = np.full((480, 640, 3), 150, np.uint8)
    far[50 : 50 + len(small), 60 : 60 + small.shape[1]] = small
    at = np.array(truth.corners) * share + (share - 1) / 2 + (60, 50)
    here = cv2.perspectiveTransform(np.array([at]), found(far).to_mm)[0]
    assert np.linalg.norm(here - np.array(GRID.corners), axis=1).max() < 2


@pytest.mark.parametrize("hidden", ALL)
@pytest.mark.parametrize("lens", [HIGH, STEEP], ids=["straight", "tilted"])
def test_any_three_markers_suffice(lens: Lens, hidden: int) -> None:
    """With a cup on one of the markers the corners are right to 3 pixels."""
    grid = found(in_sight([number for number in ALL if number != hidden], lens))
    assert 3 == grid.markers
    assert off_px(grid, drawn(lens)[1]) < 3


@pytest.mark.parametrize("pair", list(combinations(ALL, 2)), ids=str)
def test_two_markers_still_serve(pair: tuple[int, int]) -> None:
    """With any two markers the grid is within what a card may lie off its cell's middle."""
    grid = found(in_sight(pair))
    assert 2 == grid.markers
    assert off_mm(grid, drawn()[1]) < 7


@pytest.mark.parametrize("number", ALL)
def test_one_marker_is_no_mat(number: int) -> None:
    """A marker by itself says too little."""
    assert find_mat(in_sight([number])) is None


@pytest.mark.parametrize("real", [True, False], ids=["both in sight", "the coaster alone"])
@pytest.mark.parametrize("number", ALL)
@pytest.mark.parametrize("at", [(300.0, 210.0), (210.0, 60.0), (20.0, 150.0)])
def test_a_marker_that_lies_elsewhere_is_left_out(at: Point, number: int, real: bool) -> None:  # noqa: FBT001
    """Somebody's coaster with one of the mat's own numbers on it doesn't move the grid."""
    mats = [other for other in ALL if real or other != number]
    grid = found(in_sight(mats, beside=(coaster(number, at, 25),)))
    assert grid.markers >= 3
    assert off_px(grid, drawn()[1]) < 3


def test_another_marker_is_no_markers_business() -> None:
    """A marker whose number isn't on the mat changes nothing."""
    grid = found(in_sight(ALL, beside=(coaster(17, (210, 150)),)))
    assert 4 == grid.markers
    assert off_px(grid, drawn()[1]) < 2


def test_a_mirrored_mat_is_no_mat() -> None:
    """As a phone's front camera shows it nothing is found, rather than cells the wrong way round."""
    picture, _ = drawn()
    assert find_mat(np.ascontiguousarray(picture[:, ::-1])) is None
    assert find_mat(np.ascontiguousarray(picture[::-1])) is None


@pytest.mark.parametrize("level", [0, 130, 255])
def test_a_blank_picture_has_no_mat(level: int) -> None:
    """One even colour is no mat."""
    assert find_mat(np.full((480, 640, 3), level, np.uint8)) is None


def test_noise_has_no_mat() -> None:
    """Nor is a picture of mere noise, fine or coarse."""
    fine = np.random.default_rng(5).integers(0, 256, (480, 640, 3), np.uint8)
    coarse = np.random.default_rng(6).integers(0, 256, (40, 54, 3), np.uint8)
    assert find_mat(fine) is None
    assert find_mat(cv2.resize(coarse, (648, 480), interpolation=cv2.INTER_NEAREST)) is None


def test_a_bare_table_has_no_mat() -> None:
    """Where no mat lies none is found."""
    picture, _ = paint(Scene(light_by_lot("neutral", 3), mat=False, sensor=Sensor(0.7), lens=HIGH))
    assert find_mat(picture) is None


def test_grey_is_as_good_as_colour() -> None:
    """A picture without colour shows the same corners."""
    picture, _ = drawn()
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    assert np.abs(np.array(found(picture).corners) - found(grey).corners).max() < 0.5


@pytest.mark.parametrize("by", [2, 3])
def test_shrunk_agrees_with_the_shrunk_picture(by: int) -> None:
    """The grid in a picture averaged down is the one that is found there."""
    large = replace(HIGH, width=640 * by, height=480 * by)
    picture, _ = drawn(large)
    small = cv2.resize(picture, (640, 480), interpolation=cv2.INTER_AREA)
    expected = np.array(found(picture).in_shrunk_picture(by).corners)
    assert np.abs(expected - found(small).corners).max() < 0.3


@given(by=st.integers(1, 8), x=st.floats(0, 420), y=st.floats(0, 297))
def test_shrunk_keeps_a_pixels_middle(by: int, x: float, y: float) -> None:
    """The first pixel's middle is half a pixel from the picture's edge before and after."""
    grid = grid_at_corners([(200, 100), (1000, 130), (1040, 900), (180, 860)])
    ((here_x, here_y),) = grid.pixels_of([(x, y)])
    ((small_x, small_y),) = grid.in_shrunk_picture(by).pixels_of([(x, y)])
    assert ((here_x + 0.5) / by, (here_y + 0.5) / by) == pytest.approx((small_x + 0.5, small_y + 0.5), abs=1e-6)
    assert grid.found is grid.in_shrunk_picture(by).found


nudge = st.tuples(st.floats(-80, 80), st.floats(-80, 80))


@given(nudges=st.tuples(nudge, nudge, nudge, nudge))
def test_corners_come_back_as_they_were_tapped(nudges: tuple[Point, Point, Point, Point]) -> None:
    """The grid through four corners has these corners, and is not said to be a mat."""
    square = ((300, 100), (1000, 100), (1000, 800), (300, 800))
    corners = [(x + right, y + down) for (x, y), (right, down) in zip(square, nudges, strict=True)]
    grid = grid_at_corners(corners)
    assert (Found.CORNERS, 0) == (grid.found, grid.markers)
    assert np.abs(np.array(corners) - grid.corners).max() < 0.01


def test_the_same_picture_gives_the_same_grid() -> None:
    """Looking twice finds nothing else."""
    picture, _ = drawn(STEEP)
    assert found(picture).to_mm.tolist() == found(picture.copy()).to_mm.tolist()
