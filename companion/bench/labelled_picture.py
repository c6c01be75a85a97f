"""A picture of the table of which it is known what lies there: drawn, or labelled by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from cv2.typing import MatLike

from companion.core.cards import Card
from companion.core.mat import Point

# The share of a cell that a hand may cover, and of a card that may be clipped; above it no answer can be expected.
COVERED = 0.15
BURNT = 0.05


class Other(Enum):
    """What lies in a cell but is no readable card of the deck."""

    FACE_DOWN = "face down"


Lies = Card | Other | None
"""What lies in a cell; None for nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPicture:
    name: str
    kind: str
    deck: str
    mat: bool
    picture: MatLike
    corners: Sequence[Point]
    """The grid's corners in pixels, clockwise from the top left."""
    cells: tuple[Lies, ...]
    apart: frozenset[int] = frozenset()
    """Cells covered by a hand or clipped white: their answers are counted separately."""

    @property
    def cards(self) -> list[Card | None]:
        return [lies if isinstance(lies, Card) else None for lies in self.cells]
