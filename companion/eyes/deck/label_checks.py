"""Whether what was taught can be: a deck speaks for or against its own labels.

The four cards of a boat carry the same print, and two colours differ in the same way on every boat. A card
that is more like another boat's than its own was labelled wrong; one that is like none is no card. Measured
on eight decks, on the mat and on wood and cloth: cards are like their own boat 0.72 and more, at least 0.15
more than any other, bare tables are like no boat by more than 0.31. These figures and those below were measured
once; no command repeats them.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.deck.taught_deck import TaughtCard
from companion.eyes.image.arrays import Floats, floats, in_blocks
from companion.eyes.light.illumination import tint

Doubles = NDArray[np.float64]

BLOCK_MM: Final = 12
# Prints are blurred by this, so that cards that were not aligned exactly don't count as different.
SOFT_MM: Final = 1.2
NOTHING_LIKE: Final = 0.45
LIKER: Final = 0.1
# To compare colours, cards are blurred by more, their rim is left out as other cards may show beside it, and the
# best alignment within so many millimetres is taken.
SOFTER_MM: Final = 3.0
RIM_MM: Final = 5
AROUND_MM: Final = 3
# The difference of two cards as a share of how far they differ from one plain colour: the same card twice, 0.05
# (once in eighteen 0.11); other cards 0.10 where only frame and corners carry the colour, 0.21 and more where the
# picture does.
SAME: Final = 0.06
FAINT: Final = 1e-4
# How much better two labels must fit the other boats the other way round: right ones are at 0.65 and below.
SWAPPED: Final = 1.5


class PrintComparison:
    """How like the cards of a lesson are to each other, and to each other upside down, in black and white."""

    def __init__(self, cards: Sequence[TaughtCard]) -> None:
        self._boats = [one.card.boat for one in cards]
        upright = np.stack([_cut_blocks(one.root) for one in cards])
        turned = np.stack([_cut_blocks(one.root[::-1, ::-1]) for one in cards])
        self._upright, self._turned = _compare_all(upright, upright), _compare_all(turned, upright)

    def own(self, number: int) -> float | None:
        """How like the others of its boat; None if there are no others."""
        return self._median_by_boat(self._upright, number).get(self._boats[number])

    def is_turned(self, number: int) -> bool:
        own, turned = self.own(number), self._median_by_boat(self._turned, number).get(self._boats[number])
        return own is not None and turned is not None and turned > max(own + LIKER, NOTHING_LIKE)

    def is_like_no_card(self, number: int) -> bool:
        likenesses = self._median_by_boat(self._upright, number)
        return self._boats[number] in likenesses and max(likenesses.values()) < NOTHING_LIKE

    def other_boat(self, number: int) -> str | None:
        """Whose print it carries, if that is not its own boat's."""
        likenesses = self._median_by_boat(self._upright, number)
        own = likenesses.get(self._boats[number])
        best = max(likenesses, key=lambda boat: likenesses[boat], default=None)
        if own is None or best is None or likenesses[best] < own + LIKER:
            return None
        return best

    def _median_by_boat(self, likeness: Doubles, number: int) -> dict[str, float]:
        others: dict[str, list[float]] = {}
        for other, boat in enumerate(self._boats):
            if other != number:
                others.setdefault(boat, []).append(float(likeness[number, other]))
        return {boat: float(np.median(likenesses)) for boat, likenesses in others.items()}


def _cut_blocks(root: Floats) -> Floats:
    """Blocks x pixels, each about its mean."""
    grey = floats(cv2.GaussianBlur(floats(root.mean(2)), (0, 0), SOFT_MM))
    blocks = in_blocks(grey[None, ..., None], BLOCK_MM)[0]
    return blocks - blocks.mean(1, keepdims=True)


def _compare_all(seen: Floats, taught: Floats) -> Doubles:
    """The likeness of each card with each; blocks with more print count more, up to a cap for bold lines."""
    strength = np.linalg.norm(taught, axis=2)
    unit_seen = seen / np.maximum(np.linalg.norm(seen, axis=2), 1e-6)[..., None]
    unit_taught = taught / np.maximum(strength, 1e-6)[..., None]
    like = np.einsum("ibp,jbp->ijb", unit_seen, unit_taught)
    weight = np.minimum(strength, 1.5 * np.median(strength, axis=1, keepdims=True)) + 1e-6
    return np.asarray((like * weight).sum(2) / weight.sum(1), np.float64)


def find_same_cards(cards: Sequence[TaughtCard]) -> tuple[int, int] | None:
    """The numbers of two cards of one boat whose colours don't differ, whatever their labels say."""
    soft = [floats(cv2.GaussianBlur(one.root, (0, 0), SOFTER_MM)) for one in cards]
    for one, other in combinations(range(len(cards)), 2):
        if cards[one].card.boat == cards[other].card.boat and _difference(soft[one], soft[other]) < SAME:
            return one, other
    return None


def _difference(one: Floats, other: Floats) -> float:
    high, wide = one.shape[:2]
    inner = one[RIM_MM : high - RIM_MM : 2, RIM_MM : wide - RIM_MM : 2]
    steps = range(RIM_MM - AROUND_MM, RIM_MM + AROUND_MM + 1)
    least = min(
        _misfit(inner, other[y : y + high - 2 * RIM_MM : 2, x : x + wide - 2 * RIM_MM : 2])
        for y in steps
        for x in steps
    )
    plain = np.broadcast_to((one + other).mean((0, 1)), inner.shape)
    return least / (_misfit(inner, plain) + FAINT)


def _misfit(seen: Floats, expected: Floats) -> float:
    """The mean squared difference, with each pixel's brightness fitted."""
    bright = (seen * expected).sum(2) / np.maximum((expected * expected).sum(2), 1e-6)
    rest = seen - bright[..., None] * expected
    return float((rest * rest).sum(2).mean())


def find_swapped_colours(cards: Sequence[TaughtCard]) -> tuple[int, int] | None:
    """Two cards of one boat whose colours differ the other way round than on the other boats."""
    tints = {
        (one.card.boat, one.card.colour): tint(one.root.reshape(-1, 3).mean(0, keepdims=True))[0] for one in cards
    }
    worst, found = SWAPPED, None
    for one, other in combinations(range(len(cards)), 2):
        boat, colours = cards[one].card.boat, (cards[one].card.colour, cards[other].card.colour)
        if cards[other].card.boat != boat:
            continue
        own = tints[boat, colours[0]] - tints[boat, colours[1]]
        others = [
            tints[name, colours[0]] - tints[name, colours[1]]
            for name in {name for name, _ in tints} - {boat}
            if {(name, colours[0]), (name, colours[1])} <= tints.keys()
        ]
        if len(others) < 2:
            continue
        usual = np.median(others, axis=0)
        ratio = float(np.linalg.norm(own - usual) / max(float(np.linalg.norm(own + usual)), 1e-6))
        if ratio > worst:
            worst, found = ratio, (one, other)
    return found
