"""What one picture of the table says: for each of the nine cells a card, bare mat, or why it can't be told.

The eyes write readings, `observe` makes events of them; neither knows more of the other than this.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.core.cards import CELLS, Card
from companion.units import MILLISECOND, Ns

# What both go by.
#
# Nobody lays a card and is gone again in less; at five pictures a second none is missing then.
BLINK: Final[Ns] = 250 * MILLISECOND
# By then a lamp is switched, or a knock of table or camera is over; a hand that lays a card is over its cell for
# 0.6 s and more, and seldom isn't known for one.
JOLT: Final[Ns] = 500 * MILLISECOND


class Why(Enum):
    """Why a cell can't be read, in the words of the table."""

    HAND = "hand"
    MOVING = "moving"
    BLUR = "blur"
    LOST = "grid lost"
    GLARE = "glare"
    DARK = "too dim to tell colours"
    UNKNOWN_CARD = "unknown card"

    @property
    def may_hide_a_hand(self) -> bool:
        """Otherwise it is only what lies there that can't be read: a hand would be seen, and be the reason."""
        return self in (Why.HAND, Why.MOVING, Why.BLUR, Why.LOST)


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a card's centre lies, in millimetres from the cell's top left corner, and its turn in degrees."""

    x_mm: float
    y_mm: float
    turn: float


@dataclass(frozen=True, slots=True)
class Shown:
    """A card, how sure that is this card (0 to 1), and its pose where that could be measured."""

    card: Card
    sure: float
    pose: Pose | None = None


@dataclass(frozen=True, slots=True)
class Bare:
    """The mat, and that nothing lies on it."""

    sure: float = 1.0


@dataclass(frozen=True, slots=True)
class Hidden:
    why: Why


Sight = Shown | Bare | Hidden


@dataclass(frozen=True, slots=True)
class Reading:
    t: Ns
    """The beginning of the picture's exposure."""
    cells: tuple[Sight, ...]
    """Nine, row by row."""

    @property
    def has_grid(self) -> bool:
        return any(sight != _NOWHERE for sight in self.cells)


_NOWHERE = Hidden(Why.LOST)


def without_grid(t: Ns) -> Reading:
    """A picture in which the grid could not be found."""
    return Reading(t, (_NOWHERE,) * len(CELLS))
