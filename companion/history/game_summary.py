"""What is stored of a judged game: enough for the history, without the game itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One judged game, as the history shows it."""

    number: int
    newest: int
    begun: int
    ended: int
    """Both in wall-clock nanoseconds; the duration comes from the table's monotonic clock."""
    lasted: int
    game: str
    seats: tuple[str, ...]
    places: tuple[int, ...]
    """The places of the table at which they sat."""
    starter: int | None
    over: bool
    winners: tuple[int, ...]
    put_away: bool
    """Ended by the host before it was decided."""
    tally: object
    """What the game contributes to its own statistics; None for nothing. Only that game's history can read it."""
    lost: int = 0
    """How many of its events a damaged journal has lost."""
    torn: bool = False
    """Whether it is incomplete: known only up to the damage."""

    @property
    def winner_names(self) -> list[str]:
        return [self.seats[seat] for seat in self.winners]
