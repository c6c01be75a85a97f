"""The eyes over time: each picture is read only where it differs from those before.

A cell in which something moves, or over which an arm is, is not read at all. One that has come to rest is read
once, and while it rests its pictures are laid over each other, so that in a dim room it can be read again with
less noise. The grid is followed as long as it can be made out, and kept where it was while a hand is over the
markers.
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
from companion.eyes.arms import (
    BLOCK,
    RESTS,
    SIDE_BLOCKS,
    arms_over,
    differing,
    is_elsewhere,
    settled,
    square,
    widened,
)
from companion.eyes.arrays import Bools, Floats, Whole
from companion.eyes.drift import drift
from companion.eyes.flat import Flat, flattened
from companion.eyes.grid import Found, Grid, find_mat, shrink_for_search
from companion.eyes.look import Eyes, Seen
from companion.eyes.shrinking import shrunk

# A block has moved if it differs by that much from the picture before.
MOVED: Final = 0.015
# Light that fades slowly is forgiven up to here; then a cell is read again.
FADED: Final = 0.04
# So many blocks of a cell's 64 differ by chance, or may be touched by an arm or its shadow.
FEW_BLOCKS: Final = 1
# Markers tremble by a third of a pixel, and where one of them is hidden the rest say a little otherwise; the grid
# is moved only for more.
TREMBLE: Final = 1.0
TREMBLE_OF_FEW: Final = 4.0
# If so many cells move at once, somebody may have pushed the table.
PUSHED: Final = 3
# A cell that is hard to read is read again when so many pictures of it have been laid over each other.
AGAIN: Final = (2, 4, 8, 16, 32)
SURE_ENOUGH: Final = 0.95
# A hand so near a card may still be laying it.
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
    ground: Floats
    """The table without arms, as it was last seen."""
    arms: Bools
    """The blocks where one is."""
    moves: bool = False
    """Anything, anywhere."""


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
        lost = mat is None if given is None else self._looks_away(flat)
        if self.seen is None or self.rest is None:
            rest = _begun(flat.coarse, t)
            seen = self.eyes.judged(grid, flat, self.eyes.spotted(flat, range(len(CELLS))))
        else:
            rest, read = _rested(flat.coarse, self.rest, self.seen, t, lost=lost)
            seen = self._read(flat, grid, rest, read)
        hands = _at_arms(seen.hands, widened(rest.arms))
        sights = tuple(
            _live(sight, seen, hands, cell) if pictures else Hidden(Why.LOST if lost else Why.MOVING)
            for cell, (sight, pictures) in enumerate(zip(seen.sights, rest.pictures, strict=True))
        )
        calm = (small, grid) if all(rest.pictures) and not rest.arms.any() else self.calm
        return replace(self, calm=calm, grid=grid, seen=seen, rest=rest), Reading(t, sights)

    def _still(self, small: MatLike) -> Flat | None:
        """The picture laid flat as the one before, if nothing in it has moved."""
        if self.grid is None or self.rest is None or not all(self.rest.pictures):
            return None
        flat = flattened(small, self.grid.to_mm)
        return None if differing(flat.coarse, self.rest.now, MOVED).any() else flat

    def _looks_away(self, flat: Flat) -> bool:
        """Off a bare table."""
        return self.rest is not None and is_elsewhere(flat.coarse, self.rest.ground)

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


def _begun(coarse: Floats, t: Ns) -> Rest:
    blocks = (SIDE_BLOCKS, SIDE_BLOCKS)
    return Rest(coarse, (1,) * len(CELLS), coarse, np.full(blocks, t - RESTS), coarse, np.zeros(blocks, np.bool_))


def _rested(now: Floats, rest: Rest, seen: Seen, t: Ns, *, lost: bool) -> tuple[Rest, list[int]]:
    """With this picture laid over those before, and the cells that are to be read."""
    moving, changed = differing(now, rest.now, MOVED), differing(now, rest.mean, FADED)
    stirred = np.where(moving, t, rest.stirred)
    arms, ground = rest.arms, rest.ground
    if not lost and (moving.any() or arms.any()):
        arms, ground = arms_over(ground, now, t - stirred)
    mean = now.copy()
    pictures: list[int] = []
    read: list[int] = []
    for cell, (before, sight) in enumerate(zip(rest.pictures, seen.sights, strict=True)):
        at, blocks = square(cell, 1), square(cell, BLOCK)
        # What has changed is read when it is sure that the camera still looks at the table.
        is_new = before == 0 or _touches(changed[blocks])
        if _touches(moving[blocks]) or _touches(arms[blocks][1:-1, 1:-1]) or (is_new and lost):
            pictures.append(0)
            continue
        many = 1 if is_new else min(before + 1, AGAIN[-1] + 1)
        if not is_new:
            mean[at] = rest.mean[at] + (now[at] - rest.mean[at]) / many
        if is_new or (many in AGAIN and not _certain(sight)):
            read.append(cell)
        pictures.append(many)
    was_read = np.array(
        [many > 1 and not isinstance(sight, Hidden) for many, sight in zip(pictures, seen.sights, strict=True)]
    )
    if not lost:
        ground = np.where(settled(arms, t - stirred, was_read)[..., None], mean, ground)
    return Rest(mean, tuple(pictures), now, stirred, ground, arms, moves=bool(moving.any())), read


def _touches(blocks: Bools) -> bool:
    return int(blocks.sum()) > FEW_BLOCKS


def _trembles(one: Grid, other: Grid) -> bool:
    apart = float(np.abs(np.array(one.corners) - np.array(other.corners)).max())
    return apart < (TREMBLE if other.markers >= one.markers else TREMBLE_OF_FEW)


def _unlike(flat: Flat, ground: Floats) -> float:
    """How far a picture laid flat is from the table as it was; a hand counts as little as any other change."""
    return float(np.minimum(np.abs(flat.coarse - ground), FADED).mean())


def _certain(sight: Sight) -> bool:
    return not isinstance(sight, Hidden) and sight.sure >= SURE_ENOUGH


def _at_arms(hands: Bools, arms: Bools) -> Bools:
    """The arms, and what looks like a hand at one. What does so elsewhere is a pile that sticks out over the mat's
    edge, or was there before."""
    count, joined = cv2.connectedComponents(hands.astype(np.uint8), connectivity=4)
    labels = np.asarray(joined, np.int64)
    touched = np.zeros(count, np.bool_)
    touched[labels[arms & hands]] = True
    return touched[labels] | arms


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
