"""Who plays which game at the drawn table: each game brings its people, and nothing else knows them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol

from companion.core.game_record import Ruling
from companion.games.goat.cast.stage import Stage
from companion.table.live_table import Snapshot
from companion.units import Ns, Seat


@dataclass(frozen=True, slots=True)
class Company:
    """`yours` is the seat that is left to somebody who is not drawn."""

    game: str = "goat"
    seats: int = 4
    seed: int = 0
    yours: Seat | None = None


class DrawnWorld(Protocol):
    """What is around the people."""

    @property
    def now(self) -> Ns: ...

    def plan(self, t: Ns, deed: Callable[[], None]) -> None: ...

    def forget_plans(self) -> None: ...

    def press(self, seat: Seat) -> None: ...

    def tell(self, event: Mapping[str, object]) -> None: ...

    def look_away(self) -> None:
        """While the cards are put otherwise than by playing."""
        ...


@dataclass(frozen=True, slots=True)
class Apart:
    """A settled moment in which the referee's table was not the drawn one."""

    t: Ns
    what: str
    referee: object
    truth: object


class People(Protocol):
    def resume(self, snapshot: Snapshot) -> None:
        """The table is laid as it was left."""
        ...

    def hear(self, news: Iterable[Ruling]) -> None: ...

    def watched(self, snapshot: Snapshot) -> bool:
        """Whether the camera tells what lies there; otherwise the people do."""
        ...

    def think(self, snapshot: Snapshot, *, known: bool) -> Apart | None:
        """At every instant: what they do next is planned. `known`: all that lies on the table has been told; then
        it is said where the referee's table is apart from the drawn one."""
        ...


@dataclass(frozen=True, slots=True)
class Cast:
    people: Callable[[DrawnWorld, Stage, Random, int, Seat | None], People]
    sits_down: Callable[[int], Mapping[str, object]]
    """What so many people tell the table first."""
