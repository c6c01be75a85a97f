"""A whole game of Row Your Goat as its page tells it."""

from dataclasses import dataclass

from companion.core.cards import Cell
from companion.games.goat.history.finish import Finish
from companion.games.goat.history.finishes import find_finishes
from companion.games.goat.history.steps import forwards
from companion.games.goat.rules import Record
from companion.games.goat.rules.events import SeatPressed
from companion.games.goat.rules.race import Slap
from companion.games.goat.rules.timeline import Step
from companion.units import Ns, Seat


@dataclass(frozen=True, slots=True)
class DeckLevels:
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
    levels: tuple[DeckLevels, ...]
    pile: Pile | None
    winners: tuple[Seat, ...]
    over: bool
    put_away: bool
    """The host has ended it."""
    camera: bool

    @property
    def races(self) -> tuple[Finish, ...]:
        return tuple(finish for finish in self.finishes if finish.race)


def make_story(record: Record) -> Story:
    end, put_away = record.newest.state.end, record.put_away
    begun = record.game.t
    walk = _StoryWalk(begun, played_to=put_away.number if put_away is not None else None)
    for step in forwards(record.newest):
        walk.take(step)
    return Story(
        begun,
        walk.ended if end is not None and walk.ended is not None else walk.latest,
        find_finishes(record, walk.slaps),
        tuple(walk.levels),
        walk.pile,
        end.winners if end is not None else (),
        end is not None,
        put_away is not None,
        record.game.camera,
    )


class _StoryWalk:
    """What is noticed of a game, step by step."""

    def __init__(self, begun: Ns, played_to: int | None) -> None:
        """`played_to`: the number of the last step that was played. The numbers with which the host ends a game
        are nobody's cards."""
        self._begun = begun
        self._played_to = played_to
        self.latest = begun
        self.ended: Ns | None = None
        """When it was over: what comes after is the table being cleared."""
        self.slaps: list[Slap] = []
        self.levels: list[DeckLevels] = []
        self.pile: Pile | None = None

    def take(self, step: Step) -> None:
        fact = step.fact
        t = fact.t if fact is not None else self._begun
        if fact is not None:
            self.latest = max(self.latest, t)
            if isinstance(fact.event, SeatPressed):
                self.slaps.append((t, fact.event.seat))
            if self.ended is None and step.state.end is not None:
                self.ended = t
        if self._played_to is None or step.number <= self._played_to:
            self._play(step, t)

    def _play(self, step: Step, t: Ns) -> None:
        decks = step.state.hands.decks
        if not self.levels or decks != self.levels[-1].decks:
            self.levels.append(DeckLevels(t, decks))
        heights = step.state.board.heights if step.state.board else ()
        height = max(heights, default=0)
        if height > (self.pile.height if self.pile else 0):
            self.pile = Pile(height, heights.index(height), t)
