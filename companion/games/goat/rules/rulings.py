"""Everything the referee of Row Your Goat may say, one class a ruling."""

from dataclasses import dataclass, fields
from functools import cache
from typing import ClassVar

from companion.games.goat.rules.cards import Cell, Line, Ns, Seat


@dataclass(frozen=True, slots=True)
class Ruling:
    name: ClassVar[str]
    secret: ClassVar[bool] = False
    # Left out of the JSON where there is nothing to say: without a camera nobody knows a cell.
    silent: ClassVar[frozenset[str]] = frozenset()
    # The referee's own bookkeeping, nobody else's business.
    private: ClassVar[frozenset[str]] = frozenset()

    t: Ns

    def as_json(self) -> dict[str, object]:
        said: dict[str, object] = {"t": self.t, "ruling": self.name}
        for key in _told(type(self)):
            value: object = getattr(self, key)
            if value is not None or key not in self.silent:
                said[key] = value
        return said


@cache
def _told(kind: type[Ruling]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name != "t" and field.name not in kind.private)


@dataclass(frozen=True, slots=True)
class Turn(Ruling):
    name = "turn"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Placed(Ruling):
    name = "placed"
    silent = frozenset({"cell", "pile"})
    seat: Seat
    cell: Cell | None = None
    pile: int | None = None


@dataclass(frozen=True, slots=True)
class Misplay(Ruling):
    name = "misplay"
    silent = frozenset({"cell"})
    seat: Seat
    cell: Cell | None
    reason: str


@dataclass(frozen=True, slots=True)
class SetsChanged(Ruling):
    name = "set"
    secret = True
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Safe(Ruling):
    name = "safe"
    seat: Seat
    place: int
    reaction_us: int


@dataclass(frozen=True, slots=True)
class Slowest(Ruling):
    name = "slowest"
    silent = frozenset({"choices", "cards"})
    seat: Seat
    choices: tuple[Line, ...] | None = None
    cards: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class DeadHeat(Ruling):
    name = "dead_heat"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Took(Ruling):
    name = "took"
    silent = frozenset({"cells"})
    seat: Seat
    cells: tuple[Cell, ...] | None
    cards: int


@dataclass(frozen=True, slots=True)
class WrongLift(Ruling):
    name = "wrong_lift"
    silent = frozenset({"cells"})
    seat: Seat | None
    cells: tuple[Cell, ...] | None = None


@dataclass(frozen=True, slots=True)
class FalseGrab(Ruling):
    name = "false_grab"
    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class Late(Ruling):
    name = "late"
    seat: Seat
    reaction_us: int


@dataclass(frozen=True, slots=True)
class Void(Ruling):
    name = "void"
    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class LastCard(Ruling):
    name = "last_card"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Called(Ruling):
    """A call in time. One made just before the seat was exposed was answered with `no_effect` when it was
    heard; `answers` names that call, and that ruling is no longer told."""

    name = "called"
    private = frozenset({"answers"})
    seat: Seat
    answers: int | None = None


@dataclass(frozen=True, slots=True)
class Overboard(Ruling):
    name = "overboard"
    seat: Seat
    by: Seat


@dataclass(frozen=True, slots=True)
class NoEffect(Ruling):
    name = "no_effect"
    private = frozenset({"call"})
    seat: Seat
    call: int | None = None


@dataclass(frozen=True, slots=True)
class Adrift(Ruling):
    name = "adrift"
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Win(Ruling):
    name = "win"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Stalemate(Ruling):
    name = "stalemate"
