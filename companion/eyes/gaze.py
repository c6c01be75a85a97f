"""The eyes over time: each picture is read only where it differs from those before.

A cell in which something moves is not read at all. One that has come to rest is read once, and while it rests its
pictures are laid over each other, so that in a dim room it can be read again with less noise. The grid is followed as
long as it can be made out, and kept where it was while a hand is over the markers.
"""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.games.goat.cards import Ns
from companion.core.mat import CELLS
from companion.core.reading import Hidden, Reading, Shown, Sight, Why, without_grid
from companion.eyes import bare
from companion.eyes.arrays import Bools, Floats, Whole
from companion.eyes.drift import drift
from companion.eyes.flat import COARSE_MM, LEFT_MM, SIDE_PX, TOP_MM, Flat, flattened
from companion.eyes.grid import SEARCH_WIDTH, Found, Grid, find_mat
from companion.eyes.look import Eyes, Seen

# So many coarse pixels each way, 12 mm, are compared together.
BLOCK: Final = 4
SIDE_BLOCKS: Final = SIDE_PX // 2 // BLOCK
# A block differs if it does so by that much, and by so many times what blocks usually do: the noise of a dim room
# changes a block by 0.01, a card laid on another of its colour some by 0.05.
DIFFERS: Final = 0.015
TIMES_NOISE: Final = 4.0
MOST_NOISE: Final = 0.01
# Light that fades slowly is forgiven up to here; then a cell is read again.
FADED: Final = 0.04
# Markers tremble by a third of a pixel, and where one of them is hidden the rest say a little otherwise; the grid is
# moved only for more.
TREMBLE: Final = 1.0
TREMBLE_OF_FEW: Final = 4.0
# If so many cells move at once, somebody may have pushed the table.
PUSHED: Final = 3
# A cell that is hard to read is read again when so many pictures of it have been laid over each other.
AGAIN: Final = (2, 4, 8, 16, 32)
SURE_ENOUGH: Final = 0.95
# A hand so near a card may still be laying it. What hasn't stirred for so long is no hand, but a pile that sticks out
# over the mat's edge, or a shadow.
STIRS: Final[Ns] = 1_000_000_000
NEAR_MM: Final = 6.0
TOUCHED: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """What lies still: the mean of the pictures of each cell since it came to rest, and of how many; none while it
    moves. `now` is the newest picture alone."""

    mean: Floats
    pictures: tuple[int, ...]
    now: Floats
    stirred: Whole
    """When each block last moved."""


@dataclass(frozen=True, slots=True, eq=False)
class Gaze:
    """Immutable: `look` gives the next one."""

    eyes: Eyes
    corners: Grid | None = None
    """Where somebody said the grid is, in pixels of a whole picture; otherwise the mat is looked for."""
    small: MatLike | None = None
    grid: Grid | None = None
    seen: Seen | None = None
    rest: Rest | None = None

    def look(self, picture: MatLike, t: Ns) -> tuple["Gaze", Reading]:
        """`t`: the beginning of its exposure. Pictures are all of one size."""
        small, shrunk = _shrunk(picture)
        grid = self._grid(small, shrunk)
        if grid is None:
            return replace(self, small=small), without_grid(t)
        flat = flattened(small, grid.to_mm)
        if self.seen is None or self.rest is None:
            rest = Rest(flat.coarse, (1,) * len(CELLS), flat.coarse, np.full((SIDE_BLOCKS, SIDE_BLOCKS), t - STIRS))
            seen = self.eyes.judged(grid, flat, self.eyes.spotted(flat, range(len(CELLS))))
        else:
            rest, seen = self._looked_again(flat, grid, self.rest, self.seen, t)
        hands = _stirring(seen.hands, rest.stirred, t)
        sights = tuple(
            _live(sight, seen, hands, cell) if pictures else Hidden(Why.MOVING)
            for cell, (sight, pictures) in enumerate(zip(seen.sights, rest.pictures, strict=True))
        )
        return replace(self, small=small, grid=grid, seen=seen, rest=rest), Reading(t, sights)

    def _grid(self, small: MatLike, shrunk: int) -> Grid | None:
        if self.corners is not None:
            return self._pushed(small) if self.grid is not None else self.corners.shrunk(shrunk)
        found = find_mat(small)
        if found is None or (self.grid is not None and _trembles(self.grid, found)):
            return self.grid
        return found

    def _pushed(self, small: MatLike) -> Grid | None:
        """On a bare table: where the grid is now, if table or camera were pushed."""
        assert self.grid is not None
        if self.rest is None or self.small is None or self.rest.pictures.count(0) < PUSHED:
            return self.grid
        moved = drift(self.small, small)
        if moved is None:
            return self.grid
        pushed = Grid(Found.CORNERS, self.grid.to_mm @ np.linalg.inv(moved))
        return self.grid if _trembles(self.grid, pushed) else pushed

    def _looked_again(self, flat: Flat, grid: Grid, rest: Rest, seen: Seen, t: Ns) -> tuple[Rest, Seen]:
        moving = _differing(flat.coarse, rest.now, DIFFERS)
        changed = _differing(flat.coarse, rest.mean, FADED)
        rest, read = self._rested(flat.coarse, moving, changed, rest, seen)
        rest = replace(rest, stirred=np.where(moving, t, rest.stirred))
        if not read and not moving.any():
            return rest, seen
        still = Flat(flat.code, rest.mean)
        spotted = list(seen.spotted)
        for cell, one in zip(read, self.eyes.spotted(still, read), strict=True):
            spotted[cell] = one
        lying = [one if pictures else None for one, pictures in zip(spotted, rest.pictures, strict=True)]
        judged = self.eyes.judged(grid, Flat(flat.code, flat.coarse), lying)
        return rest, replace(judged, spotted=tuple(spotted))

    def _rested(
        self, now: Floats, moving: Bools, changed: Bools, rest: Rest, seen: Seen
    ) -> tuple[Rest, list[int]]:
        """The pictures laid over each other, and the cells to be read."""
        mean = now.copy()
        pictures: list[int] = []
        read: list[int] = []
        for cell, (before, sight) in enumerate(zip(rest.pictures, seen.sights, strict=True)):
            at, blocks = _square(cell, 1), _square(cell, BLOCK)
            if moving[blocks].any():
                pictures.append(0)
                continue
            if before == 0 or changed[blocks].any():
                pictures.append(1)
                read.append(cell)
                continue
            many = min(before + 1, AGAIN[-1] + 1)
            mean[at] = rest.mean[at] + (now[at] - rest.mean[at]) / many
            pictures.append(many)
            if many in AGAIN and not _certain(sight):
                read.append(cell)
        return Rest(mean, tuple(pictures), now, rest.stirred), read


