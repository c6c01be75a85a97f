"""The steps of a game, the first one first, however many there are."""

from collections.abc import Iterator, Sequence

from companion.games.goat.rules.facts import Fact
from companion.games.goat.rules.timeline import PackedSteps, Step, facts_bearing_on


def forwards(newest: Step) -> Iterator[Step]:
    """Only what is looked at is in memory: packed steps are judged once more when their turn comes."""
    chain: list[tuple[Step | PackedSteps, Sequence[Fact]]] = []
    following: list[Fact] = []
    link: Step | PackedSteps | None = newest
    while link is not None:
        after: Sequence[Fact] = ()
        if isinstance(link, PackedSteps):
            after = facts_bearing_on(following[::-1], link.until)
            following = [*after[::-1], *link.facts[::-1]]
        elif link.fact is not None:
            following.append(link.fact)
        chain.append((link, after))
        link = link.before
    while chain:
        link, after = chain.pop()
        yield from [link] if isinstance(link, Step) else _unpack_in_order(link, after)


def _unpack_in_order(packed: PackedSteps, following: Sequence[Fact]) -> Iterator[Step]:
    steps: list[Step] = []
    link: Step | PackedSteps = packed.unpack(following)
    while isinstance(link, Step) and link is not packed.before:
        steps.append(link)
        before = link.before
        assert before is not None
        link = before
    yield from reversed(steps)
