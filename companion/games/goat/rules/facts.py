"""Events in the order in which things happened, which is not the order in which the referee learns of them."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.goat.rules.events import Call, CardLaid, Event, SeatPressed
from companion.units import Ns


@dataclass(frozen=True, slots=True)
class Fact:
    key: tuple[Ns, int, int, int]
    """At the same instant presses come first, among themselves by seat; then the rest in the order of hearing."""
    event: Event
    serial: int
    reach: Ns
    """From this instant on, what was judged before may have to be judged anew."""

    @property
    def t(self) -> Ns:
        return self.key[0]


def make_fact(event: Event, serial: int, resolution: Ns) -> Fact:
    key = (event.t, 0, event.seat, serial) if isinstance(event, SeatPressed) else (event.t, 1, serial, 0)
    return Fact(key, event, serial, _earliest_affected(event, resolution))


def _earliest_affected(event: Event, resolution: Ns) -> Ns:
    if isinstance(event, CardLaid):
        return event.since
    if isinstance(event, SeatPressed):
        # A dead heat binds the press that takes the last lifebuoy to those a resolution before it and after.
        return event.t - 2 * resolution
    if isinstance(event, Call):
        # An accusation at the same instant gives way to the call.
        return event.t - resolution
    return event.t


def order_key(fact: Fact) -> tuple[int, ...]:
    return fact.key


@dataclass(frozen=True, slots=True)
class LaterFacts:
    """What is already known to have happened after a fact, in order. A view: nothing is copied for each fact."""

    facts: Sequence[Fact] = ()
    place: int = 0
    """Where in `facts` it begins."""
    cards: Sequence[int] = ()
    """Where in `facts` the cards are: few among many."""

    def __iter__(self) -> Iterator[Fact]:
        return (self.facts[place] for place in range(self.place, len(self.facts)))

    def until(self, t: Ns) -> Iterator[Fact]:
        for fact in self:
            if fact.t > t:
                return
            yield fact

    def covering(self, t: Ns) -> Iterator[Fact]:
        """The cards in whose interval that instant lies."""
        for place in self.cards[bisect_left(self.cards, self.place) :]:
            fact = self.facts[place]
            if isinstance(fact.event, CardLaid) and fact.event.since <= t:
                yield fact

    def after(self, steps: int) -> "LaterFacts":
        return LaterFacts(self.facts, self.place + steps, self.cards)


def index_facts(facts: Sequence[Fact]) -> LaterFacts:
    """All these facts; `after` skips some of them."""
    return LaterFacts(facts, 0, [place for place, fact in enumerate(facts) if isinstance(fact.event, CardLaid)])
