"""What is owed, in the order in which it came to be owed: three piles of a set by the slowest, one pile by
whoever grabbed falsely or was called overboard."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from companion.core.cards import Cell
from companion.games.goat.rules.board import Board
from companion.units import Ns, Seat

Choices = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Debt:
    t: Ns
    seat: Seat
    why: str
    """slowest, no_set, already_safe or overboard."""
    lists: Choices = ()
    """The slowest's: the piles still asked for, each list once."""
    lifted: frozenset[Cell] = frozenset()

    @property
    def is_penalty(self) -> bool:
        return self.why != "slowest"

    @property
    def is_false_grab(self) -> bool:
        return self.why in ("no_set", "already_safe")

    def choices(self, board: Board) -> Choices:
        return tuple((cell,) for cell in board.occupied) if self.is_penalty else self.lists

    def without_piles(self, gone: Collection[Cell]) -> "Debt":
        left = {tuple(cell for cell in cells if cell not in gone) for cells in self.lists}
        return replace(self, lists=tuple(sorted(left - {()})), lifted=self.lifted.difference(gone))


@dataclass(frozen=True, slots=True, eq=False)
class PaidFalseGrabs:
    """False grabs that have been paid. A card may yet turn out to have been laid before them."""

    before: "PaidFalseGrabs | None" = field(repr=False)
    since: Ns
    """The first of them."""
    turn: Seat | None
    """Whose turn it was when they had been paid, before it went on."""
    emptied: frozenset[Cell]
    """What their payments have emptied, and all payments since."""


@dataclass(frozen=True, slots=True)
class Debts:
    """What is owed, and what has been paid of it, since the last time that nobody owed anything."""

    queue: tuple[Debt, ...] = ()
    """What of it is not paid yet."""
    last_seat: Seat | None = None
    """Whose debt, overboard excepted, came to be owed last: to its left play goes on when all is paid."""
    since: Ns | None = None
    """The first of it."""
    mixed: bool = False
    """Not all of it is for false grabs."""
    emptied: frozenset[Cell] = frozenset()

    @property
    def first(self) -> Debt | None:
        return self.queue[0] if self.queue else None

    @property
    def penalties(self) -> int:
        return sum(debt.is_penalty for debt in self.queue)

    def with_debt(self, debt: Debt) -> "Debts":
        return replace(
            self,
            queue=(*self.queue, debt),
            last_seat=self.last_seat if debt.why == "overboard" else debt.seat,
            since=debt.t if self.since is None else min(self.since, debt.t),
            mixed=self.mixed or not debt.is_false_grab,
        )

    def owes(self, seat: Seat) -> bool:
        return any(debt.seat == seat for debt in self.queue)

    def first_of(self, seat: Seat) -> Debt | None:
        return next((debt for debt in self.queue if debt.seat == seat), None)

    def without_debt(self, debt: Debt) -> "Debts":
        return replace(self, queue=tuple(other for other in self.queue if other is not debt))

    def with_piles_emptied_by(self, debt: Debt) -> "Debts":
        return replace(self, emptied=self.emptied | debt.lifted)

    def with_first(self, debt: Debt) -> "Debts":
        return replace(self, queue=(debt, *self.queue[1:]))

    def without_piles(self, gone: Collection[Cell]) -> "Debts":
        return replace(self, queue=tuple(debt.without_piles(gone) for debt in self.queue))

    def half_lifted(self) -> frozenset[Cell]:
        return frozenset(cell for debt in self.queue for cell in debt.lifted)

    def emptied_since(self, since: Ns) -> frozenset[Cell]:
        """The piles that have been taken, if all of it is for false grabs at or after that instant."""
        late = self.since is not None and self.since >= since and not self.mixed
        return self.emptied if late else frozenset()

    def settle(self, before: PaidFalseGrabs | None, turn: Seat | None) -> PaidFalseGrabs | None:
        if self.since is None or self.mixed:
            return before and replace(before, emptied=before.emptied | self.emptied)
        return PaidFalseGrabs(before, self.since, turn, self.emptied)
