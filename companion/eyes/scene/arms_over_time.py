"""Where an arm is: what wasn't on the table before, and reaches in from outside.

A card that is laid, or a pile that is lifted, changes only a place of its own. What changes and is joined to the
picture's edge is an arm, with its sleeve and its shadow, whatever their colours, and even while it keeps quite
still. For that the table is remembered as it was without it.
"""

from functools import cache
from typing import Final

import cv2
import numpy as np

from companion.core.mat import CELLS
from companion.eyes.grid.flat_picture import COARSE_MM, LEFT_MM, SIDE_PX, TOP_MM
from companion.eyes.image.arrays import Bools, Floats, Whole, floats, mean_of_channels, median
from companion.units import Ns

# All thresholds here were chosen by hand, with the figures that their comments name as observed then; no command
# measures them.
# So many coarse pixels each way, 12 mm, are compared together.
BLOCK: Final = 4
SIDE_BLOCKS: Final = SIDE_PX // 2 // BLOCK
# A block has changed if it differs by more than a minimum, and by more than so many times the median block, which
# is capped: noise changes a block by 0.01 in a dim room, by 0.03 in candle light; a card laid on another of its
# colour changes some blocks by 0.05.
TIMES_NOISE: Final = 3.5
MOST_NOISE: Final = 0.03
NEW: Final = 0.04
# No arm lies still for longer than this; what does is a shadow, or something that somebody has put there.
RESTS: Final[Ns] = 3_000_000_000
# Outside of the cells, what has been still for so long belongs to the table. A waiting hand is never so still.
SETTLES: Final[Ns] = 1_000_000_000
# If this share of the picture's outermost blocks has changed, it was a lamp.
ALL_ROUND: Final = 0.8
# A connected change is an arm only if so many of its blocks, and such a share, have moved lately; by noise a few
# do.
AWAKE: Final = 8
AWAKE_SHARE: Final = 0.08
# A lamp that is switched, or somebody who steps in front of it, changes at least LARGE blocks, NEARLY_ALL of them
# within AT_ONCE, and then nothing moves there for STILL. An arm takes longer to reach in, and slows down before it
# rests.
LARGE: Final = 40
NEARLY_ALL: Final = 0.9
STILL: Final[Ns] = 120_000_000
AT_ONCE: Final[Ns] = 60_000_000
# A block is printed if its print is as strong as PRINT; in a shadow it still correlates with the print before by
# PRINT_LIKE. A cell needs so many such blocks; where the camera looks at something else, the median is below
# UNLIKE.
PRINT: Final = 0.03
PRINT_LIKE: Final = 0.7
PRINTED_BLOCKS: Final = 4
UNLIKE: Final = 0.3
# The blur that separates print from shadows, in coarse pixels: the edge of a shadow is wider.
FINER: Final = 2.0


def block_differences(one: Floats, other: Floats) -> Floats:
    """By how much each block of the two pictures differs."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    most = cv2.max(cv2.max(blue, green), red)
    return floats(cv2.resize(most, (SIDE_BLOCKS, SIDE_BLOCKS), interpolation=cv2.INTER_AREA))


def changed_blocks(one: Floats, other: Floats, least: float) -> Bools:
    """Which blocks of the two pictures differ."""
    blocks = block_differences(one, other)
    return np.asarray(blocks > difference_threshold(blocks, least))


def difference_threshold(blocks: Floats, least: float) -> float:
    return max(least, TIMES_NOISE * min(float(median(blocks.ravel())), MOST_NOISE))


@cache
def cell_slices(cell: int, step: int) -> tuple[slice, slice]:
    """A cell's part of the coarse picture, or of its blocks."""
    area, size = CELLS[cell], COARSE_MM * step
    down = slice(round((area.top - TOP_MM) / size), round((area.bottom - TOP_MM) / size))
    return down, slice(round((area.left - LEFT_MM) / size), round((area.right - LEFT_MM) / size))


def blocks_to_pixels(blocks: Bools) -> Bools:
    """A mask of blocks as a mask of the coarse picture's pixels."""
    return np.repeat(np.repeat(blocks, BLOCK, 0), BLOCK, 1)


