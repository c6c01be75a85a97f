"""The camera preview for somebody who builds a rig: the newest picture, where the grid is in it, what is read.

The camera's thread passes in each picture and asks for a new aim; any thread may read the preview. A picture is
packed as a JPEG only on request, so an unused preview costs the referee nothing.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from cv2.typing import MatLike

from companion.core.mat import Point
from companion.core.reading import Sight
from companion.errors import GridNotFound
from companion.eyes.grid.grid_from_corners import grid_from_corners, parse_corners
from companion.eyes.grid.grid_from_mat import Found, Grid
from companion.rig.jpeg import jpeg
from companion.rig.protocols import GridView

WIDEST_PX: Final = 800
QUALITY: Final = 75


@dataclass(frozen=True, slots=True)
class Aim:
    """The grid's corners as somebody tapped them, in pixels of the full picture; None: look for the mat."""

    grid: Grid | None


@dataclass(frozen=True, slots=True)
class _PreviewPicture:
    t: int
    pixels: MatLike
    cells: tuple[Sight, ...]
    grid: Grid | None

    def seen(self) -> GridView:
        if self.grid is None:
            return GridView(self.t, self.cells, Found.NONE.value, None)
        high, wide = self.pixels.shape[:2]
        corners = tuple((round(x / wide, 4), round(y / high, 4)) for x, y in self.grid.corners)
        return GridView(self.t, self.cells, self.grid.found.value, corners)


class Preview:
    """The newest picture for the page, and the newest aim for the camera worker. Thread-safe."""

    def __init__(self) -> None:
        self.dropped = 0
        """How many pictures could not be read."""
        self._shown: _PreviewPicture | None = None
        # The deque's append and pop are atomic, so threads need no lock.
        self._aims: deque[Aim] = deque(maxlen=1)
        self._packing = Lock()
        self._packed: tuple[int, bytes] | None = None

    def show(self, t: int, pixels: MatLike, cells: tuple[Sight, ...], grid: Grid | None) -> None:
        """Takes the newest picture. `grid`: where the grid was found in it, in its pixels."""
        self._shown = _PreviewPicture(t, pixels, cells, grid)

    def new_aim(self) -> Aim | None:
        """The newest tap since the last call; None if there was none."""
        try:
            return self._aims.pop()
        except IndexError:
            return None

    def seen(self) -> GridView | None:
        shown = self._shown
        return shown.seen() if shown is not None else None

    def picture(self) -> bytes | None:
        shown = self._shown
        if shown is None:
            return None
        # A lock around the cache: ten people who look at once have the picture packed once.
        with self._packing:
            if self._packed is None or self._packed[0] != shown.t:
                self._packed = shown.t, jpeg(shown.pixels, widest_px=WIDEST_PX, quality=QUALITY)
            return self._packed[1]

    def tap(self, corners: Sequence[Point] | None) -> None:
        """Aims at the tapped corners, or with None at the mat. Raises `GridNotFound` for impossible corners."""
        shown = self._shown
        if shown is None:
            raise GridNotFound("the camera has not shown a picture yet; corners are tapped in one")
        if corners is None:
            self._aims.append(Aim(None))
            return
        if shown.grid is not None and shown.grid.found is Found.MAT:
            raise GridNotFound("the camera sees the mat, which says where the grid is; nothing is to be tapped")
        high, wide = shown.pixels.shape[:2]
        self._aims.append(
            Aim(grid_from_corners(parse_corners([[x * wide, y * high] for x, y in corners]), shown.pixels))
        )
