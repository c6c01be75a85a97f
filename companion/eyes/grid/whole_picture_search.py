"""Where on a picture of unknown scale taught cards lie: the whole picture is searched, at a few scales.

Coarser than the search in the cells, because there is so much more of it: it only has to say which cards are about
where, so that the grid they make shows the scale.
"""

from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.eyes.card.card_views import principal_directions, render_views, round_window, unit_windows
from companion.eyes.card.print_pattern import AROUND_MM, print_pattern
from companion.eyes.card.search import CardPlace
from companion.eyes.deck.taught_deck import TaughtDeck
from companion.eyes.grid.flat_picture import root_of
from companion.eyes.image.arrays import Floats, Whole

PIXEL_MM: Final = 4.5
# A round window of 58 mm lies within any card at any turn.
RADIUS: Final = 6
TURNS: Final = 24
# Of the 411 numbers of a window so many directions hold what tells taught cards from anything else.
DIRECTIONS: Final = 48
CONTEXT: Final = round(2 * AROUND_MM / PIXEL_MM)
# No two cards of a grid are nearer to each other.
APART_MM: Final = 40.0
# What is less like any card is none; of wood and cloth little is more like one than 0.5.
LEAST: Final = 0.4
MOST: Final = 40
# Windows are compared so many at a time: enough that the time goes into the comparing, and 7 MB.
AT_ONCE: Final = 4096

ROUND: Final = round_window(RADIUS)


class WholePictureSearch:
    def __init__(self, deck: TaughtDeck) -> None:
        views = render_views(deck, TURNS, ROUND, CONTEXT, PIXEL_MM)
        self._directions = np.ascontiguousarray(principal_directions(views, DIRECTIONS), np.float32)
        self._views = np.ascontiguousarray((views @ self._directions).T)

    def find_cards(self, picture: MatLike, px_per_mm: float) -> list[CardPlace]:
        """What may be cards if that is the scale, the likeliest first; millimetres from the picture's corner."""
        shrink = 1 / (px_per_mm * PIXEL_MM)
        # Enlarged pixels have no area to take the mean of.
        how = cv2.INTER_AREA if shrink < 1 else cv2.INTER_LINEAR
        small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=how)
        if min(small.shape[:2]) <= 2 * RADIUS:
            return []
        likeness, which = self._compare_windows(print_pattern(root_of(small), PIXEL_MM))
        reach = round(APART_MM / PIXEL_MM) // 2
        around = cv2.dilate(likeness, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
        rows, columns = np.nonzero((likeness == around) & (likeness > LEAST))
        order = np.argsort(-likeness[rows, columns])[:MOST]
        return [
            CardPlace(
                int(which[row, column]) // TURNS,
                float(column + RADIUS + 0.5) * PIXEL_MM,
                float(row + RADIUS + 0.5) * PIXEL_MM,
                360 * (int(which[row, column]) % TURNS) / TURNS,
                float(likeness[row, column]),
            )
            for row, column in zip(rows[order], columns[order], strict=True)
        ]

    def _compare_windows(self, printed: Floats) -> tuple[Floats, Whole]:
        """For every window the likeness of the card and turn that is most like it, and which that is."""
        side = 2 * RADIUS + 1
        windows = np.lib.stride_tricks.sliding_window_view(printed, (side, side), axis=(0, 1))
        high, wide = windows.shape[:2]
        likeness = np.empty((high, wide), np.float32)
        which = np.empty((high, wide), np.int64)
        rows = max(1, AT_ONCE // wide)
        for top in range(0, high, rows):
            part = windows[top : top + rows].transpose(0, 1, 3, 4, 2)[:, :, ROUND]
            compared = (unit_windows(part.reshape(-1, *part.shape[2:])) @ self._directions) @ self._views
            best = compared.argmax(1)
            which[top : top + rows] = best.reshape(-1, wide)
            likeness[top : top + rows] = np.take_along_axis(compared, best[:, None], 1).reshape(-1, wide)
        return likeness, which
