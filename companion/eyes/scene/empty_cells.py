"""Cells in which nothing lies, told by the table around them, while no card is known with which to compare them.

Not every one is found: on a cloth with a bold pattern only the other cards tell.
"""

from typing import Final

import cv2
from cv2.typing import MatLike

from companion.core.mat import CELLS
from companion.eyes.grid.flat_picture import flatten
from companion.eyes.grid.grid_from_mat import Found, Grid
from companion.eyes.image.arrays import over_channels
from companion.eyes.scene import tabletop

# Cards are foreign by a fifth and more, in glare or a hard shadow by 0.06, or have an excess of a colour, or they
# are printed on a tenth of their area as strongly as 0.118, white ones on paper too. Bare cells are hardly foreign
# at all, and those of paper and wood as rough as 0.06. `companion bench thresholds` prints both sides.
FOREIGN: Final = 0.04
EXCESS: Final = 0.02
ROUGH: Final = 0.065
A_TENTH_LESS: Final = 0.9


def find_empty_cells(picture: MatLike, grid: Grid) -> tuple[bool, ...]:
    """For each cell whether it is surely empty, without a deck to compare it with."""
    flat = flatten(picture, grid.to_mm)
    table = tabletop.Tabletop(flat.coarse, (), (0.0, 0.0), on_mat=grid.found is Found.MAT)
    # What is burnt may be a card or paper.
    unlike = table.foreign() | (over_channels(cv2.min, flat.clear) == 0)
    return tuple(
        tabletop.share_of_cell(unlike, cell) < FOREIGN
        and table.excess(cell) < EXCESS
        and tabletop.roughness(flat.coarse, cell, A_TENTH_LESS) < ROUGH
        for cell in range(len(CELLS))
    )
