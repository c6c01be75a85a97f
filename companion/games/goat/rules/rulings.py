"""Everything the referee of Row Your Goat may say, one class a ruling."""

from dataclasses import dataclass, fields
from functools import cache
from typing import ClassVar

from companion.core.cards import Cell, Line
from companion.units import Ns, Seat


@dataclass(frozen=True, slots=True)
class GoatRuling:
    name: ClassVar[str]
    secret: ClassVar[bool] = False
    # Left out of the JSON where there is nothing to say: without a camera nobody knows a cell.
    silent: ClassVar[frozenset[str]] = frozenset()
    # The referee's own bookkeeping, nobody else's business.
    private: ClassVar[frozenset[str]] = frozenset()

    t: Ns

    def as_json(self) -> dict[str, object]:
        said: dict[str, object] = {"t": self.t, "ruling": self.name}
        for key in _public_fields(type(self)):
            value: object = getattr(self, key)
            if value is not None or key not in self.silent:
                said[key] = value
        return said


@cache
def _public_fields(kind: type[GoatRuling]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name != "t" and field.name not in kind.private)


@dataclass(frozen=True, slots=True)
class Turn(GoatRuling):
    name = "turn"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Placed(GoatRuling):
    name = "placed"
    silent = frozenset({"cell", "pile"})
    seat: Seat
    cell: Cell | None = None
    pile: int | None = None


@dataclass(frozen=True, slots=True)
class Misplay(GoatRuling):
    name = "misplay"
    silent = frozenset({"cell"})
    seat: Seat
    cell: Cell | None
    reason: str


@dataclass(frozen=True, slots=True)
class SetsChanged(GoatRuling):
    name = "set"
    secret = True
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Safe(GoatRuling):
    name = "safe"
    seat: Seat
    place: int
    reaction_us: int


@dataclass(frozen=True, slots=True)
class Slowest(GoatRuling):
    name = "slowest"
    silent = frozenset({"choices", "cards"})
    seat: Seat
    choices: tuple[Line, ...] | None = None
    cards: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class DeadHeat(GoatRuling):
    name = "dead_heat"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Took(GoatRuling):
    name = "took"
    silent = frozenset({"cells"})
    seat: Seat
    cells: tuple[Cell, ...] | None
    cards: int


@dataclass(frozen=True, slots=True)
class WrongLift(GoatRuling):
    name = "wrong_lift"
    silent = frozenset({"cells"})
    seat: Seat | None
    cells: tuple[Cell, ...] | None = None


@dataclass(frozen=True, slots=True)
class FalseGrab(GoatRuling):
    name = "false_grab"
    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class Late(GoatRuling):
    name = "late"
    seat: Seat
    reaction_us: int


@dataclass(frozen=True, slots=True)
class Void(GoatRuling):
    name = "void"
    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class LastCard(GoatRuling):
    name = "last_card"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Called(GoatRuling):
    """A call in time. One made just before the seat was exposed was answered with `no_effect` when it was
    heard; `answers` names that call, and that ruling is no longer told."""

    name = "called"
    private = frozenset({"answers"})
    seat: Seat
    answers: int | None = None


@dataclass(frozen=True, slots=True)
class Overboard(GoatRuling):
    name = "overboard"
    seat: Seat
    by: Seat


@dataclass(frozen=True, slots=True)
class NoEffect(GoatRuling):
    name = "no_effect"
    private = frozenset({"call"})
    seat: Seat
    call: int | None = None


@dataclass(frozen=True, slots=True)
class Adrift(GoatRuling):
    name = "adrift"
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Win(GoatRuling):
    name = "win"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Stalemate(GoatRuling):
    name = "stalemate"
