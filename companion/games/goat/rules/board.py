"""The nine piles in the middle of the table, and since when each set has lain there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.core.cards import CELLS, Card, Cell, Line, sets_on
from companion.units import Ns, Seat


@dataclass(frozen=True, slots=True)
class CardOnPile:
    """A card in a pile: unknown where a correction put it there unseen, anyone's where nobody is on record."""

    card: Card | None
    owner: Seat | None


UNKNOWN = CardOnPile(None, None)
Pile = tuple[CardOnPile, ...]
"""Bottom to top."""


@dataclass(frozen=True, slots=True)
class Board:
    piles: tuple[Pile, ...] = ((),) * 9
    dated_sets: tuple[tuple[Line, Ns], ...] = ()
    """Every set that lies there with the instant at which it came to be."""

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line for line, _ in self.dated_sets)

    @property
    def oldest_set(self) -> Ns:
        return min(since for _, since in self.dated_sets)

    @property
    def tops(self) -> tuple[Card | None, ...]:
        return tuple(pile[-1].card if pile else None for pile in self.piles)

    @property
    def heights(self) -> tuple[int, ...]:
        return tuple(len(pile) for pile in self.piles)

    @property
    def occupied(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in CELLS if self.piles[cell])

    def with_pile(self, cell: Cell, pile: Pile) -> "Board":
        return Board((*self.piles[:cell], pile, *self.piles[cell + 1 :]), self.dated_sets)

    def with_card(self, cell: Cell, lying: CardOnPile) -> "Board":
        return self.with_pile(cell, (*self.piles[cell], lying))

    def without_piles(self, cells: Collection[Cell]) -> "Board":
        return Board(tuple(() if cell in cells else self.piles[cell] for cell in CELLS), self.dated_sets)

    def cards_on(self, cells: Collection[Cell]) -> int:
        return sum(len(self.piles[cell]) for cell in cells)

    def sets_with(self, cell: Cell, card: Card) -> tuple[Line, ...]:
        """The sets there would be with that card on top."""
        tops = list(self.tops)
        tops[cell] = card
        return sets_on(tops)

    def with_sets_at(self, t: Ns) -> "Board":
        """The same piles with their sets as they are at `t`: a line that stays a set keeps its age."""
        lines = sets_on(self.tops)
        if lines == self.lines:
            return self
        known: Mapping[Line, Ns] = dict(self.dated_sets)
        return Board(self.piles, tuple((line, known.get(line, t)) for line in lines))
