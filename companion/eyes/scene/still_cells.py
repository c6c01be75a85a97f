"""What lies still on the table, and where something moves or an arm is, from picture to picture.

A cell in which something moves, or over which an arm is, is not to be read at all. One that has come to rest is
read once, and while it rests its pictures are laid over each other, so that in a dim room it can be read again
with less noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.core.mat import CELLS
from companion.core.reading import Hidden, Sight
from companion.eyes.image.arrays import Bools, Floats, Whole
from companion.eyes.scene.arms_over_time import (
    BLOCK,
    NEW,
    RESTS,
    SIDE_BLOCKS,
    block_differences,
    cell_slices,
    changed_blocks,
    difference_threshold,
    find_arms,
    is_all_round,
    is_elsewhere,
    paste_blocks,
    settled_blocks,
)
from companion.eyes.scene.cell_memory import SURE_ENOUGH
from companion.units import Ns

# All figures here were chosen by hand on drawn films; no command measures them.
# A block has moved if it differs by that much from the picture before.
MOVED: Final = 0.015
# Print flickers more than paper, since JPEG and a dim lamp make noise of its colours: a block has moved only if it
# differs by so many times its mean flicker over about so many pictures. The flicker is capped, so that a slow
# movement isn't taken for flicker.
TIMES_FLICKER: Final = 2.0
FLICKERS: Final = 8
MOST_FLICKER: Final = 0.015
# Slow fading of the light is ignored up to this difference; then a cell is read again.
FADED: Final = 0.04
# So many blocks of a cell's 64 differ by chance, or may be touched by an arm or its shadow.
FEW_BLOCKS: Final = 1
# A cell that is hard to read is read again when so many pictures of it have been laid over each other.
AGAIN: Final = (2, 4, 8, 16, 32)
# Between pictures that are further apart it isn't known how fast a change came.
NEXT: Final[Ns] = 150_000_000


@dataclass(frozen=True, slots=True, eq=False)
class StillCells:
    """Which cells lie still, their mean pictures, and what is known of arms over the table."""

    mean: Floats
    """The coarse picture, each cell averaged since it came to rest."""
    pictures: tuple[int, ...]
    """For each cell how many pictures were averaged; 0 while it moves."""
    now: Floats
    """The newest coarse picture alone."""
    stirred: Whole
    """When each block last moved."""
    ground: Floats
    """The table without arms, as it was last seen."""
    arms: Bools
    """The blocks where an arm is."""
    covered: Bools
    """The blocks over which an arm has been since the ground was last seen there."""
    same: Whole
    """When each block was last like the ground; long ago where pictures were too far apart to say."""
    t: Ns
    """The time of the newest picture."""
    flicker: Floats
    """How much each block differs from picture to picture though nothing moves."""
    moves: bool = False
    """Whether anything moves anywhere."""
    lost: bool = False
    """The camera looks at something else, or the mat can't be made out."""

    def moving_blocks(self, by: Floats) -> Bools:
        """The blocks that have moved, if each now differs `by` so much."""
        return np.asarray(by > np.maximum(difference_threshold(by, MOVED), TIMES_FLICKER * self.flicker))

    def has_arm(self, cell: int) -> bool:
        return _is_touched(self.arms[cell_slices(cell, BLOCK)])

    def restart_cells(self, cells: Sequence[int]) -> "StillCells":
        """The averages of these cells begin anew with the newest picture."""
        if not cells:
            return self
        mean, pictures = self.mean.copy(), list(self.pictures)
        for cell in cells:
            at = cell_slices(cell, 1)
            mean[at], pictures[cell] = self.now[at], 1
        return replace(self, mean=mean, pictures=tuple(pictures))


