"""Where the grid lies in the picture: by the mat's printed markers, by corners somebody has tapped, or where it
was.

Three markers of the four are as good as all (2 pixels instead of 1); two still serve, at 6 to 8 pixels or 3 mm,
which is little beside how far from its cell's middle a card lies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import GRID, MARKERS, Point
from companion.eyes.arrays import Floats
from companion.eyes.shrinking import shrunk, to_whole

# Markers are searched in the picture shrunk to about this width: 1.3 ms, and their places are as good (0.5
# pixels).
SEARCH_WIDTH: Final = 640
ENOUGH: Final = 2
DARKEST_WHITE: Final = 30.0
# A marker that the other three say lies elsewhere by more than that is somebody's coaster.
ASTRAY_MM: Final = 6.0


class Found(Enum):
    MAT = "mat"
    CORNERS = "corners"
    NONE = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """`to_mm` maps pixels to millimetres on the mat; by so many markers."""

    found: Found
    to_mm: Floats
    markers: int = 0

    @property
    def corners(self) -> tuple[Point, ...]:
        """Of the grid, in pixels, clockwise from the top left."""
        return tuple(self.pixels_of(GRID.corners))

    def shrunk(self, by: int) -> "Grid":
        """In the pixels of a picture averaged down by so much."""
        return Grid(self.found, self.to_mm @ to_whole(by), self.markers)

    def pixels_of(self, points: Sequence[Point]) -> list[Point]:
        there = cv2.perspectiveTransform(np.array([points], np.float64), np.linalg.inv(self.to_mm))[0]
        return [(float(x), float(y)) for x, y in there]


def grid_at(corners: Sequence[Point]) -> Grid:
    here, there = np.array(corners, np.float32), np.array(GRID.corners, np.float32)
    return Grid(Found.CORNERS, np.asarray(cv2.getPerspectiveTransform(here, there), np.float64))


def shrink_for_search(picture: MatLike) -> int:
    return max(1, round(picture.shape[1] / SEARCH_WIDTH))


def find_mat(picture: MatLike) -> Grid | None:
    """None where fewer than two markers are in sight."""
    shrink = shrink_for_search(picture)
    small = shrunk(picture, shrink)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY) if small.ndim == 3 else small
    here = _markers(grey)
    if len(here) < len(MARKERS):
        # Where white has bloomed over a marker's black, the light itself still shows its edge.
        here = {**_markers(cv2.LUT(grey, _light_of(grey))), **here}
    return _through({number: (outline + 0.5) * shrink - 0.5 for number, outline in here.items()})


def _markers(grey: MatLike) -> dict[int, Floats]:
    """The outlines of ours, by number."""
    outlines, numbers, _ = _detector().detectMarkers(grey)
    # OpenCV gives None where there is nothing, whatever its types say.
    if np.ndim(numbers) == 0:
        return {}
    found = zip(numbers.ravel(), outlines, strict=True)
    return {int(number): np.asarray(outline[0], np.float64) for number, outline in found if number < len(MARKERS)}


def _light_of(grey: MatLike) -> MatLike:
    """Codes to light, as bright as eight bits hold."""
    brightest = max(float(np.percentile(grey[::4, ::4], 99)), DARKEST_WHITE)
    return np.clip((np.arange(256) / brightest) ** 2.2 * 255, 0, 255).astype(np.uint8)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    # One window of the size of a marker's stroke is enough where the size is known; three take three times as
    # long.
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = 15
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)


def _through(here: dict[int, Floats]) -> Grid | None:
    """The plane through the markers' corners; one that doesn't fit the others is left out."""
    if len(here) < ENOUGH:
        return None
    pixels = np.concatenate([here[number] for number in sorted(here)])
    places = np.concatenate([MARKERS[number].square.corners for number in sorted(here)])
    to_mm, _ = cv2.findHomography(pixels, places, 0)
    if np.ndim(to_mm) == 0:
        return None
    astray = (
        np.linalg.norm(cv2.perspectiveTransform(pixels[None], to_mm)[0] - places, axis=1).reshape(-1, 4).max(1)
    )
    if astray.max() <= ASTRAY_MM:
        return Grid(Found.MAT, np.asarray(to_mm, np.float64), len(here))
    return None if len(here) == ENOUGH else _best_three(here)


def _best_three(here: dict[int, Floats]) -> Grid | None:
    grids = (_through({number: at for number, at in here.items() if number != left_out}) for left_out in here)
    return next((grid for grid in grids if grid is not None), None)
