"""What all games come to: who won how often, and what each game adds up itself. Everything is computed once."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from companion.core.names import shown_names
from companion.games.registry import GAMES
from companion.history.game_summary import GameSummary
from companion.history.players import Person, list_people


class Totals:
    def __init__(self, summaries: Sequence[GameSummary] = ()) -> None:
        self.summaries = tuple(summaries)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The games there are, the one that was played last first."""
        return tuple(dict.fromkeys(summary.game for summary in self.summaries))

    @cached_property
    def shown(self) -> list[GameSummary]:
        """With everybody's name as it may stand on a page."""
        return [replace(summary, seats=shown_names(summary.seats)) for summary in self.summaries]

    @cached_property
    def people(self) -> list[Person]:
        return list_people(self.shown)

    @cached_property
    def by_game(self) -> dict[str, "Totals"]:
        """The same of each game alone."""
        if len(self.kinds) == 1:
            return {self.kinds[0]: self}
        return {
            kind: Totals([summary for summary in self.summaries if summary.game == kind]) for kind in self.kinds
        }

    @cached_property
    def own(self) -> object:
        """What the game itself adds up; for one of `by_game`."""
        [kind] = self.kinds
        return GAMES[kind].history().add_up(self)

    def compute(self) -> None:
        """All of it at once, so that no page has to."""
        _ = self.people
        for totals in self.by_game.values():
            _ = totals.own
