"""What is remembered of a game once it has been judged again: enough for the history, without the game itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameSummary:
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
    tally: object
    """What its game adds up over all games; None where nothing. Only that game's own history can read it."""
    lost: int = 0
    """So many of its events a damage has taken."""
    torn: bool = False
    """It is known up to there only."""

    @property
    def winner_names(self) -> list[str]:
        return [self.seats[seat] for seat in self.winners]
