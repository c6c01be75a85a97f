"""Where a hand is: what is neither the table nor like a card, too large for one or reaching in over the edge, and
ends sharply.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from companion.eyes.card.search import CardPlace
from companion.eyes.grid.flat_picture import COARSE_MM
from companion.eyes.image.arrays import Bools, Whole
from companion.eyes.scene import tabletop

# Both figures were chosen by hand; no command measures them.
# A foreign area is an arm if it is as large as so many cards, or reaches the picture's edge.
HAND_CARDS: Final = 1.6
# Of a hand's or a sleeve's rim more than half is sharp. Where a warm lamp's light fades into a cold window's, or a
# lamp is mirrored in the table, its colours are no less strange, but of their rim at most a third is.
OUTLINED: Final = 0.4
_BESIDE: Final = np.ones((3, 3), np.uint8)


def find_hands(table: tabletop.Tabletop, cards: Sequence[CardPlace]) -> Bools:
    """Which pixels of the coarse picture are a hand. `cards`: all that may lie there, for a card that is half
    under a sleeve is no part of the arm; otherwise the arm would go on through it into whatever is dark beside
    it."""
    known, covered = tabletop.area_known(on_mat=table.on_mat), tabletop.area_covered(cards, table.size_mm)
    foreign = table.foreign(tabletop.WIDELY) & known & ~covered
    count, found = cv2.connectedComponents(foreign.astype(np.uint8), connectivity=4)
    labels = np.asarray(found, np.int64)
    if count == 1:
        return foreign
    reaches_in = np.bincount(labels.ravel(), minlength=count) * COARSE_MM**2 > HAND_CARDS * np.prod(table.size_mm)
    inner = cv2.erode(known.astype(np.uint8), _BESIDE, borderValue=0)
    reaches_in[np.unique(labels[known & (inner == 0)])] = True
    hand = reaches_in & _ends_sharply(labels, count, known & ~foreign & ~covered, table.smooth)
    hand[0] = False
    return hand[labels]


def _ends_sharply(labels: Whole, count: int, table: Bools, smooth: Bools) -> Bools:
    rim = (cv2.dilate(table.astype(np.uint8), _BESIDE) > 0) & (labels > 0)
    sharp = np.bincount(labels[rim & ~smooth], minlength=count)
    # A hand that fills the picture has no rim in it, and 0 >= 0.
    return np.asarray(sharp >= OUTLINED * np.bincount(labels[rim], minlength=count))
