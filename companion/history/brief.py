"""What is remembered of a game once it has been judged again: enough for the history, without the game itself."""

from dataclasses import dataclass

from companion.core.games.goat import Record
from companion.history.goat import Tally, story_of, tally_of
from companion.history.kept import KeptGame


@dataclass(frozen=True, slots=True)
class Brief:
    number: int
    newest: int
    begun: int
    ended: int
    """Both wall-clock nanoseconds; how long it lasted is counted on the table's own clock."""
    lasted: int
    game: str
    seats: tuple[str, ...]
    starter: int | None
    over: bool
    winners: tuple[int, ...]
    tally: Tally | None
    """What its races come to; None of a game without any."""

    @property
    def winner_names(self) -> list[str]:
        return [self.seats[seat] for seat in self.winners]


def brief_of(kept: KeptGame) -> Brief:
    record = kept.record
    if not isinstance(record, Record):
        return _brief(kept, 0, (), None)
    story = story_of(record)
    return _brief(kept, story.end - story.t, story.winners, tally_of(story))


def _brief(kept: KeptGame, lasted: int, winners: tuple[int, ...], tally: Tally | None) -> Brief:
    return Brief(
        kept.number,
        kept.newest,
        kept.begun,
        kept.ended,
        lasted,
        kept.game,
        kept.seats,
        kept.starter,
        kept.record.over,
        winners,
        tally,
    )
