"""The chain of rulings: the table after each fact, every step knowing the one before it.

A fact that is learnt late unwinds the chain to where it belongs, and further where its reach says that earlier
judgements depend on it; then all is wound up again. Steps are never changed: an older chain stays what it was.

Only the newest steps are kept whole. The older ones are put on shelves: what happened and what was ruled, packed,
with the table as it was then. Whoever needs such a step has its shelf judged once more, and gets the same again.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from companion.errors import InvalidEvent
from companion.games.goat.rules.facts import Ahead, Fact, ahead_of, fact_of, in_order
from companion.games.goat.rules.packing import PackedStep, packed, unpacked
from companion.games.goat.rules.referee import rule
from companion.games.goat.rules.rulings import GoatRuling
from companion.games.goat.rules.state import State
from companion.units import Ns

Told = tuple[int, GoatRuling]
"""A ruling with the serial number of the fact it was ruled at."""

# More steps than a game of an evening has: only a game that does not end has shelves.
SHELF = 512


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The first one has no fact: the cards are dealt."""

    before: "Step | PackedSteps | None" = field(repr=False)
    fact: Fact | None
    state: State
    said: tuple[GoatRuling, ...]
    number: int = 0
    heard: int = 0
    """The serial number of what was heard when this was ruled."""

    @property
    def told(self) -> list[Told]:
        serial = self.fact.serial if self.fact is not None else 0
        return [(serial, said) for said in self.said]


@dataclass(frozen=True, slots=True, eq=False)
class PackedSteps:
    """As many steps as `SHELF` says, packed."""

    before: "Step | PackedSteps" = field(repr=False)
    state: State = field(repr=False)
    """The table after the last of them."""
    number: int
    """That of the last of them."""
    until: Ns
    """The instant of the last of them."""
    entries: bytes = field(repr=False)

    def told(self) -> Iterator[Told]:
        for entry in unpacked(self.entries):
            for said in entry.said:
                yield entry.serial, said

    @property
    def facts(self) -> list[Fact]:
        resolution = self.state.game.resolution
        return [fact_of(entry.event, entry.serial, resolution) for entry in unpacked(self.entries)]

    def last(self, following: Sequence[Fact]) -> Step:
        """The last of its steps, and so the others before it; `following`: the facts after them that bear on
        them."""
        entries = [*unpacked(self.entries)]
        state, facts = self.before.state, self.facts
        ahead = ahead_of((*facts, *following))
        step: Step | PackedSteps = self.before
        for place, (fact, entry) in enumerate(zip(facts, entries, strict=True), 1):
            state, said = _ruled(state, fact, ahead.after(place))
            step = Step(step, fact, state, said, self.before.number + place, entry.heard)
        assert isinstance(step, Step)
        return step


def bearing(facts: Sequence[Fact], t: Ns) -> Sequence[Fact]:
    """As many of them as bear on what was judged up to that instant."""
    return facts[: max((place for place, fact in enumerate(facts, 1) if fact.reach <= t), default=0)]


def backwards(newest: Step) -> Iterator[Step]:
    # Those that may bear on what is still to come, the latest first.
    following: list[Fact] = []
    link: Step | PackedSteps | None = newest
    while link is not None:
        if isinstance(link, PackedSteps):
            after = bearing(following[::-1], link.until)
            following = [*after[::-1]]
            link = link.last(after)
        yield link
        if link.fact is not None:
            following.append(link.fact)
        link = link.before


def all_told(newest: Step) -> Iterator[Told]:
    """In the order in which it happened. Of what lies on shelves only what is asked for is in memory."""
    chain: list[Step | PackedSteps] = []
    link: Step | PackedSteps | None = newest
    while link is not None:
        chain.append(link)
        link = link.before
    while chain:
        link = chain.pop()
        yield from link.told if isinstance(link, Step) else link.told()


def insert(newest: Step, newcomers: Sequence[Fact], heard: int) -> Step:
    """`heard`: the serial number of what was heard. Raises `InvalidEvent` where the table makes a newcomer
    impossible."""
    base, facts = rewind(newest, min(newcomer.reach for newcomer in newcomers))
    return replay(base, sorted((*facts, *newcomers), key=in_order), heard, newcomers)


def rewind(newest: Step, reach: Ns) -> tuple[Step, list[Fact]]:
    """The chain before that instant, and the facts that came off it, in order.

    What comes off has a reach of its own: it may be why something still earlier was judged as it was."""
    facts: list[Fact] = []
    steps = backwards(newest)
    step = next(steps)
    while (last := step.fact) is not None and last.t >= reach:
        facts.append(last)
        reach = min(reach, last.reach)
        step = next(steps)
    facts.reverse()
    return step, facts


def replay(base: Step, facts: Sequence[Fact], heard: int, newcomers: Collection[Fact] = ()) -> Step:
    step, ahead = base, ahead_of(facts)
    for position, fact in enumerate(facts, 1):
        state, said = _ruled(step.state, fact, ahead.after(position), newcomers)
        step = Step(step, fact, state, said, step.number + 1, heard)
        if not step.number % SHELF:
            step = _shelved(step)
    return step


def _ruled(
    state: State, fact: Fact, ahead: Ahead, newcomers: Collection[Fact] = ()
) -> tuple[State, tuple[GoatRuling, ...]]:
    try:
        return rule(state, fact, ahead)
    except InvalidEvent:
        if fact in newcomers:
            raise
        # It made sense when it was heard, and can be refused no more: what has been learnt since leaves it
        # without effect.
        return state, ()


def _shelved(newest: Step) -> Step:
    """The same chain with no more whole steps than two shelves hold."""
    whole: list[Step] = []
    link: Step | PackedSteps | None = newest
    until: Ns = 0
    while isinstance(link, Step) and link.fact is not None:
        whole.append(link)
        until = link.fact.t if len(whole) == SHELF + 1 else until
        link = link.before
    if link is None or len(whole) < 2 * SHELF:
        return newest
    old = whole[: SHELF - 1 : -1]
    entries = (PackedStep(fact.serial, step.heard, fact.event, step.said) for step in old if (fact := step.fact))
    shelf = PackedSteps(link, old[-1].state, old[-1].number, until, packed(entries))
    kept: Step | PackedSteps = shelf
    for step in whole[SHELF - 1 :: -1]:
        kept = Step(kept, step.fact, step.state, step.said, step.number, step.heard)
    assert isinstance(kept, Step)
    return kept


def news(newest: Step, older: Step) -> list[Told]:
    """What is told on this chain and was not on that older one of the same game, from which this one has come."""
    steps: list[Step] = []
    known: set[Told] = set()
    ours, theirs = backwards(newest), backwards(older)
    step, other = next(ours), next(theirs)
    while not _is_same(step, other):
        if step.number >= other.number and step.number:
            steps.append(step)
            step = next(ours)
        elif other.number:
            known.update(other.told)
            other = next(theirs)
        else:
            raise ValueError("these are chains of two different games")
    return [told for step in reversed(steps) for told in step.told if told not in known]


def _is_same(step: Step, other: Step) -> bool:
    """Also if one of them has lain on a shelf since."""
    if step is other:
        return True
    return step.number == other.number > 0 and step.heard == other.heard and step.fact == other.fact
