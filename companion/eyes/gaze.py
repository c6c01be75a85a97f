"""The eyes over time: each picture is read only where it differs from those before, and is at rest.

The grid is followed as long as it can be made out, and kept where it was while a hand is over the markers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.games.goat.cards import Ns
from companion.core.mat import CELLS
from companion.core.reading import Hidden, Reading, Shown, Sight, Why, without_grid
from companion.eyes import bare
from companion.eyes.arms import BLOCK, apart, square, widened
from companion.eyes.arrays import Bools, Floats
from companion.eyes.drift import drift
from companion.eyes.flat import Flat, flattened
from companion.eyes.grid import Found, Grid, find_mat, shrink_for_search
from companion.eyes.look import Eyes, Seen
from companion.eyes.rest import FADED, Rest, begun, rested
from companion.eyes.shrinking import shrunk

# Markers tremble by a third of a pixel, and where one of them is hidden the rest say a little otherwise; the grid
# is moved only for more.
TREMBLE: Final = 1.0
TREMBLE_OF_FEW: Final = 4.0
# If so many cells move at once, somebody may have pushed the table.
PUSHED: Final = 3
# A hand so near a card may still be laying it.
NEAR_MM: Final = 6.0
TOUCHED: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Gaze:
    """Immutable: `look` gives the next one."""

    eyes: Eyes
    corners: Grid | None = None
    """Where somebody said the grid is, in pixels of a whole picture; otherwise the mat is looked for."""
    calm: tuple[MatLike, Grid] | None = None
    """The newest picture in which nothing moved, shrunk, and where the grid was in it."""
    grid: Grid | None = None
    seen: Seen | None = None
    rest: Rest | None = None

    def look(self, picture: MatLike, t: Ns) -> tuple["Gaze", Reading]:
        """`t`: the beginning of its exposure. Pictures are all of one size."""
        by = shrink_for_search(picture)
        small = shrunk(picture, by)
        given = None if self.corners is None else self.corners.shrunk(by)
        still = self._still(small) if given is None else None
        # Where nothing at all has moved, the markers haven't either; looking for them takes half the time.
        mat = None if given is not None else find_mat(small) if still is None else self.grid
        grid = self._followed(small, mat) if given is None else self._pushed(small, given)
        if grid is None:
            return self, without_grid(t)
        flat = flattened(small, grid.to_mm) if still is None else still
        if self.seen is None or self.rest is None:
            rest = begun(flat.coarse, t)
            seen = self.eyes.judged(grid, flat, self.eyes.spotted(flat, range(len(CELLS))))
        else:
            lost = None if given is not None else mat is None
            rest, read = rested(flat.coarse, self.rest, self.seen.sights, t, lost=lost)
            seen = self._read(flat, grid, rest, read)
        hands = _at_arms(seen.hands, widened(rest.arms))
        sights = tuple(
            _live(sight, seen, hands, cell) if pictures else Hidden(_unrest(rest, cell))
            for cell, (sight, pictures) in enumerate(zip(seen.sights, rest.pictures, strict=True))
        )
        calm = (small, grid) if all(rest.pictures) and not rest.arms.any() else self.calm
        return replace(self, calm=calm, grid=grid, seen=seen, rest=rest), Reading(t, sights)

    def _still(self, small: MatLike) -> Flat | None:
        """The picture laid flat as the one before, if nothing in it has moved."""
        if self.grid is None or self.rest is None or not all(self.rest.pictures):
            return None
        flat = flattened(small, self.grid.to_mm)
        return None if self.rest.moving(apart(flat.coarse, self.rest.now)).any() else flat

    def _followed(self, small: MatLike, mat: Grid | None) -> Grid | None:
        if mat is None or self.grid is None or _trembles(self.grid, mat):
            return self.grid or mat
        return mat if mat.markers > self.grid.markers else self._likelier(small, mat)

    def _pushed(self, small: MatLike, begin: Grid) -> Grid:
        """On a bare table: where the grid is now, if table or camera were pushed."""
        if self.grid is None or self.rest is None:
            return begin
        if self.calm is None or self.rest.pictures.count(0) < PUSHED:
            return self.grid
        before, grid = self.calm
        moved = drift(before, small)
        if moved is None:
            return self.grid
        pushed = Grid(Found.CORNERS, grid.to_mm @ np.linalg.inv(moved))
        return self.grid if _trembles(self.grid, pushed) else self._likelier(small, pushed)

    def _likelier(self, small: MatLike, other: Grid) -> Grid:
        """Markers that are hard to make out seem to jump, and a hand is taken for the table that was pushed; but
        then what lies there stays where it was."""
        assert self.grid is not None
        assert self.rest is not None
        ground = self.rest.ground
        stays, moves = (_unlike(flattened(small, grid.to_mm), ground) for grid in (self.grid, other))
        return other if moves < stays else self.grid

    def _read(self, flat: Flat, grid: Grid, rest: Rest, cells: Sequence[int]) -> Seen:
        assert self.seen is not None
        # Where nothing is to be read, only a hand that was seen can have changed.
        if not cells and not (rest.moves and self.seen.hands.any()):
            return self.seen
        spotted = list(self.seen.spotted)
        for cell, one in zip(cells, self.eyes.spotted(Flat(flat.code, rest.mean), cells), strict=True):
            spotted[cell] = one
        lying = [one if pictures else None for one, pictures in zip(spotted, rest.pictures, strict=True)]
        return replace(self.eyes.judged(grid, flat, lying), spotted=tuple(spotted))


def _trembles(one: Grid, other: Grid) -> bool:
    px = float(np.abs(np.array(one.corners) - np.array(other.corners)).max())
    return px < (TREMBLE if other.markers >= one.markers else TREMBLE_OF_FEW)


def _unlike(flat: Flat, ground: Floats) -> float:
    """How far a picture laid flat is from the table as it was; a hand counts as little as any other change."""
    return float(np.minimum(np.abs(flat.coarse - ground), FADED).mean())


def _at_arms(hands: Bools, arms: Bools) -> Bools:
    """The arms, and what looks like a hand at one. What does so elsewhere is a pile that sticks out over the mat's
    edge, or was there before."""
    count, joined = cv2.connectedComponents(hands.astype(np.uint8), connectivity=4)
    labels = np.asarray(joined, np.int64)
    touched = np.zeros(count, np.bool_)
    touched[labels[arms & hands]] = True
    return touched[labels] | arms


def _unrest(rest: Rest, cell: int) -> Why:
    """A lamp, or a camera that was pushed, makes a cell move too, but no arm is over it then."""
    if rest.lost:
        return Why.LOST
    return Why.HAND if rest.arms[square(cell, BLOCK)].any() else Why.MOVING


def _live(sight: Sight, seen: Seen, hands: Bools, cell: int) -> Sight:
    """A card with a hand at it may be read well enough, but whether it already lies there isn't known."""
    if isinstance(sight, Hidden):
        return sight
    spotted = seen.spotted[cell]
    if isinstance(sight, Shown) and spotted is not None:
        area = bare.covered([spotted.place], seen.size_mm, NEAR_MM)
        touched = int((hands & area).sum())
    else:
        touched = int(hands[square(cell, 1)].sum())
    return Hidden(Why.HAND) if touched >= TOUCHED else sight
