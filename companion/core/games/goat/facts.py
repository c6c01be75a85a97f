"""Events in the order in which things happened, which is not the order in which the referee learns of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.games.goat.cards import Ns
from companion.core.games.goat.events import Call, CardLaid, Event, Press

Ahead = Sequence["Fact"]
"""What is already known to have happened after a fact, in order."""


@dataclass(frozen=True, slots=True)
class Fact:
    key: tuple[Ns, int, int, int]
    """At the same instant presses come first, among themselves by seat; the rest as it was heard."""
    event: Event
    serial: int
    reach: Ns
    """From this instant on, what was judged before may have to be judged anew."""

    @property
    def t(self) -> Ns:
        return self.key[0]


def fact_of(event: Event, serial: int, resolution: Ns) -> Fact:
    key = (event.t, 0, event.seat, serial) if isinstance(event, Press) else (event.t, 1, serial, 0)
    return Fact(key, event, serial, _reach(event, resolution))


def _reach(event: Event, resolution: Ns) -> Ns:
    if isinstance(event, CardLaid):
        return event.since
    if isinstance(event, Press):
        # A dead heat binds the press that takes the last lifebuoy to those a resolution before it and after.
        return event.t - 2 * resolution
    if isinstance(event, Call):
        # An accusation at the same instant gives way to the call.
        return event.t - resolution
    return event.t


def in_order(fact: Fact) -> tuple[int, ...]:
    return fact.key
