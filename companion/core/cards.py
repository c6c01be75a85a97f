"""The sixteen kinds of card and the nine cells: what a set is."""

from collections.abc import Sequence
from dataclasses import dataclass

Cell = int
Line = tuple[Cell, Cell, Cell]

BOATS = ("rowboat", "raft", "ring", "jetski")
COLOURS = ("yellow", "pink", "blue", "orange")
CELLS = range(9)
# Sorted, so that whatever is found in this order is already in the order a ruling names it.
LINES: tuple[Line, ...] = (
    (0, 1, 2),
    (0, 3, 6),
    (0, 4, 8),
    (1, 4, 7),
    (2, 4, 6),
    (2, 5, 8),
    (3, 4, 5),
    (6, 7, 8),
)


@dataclass(frozen=True, slots=True)
class Card:
    boat: str
    colour: str

    def as_json(self) -> dict[str, str]:
        return {"boat": self.boat, "colour": self.colour}


CARDS = {(boat, colour): Card(boat, colour) for boat in BOATS for colour in COLOURS}


def is_set(a: Card | None, b: Card | None, c: Card | None) -> bool:
    if a is None or b is None or c is None:
        return False
    return a.boat == b.boat == c.boat or a.colour == b.colour == c.colour


def sets_on(tops: Sequence[Card | None]) -> tuple[Line, ...]:
    return tuple(line for line in LINES if is_set(tops[line[0]], tops[line[1]], tops[line[2]]))
