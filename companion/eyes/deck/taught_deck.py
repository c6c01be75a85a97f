"""A deck as it was taught: one small picture of each card, seen from straight above, with the lamp's colour taken
out."""

from dataclasses import dataclass
from typing import Final

from companion.core.cards import Card
from companion.eyes.image.arrays import Floats

# The taught pictures' scale: fine enough for any boat, and sixteen of them are 250 kB.
TAUGHT_MM: Final = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class TaughtCard:
    card: Card
    root: Floats
    """Square root of how much light it gives back, blue, green, red; 1 is the mat's paper where `white_known`."""


@dataclass(frozen=True, slots=True, eq=False)
class TaughtDeck:
    name: str
    cards: tuple[TaughtCard, ...]
    white_known: bool
    """It was taught on the mat; otherwise the lamp's colour then is in it, one for all the cards."""

    @property
    def size_px(self) -> tuple[int, int]:
        high, wide = self.cards[0].root.shape[:2]
        return wide, high
