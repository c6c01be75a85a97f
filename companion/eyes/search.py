"""Where in its cell a card lies, at which turn, and which it might be: every taught card at every turn is compared
with every place. Coarse on purpose; what it finds is refined and judged afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from companion.core.mat import CELLS
from companion.eyes.arrays import Floats, product
from companion.eyes.flat import COARSE_MM, LEFT_MM, TOP_MM
from companion.eyes.taught import TaughtDeck
from companion.eyes.views import principal, round_window, views_of

# A round window of 60 mm lies within any card at any turn.
RADIUS: Final = 10
# Up to 18 mm from its cell's middle a card still lies in its cell.
REACH: Final = 6
TURNS: Final = 24
# Of the 951 numbers of a window so many directions hold what tells taught cards apart.
DIRECTIONS: Final = 64
# What the blurs of a pattern need around.
CONTEXT: Final = 12

ROUND: Final = round_window(RADIUS)
AREA: Final = int(ROUND.sum())
PLACES: Final = (2 * REACH + 1) ** 2


@dataclass(frozen=True, slots=True)
class Place:
    """A taught card (its number in the deck) that may lie there: millimetres on the mat, degrees, likeness."""

    number: int
    x_mm: float
    y_mm: float
    turn: float
    likeness: float


@dataclass(frozen=True, eq=False)
class Search:
    deck: TaughtDeck

    @cached_property
    def _views(self) -> tuple[Floats, Floats]:
        """The directions, and along them every card (slow) at every turn (fast). Three more directions are the
        sums of the channels."""
        views = views_of(self.deck, TURNS, ROUND, CONTEXT, COARSE_MM)
        directions = principal(views, DIRECTIONS)
        sums = np.tile(np.eye(3), (AREA, 1))
        both = np.ascontiguousarray(np.hstack([directions, sums]), np.float32)
        return both, np.ascontiguousarray((views @ directions).T, np.float32)

    def look(self, printed: Floats, cells: Sequence[int]) -> Floats:
        """`printed`: the pattern of the coarse picture. Gives the likenesses: cells x places (row by row) x cards
        x turns."""
        both, views = self._views
        windows = np.concatenate([_windows(printed, cell) for cell in cells])
        # A window's own mean and strength are taken out of the products instead of out of its 951 numbers.
        along = windows @ both
        along, sums = along[:, : len(views)], along[:, len(views) :]
        means = sums @ both[:, : len(views)].reshape(AREA, 3, -1).sum(0) / AREA
        square = product("ij,ij->i", windows, windows) - product("ij,ij->i", sums, sums) / AREA
        along = (along - means) / np.sqrt(np.maximum(square, 1e-6))[:, None]
        return (along @ views).reshape(len(cells), PLACES, len(self.deck.cards), TURNS)


def _middle(cell: int) -> tuple[int, int]:
    x, y = CELLS[cell].centre
    return int((x - LEFT_MM) / COARSE_MM), int((y - TOP_MM) / COARSE_MM)


def _windows(printed: Floats, cell: int) -> Floats:
    """Every round window whose middle is within reach of the cell's."""
    x, y = _middle(cell)
    reach = RADIUS + REACH
    around = printed[y - reach : y + reach + 1, x - reach : x + reach + 1]
    windows = np.lib.stride_tricks.sliding_window_view(around, (2 * RADIUS + 1, 2 * RADIUS + 1), axis=(0, 1))
    return windows.transpose(0, 1, 3, 4, 2)[:, :, ROUND].reshape(PLACES, -1)


def place_of(cell: int, index: int, number: int, turn: int, likeness: float) -> Place:
    x, y = _middle(cell)
    row, column = divmod(index, 2 * REACH + 1)
    return Place(
        number,
        (x + column - REACH + 0.5) * COARSE_MM + LEFT_MM,
        (y + row - REACH + 0.5) * COARSE_MM + TOP_MM,
        360 * turn / TURNS,
        likeness,
    )
