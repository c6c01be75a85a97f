"""The gloss that a lamp leaves on satin cards while they are taught, taken off again.

It lies over each card differently, so that of two cards of one colour one may be taught much paler than the other.
Cards of one colour share what is printed around the boats, and differ there by nothing else: the one with the
least gloss tells how much of it lies on the others.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from companion.eyes.deck.taught_deck import TaughtCard
from companion.eyes.image.arrays import Floats, floats, product

# All figures here were chosen by hand; no command measures them.
# Gloss changes slowly over a card, so it is measured with the card shrunk to so many pixels across.
WIDE: Final = 20
ROUNDS: Final = 12
# A pixel that differs by about so much (square root of light) shows other print, not gloss.
OTHER: Final = 0.04
# Damping towards no gloss, for cards on which gloss and brightness can't be told apart.
CAUTION: Final = 0.002
LEAST_LIGHT: Final = 1e-4


def without_gloss(cards: Sequence[TaughtCard]) -> tuple[TaughtCard, ...]:
    """The cards with their gloss taken off, each by comparison with the least glossy card of its colour."""
    matted: dict[int, TaughtCard] = {}
    for colour in {one.card.colour for one in cards}:
        group = [number for number, one in enumerate(cards) if one.card.colour == colour]
        clearest = min(group, key=lambda number: _darkest_light(cards[number].root))
        for number in group:
            matted[number] = cards[number] if number == clearest else _remove_gloss(cards[number], cards[clearest])
    return tuple(matted[number] for number in range(len(cards)))


def _darkest_light(root: Floats) -> float:
    """How much light even the darkest ink gives back."""
    return float(np.percentile(_shrink_card(root) ** 2, 5, axis=(0, 1)).min())


def _shrink_card(root: Floats) -> Floats:
    high, wide = root.shape[:2]
    return floats(cv2.resize(root, (WIDE, round(WIDE * high / wide)), interpolation=cv2.INTER_AREA))


def _remove_gloss(card: TaughtCard, clear: TaughtCard) -> TaughtCard:
    """A level and a slope of gloss each way, and one of brightness, that make the clear card into this one."""
    seen, pigment = (
        _shrink_card(card.root).astype(np.float64) ** 2,
        _shrink_card(clear.root).astype(np.float64) ** 2,
    )
    fields = _linear_fields(*seen.shape[:2])
    unknown = np.zeros(6)
    unknown[3] = 1.0
    basis = np.concatenate([np.repeat(fields[:, :, None], 3, 2), pigment[..., None] * fields[:, :, None]], -1)
    caution = CAUTION * np.prod(seen.shape) * np.array([1.0, 1.0, 1.0, 0.0, 1.0, 1.0])
    for _ in range(ROUNDS):
        made = basis @ unknown
        off = np.sqrt(np.maximum(seen, LEAST_LIGHT)) - np.sqrt(np.maximum(made, LEAST_LIGHT))
        # Least squares of light, but weighed as if of its square root.
        weight = 1 / (1 + (off**2).sum(2, keepdims=True) / OTHER**2) ** 2 / np.maximum(seen, 0.02)
        weighted = basis * weight[..., None]
        normal = product("yxci,yxcj->ij", weighted, basis) + np.diag(caution)
        unknown = np.linalg.solve(normal, product("yxci,yxc->i", weighted, seen))
    high, wide = card.root.shape[:2]
    gloss = np.maximum(_linear_fields(high, wide) @ unknown[:3], 0)[..., None]
    return replace(card, root=np.sqrt(np.maximum(card.root**2 - gloss, LEAST_LIGHT)).astype(np.float32))


def _linear_fields(high: int, wide: int) -> Floats:
    down, across = np.mgrid[:high, :wide]
    return np.stack([np.ones((high, wide)), across / (wide - 1) - 0.5, down / (high - 1) - 0.5], -1)
