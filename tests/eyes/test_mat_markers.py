"""Whether the mat's markers are where they were."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from companion.core.mat import MARKERS
from companion.drawn.drawn_camera import Lens, Sensor
from companion.drawn.drawn_lot import light_by_lot
from companion.drawn.painter import Scene
from companion.eyes.grid.grid_from_mat import find_mat
from companion.eyes.grid.mat_markers import SOON, MatMarkers, remember_markers
from companion.eyes.image.shrinking import shrink
from hardware.camera.frames import Pixels

from ..remembered import paint
from ..spoils import SPOILS, drawn_mat

HIGH = Lens(above=800)
HAND = (90, 120, 170)
LATER = 3_600_000_000_000


def drawn(*, light: str = "neutral", bright: float = 0.7, shot: int = 0) -> MatLike:
    """As small as the eyes look for markers."""
    lamps = light_by_lot(light, 3)
    scene = Scene(lamps, lens=HIGH, sensor=Sensor.metered(lamps.in_the_middle(), bright=bright))
    return shrink(paint(scene, shot)[0], 2)


@cache
def marks() -> MatMarkers:
    picture = drawn()
    mat = find_mat(picture)
    assert mat is not None
    return remember_markers(picture, mat, 0)


def covered(picture: MatLike, many: int) -> MatLike:
    """With a hand over so many of the markers."""
    picture = picture.copy()
    for marker in MARKERS[:many]:
        outline = np.array(marks().grid.pixels_of(marker.square.corners)).round().astype(np.int32)
        cv2.fillConvexPoly(picture, outline, HAND)
    return picture


@pytest.mark.parametrize("light", ["neutral", "evening", "dim"])
@pytest.mark.parametrize("bright", [0.45, 0.7])
def test_they_stay_in_any_light(light: str, bright: float) -> None:
    """Another lamp, another exposure, other noise: nothing has moved."""
    assert marks().are_still_there(drawn(light=light, bright=bright, shot=7), LATER)


@pytest.mark.parametrize("step", [(2.0, 0.0), (0.0, -2.0), (1.0, 1.0), (12.0, 0.0)])
def test_a_nudge_is_noticed(step: tuple[float, float]) -> None:
    """A few pixels are enough, and as much as a marker is wide is no less."""
    x, y = step
    picture = drawn()
    moved = cv2.warpAffine(picture, np.array([[1, 0, x], [0, 1, y]]), picture.shape[1::-1])
    assert not marks().are_still_there(moved, 1)


def test_two_are_enough() -> None:
    """A hand may be over two of them; a hand over three may have moved the mat."""
    picture = drawn()
    assert [True, True, True, False, False] == [
        marks().are_still_there(covered(picture, many), 1) for many in range(5)
    ]


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_nothing_is_no_marker(grey: int) -> None:
    """What shows nothing at all can't hold a mat, before or afterwards."""
    nothing = np.full_like(drawn(), grey)
    assert not marks().are_still_there(nothing, 1)
    assert () == remember_markers(nothing, marks().grid, 0).marks


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_what_spoils_a_picture_leaves_no_marker(spoil: Callable[[Pixels], Pixels]) -> None:
    """However evenly it has taken the light away: where the mat can't be made out, that is to be said."""
    mat = drawn_mat()
    small, by = shrink(mat, 2), shrink(np.asarray(spoil(mat), np.uint8), 2)
    found = find_mat(small)
    assert found is not None
    assert not remember_markers(small, found, 0).are_still_there(by, 1)


def test_a_marker_at_the_rim_is_left_out() -> None:
    """Of what is not wholly in the picture it can't be said whether it moves."""
    aside = replace(marks().grid, to_mm=marks().grid.to_mm @ np.array([[1, 0, 300.0], [0, 1, 0], [0, 0, 1]]))
    assert len(remember_markers(drawn(), aside, 0).marks) < len(MARKERS)


def test_where_one_was_hidden_they_are_looked_for_again() -> None:
    """By three it is known where the mat lies, by four better."""
    picture = covered(drawn(), 1)
    mat = find_mat(picture)
    assert mat is not None
    known = remember_markers(picture, mat, 0)
    assert [True, False] == [known.are_still_there(picture, t) for t in (1, SOON)]


def test_a_picture_of_another_size_is_another_camera() -> None:
    """Whatever is to be seen in it."""
    assert not marks().are_still_there(drawn()[::2, ::2], 1)


@pytest.mark.parametrize("edge", ["upright", "level"])
def test_a_straight_edge_where_a_marker_should_be(edge: str) -> None:
    """The rim of a tray that covers two markers is no marker: along it nothing says how it moved."""
    picture = np.full((480, 640, 3), 200, np.uint8)
    right, bottom = (int(along) for along in marks().grid.pixels_of([MARKERS[2].square.centre])[0])
    picture[(slice(None), slice(right, None)) if edge == "upright" else slice(bottom, None)] = 20
    assert () == remember_markers(picture, marks().grid, 0).marks