def paste_blocks(ground: Floats, now: Floats, blocks: Bools) -> Floats:
    """The ground, with `now` in these blocks. With numpy's own functions this takes seven times as long."""
    there = cv2.resize(blocks.astype(np.uint8), ground.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    return floats(cv2.copyTo(now, there, ground.copy()))


def is_all_round(changed: Bools) -> bool:
    return bool(changed[_OUTER].mean() > ALL_ROUND)


def find_arms(
    changed: Bools, ground: Floats, now: Floats, since_stirred: Whole, since_same: Whole
) -> tuple[Bools, Floats]:
    """The blocks where an arm is, and the ground: the table without arms. `changed`: what differs from it;
    `since_...`: how long ago each block moved, and was like the ground."""
    if is_all_round(changed):
        return np.zeros_like(changed), now
    count, joined = cv2.connectedComponents(changed.astype(np.uint8), connectivity=8)
    labels = np.asarray(joined, np.int64)
    stirring = np.bincount(labels[since_stirred < RESTS], minlength=count)
    arms = stirring >= np.maximum(AWAKE, AWAKE_SHARE * np.bincount(labels.ravel(), minlength=count))
    # No arm is as thin as one block.
    thick = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0
    arms &= np.bincount(labels[_OUTER & thick], minlength=count) > 0
    arms[0] = False
    light = np.zeros_like(changed)
    for label in np.flatnonzero(arms).tolist():
        blocks = labels == label
        if _came_at_once(since_same[blocks], since_stirred[blocks]):
            arms[label] = False
            light |= blocks
    return _drop_shadows(arms[labels], now, ground), paste_blocks(ground, now, light)


def _came_at_once(since_same: Whole, since_stirred: Whole) -> bool:
    """Whether a change came as suddenly as a lamp's or a shadow's does, and not an arm's."""
    recently = np.sort(since_same[since_same < RESTS])
    together = int((np.searchsorted(recently, recently + AT_ONCE) - np.arange(len(recently))).max(initial=0))
    is_still = float((since_stirred >= STILL).mean()) >= NEARLY_ALL
    return is_still and together >= max(LARGE, NEARLY_ALL * len(since_same))


def settled_blocks(arms: Bools, since_stirred: Whole, read: Bools) -> Bools:
    """The blocks that show how the table is now: at once where a cell has been `read`, elsewhere after a while."""
    blocks = since_stirred > SETTLES
    for cell in np.flatnonzero(read).tolist():
        blocks[cell_slices(cell, BLOCK)] = True
    # Beside an arm is its shadow, which must not creep in.
    near = cv2.dilate(arms.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    return blocks & ~near


def _drop_shadows(arms: Bools, now: Floats, ground: Floats) -> Bools:
    """The arms without the cells that only lie in an arm's shadow: there the print from before is still
    visible."""
    if not arms.any():
        return arms
    printed, like = _compare_prints(now, ground)
    printed &= arms
    kept = printed & (like > PRINT_LIKE)
    for cell in range(len(CELLS)):
        at = cell_slices(cell, BLOCK)
        same = int(kept[at].sum())
        if same >= PRINTED_BLOCKS and same > PRINT_LIKE * int(printed[at].sum()):
            arms[at] = False
    return arms


def is_elsewhere(now: Floats, ground: Floats, covered: Bools) -> bool:
    """Whether the camera looks at something else: hardly anything that was printed on the table is still visible.
    `covered`: the blocks to leave out, as an arm is or was there and may have taken a card away."""
    printed, like = _compare_prints(now, ground)
    printed &= ~covered
    return int(printed.sum()) >= PRINTED_BLOCKS and float(np.median(like[printed])) < UNLIKE


def _compare_prints(now: Floats, ground: Floats) -> tuple[Bools, Floats]:
    """Which blocks of the ground are printed, and how like they still are."""
    before, after = _remove_slopes(ground), _remove_slopes(now)
    power = _mean_per_block(before * before)
    like = _mean_per_block(before * after) / np.sqrt(np.maximum(power * _mean_per_block(after * after), 1e-9))
    return np.asarray(power > PRINT**2), like


def _remove_slopes(coarse: Floats) -> Floats:
    return np.asarray(coarse - floats(cv2.GaussianBlur(coarse, (0, 0), FINER)))


def _mean_per_block(values: Floats) -> Floats:
    return floats(cv2.resize(mean_of_channels(values), (SIDE_BLOCKS, SIDE_BLOCKS), interpolation=cv2.INTER_AREA))


def _outer_blocks() -> Bools:
    outer = np.ones((SIDE_BLOCKS, SIDE_BLOCKS), np.bool_)
    outer[1:-1, 1:-1] = False
    return outer


_OUTER: Final = _outer_blocks()
