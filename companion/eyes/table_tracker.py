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

# Markers tremble by a third of a pixel, and where one of them is hidden the rest say a little otherwise; the grid
# is moved only for more.
TREMBLE: Final = 1.0
TREMBLE_OF_FEW: Final = 4.0
# Those below were chosen by hand on drawn films, and no command measures them.
# If so many cells move at once, somebody may have pushed the table.
PUSHED: Final = 3
# A hand so near a card may still be laying it.
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
    calm: tuple[MatLike, Grid] | None = None
    """The newest picture in which nothing moved, shrunk, and where the grid was in it."""
    grid: Grid | None = None
    marks: MatMarkers | None = None
    """The mat's, as they were last found, if the grid is where they say."""
    seen: LookResult | None = None
    rest: StillCells | None = None
    known: tuple[CellMemory, ...] = ()

    def look(self, picture: MatLike, t: Ns) -> tuple["TableTracker", Reading]:
        """`t`: the beginning of its exposure. Pictures are all of one size."""
        by = search_shrink_factor(picture)
        small = shrink(picture, by)
        given = None if self.corners is None else self.corners.in_shrunk_picture(by)
        marks = self._find_markers(small, t) if given is None else None
        grid = self._follow_markers(small, marks) if given is None else self._follow_push(small, given)
        if grid is None:
            return self, without_grid(t)
        flat = flatten(small, grid.to_mm)
        if self.seen is None or self.rest is None:
            rest, read = first_still_cells(flat.coarse, t), [*range(len(CELLS))]
            known = tuple(CellMemory(t) for _ in CELLS)
        else:
            lost = None if given is not None else marks is None
            rest, read = next_still_cells(flat.coarse, self.rest, self.seen.sights, t, lost=lost)
            known = _note_motion(self.known, rest, self.rest.t)
        rest, read, known = _note_focus(rest, read, known)
        seen, known = self._read_cells(flat, grid, rest, read, known)
        seen, known = self._try_single_picture(flat, grid, rest, (seen, known))
        hands = _hands_at_arms(seen.hands, blocks_to_pixels(rest.arms)) if rest.arms.any() else None
        sights = tuple(
            _hide_if_touched(sight, seen, hands, cell) if pictures else Hidden(_why_not_still(rest, cell))
            for cell, (sight, pictures) in enumerate(zip(seen.sights, rest.pictures, strict=True))
        )
        calm = (small, grid) if all(rest.pictures) and not rest.arms.any() else self.calm
        # One that was not believed is looked for again in the next picture: the mat may be there all the same.
        kept = self.marks if marks is None else marks if _is_tremble(grid, marks.grid) else None
        after = replace(self, calm=calm, grid=grid, marks=kept, seen=seen, rest=rest, known=known)
        return after, Reading(t, sights)

    def _find_markers(self, small: MatLike, t: Ns) -> MatMarkers | None:
        """The mat's, where it is in sight."""
        if self.marks is not None and self.marks.are_still_there(small, t):
            return self.marks
        mat = find_mat(small)
        return None if mat is None else remember_markers(small, mat, t)

    def _follow_markers(self, small: MatLike, marks: MatMarkers | None) -> Grid | None:
        if marks is None or self.grid is None or _is_tremble(self.grid, marks.grid):
            return self.grid or (marks and marks.grid)
        mat = marks.grid
        return mat if mat.markers > self.grid.markers else self._choose_grid(small, mat)

    def _follow_push(self, small: MatLike, begin: Grid) -> Grid:
        """On a bare table: where the grid is now, if table or camera were pushed."""
        if self.grid is None or self.rest is None:
            return begin
        if self.calm is None or self.rest.pictures.count(0) < PUSHED:
            return self.grid
        before, grid = self.calm
        moved = find_shift(before, small)
        if moved is None:
            return self.grid
        pushed = Grid(Found.CORNERS, grid.to_mm @ np.linalg.inv(moved))
        return self.grid if _is_tremble(self.grid, pushed) else self._choose_grid(small, pushed)

    def _choose_grid(self, small: MatLike, other: Grid) -> Grid:
        """Markers that are hard to make out seem to jump, and a hand is taken for the table that was pushed; but
        then what lies there stays where it was."""
        assert self.grid is not None
        assert self.rest is not None
        ground = self.rest.ground
        stays, moves = (_mean_difference(flatten(small, grid.to_mm), ground) for grid in (self.grid, other))
        return other if moves < stays else self.grid

    def _read_cells(
        self, flat: FlatPicture, grid: Grid, rest: StillCells, cells: Sequence[int], known: tuple[CellMemory, ...]
    ) -> tuple[LookResult, tuple[CellMemory, ...]]:
        # Where nothing is to be read, only a hand that was seen can have changed.
        before = None if self.seen is None or (rest.moves and self.seen.hands.any()) else self.seen
        if before is not None and not cells:
            return replace(before, sights=_sights_before_blur(before.sights, known)), known
        candidates: list[CardCandidate | None] = (
            [None] * len(CELLS) if self.seen is None else [*self.seen.candidates]
        )
        near = FlatPicture(flat.code, rest.mean, part_around(cells))
        for cell, one in zip(cells, self.eyes.find_cards(near, cells), strict=True):
            candidates[cell] = one
        lying = [one if pictures else None for one, pictures in zip(candidates, rest.pictures, strict=True)]
        more = None
        if before is not None and not rest.arms.any():
            more = self.eyes.judge_changed(before, grid, flat, lying, cells)
        seen = self.eyes.judge(grid, flat, lying) if more is None else more
        known = tuple(
            one.add_try(sight, rest.t) if cell in cells and pictures == 1 else one
            for cell, (one, sight, pictures) in enumerate(zip(known, seen.sights, rest.pictures, strict=True))
        )
        return _decide_cells(replace(seen, candidates=tuple(candidates)), known, rest)

    def _try_single_picture(
        self, flat: FlatPicture, grid: Grid, rest: StillCells, so_far: tuple[LookResult, tuple[CellMemory, ...]]
    ) -> tuple[LookResult, tuple[CellMemory, ...]]:
        """A cell that could not be made out is tried with this picture alone, one at a time."""
        seen, known = so_far
        due = [
            cell
            for cell, (one, sight) in enumerate(zip(known, seen.sights, strict=True))
            if rest.pictures[cell] and one.is_due(sight, rest.t)
        ]
        if not due or rest.lost:
            return so_far
        cell = min(due, key=lambda cell: known[cell].tried_at)
        one, sight = self._read_alone(flat, grid, seen, cell)
        known = tuple(
            other.add_try(sight, rest.t) if number == cell else other for number, other in enumerate(known)
        )
        after, now = known[cell].decide(seen.sights[cell])
        candidates = [
            one if now == sight and number == cell else other for number, other in enumerate(seen.candidates)
        ]
        sights = tuple(now if number == cell else other for number, other in enumerate(seen.sights))
        return (
            replace(seen, candidates=tuple(candidates), sights=sights),
            tuple(after if number == cell else other for number, other in enumerate(known)),
        )

    def _read_alone(
        self, flat: FlatPicture, grid: Grid, seen: LookResult, cell: int
    ) -> tuple[CardCandidate | None, Sight]:
        candidates, before = list(seen.candidates), seen.sights[cell]
        one = candidates[cell]
        if one is not None and (isinstance(before, Shown) or _is_only_colour_unknown(before)):
            # Where it lies is known, only its colour is open.
            shown = [
                number for number, sight in enumerate(seen.sights) if isinstance(sight, Shown) or number == cell
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


def _note_motion(known: Sequence[CellMemory], rest: StillCells, before: Ns) -> tuple[CellMemory, ...]:
    return tuple(
        one.with_motion(rest.t, before, rests=pictures > 0, arm=rest.has_arm(cell))
        for cell, (one, pictures) in enumerate(zip(known, rest.pictures, strict=True))
    )


def _note_focus(
    rest: StillCells, read: Sequence[int], known: tuple[CellMemory, ...]
) -> tuple[StillCells, list[int], tuple[CellMemory, ...]]:
    """Cells that are blurred are not to be read, and those that no longer are, afresh."""
    looked = list(known)
    kept: list[int] = []
    afresh: list[int] = []
    for cell, one in enumerate(known):
        if cell not in read and not (one.blurred and rest.pictures[cell]):
            continue
        looked[cell], how = one.with_focus(rest.now[cell_slices(cell, 1)])
        if how is Focus.BLURRED:
            continue
        kept.append(cell)
        if one.blurred or how is Focus.SHARPER:
            afresh.append(cell)
    return rest.restart_cells(afresh), kept, tuple(looked)


def _sights_before_blur(sights: tuple[Sight, ...], known: Sequence[CellMemory]) -> tuple[Sight, ...]:
    if not any(one.blurred for one in known):
        return sights
    return tuple(one.before_the_blur() if one.blurred else sight for sight, one in zip(sights, known, strict=True))


def _decide_cells(
    seen: LookResult, known: tuple[CellMemory, ...], rest: StillCells
) -> tuple[LookResult, tuple[CellMemory, ...]]:
    """With what each cell is to be taken for."""
    after = list(known)
    sights = [*_sights_before_blur(seen.sights, known)]
    for cell, one in enumerate(known):
        if rest.pictures[cell] and not one.blurred:
            after[cell], sights[cell] = one.decide(sights[cell])
    return replace(seen, sights=tuple(sights)), tuple(after)


def _is_tremble(one: Grid, other: Grid) -> bool:
    if one is other:
        return True
    px = float(np.abs(np.array(one.corners) - np.array(other.corners)).max())
    return px < (TREMBLE if other.markers >= one.markers else TREMBLE_OF_FEW)


def _mean_difference(flat: FlatPicture, ground: Floats) -> float:
    """How far a picture laid flat is from the table as it was; a hand counts as little as any other change."""
    return float(np.minimum(np.abs(flat.coarse - ground), FADED).mean())


def _hands_at_arms(hands: Bools, arms: Bools) -> Bools:
    """The arms, and what looks like a hand at one. What does so elsewhere is a pile that sticks out over the mat's
    edge, or was there before."""
    count, joined = cv2.connectedComponents(hands.astype(np.uint8), connectivity=4)
    labels = np.asarray(joined, np.int64)
    touched = np.zeros(count, np.bool_)
    touched[labels[arms & hands]] = True
    return touched[labels] | arms


def _why_not_still(rest: StillCells, cell: int) -> Why:
    """A lamp, or a camera that was pushed, makes a cell move too, but no arm is over it then."""
    if rest.lost:
        return Why.LOST
    return Why.HAND if rest.arms[cell_slices(cell, BLOCK)].any() else Why.MOVING


def _hide_if_touched(sight: Sight, seen: LookResult, hands: Bools | None, cell: int) -> Sight:
    """A card with a hand at it may be read well enough, but whether it already lies there isn't known."""
    if hands is None or isinstance(sight, Hidden):
        return sight
    candidates = seen.candidates[cell]
    if isinstance(sight, Shown) and candidates is not None:
        area = tabletop.area_covered([candidates.place], seen.size_mm, NEAR_MM)
        touched = int((hands & area).sum())
    else:
        touched = int(hands[cell_slices(cell, 1)].sum())
    return Hidden(Why.HAND) if touched >= TOUCHED else sight
