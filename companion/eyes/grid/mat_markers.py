"""Whether the mat's printed markers still lie where they were seen: that takes a tenth of the time in which they
are looked for anew, and while hands come and go it is all that need be asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import MARKERS, Point
from companion.eyes.grid.grid_from_mat import ENOUGH, Grid
from companion.eyes.image.arrays import Floats, floats, inverse
from companion.units import Ns

# All figures here were chosen by hand; no command measures them.
# So many pixels around a marker are looked at too, since its outer edge is the strongest.
AROUND: Final = 3
# A marker whose codes have a lower standard deviation than this is covered, or in the dark.
CONTRAST: Final = 12.0
# Ratio of the weaker to the stronger direction of change: a marker changes alike whichever way it moves, a
# straight edge doesn't change when it moves along itself.
EITHER_WAY: Final = 0.1
# A marker trembles by a third of a pixel from picture to picture.
AWAY: Final = 0.5
# Its contrast, as a share of that before, must lie between these: in the dark or out of focus it is lost.
LEFT: Final = (0.5, 2.0)
# So much of what is seen must be the marker, a little moved and brighter or darker; the rest is noise.
LIKE: Final = 0.9
# Three markers show where the mat lies, four show it better: after so long the missing ones are searched again.
SOON: Final[Ns] = 1_000_000_000

Place = tuple[slice, slice]


@dataclass(frozen=True, slots=True, eq=False)
class SeenMarker:
    """One marker as it was seen: its picture and how that changes when it moves to the right or down (pixels x 3),
    and what tells how much of each is in another picture."""

    place: Place
    ways: Floats
    shares: Floats

    def is_still_there(self, picture: MatLike) -> bool:
        seen = _subtract_mean(_cut_grey(picture, self.place))
        bright, right, below = how = self.shares @ seen
        if not LEFT[0] < bright < LEFT[1]:
            return False
        rest = seen - self.ways @ how
        return bool(np.hypot(right, below) < AWAY * bright and rest @ rest < (1 - LIKE) * (seen @ seen))


@dataclass(frozen=True, slots=True, eq=False)
class MatMarkers:
    """The markers of the picture of `t`, and where the mat was in that picture."""

    grid: Grid
    t: Ns
    shape: tuple[int, ...]
    marks: tuple[SeenMarker, ...]

    def are_still_there(self, picture: MatLike, t: Ns) -> bool:
        """Whether at least two markers are where they were; a hand may cover the others. False after `SOON` if not
        all were found, so that the others are searched again."""
        if picture.shape != self.shape or (self.grid.markers < len(MARKERS) and t - self.t >= SOON):
            return False
        return sum(mark.is_still_there(picture) for mark in self.marks) >= ENOUGH


def remember_markers(picture: MatLike, grid: Grid, t: Ns) -> MatMarkers:
    places = (_marker_place(grid.pixels_of(marker.square.corners), picture.shape) for marker in MARKERS)
    marks = (None if place is None else _remember_marker(picture, place) for place in places)
    return MatMarkers(grid, t, picture.shape, tuple(mark for mark in marks if mark is not None))


def _marker_place(corners: Sequence[Point], shape: Sequence[int]) -> Place | None:
    """None where not all of it is in the picture."""
    (left, top), (right, bottom) = np.min(corners, 0) - AROUND, np.max(corners, 0) + AROUND
    if min(left, top) < 0 or right >= shape[1] or bottom >= shape[0]:
        return None
    return slice(int(top), int(bottom) + 1), slice(int(left), int(right) + 1)


def _remember_marker(picture: MatLike, place: Place) -> SeenMarker | None:
    seen = _cut_grey(picture, place)
    if float(seen.std()) < CONTRAST:
        return None
    slopes = (floats(cv2.Sobel(seen, cv2.CV_32F, *way, scale=1 / 8)) for way in ((1, 0), (0, 1)))
    ways = np.stack([_subtract_mean(one) for one in (seen, *slopes)], 1)
    together = ways.T @ ways
    least, most = np.linalg.eigvalsh(together[1:, 1:])
    return SeenMarker(place, ways, floats(inverse(together) @ ways.T)) if least > EITHER_WAY * most else None


def _cut_grey(picture: MatLike, place: Place) -> Floats:
    part = picture[place]
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if part.ndim == 3 else part
    return floats(cv2.GaussianBlur(grey, (3, 3), 0))


def _subtract_mean(seen: Floats) -> Floats:
    return np.asarray(seen - seen.mean(), np.float32).ravel()