def first_still_cells(coarse: Floats, t: Ns) -> StillCells:
    blocks = (SIDE_BLOCKS, SIDE_BLOCKS)
    none, calm, long_ago = np.zeros(blocks, np.bool_), np.zeros(blocks, np.float32), np.full(blocks, t - RESTS)
    return StillCells(coarse, (1,) * len(CELLS), coarse, long_ago, coarse, none, none, long_ago, t, calm)


def next_still_cells(
    now: Floats, rest: StillCells, sights: Sequence[Sight], t: Ns, *, lost: bool | None
) -> tuple[StillCells, list[int]]:
    """The state after this picture, and the cells that are to be read. `lost`: whether the mat is out of sight;
    None without a mat, where only the table itself can show it."""
    by = block_differences(now, rest.now)
    moving = rest.moving_blocks(by)
    stirred = np.where(moving, t, rest.stirred)
    over = _update_arms(replace(rest, stirred=stirred, moves=bool(moving.any())), now, t, lost=lost)
    fresh = changed_blocks(now, rest.mean, FADED)
    mean = now.copy()
    pictures: list[int] = []
    read: list[int] = []
    for cell, (before, sight) in enumerate(zip(rest.pictures, sights, strict=True)):
        at, blocks = cell_slices(cell, 1), cell_slices(cell, BLOCK)
        # A changed cell is read only once it is sure that the camera still looks at the table.
        is_new = before == 0 or _is_touched(fresh[blocks])
        if _is_touched(moving[blocks]) or _is_touched(over.arms[blocks][1:-1, 1:-1]) or (is_new and over.lost):
            pictures.append(0)
            continue
        many = 1 if is_new else min(before + 1, AGAIN[-1] + 1)
        if not is_new:
            mean[at] = rest.mean[at] + (now[at] - rest.mean[at]) / many
        if is_new or (many in AGAIN and not _is_certain(sight)):
            read.append(cell)
        pictures.append(many)
    flicker = rest.flicker + (np.minimum(by, MOST_FLICKER) - rest.flicker) / FLICKERS
    after = replace(over, mean=mean, pictures=tuple(pictures), now=now, t=t, flicker=flicker)
    return (after if over.lost else _update_ground(after, sights)), read


def _update_arms(rest: StillCells, now: Floats, t: Ns, *, lost: bool | None) -> StillCells:
    """Finds the arms that are over the table now, or that the grid is lost."""
    long_ago = np.full_like(rest.same, t - RESTS)
    if lost:
        return replace(rest, lost=True, same=long_ago)
    if not (rest.moves or rest.lost or rest.arms.any()):
        return replace(rest, lost=False, same=np.full_like(rest.same, t))
    changed = changed_blocks(now, rest.ground, NEW)
    same = np.where(changed, rest.same if t - rest.t <= NEXT else long_ago, t)
    arms, ground = find_arms(changed, rest.ground, now, t - rest.stirred, t - same)
    covered = rest.covered | arms
    # A hand that slowly covers the whole camera has covered every block; that must still count as lost.
    beneath = np.zeros_like(arms) if is_all_round(changed) else covered
    if lost is None and is_elsewhere(now, rest.ground, beneath):
        return replace(rest, lost=True, same=long_ago)
    return replace(rest, arms=arms, ground=ground, covered=covered, same=same, lost=False)


def _update_ground(rest: StillCells, sights: Sequence[Sight]) -> StillCells:
    """Updates the ground where the table is to be seen now."""
    read = [many > 1 and not isinstance(sight, Hidden) for many, sight in zip(rest.pictures, sights, strict=True)]
    there = settled_blocks(rest.arms, rest.t - rest.stirred, np.array(read))
    ground = paste_blocks(rest.ground, rest.mean, there)
    return replace(rest, ground=ground, covered=rest.covered & ~there)


def _is_touched(blocks: Bools) -> bool:
    return int(np.count_nonzero(blocks)) > FEW_BLOCKS


def _is_certain(sight: Sight) -> bool:
    return not isinstance(sight, Hidden) and sight.sure >= SURE_ENOUGH
