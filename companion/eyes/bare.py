"""Where something lies that is not the table: a card, a hand, a sleeve.

Nobody says beforehand what the table looks like. What is seen in many of the places between and beside the cells
is the table, whether paper, wood or a checked cloth; what is only seen in a few is not. A shadow makes it darker,
and bluer, because what then lights it is the sky or the wall.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np

from companion.core.mat import CELL_SIDE, CELLS, GRID
from companion.eyes.arrays import Bools, Floats, Whole, floats
from companion.eyes.flat import COARSE_MM, LEFT_MM, SIDE_PX, TOP_MM
from companion.eyes.lamp import tint
from companion.eyes.search import Place

# Between two cells' middles lie 92 mm, cards are 63 x 88: about so far from a cell's edge the table shows.
GAP_MM: Final = 7.0
# Around a card, for what sticks out of its pile and its shadow.
BESIDE_MM: Final = 4.0
# The table is what is seen in that share of the places, and in so many of them at least.
OFTEN: Final = 0.15
SEVERAL: Final = 4
# How finely colours are told apart: tint, and the logarithm of brightness.
TINT_STEP: Final = 0.05
BRIGHT_STEP: Final = 0.15
TINTS, BRIGHTS = 80, 36
# A shadow takes up to so many steps of brightness and adds so many of blue.
DARKER: Final = 4
BLUER: Final = 4
# The part of a cell on which cards lie.
INNER_MM: Final = 36.0

_SHADES: Final = np.array(
    [
        (blue * TINTS + green) * BRIGHTS - darker
        for darker in range(-1, DARKER + 1)
        for green in (-1, 0, 1)
        for blue in range(-1, 2 if darker < 1 else 2 + BLUER)
    ],
    np.int64,
)


def foreign(coarse: Floats, cards: Sequence[Place], size_mm: tuple[float, float], *, on_mat: bool) -> Bools:
    """Which pixels of the coarse picture are not the table; `cards` are those that are known to lie there."""
    colours = _colours(coarse)
    gaps, places = _gaps(on_mat=on_mat)
    shown = gaps & ~covered(cards, size_mm)
    table = _seen_often(colours[shown], places[shown])
    return ~table[colours]


def share_foreign(pixels: Bools, cell: int) -> float:
    return float(pixels[_inner(cell)].mean())


def _colours(coarse: Floats) -> Whole:
    soft = floats(cv2.GaussianBlur(coarse, (3, 3), 0))
    tints = np.clip(np.floor(tint(soft) / TINT_STEP).astype(np.int64) + TINTS // 2, 0, TINTS - 1)
    bright = np.log(np.maximum(soft, 0.02)).mean(2)
    brights = np.clip(np.floor(bright / BRIGHT_STEP).astype(np.int64) + BRIGHTS - 5, 0, BRIGHTS - 1)
    return (tints[..., 0] * TINTS + tints[..., 1]) * BRIGHTS + brights


def _seen_often(colours: Whole, places: Whole) -> Bools:
    """For each colour whether it, or what it would be in the light, is seen in enough places."""
    enough = max(SEVERAL, OFTEN * len(np.unique(places)))
    once = np.unique(colours * _PLACES + places)
    shaded = np.unique(((once // _PLACES)[:, None] + _SHADES) * _PLACES + (once % _PLACES)[:, None])
    seen, times = np.unique(shaded // _PLACES, return_counts=True)
    table = np.zeros(TINTS * TINTS * BRIGHTS, np.bool_)
    often = (times >= enough) & (seen >= 0) & (seen < len(table))
    table[seen[often]] = True
    return table


_PLACES: Final = 256


def _places() -> tuple[Floats, Floats]:
    """Where the coarse picture's pixels lie on the mat."""
    along = (np.arange(SIDE_PX // 2) + 0.5) * COARSE_MM
    across, down = np.meshgrid(along + LEFT_MM, along + TOP_MM)
    return across, down


@cache
def known(*, on_mat: bool) -> Bools:
    """Where it is known what the table looks like: all over, or on the mat around the grid."""
    if not on_mat:
        return np.ones((SIDE_PX // 2, SIDE_PX // 2), np.bool_)
    across, down = _places()
    beside = np.maximum(
        np.abs(across - GRID.centre[0]) - GRID.width / 2, np.abs(down - GRID.centre[1]) - GRID.height / 2
    )
    return beside < GAP_MM


@cache
def _gaps(*, on_mat: bool) -> tuple[Bools, Whole]:
    """The pixels between and beside the cells, and which of the places of a third of a cell each is in. Beside the
    mat is another table, and on it are markers."""
    across, down = _places()
    across, down = (across - GRID.left) / CELL_SIDE, (down - GRID.top) / CELL_SIDE
    from_edge = np.minimum(np.abs(across - np.round(across)), np.abs(down - np.round(down))) * CELL_SIDE
    gaps = from_edge < GAP_MM
    gaps &= known(on_mat=on_mat)
    thirds = np.floor(np.stack([down, across]) * 3).astype(np.int64) + 3
    return gaps, thirds[0] * 16 + thirds[1]


def covered(cards: Sequence[Place], size_mm: tuple[float, float], beside: float = BESIDE_MM) -> Bools:
    covered = np.zeros((SIDE_PX // 2, SIDE_PX // 2), np.uint8)
    wide, high = (side + 2 * beside for side in size_mm)
    for card in cards:
        middle = (card.x_mm - LEFT_MM) / COARSE_MM - 0.5, (card.y_mm - TOP_MM) / COARSE_MM - 0.5
        outline = floats(cv2.boxPoints((middle, (wide / COARSE_MM, high / COARSE_MM), card.turn)))
        cv2.fillConvexPoly(covered, np.round(outline * 8).astype(np.int32), 1, shift=3)
    return covered.astype(np.bool_)


def _inner(cell: int) -> tuple[slice, slice]:
    x, y = CELLS[cell].centre
    return _around(y - TOP_MM), _around(x - LEFT_MM)


def _around(middle: float) -> slice:
    return slice(int((middle - INNER_MM) / COARSE_MM), int((middle + INNER_MM) / COARSE_MM))
