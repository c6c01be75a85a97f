"""The eyes over time: each picture is read only where it differs from those before, and is at rest.

The grid is followed as long as it can be made out, and kept where it was while a hand is over the markers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import CELLS
from companion.core.reading import Hidden, Reading, Shown, Sight, Why, without_grid
from companion.eyes.card.card_candidate import CardCandidate
from companion.eyes.grid.camera_shift import find_shift
from companion.eyes.grid.flat_picture import FlatPicture, flatten, part_around
from companion.eyes.grid.grid_from_mat import Found, Grid, find_mat, search_shrink_factor
from companion.eyes.grid.mat_markers import MatMarkers, remember_markers
from companion.eyes.image.arrays import Bools, Floats
from companion.eyes.image.shrinking import shrink
from companion.eyes.look import Eyes, LookResult
from companion.eyes.scene import tabletop
from companion.eyes.scene.arms_over_time import BLOCK, blocks_to_pixels, cell_slices
from companion.eyes.scene.cell_memory import OF_COLOUR, CellMemory
from companion.eyes.scene.picture_quality import Focus
from companion.eyes.scene.still_cells import FADED, StillCells, first_still_cells, next_still_cells
from companion.units import Ns

# In pixels. A marker's place varies by a third of a pixel between pictures, and with a marker hidden the others
# give a slightly different grid; the grid is moved only for more than this. Chosen by hand; no command measures
# it.
TREMBLE: Final = 1.0
TREMBLE_OF_FEW: Final = 4.0
# The figures below were chosen by hand on drawn films; no command measures them.
# With so many cells moving at once, somebody may have pushed the table.
PUSHED: Final = 3
# A hand within so many millimetres of a card, on at least so many coarse pixels, may still be laying it.
NEAR_MM: Final = 6.0
TOUCHED: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class TableTracker:
    """Reads the pictures of one camera one after the other. Immutable: `look` gives the next one.

    >>> tracker = TableTracker(eyes)
    >>> for t, picture in pictures:
    ...     tracker, reading = tracker.look(picture, t)
    """

    eyes: Eyes
    corners: Grid | None = None
    """Where somebody said the grid is, in pixels of a whole picture; otherwise the mat is looked for."""
    last_calm: tuple[MatLike, Grid] | None = None
    """The newest picture in which nothing moved, shrunk, and where the grid was in it."""
    grid: Grid | None = None
    """Where the grid is, in pixels of a shrunk picture; None until it is first found."""
    markers: MatMarkers | None = None
    """The mat's markers as they were last found; None if `grid` isn't where they say."""
    result: LookResult | None = None
    """What was read last; in cells that were not read anew, what was read before."""
    still: StillCells | None = None
    """Which cells lie still, and where arms are."""
    memories: tuple[CellMemory, ...] = ()
    """What is known of each cell beside `result`."""

    def look(self, picture: MatLike, t: Ns) -> tuple["TableTracker", Reading]:
        """`t`: the beginning of its exposure. Pictures are all of one size."""
        by = search_shrink_factor(picture)
        small = shrink(picture, by)
        given = None if self.corners is None else self.corners.in_shrunk_picture(by)
        markers = self._find_markers(small, t) if given is None else None
        grid = self._follow_markers(small, markers) if given is None else self._follow_push(small, given)
        if grid is None:
            return self, without_grid(t)
        flat = flatten(small, grid.to_mm)
        if self.result is None or self.still is None:
            still, read = first_still_cells(flat.coarse, t), [*range(len(CELLS))]
            memories = tuple(CellMemory(t) for _ in CELLS)
        else:
            lost = None if given is not None else markers is None
            still, read = next_still_cells(flat.coarse, self.still, self.result.sights, t, lost=lost)
            memories = _note_motion(self.memories, still, self.still.t)
        still, read, memories = _note_focus(still, read, memories)
        result, memories = self._read_cells(flat, grid, still, read, memories)
        result, memories = self._try_single_picture(flat, grid, still, (result, memories))
        hands = _hands_at_arms(result.hands, blocks_to_pixels(still.arms)) if still.arms.any() else None
        sights = tuple(
            _hide_if_touched(sight, result, hands, cell) if pictures else Hidden(_why_not_still(still, cell))
            for cell, (sight, pictures) in enumerate(zip(result.sights, still.pictures, strict=True))
        )
        last_calm = (small, grid) if all(still.pictures) and not still.arms.any() else self.last_calm
        # Markers that were not believed are looked for again in the next picture: the mat may be there all the
        # same.
        kept = self.markers if markers is None else markers if _is_tremble(grid, markers.grid) else None
        after = replace(
            self, last_calm=last_calm, grid=grid, markers=kept, result=result, still=still, memories=memories
        )
        return after, Reading(t, sights)

    def _find_markers(self, small: MatLike, t: Ns) -> MatMarkers | None:
        """The mat's markers; None where the mat is not in sight."""
        if self.markers is not None and self.markers.are_still_there(small, t):
            return self.markers
        mat = find_mat(small)
        return None if mat is None else remember_markers(small, mat, t)

    def _follow_markers(self, small: MatLike, markers: MatMarkers | None) -> Grid | None:
        if markers is None or self.grid is None or _is_tremble(self.grid, markers.grid):
            return self.grid or (markers and markers.grid)
        mat = markers.grid
        return mat if mat.markers > self.grid.markers else self._choose_grid(small, mat)

    def _follow_push(self, small: MatLike, begin: Grid) -> Grid:
        """Where the grid is now on a table without a mat, if table or camera were pushed."""
        if self.grid is None or self.still is None:
            return begin
        if self.last_calm is None or self.still.pictures.count(0) < PUSHED:
            return self.grid
        before, grid = self.last_calm
        moved = find_shift(before, small)
        if moved is None:
            return self.grid
        pushed = Grid(Found.CORNERS, grid.to_mm @ np.linalg.inv(moved))
        return self.grid if _is_tremble(self.grid, pushed) else self._choose_grid(small, pushed)

    def _choose_grid(self, small: MatLike, other: Grid) -> Grid:
        """`other` if the table looks more like before through it than through the present grid. Markers that are
        hard to make out seem to jump, and a hand may look like a pushed table; then the cards are where they
        were."""
        assert self.grid is not None
        assert self.still is not None
        ground = self.still.ground
        stays, moves = (_mean_difference(flatten(small, grid.to_mm), ground) for grid in (self.grid, other))
        return other if moves < stays else self.grid

    def _read_cells(
        self,
        flat: FlatPicture,
        grid: Grid,
        still: StillCells,
        cells: Sequence[int],
        memories: tuple[CellMemory, ...],
    ) -> tuple[LookResult, tuple[CellMemory, ...]]:
        """Reads these cells, and judges all cells that lie still."""
        # Without cells to read, the result can only change if a hand was seen and something moves.
        before = None if self.result is None or (still.moves and self.result.hands.any()) else self.result
        if before is not None and not cells:
            return replace(before, sights=_sights_before_blur(before.sights, memories)), memories
        candidates: list[CardCandidate | None] = (
            [None] * len(CELLS) if self.result is None else [*self.result.candidates]
        )
        near = FlatPicture(flat.code, still.mean, part_around(cells))
        for cell, one in zip(cells, self.eyes.find_cards(near, cells), strict=True):
            candidates[cell] = one
        lying = [one if pictures else None for one, pictures in zip(candidates, still.pictures, strict=True)]
        more = None
        if before is not None and not still.arms.any():
            more = self.eyes.judge_changed(before, grid, flat, lying, cells)
        result = self.eyes.judge(grid, flat, lying) if more is None else more
        memories = tuple(
            one.add_try(sight, still.t) if cell in cells and pictures == 1 else one
            for cell, (one, sight, pictures) in enumerate(
                zip(memories, result.sights, still.pictures, strict=True)
            )
        )
        return _decide_cells(replace(result, candidates=tuple(candidates)), memories, still)

    def _try_single_picture(
        self, flat: FlatPicture, grid: Grid, still: StillCells, so_far: tuple[LookResult, tuple[CellMemory, ...]]
    ) -> tuple[LookResult, tuple[CellMemory, ...]]:
        """A cell that could not be made out is tried with this picture alone, one at a time."""
        result, memories = so_far
        due = [
            cell
            for cell, (one, sight) in enumerate(zip(memories, result.sights, strict=True))
            if still.pictures[cell] and one.is_due(sight, still.t)
        ]
        if not due or still.lost:
            return so_far
        cell = min(due, key=lambda cell: memories[cell].tried_at)
        one, sight = self._read_alone(flat, grid, result, cell)
        memories = tuple(
            other.add_try(sight, still.t) if number == cell else other for number, other in enumerate(memories)
        )
        after, now = memories[cell].decide(result.sights[cell])
        candidates = [
            one if now == sight and number == cell else other for number, other in enumerate(result.candidates)
        ]
        sights = tuple(now if number == cell else other for number, other in enumerate(result.sights))
        return (
            replace(result, candidates=tuple(candidates), sights=sights),
            tuple(after if number == cell else other for number, other in enumerate(memories)),
        )

    def _read_alone(
        self, flat: FlatPicture, grid: Grid, result: LookResult, cell: int
    ) -> tuple[CardCandidate | None, Sight]:
        """The cell's card and sight by this picture alone."""
        candidates, before = list(result.candidates), result.sights[cell]
        one = candidates[cell]
        if one is not None and (isinstance(before, Shown) or _is_only_colour_unknown(before)):
            # Where it lies is known, only its colour is open.
            shown = [
                number for number, sight in enumerate(result.sights) if isinstance(sight, Shown) or number == cell
            ]
            cards = {number: card for number in shown if (card := candidates[number]) is not None}
            on_mat = grid.found is Found.MAT
            near = FlatPicture(flat.code, flat.coarse, part_around([cell]))
            one, is_told = self.eyes.read_once_more(near, [*cards.values()], [*cards].index(cell), white=on_mat)
            if not is_told:
                return one, before if isinstance(before, Hidden) else Hidden(Why.DARK)
        else:
            (one,) = self.eyes.find_cards(flat, [cell])
        candidates[cell] = one
        return one, self.eyes.judge(grid, flat, candidates).sights[cell]


