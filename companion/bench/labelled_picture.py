"""A picture of the table of which it is known what lies there: drawn, or labelled by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from cv2.typing import MatLike

from companion.core.cards import Card
from companion.core.mat import Point

# A hand may cover so much of a cell, the lamp burn so much of a card; beyond that no answer can be asked for.
COVERED = 0.15
BURNT = 0.05


class Other(Enum):
    """What lies there and is no card of the deck that can be read."""

    FACE_DOWN = "face down"


Lies = Card | Other | None
"""What lies in a cell; None: nothing does."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPicture:
    name: str
    kind: str
    deck: str
    mat: bool
    picture: MatLike
    corners: Sequence[Point]
    """Of the grid, in pixels, clockwise from the top left."""
    cells: tuple[Lies, ...]
    apart: frozenset[int] = frozenset()
    """Cells that a hand covers or the lamp has burnt: whatever is answered there is counted by itself."""

    @property
    def cards(self) -> list[Card | None]:
        return [lies if isinstance(lies, Card) else None for lies in self.cells]
