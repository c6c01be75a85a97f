"""What is remembered of a game once it has been judged again: enough for the history, without the game itself."""

from dataclasses import dataclass

from companion.games.goat.history import GameTally, Story, tally_of
from companion.history.kept_game import KeptGame


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
    places: tuple[int, ...]
    """Of the table, at which they sat."""
    starter: int | None
    over: bool
    winners: tuple[int, ...]
    put_away: bool
    """Over, but not played to its end."""
    tally: GameTally | None
    """What its races come to; None of a game without any."""
    lost: int = 0
    """So many of its events a damage has taken."""
    torn: bool = False
    """It is known up to there only."""

    @property
    def winner_names(self) -> list[str]:
        return [self.seats[seat] for seat in self.winners]


def brief_of(kept: KeptGame, story: Story | None) -> Brief:
    """`story`: how it went, of a game that has races."""
    return Brief(
        kept.number,
        kept.newest,
        kept.begun,
        kept.ended,
        story.end - story.t if story is not None else 0,
        kept.game,
        kept.seats,
        kept.record.seating.places,
        kept.starter,
        kept.record.over,
        story.winners if story is not None else (),
        story is not None and story.put_away,
        tally_of(story) if story is not None else None,
        kept.lost,
        kept.torn,
    )
