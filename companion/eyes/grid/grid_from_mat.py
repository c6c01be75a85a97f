"""Where the grid lies in the picture: by the mat's printed markers, by corners somebody has tapped, or where it
was.

Three markers of the four are as good as all (2 pixels instead of 1); two still serve, at 6 to 8 pixels or 3 mm,
which is little beside how far from its cell's middle a card lies.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import GRID, MARKER_BITS, MARKERS, Point
from companion.eyes.image.arrays import Floats, inverse
from companion.eyes.image.shrinking import map_to_whole, shrink

# Markers are searched in the picture shrunk to about this width: 1.3 ms, and their places are as good (0.5
# pixels).
SEARCH_WIDTH: Final = 640
ENOUGH: Final = 2
# All figures here were chosen by hand; no command measures them.
# A marker's corner is refined within this share of one of its bits, but within FURTHEST pixels at most.
OF_A_BIT: Final = 0.3
FURTHEST: Final = 5
# The least perimeter of a marker, as a share of the picture's longer side: 0.26 where the mat fills the picture;
# of a mat as far away as this few cards can be read.
LEAST_AROUND: Final = 0.06
DARKEST_WHITE: Final = 30.0
# A marker that is off the place that the others imply by more than this is something else, say a coaster.
ASTRAY_MM: Final = 6.0


class Found(Enum):
    MAT = "mat"
    CORNERS = "corners"
    NONE = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Where the grid lies in a picture."""

    found: Found
    to_mm: Floats
    """Maps pixels to millimetres on the mat."""
    markers: int = 0
    """By how many of the mat's markers it was found."""

    @property
    def corners(self) -> tuple[Point, ...]:
        """The grid's corners in pixels, clockwise from the top left."""
        return tuple(self.pixels_of(GRID.corners))

    def in_shrunk_picture(self, by: int) -> "Grid":
        """In the pixels of a picture averaged down by so much."""
        return Grid(self.found, self.to_mm @ map_to_whole(by), self.markers)

    def pixels_of(self, points: Sequence[Point]) -> list[Point]:
        there = cv2.perspectiveTransform(np.array([points], np.float64), inverse(self.to_mm))[0]
        return [(float(x), float(y)) for x, y in there]


def grid_at_corners(corners: Sequence[Point]) -> Grid:
    here, there = np.array(corners, np.float32), np.array(GRID.corners, np.float32)
    return Grid(Found.CORNERS, np.asarray(cv2.getPerspectiveTransform(here, there), np.float64))


def search_shrink_factor(picture: MatLike) -> int:
    return max(1, round(picture.shape[1] / SEARCH_WIDTH))


def find_mat(picture: MatLike) -> Grid | None:
    """The grid, by the mat's printed markers; None where fewer than two of them are in sight.

    >>> find_mat(read_picture(Path("table.jpg"))).corners[0]
    (312.4, 87.9)
    """
    factor = search_shrink_factor(picture)
    small = shrink(picture, factor)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY) if small.ndim == 3 else small
    here: dict[int, Floats] = {}
    for shown, exactly in _variants(grey):
        here = {**_detect_markers(shown, exactly), **here}
        if len(here) == len(MARKERS):
            break
    return _fit_grid({number: (outline + 0.5) * factor - 0.5 for number, outline in here.items()})


def _variants(grey: MatLike) -> Iterator[tuple[MatLike, MatLike]]:
    """The picture in ways in which markers may be found, and that in which each is then made out exactly."""
    # By noise there are ten times as many outlines to follow, and some of a marker's own are lost.
    yield cv2.GaussianBlur(grey, (3, 3), 0), grey
    # Far away a blur loses them.
    yield grey, grey
    # Where white has bloomed over a marker's black, the light itself still shows its edge.
    light = cv2.LUT(grey, _light_table(grey))
    yield light, light


def _detect_markers(shown: MatLike, exactly: MatLike) -> dict[int, Floats]:
    """The outlines of the mat's markers, by number."""
    outlines, numbers, _ = _detector().detectMarkers(shown)
    # OpenCV gives None where there is nothing, whatever its types say.
    if np.ndim(numbers) == 0:
        return {}
    found = zip(numbers.ravel(), outlines, strict=True)
    return {int(number): _refine_outline(exactly, outline) for number, outline in found if number < len(MARKERS)}


def _refine_outline(grey: MatLike, outline: MatLike) -> Floats:
    """The marker's corners, to a fraction of a pixel."""
    side = cv2.arcLength(outline, closed=True) / 4
    window = int(np.clip(round(OF_A_BIT * side / MARKER_BITS), 1, FURTHEST))
    enough = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.1)
    corners = cv2.cornerSubPix(grey, outline.copy(), (window, window), (-1, -1), enough)
    return np.asarray(corners, np.float64).reshape(4, 2)


def _light_table(grey: MatLike) -> MatLike:
    """Codes to light, as bright as eight bits hold."""
    brightest = max(float(np.percentile(grey[::4, ::4], 99)), DARKEST_WHITE)
    return np.clip((np.arange(256) / brightest) ** 2.2 * 255, 0, 255).astype(np.uint8)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    # One window of the size of a marker's stroke is enough where the size is known; three take three times as
    # long.
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = 15
    settings.minMarkerPerimeterRate = LEAST_AROUND
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)


def _fit_grid(here: dict[int, Floats]) -> Grid | None:
    """The plane through the corners of as many markers as fit each other, and of several such the best."""
    for many in range(len(here), ENOUGH - 1, -1):
        planes = (_fit_plane(here, numbers) for numbers in combinations(sorted(here), many))
        fitting = [plane for plane in planes if plane is not None and plane[0] <= ASTRAY_MM]
        if fitting:
            return min(fitting, key=lambda plane: plane[0])[1]
    return None


def _fit_plane(here: dict[int, Floats], numbers: Sequence[int]) -> tuple[float, Grid] | None:
    """How far off the corner is that fits least, and the plane through these markers."""
    pixels = np.concatenate([here[number] for number in numbers])
    places = np.concatenate([MARKERS[number].square.corners for number in numbers])
    to_mm, _ = cv2.findHomography(pixels, places, 0)
    if np.ndim(to_mm) == 0:
        return None
    off = np.linalg.norm(cv2.perspectiveTransform(pixels[None], to_mm)[0] - places, axis=1)
    return float(off.max()), Grid(Found.MAT, np.asarray(to_mm, np.float64), len(numbers))
