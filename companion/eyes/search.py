"""Where in its cell a card lies, at which turn, and which it might be: every taught card at every turn is compared
with every place. Coarse on purpose; what it finds is refined and judged afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from companion.core.mat import CELLS
from companion.eyes.arrays import Floats, product
from companion.eyes.flat import COARSE_MM, LEFT_MM, TOP_MM
from companion.eyes.pattern import pattern
from companion.eyes.taught import TAUGHT_MM, TaughtDeck
from companion.eyes.window import cut

# A round window of 60 mm lies within any card at any turn.
RADIUS: Final = 10
# Up to 18 mm from its cell's middle a card still lies in its cell.
REACH: Final = 6
TURNS: Final = 24
# Of the 951 numbers of a window so many directions hold what tells taught cards apart.
DIRECTIONS: Final = 64
# What the blurs of a pattern need around.
CONTEXT: Final = 12

_ACROSS, _DOWN = np.meshgrid(np.arange(-RADIUS, RADIUS + 1), np.arange(-RADIUS, RADIUS + 1))
ROUND: Final = (_ACROSS**2 + _DOWN**2) <= (RADIUS + 0.3) ** 2
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
        views = np.stack(
            [_view(card.root, 360 * turn / TURNS) for card in self.deck.cards for turn in range(TURNS)]
        )
        directions = _principal(views)
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


def _principal(views: Floats) -> Floats:
    """The directions in which the views differ most. There are fewer views than numbers in each, so they are taken
    from the products of the views with each other, which is four times as quick."""
    strengths, mixtures = np.linalg.eigh((views @ views.T).astype(np.float64))
    strongest = np.argsort(strengths)[::-1][: min(DIRECTIONS, len(views))]
    return (views.T @ mixtures[:, strongest]) / np.sqrt(np.maximum(strengths[strongest], 1e-9))


def _view(root: Floats, turn: float) -> Floats:
    side = 2 * (RADIUS + CONTEXT) + 1
    high, wide = root.shape[:2]
    soft = cv2.GaussianBlur(root, (0, 0), 0.4 * COARSE_MM / TAUGHT_MM)
    turned = cut(soft, (wide - 1) / 2, (high - 1) / 2, -turn, (side, side), COARSE_MM / TAUGHT_MM)
    printed = pattern(turned, COARSE_MM)[CONTEXT:-CONTEXT, CONTEXT:-CONTEXT]
    return _unit(printed[ROUND].reshape(1, -1, 3))[0]


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


def _unit(windows: Floats) -> Floats:
    """Each channel about its mean, the whole of length 1."""
    flat = (windows - windows.mean(1, keepdims=True)).reshape(len(windows), -1)
    length = np.sqrt(product("ij,ij->i", flat, flat))
    return np.asarray(flat / np.maximum(length, 1e-3)[:, None], np.float32)


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
