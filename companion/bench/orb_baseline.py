"""What one would build first: ORB features for the boat, a histogram of hues for the colour.

It is there to be compared with, and is told what it could not find by itself: the grid's true corners. Its numbers
are those that did best on the labelled pictures at hand, so that the comparison is fair to it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.bench.labelled_picture import LabelledPicture
from companion.core.cards import Card
from companion.core.mat import CELL_SIDE, Point
from companion.core.reading import Bare, Shown, Sight

# Pixels per millimetre: a higher resolution takes twice as long and reads no more.
PER_MM: Final = 2
SIDE: Final = round(CELL_SIDE * PER_MM)
# The margins of a cell around a card that was laid in its middle for teaching.
BESIDE, ABOVE = round(0.17 * SIDE), round(0.06 * SIDE)
# The middle of a cell shows only the card, whichever way it lies.
MIDDLE = slice(round(0.22 * SIDE), round(0.78 * SIDE))
FEATURES: Final = 300
FEW: Final = 8
# The ratio test: a match counts if the next best of the same card is so much further away.
RATIO: Final = 0.75
# Paler or darker pixels have no reliable hue.
FAINT, PALEST = (0, 60, 40), (180, 255, 255)
HUES: Final = 36


@dataclass(frozen=True, slots=True, eq=False)
class _OrbCard:
    card: Card
    features: MatLike
    hues: MatLike


class Orb:
    def __init__(self, lesson: Sequence[LabelledPicture]) -> None:
        self._orb = cv2.ORB.create(FEATURES, fastThreshold=10)
        self._matcher = cv2.BFMatcher.create(cv2.NORM_HAMMING)
        self._taught: list[_OrbCard] = []
        for told in lesson:
            for card, cell in zip(told.cards, _cells(told.picture, told.corners), strict=True):
                if card is not None:
                    face = cell[ABOVE:-ABOVE, BESIDE:-BESIDE]
                    self._taught.append(_OrbCard(card, self._features(face), _hues(cell)))

    def look(self, picture: MatLike, corners: Sequence[Point]) -> tuple[Sight, ...]:
        return tuple(self._sight(cell) for cell in _cells(picture, corners))

    def _sight(self, cell: MatLike) -> Sight:
        features = self._features(cell)
        if len(features) < FEW:
            return Bare()
        votes: Counter[str] = Counter()
        for one in self._taught:
            votes[one.card.boat] += self._matches(features, one.features)
        boat, most = votes.most_common(1)[0]
        if most < FEW:
            return Bare()
        hues = _hues(cell)
        same = [one for one in self._taught if one.card.boat == boat]
        best = max(same, key=lambda one: cv2.compareHist(hues, one.hues, cv2.HISTCMP_CORREL))
        return Shown(best.card, 1.0)

    def _features(self, cell: MatLike) -> MatLike:
        grey = cv2.cvtColor(cell, cv2.COLOR_BGR2GRAY)
        points = self._orb.detect(grey)
        # Without points OpenCV returns None, whatever its types say.
        return self._orb.compute(grey, points)[1] if points else np.zeros((0, 32), np.uint8)

    def _matches(self, here: MatLike, taught: MatLike) -> int:
        pairs = self._matcher.knnMatch(here, taught, 2)
        return sum(len(pair) == 2 and pair[0].distance < RATIO * pair[1].distance for pair in pairs)


def _cells(picture: MatLike, corners: Sequence[Point]) -> Iterator[MatLike]:
    side = 3 * SIDE
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    way = cv2.getPerspectiveTransform(np.array(corners, np.float32), square)
    flat = cv2.warpPerspective(picture, way, (side, side))
    for row in range(0, side, SIDE):
        for column in range(0, side, SIDE):
            yield flat[row : row + SIDE, column : column + SIDE]


def _hues(cell: MatLike) -> MatLike:
    colours = cv2.cvtColor(cell[MIDDLE, MIDDLE], cv2.COLOR_BGR2HSV)
    coloured = cv2.inRange(colours, np.array(FAINT), np.array(PALEST))
    counts = cv2.calcHist([colours], [0], coloured, [HUES], [0, 180])
    return cv2.GaussianBlur(counts, (1, 3), 0)