def _is_only_colour_unknown(sight: Sight) -> bool:
    return isinstance(sight, Hidden) and sight.why in OF_COLOUR


def _note_motion(memories: Sequence[CellMemory], still: StillCells, before: Ns) -> tuple[CellMemory, ...]:
    return tuple(
        one.with_motion(still.t, before, rests=pictures > 0, arm=still.has_arm(cell))
        for cell, (one, pictures) in enumerate(zip(memories, still.pictures, strict=True))
    )


def _note_focus(
    still: StillCells, read: Sequence[int], memories: tuple[CellMemory, ...]
) -> tuple[StillCells, list[int], tuple[CellMemory, ...]]:
    """Takes blurred cells from those to be read; those that are sharp again are read anew."""
    looked = list(memories)
    kept: list[int] = []
    afresh: list[int] = []
    for cell, one in enumerate(memories):
        if cell not in read and not (one.blurred and still.pictures[cell]):
            continue
        looked[cell], how = one.with_focus(still.now[cell_slices(cell, 1)])
        if how is Focus.BLURRED:
            continue
        kept.append(cell)
        if one.blurred or how is Focus.SHARPER:
            afresh.append(cell)
    return still.restart_cells(afresh), kept, tuple(looked)


def _sights_before_blur(sights: tuple[Sight, ...], memories: Sequence[CellMemory]) -> tuple[Sight, ...]:
    if not any(one.blurred for one in memories):
        return sights
    return tuple(
        one.before_the_blur() if one.blurred else sight for sight, one in zip(sights, memories, strict=True)
    )


