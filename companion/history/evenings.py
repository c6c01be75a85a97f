"""Games that were played close together make an evening."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from companion.history.game_summary import GameSummary

# Long enough for dinner between two games, too short for a night's sleep.
PAUSE: Final = 5 * 3600 * 1_000_000_000


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    games: tuple[GameSummary, ...]
    """The first one first."""

    @property
    def begun(self) -> int:
        return self.games[0].begun

    @property
    def ended(self) -> int:
        return max(game.ended for game in self.games)


def group_by_evening(games: Iterable[GameSummary]) -> list[PlayedEvening]:
    """The newest first. The journal's order is the games' order; a clock that was set back tears nothing apart."""
    found: list[list[GameSummary]] = []
    for game in sorted(games, key=lambda game: game.number):
        if found and game.begun - found[-1][-1].ended <= PAUSE:
            found[-1].append(game)
        else:
            found.append([game])
    return [PlayedEvening(tuple(games)) for games in reversed(found)]
