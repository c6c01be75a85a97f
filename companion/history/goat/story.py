"""A whole game of Row Your Goat as its page tells it."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.core.games.goat import Record
from companion.core.games.goat.cards import Cell, Ns, Seat
from companion.core.games.goat.chain import Step, backwards
from companion.history.goat.finish import Finish
from companion.history.goat.finishes import finishes


@dataclass(frozen=True, slots=True)
class Level:
    """Everybody's deck from that instant on."""

    t: Ns
    decks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pile:
    """The tallest there was."""

    height: int
    cell: Cell
    t: Ns


@dataclass(frozen=True, slots=True)
class Story:
    t: Ns
    """When the game began."""
    end: Ns
    finishes: tuple[Finish, ...]
    levels: tuple[Level, ...]
    pile: Pile | None
    winners: tuple[Seat, ...]
    over: bool
    put_away: bool
    """The host has ended it."""
    camera: bool

    @property
    def races(self) -> tuple[Finish, ...]:
        return tuple(finish for finish in self.finishes if finish.race)


def story_of(record: Record) -> Story:
    steps = [*backwards(record.newest)]
    steps.reverse()
    end, put_away = record.newest.state.end, record.put_away
    begun = record.game.t
    # The numbers with which the host ends a game are nobody's cards.
    played = steps if put_away is None else [*backwards(put_away)][::-1]
    return Story(
        begun,
        _end(steps) if end is not None else max(begun, *(step.fact.t for step in steps if step.fact), begun),
        finishes(record),
        tuple(_levels(played, begun)),
        _tallest(played, begun),
        end.winners if end is not None else (),
        end is not None,
        put_away is not None,
        record.game.camera,
    )


def _end(steps: Iterable[Step]) -> Ns:
    """When it was over: what comes after is the table being cleared."""
    return next(step.fact.t for step in steps if step.state.end is not None and step.fact is not None)


def _levels(steps: Iterable[Step], begun: Ns) -> Iterable[Level]:
    decks = None
    for step in steps:
        if step.state.hands.decks != decks:
            decks = step.state.hands.decks
            yield Level(step.fact.t if step.fact else begun, decks)


def _tallest(steps: Iterable[Step], begun: Ns) -> Pile | None:
    tallest = None
    for step in steps:
        heights = step.state.board.heights if step.state.board else ()
        height = max(heights, default=0)
        if height > (tallest.height if tallest else 0):
            tallest = Pile(height, heights.index(height), step.fact.t if step.fact else begun)
    return tallest
