"""The timeline: facts in the order in which they happened, each a step with its rulings and the table after it.

A step links to the one before it. When a fact is learnt late, the timeline is rewound to where the fact belongs,
and further where its reach says that earlier rulings depend on it; then the facts are replayed from there. Steps
are never changed: an older timeline stays what it was.

Only the newest steps are kept whole. The older ones are packed: their facts and rulings as bytes, with the table
after the last of them. Whoever needs such a step has them judged once more, which gives the same steps again.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from companion.errors import InvalidEvent
from companion.games.goat.rules.facts import Fact, LaterFacts, index_facts, make_fact, order_key
from companion.games.goat.rules.packing import PackedStep, pack_steps, unpack_steps
from companion.games.goat.rules.referee import rule
from companion.games.goat.rules.rulings import GoatRuling
from companion.games.goat.rules.state import State
from companion.units import Ns

NumberedRuling = tuple[int, GoatRuling]
"""A ruling with the serial number of the fact it was ruled at."""

# More steps than a game of an evening has: only in a game that does not end are any packed.
STEPS_PACKED_TOGETHER = 512


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
    def numbered_rulings(self) -> list[NumberedRuling]:
        serial = self.fact.serial if self.fact is not None else 0
        return [(serial, said) for said in self.said]


@dataclass(frozen=True, slots=True, eq=False)
class PackedSteps:
    """`STEPS_PACKED_TOGETHER` steps as bytes."""

    before: "Step | PackedSteps" = field(repr=False)
    state: State = field(repr=False)
    """The table after the last of them."""
    number: int
    """That of the last of them."""
    until: Ns
    """The instant of the last of them."""
    entries: bytes = field(repr=False)

    def numbered_rulings(self) -> Iterator[NumberedRuling]:
        for entry in unpack_steps(self.entries):
            for said in entry.said:
                yield entry.serial, said

    @property
    def facts(self) -> list[Fact]:
        resolution = self.state.game.resolution
        return [make_fact(entry.event, entry.serial, resolution) for entry in unpack_steps(self.entries)]

    def unpack(self, following: Sequence[Fact]) -> Step:
        """The last of these steps, linked to the others. `following`: the later facts that bear on them."""
        entries = [*unpack_steps(self.entries)]
        state, facts = self.before.state, self.facts
        ahead = index_facts((*facts, *following))
        step: Step | PackedSteps = self.before
        for place, (fact, entry) in enumerate(zip(facts, entries, strict=True), 1):
            state, said = _rule_or_ignore(state, fact, ahead.after(place))
            step = Step(step, fact, state, said, self.before.number + place, entry.heard)
        assert isinstance(step, Step)
        return step


def facts_bearing_on(facts: Sequence[Fact], t: Ns) -> Sequence[Fact]:
    """As many of them as bear on what was judged up to that instant."""
    return facts[: max((place for place, fact in enumerate(facts, 1) if fact.reach <= t), default=0)]


def backwards(newest: Step) -> Iterator[Step]:
    # Those that may bear on what is still to come, the latest first.
    following: list[Fact] = []
    link: Step | PackedSteps | None = newest
    while link is not None:
        if isinstance(link, PackedSteps):
            after = facts_bearing_on(following[::-1], link.until)
            following = [*after[::-1]]
            link = link.unpack(after)
        yield link
        if link.fact is not None:
            following.append(link.fact)
        link = link.before


def all_rulings(newest: Step) -> Iterator[NumberedRuling]:
    """In the order in which things happened. Packed rulings are unpacked only when their turn comes."""
    chain: list[Step | PackedSteps] = []
    link: Step | PackedSteps | None = newest
    while link is not None:
        chain.append(link)
        link = link.before
    while chain:
        link = chain.pop()
        yield from link.numbered_rulings if isinstance(link, Step) else link.numbered_rulings()


def insert(newest: Step, newcomers: Sequence[Fact], heard: int) -> Step:
    """`heard`: the serial number of what was heard. Raises `InvalidEvent` where the table makes a newcomer
    impossible."""
    base, facts = rewind(newest, min(newcomer.reach for newcomer in newcomers))
    return replay(base, sorted((*facts, *newcomers), key=order_key), heard, newcomers)


def rewind(newest: Step, reach: Ns) -> tuple[Step, list[Fact]]:
    """The newest step before that instant, and the facts of all steps after it, in order.

    Each fact that is taken off has a reach of its own, for something still earlier may have been judged as it was
    because of it; so this goes back further than `reach` where it must."""
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
    step, ahead = base, index_facts(facts)
    for position, fact in enumerate(facts, 1):
        state, said = _rule_or_ignore(step.state, fact, ahead.after(position), newcomers)
        step = Step(step, fact, state, said, step.number + 1, heard)
        if not step.number % STEPS_PACKED_TOGETHER:
            step = _pack_old_steps(step)
    return step


def _rule_or_ignore(
    state: State, fact: Fact, ahead: LaterFacts, newcomers: Collection[Fact] = ()
) -> tuple[State, tuple[GoatRuling, ...]]:
    try:
        return rule(state, fact, ahead)
    except InvalidEvent:
        if fact in newcomers:
            raise
        # It was accepted when it was heard and can't be refused any more; what has been learnt since makes it
        # impossible, so it has no effect.
        return state, ()


def _pack_old_steps(newest: Step) -> Step:
    """The same timeline; whole steps are packed before there are twice `STEPS_PACKED_TOGETHER` of them."""
    whole: list[Step] = []
    link: Step | PackedSteps | None = newest
    until: Ns = 0
    while isinstance(link, Step) and link.fact is not None:
        whole.append(link)
        until = link.fact.t if len(whole) == STEPS_PACKED_TOGETHER + 1 else until
        link = link.before
    if link is None or len(whole) < 2 * STEPS_PACKED_TOGETHER:
        return newest
    old = whole[: STEPS_PACKED_TOGETHER - 1 : -1]
    entries = (PackedStep(fact.serial, step.heard, fact.event, step.said) for step in old if (fact := step.fact))
    packed = PackedSteps(link, old[-1].state, old[-1].number, until, pack_steps(entries))
    kept: Step | PackedSteps = packed
    for step in whole[STEPS_PACKED_TOGETHER - 1 :: -1]:
        kept = Step(kept, step.fact, step.state, step.said, step.number, step.heard)
    assert isinstance(kept, Step)
    return kept


def news(newest: Step, older: Step) -> list[NumberedRuling]:
    """The rulings on this timeline that were not on that older one of the same game."""
    steps: list[Step] = []
    known: set[NumberedRuling] = set()
    ours, theirs = backwards(newest), backwards(older)
    step, other = next(ours), next(theirs)
    while not _is_same_step(step, other):
        if step.number >= other.number and step.number:
            steps.append(step)
            step = next(ours)
        elif other.number:
            known.update(other.numbered_rulings)
            other = next(theirs)
        else:
            raise ValueError("these are chains of two different games")
    return [ruling for step in reversed(steps) for ruling in step.numbered_rulings if ruling not in known]


def _is_same_step(step: Step, other: Step) -> bool:
    """Also if one of them has been packed and unpacked since."""
    if step is other:
        return True
    return step.number == other.number > 0 and step.heard == other.heard and step.fact == other.fact
