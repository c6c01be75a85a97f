"""Where in its cell a card lies, at which turn, and which it might be: every taught card at every turn is compared
with every place. Coarse on purpose; what it finds is refined and judged afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final

import numpy as np

from companion.core.mat import CELLS
from companion.eyes.card.card_views import principal_directions, render_views, round_window
from companion.eyes.deck.taught_deck import TaughtDeck
from companion.eyes.grid.flat_picture import COARSE_MM, LEFT_MM, TOP_MM
from companion.eyes.image.arrays import Floats, product

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
SIDE: Final = 2 * REACH + 1
PLACES: Final = SIDE**2
WIDTH: Final = 2 * RADIUS + 1
AROUND: Final = RADIUS + REACH


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A place where a taught card may lie: the card's number in the deck, millimetres on the mat, degrees."""

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
        """The directions, and along them every card (slow) at every turn (fast)."""
        views = render_views(self.deck, TURNS, ROUND, CONTEXT, COARSE_MM)
        directions = principal_directions(views, DIRECTIONS)
        return np.ascontiguousarray(directions, np.float32), np.ascontiguousarray(
            (views @ directions).T, np.float32
        )

    @cached_property
    def _directions_by_row(self) -> list[Floats]:
        """The directions for each row of a window, and no more of it than lies within."""
        of_pixels = self._views[0].reshape(AREA, 3, -1)
        ends = np.cumsum(ROUND.sum(1)).tolist()
        return [row.reshape(-1, row.shape[2]) for row in np.split(of_pixels, ends[:-1])]

    def look(self, printed: Floats, cells: Sequence[int]) -> Floats:
        """`printed`: the pattern of the coarse picture. Gives the likenesses: cells x places (row by row) x cards
        x turns."""
        views = self._views[1]
        along = self._project_windows(printed, cells)
        # Dividing the products by a window's strength is quicker than normalising its 951 numbers. Its mean
        # needn't be subtracted, since the directions have mean 0.
        along /= np.sqrt(np.maximum(_window_strengths(printed, cells), 1e-6))[:, None]
        return (along @ views).reshape(len(cells), PLACES, len(self.deck.cards), TURNS)

    def _project_windows(self, printed: Floats, cells: Sequence[int]) -> Floats:
        """Every round window within reach of its cell's middle, along the directions. It is put together of its
        rows, which it shares with those above and below: to gather whole windows takes 6 ms."""
        pixels = np.lib.stride_tricks.sliding_window_view(printed.reshape(len(printed), -1), 3 * WIDTH, axis=1)
        middles = [_cell_middle(cell) for cell in cells]
        of_cells = [pixels[y - AROUND : y + AROUND + 1, 3 * (x - AROUND) :: 3][:, :SIDE] for x, y in middles]
        rows = np.stack(of_cells, axis=1)
        along = np.zeros((SIDE * len(cells) * SIDE, self._views[0].shape[1]), np.float32)
        of_row = np.empty_like(along)
        for down, directions in enumerate(self._directions_by_row):
            begin = (rows.shape[3] - len(directions)) // 2
            here = rows[down : down + SIDE].reshape(len(along), -1)
            along += np.matmul(here[:, begin : begin + len(directions)], directions, out=of_row)
        return along.reshape(SIDE, len(cells), SIDE, -1).swapaxes(0, 1).reshape(len(along), -1)


def _cell_middle(cell: int) -> tuple[int, int]:
    x, y = CELLS[cell].centre
    return int((x - LEFT_MM) / COARSE_MM), int((y - TOP_MM) / COARSE_MM)


def _window_strengths(printed: Floats, cells: Sequence[int]) -> Floats:
    """Of every window, squared, about the mean of each channel."""
    middles = [_cell_middle(cell) for cell in cells]
    around = np.stack([printed[y - AROUND : y + AROUND + 1, x - AROUND : x + AROUND + 1] for x, y in middles])
    pixels = around.reshape(len(cells), -1, 3)
    sums = (
        np.concatenate([pixels.swapaxes(1, 2), product("ijc,ijc->ij", pixels, pixels)[:, None]], 1)
        @ _window_masks()
    )
    return (sums[:, 3] - product("ick,ick->ik", sums[:, :3], sums[:, :3]) / AREA).ravel()


@cache
def _window_masks() -> Floats:
    """Which of the pixels within reach of a cell's middle each window shows: pixels x places."""
    wide = 2 * AROUND + 1
    shown = np.zeros((SIDE, SIDE, wide, wide), np.float32)
    for row, column in np.ndindex(SIDE, SIDE):
        shown[row, column, row : row + WIDTH, column : column + WIDTH] = ROUND
    return np.ascontiguousarray(shown.reshape(PLACES, -1).T)


def place_of(cell: int, index: int, number: int, turn: int, likeness: float) -> CardPlace:
    x, y = _cell_middle(cell)
    row, column = divmod(index, SIDE)
    return CardPlace(
        number,
        (x + column - REACH + 0.5) * COARSE_MM + LEFT_MM,
        (y + row - REACH + 0.5) * COARSE_MM + TOP_MM,
        360 * turn / TURNS,
        likeness,
    )


def turn_upside_down(place: CardPlace) -> CardPlace:
    return replace(place, turn=(place.turn + 180) % 360)