def _shrunk(picture: MatLike) -> tuple[MatLike, int]:
    by = max(1, round(picture.shape[1] / SEARCH_WIDTH))
    if by == 1:
        return picture, 1
    return cv2.resize(picture, None, fx=1 / by, fy=1 / by, interpolation=cv2.INTER_AREA), by


def _trembles(one: Grid, other: Grid) -> bool:
    apart = float(np.abs(np.array(one.corners) - np.array(other.corners)).max())
    return apart < (TREMBLE if other.markers >= one.markers else TREMBLE_OF_FEW)


def _differing(one: Floats, other: Floats, least: float) -> Bools:
    """Which blocks of the two pictures differ."""
    apart = np.abs(one - other).max(2)
    side = len(apart) // BLOCK
    blocks = cv2.resize(apart, (side, side), interpolation=cv2.INTER_AREA)
    noise = min(float(np.median(blocks)), MOST_NOISE)
    return blocks > max(least, TIMES_NOISE * noise)


def _square(cell: int, step: int) -> tuple[slice, slice]:
    """A cell's part of the coarse picture, or of its blocks."""
    area, size = CELLS[cell], COARSE_MM * step
    down = slice(round((area.top - TOP_MM) / size), round((area.bottom - TOP_MM) / size))
    return down, slice(round((area.left - LEFT_MM) / size), round((area.right - LEFT_MM) / size))


def _certain(sight: Sight) -> bool:
    return not isinstance(sight, Hidden) and sight.sure >= SURE_ENOUGH


def _stirring(hands: Bools, stirred: Whole, t: Ns) -> Bools:
    """Those of the hands a part of which has moved of late."""
    count, labels = cv2.connectedComponents(hands.astype(np.uint8), connectivity=4)
    if count == 1:
        return hands
    awake = cv2.resize((t - stirred < STIRS).astype(np.uint8), hands.shape, interpolation=cv2.INTER_NEAREST) > 0
    moving = np.zeros(count, np.bool_)
    moving[labels[awake & hands]] = True
    return moving[labels]


def _live(sight: Sight, seen: Seen, hands: Bools, cell: int) -> Sight:
    """A card with a hand at it may be read well enough, but whether it already lies there isn't known."""
    if isinstance(sight, Hidden):
        return sight
    spotted = seen.spotted[cell]
    if isinstance(sight, Shown) and spotted is not None:
        area = bare.covered([spotted.place], seen.size_mm, NEAR_MM)
        touched = int((hands & area).sum())
    else:
        touched = int(hands[_square(cell, 1)].sum())
    return Hidden(Why.HAND) if touched >= TOUCHED else sight