def _decide_cells(
    result: LookResult, memories: tuple[CellMemory, ...], still: StillCells
) -> tuple[LookResult, tuple[CellMemory, ...]]:
    """Each cell's memory decides what its reading is taken for."""
    after = list(memories)
    sights = [*_sights_before_blur(result.sights, memories)]
    for cell, one in enumerate(memories):
        if still.pictures[cell] and not one.blurred:
            after[cell], sights[cell] = one.decide(sights[cell])
    return replace(result, sights=tuple(sights)), tuple(after)


def _is_tremble(one: Grid, other: Grid) -> bool:
    if one is other:
        return True
    px = float(np.abs(np.array(one.corners) - np.array(other.corners)).max())
    return px < (TREMBLE if other.markers >= one.markers else TREMBLE_OF_FEW)


def _mean_difference(flat: FlatPicture, ground: Floats) -> float:
    """The mean difference between a flat picture and the table as it was; capped, so that a hand counts no more
    than any other change."""
    return float(np.minimum(np.abs(flat.coarse - ground), FADED).mean())


def _hands_at_arms(hands: Bools, arms: Bools) -> Bools:
    """The arms, and what looks like a hand and touches an arm. What looks like a hand elsewhere is a pile that
    sticks out over the mat's edge, or was there before."""
    count, joined = cv2.connectedComponents(hands.astype(np.uint8), connectivity=4)
    labels = np.asarray(joined, np.int64)
    touched = np.zeros(count, np.bool_)
    touched[labels[arms & hands]] = True
    return touched[labels] | arms


def _why_not_still(still: StillCells, cell: int) -> Why:
    """Why a cell doesn't lie still. A lamp, or a camera that was pushed, makes a cell move too, but without an
    arm."""
    if still.lost:
        return Why.LOST
    return Why.HAND if still.arms[cell_slices(cell, BLOCK)].any() else Why.MOVING


def _hide_if_touched(sight: Sight, result: LookResult, hands: Bools | None, cell: int) -> Sight:
    """`sight`, or hidden by a hand: a card with a hand at it may be readable, but perhaps isn't laid yet."""
    if hands is None or isinstance(sight, Hidden):
        return sight
    candidates = result.candidates[cell]
    if isinstance(sight, Shown) and candidates is not None:
        area = tabletop.area_covered([candidates.place], result.size_mm, NEAR_MM)
        touched = int((hands & area).sum())
    else:
        touched = int(hands[cell_slices(cell, 1)].sum())
    return Hidden(Why.HAND) if touched >= TOUCHED else sight
