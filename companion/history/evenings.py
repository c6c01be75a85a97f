"""Groups games played close together into evenings."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from companion.history.game_summary import GameSummary

# Longer than dinner between two games, shorter than a night's sleep.
PAUSE: Final = 5 * 3600 * 1_000_000_000


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    """The games of one evening."""

    games: tuple[GameSummary, ...]
    """The first game first."""

    @property
    def begun(self) -> int:
        return self.games[0].begun

    @property
    def ended(self) -> int:
        return max(game.ended for game in self.games)


def group_by_evening(games: Iterable[GameSummary]) -> list[PlayedEvening]:
    """The newest evening first. Games stay in the journal's order, so a clock that was set back splits nothing."""
    found: list[list[GameSummary]] = []
    for game in sorted(games, key=lambda game: game.number):
        if found and game.begun - found[-1][-1].ended <= PAUSE:
            found[-1].append(game)
        else:
            found.append([game])
    return [PlayedEvening(tuple(games)) for games in reversed(found)]
