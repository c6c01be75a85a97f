"""The chain of rulings: the table after each fact, every step knowing the one before it.

A fact that is learnt late unwinds the chain to where it belongs, and further where its reach says that earlier
judgements depend on it; then all is wound up again. Steps are never changed: an older chain stays what it was.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from companion.core.games.goat.cards import Ns
from companion.core.games.goat.facts import Fact, ahead_of, in_order
from companion.core.games.goat.referee import rule
from companion.core.games.goat.rulings import Ruling
from companion.core.games.goat.state import State
from companion.errors import SenselessEvent

Told = tuple[int, Ruling]
"""A ruling with the serial number of the fact it was ruled at."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The first one has no fact: the cards are dealt."""

    before: "Step | None"
    fact: Fact | None
    state: State
    said: tuple[Ruling, ...]
    number: int = 0

    @property
    def told(self) -> list[Told]:
        serial = self.fact.serial if self.fact is not None else 0
        return [(serial, said) for said in self.said]


def backwards(newest: Step) -> Iterator[Step]:
    step: Step | None = newest
    while step is not None:
        yield step
        step = step.before


def woven(newest: Step, newcomers: Sequence[Fact]) -> Step:
    """Raises `SenselessEvent` where the table makes a newcomer impossible."""
    base, facts = unwound(newest, min(newcomer.reach for newcomer in newcomers))
    return wound(base, sorted((*facts, *newcomers), key=in_order), newcomers)


def unwound(newest: Step, reach: Ns) -> tuple[Step, list[Fact]]:
    """The chain before that instant, and the facts that came off it, in order.

    What comes off has a reach of its own: it may be why something still earlier was judged as it was."""
    facts: list[Fact] = []
    step = newest
    while step.before is not None and (last := step.fact) is not None:
        if last.t < reach:
            break
        facts.append(last)
        reach = min(reach, last.reach)
        step = step.before
    facts.reverse()
    return step, facts


def wound(base: Step, facts: Sequence[Fact], newcomers: Collection[Fact] = ()) -> Step:
    step, ahead = base, ahead_of(facts)
    for position, fact in enumerate(facts, 1):
        try:
            state, said = rule(step.state, fact, ahead.after(position))
        except SenselessEvent:
            if fact in newcomers:
                raise
            # It made sense when it was heard, and can be refused no more: what has been learnt since leaves it
            # without effect.
            state, said = step.state, ()
        step = Step(step, fact, state, said, step.number + 1)
    return step


def news(newest: Step, older: Step) -> list[Told]:
    """What is told on this chain and was not on that older one of the same game."""
    steps: list[Step] = []
    known: set[Told] = set()
    while newest is not older:
        if newest.before is not None and newest.number >= older.number:
            steps.append(newest)
            newest = newest.before
        elif older.before is not None:
            known.update(older.told)
            older = older.before
        else:
            raise ValueError("these are chains of two different games")
    return [told for step in reversed(steps) for told in step.told if told not in known]
