"""The mat's numbers, as they are promised to every mat that has been printed."""

from companion.core.mat import CELLS, GRID, MARKERS, MAT, PATCHES, Rectangle


def test_the_cells_lie_row_by_row() -> None:
    """Nine squares of 92 mm from (72, 10.5) to (348, 286.5)."""
    assert (72, 10.5, 348, 286.5) == (GRID.left, GRID.top, GRID.right, GRID.bottom)
    assert [(72, 10.5), (164, 10.5), (256, 10.5), (72, 102.5), (164, 102.5), (256, 102.5)] == [
        (cell.left, cell.top) for cell in CELLS[:6]
    ]
    assert [(92, 92)] * 9 == [(cell.width, cell.height) for cell in CELLS]
    assert (348, 286.5) == CELLS[8].corners[2]


def test_the_markers_stand_clockwise() -> None:
    """36 mm wide, at the centres that the eyes expect."""
    assert [(0, (34, 40)), (1, (386, 40)), (2, (386, 257)), (3, (34, 257))] == [
        (marker.number, marker.square.centre) for marker in MARKERS
    ]
    assert ((16, 22), (52, 22), (52, 58), (16, 58)) == MARKERS[0].square.corners


def test_the_patches_stand_under_each_other() -> None:
    """White, half grey, black, 36 x 24 mm."""
    assert [(1.0, (34, 120)), (0.5, (34, 148.5)), (0.0, (34, 177))] == [
        (patch.white, patch.area.centre) for patch in PATCHES
    ]
    assert {(36, 24)} == {(patch.area.width, patch.area.height) for patch in PATCHES}


def test_all_of_it_lies_on_a_sheet_of_a3() -> None:
    """Nothing reaches over the edge, and nothing measured touches the grid."""
    areas = [*(marker.square for marker in MARKERS), *(patch.area for patch in PATCHES)]

    assert Rectangle(0, 0, 420, 297) == MAT
    assert all(area.right <= GRID.left - 20 or area.left >= GRID.right + 20 for area in areas)
    assert all(
        0 < area.left and area.right < MAT.width and 0 < area.top and area.bottom < MAT.height for area in areas
    )
