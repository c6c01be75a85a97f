"""Totals over all games: who won how often, and each game's own statistics. Each is computed once and cached."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from companion.core.names import shown_names
from companion.games.registry import GAMES
from companion.history.game_summary import GameSummary
from companion.history.players import Person, list_people


class Totals:
    """The totals of some games, computed when first asked for."""

    def __init__(self, summaries: Sequence[GameSummary] = ()) -> None:
        self.summaries = tuple(summaries)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of games, the one played last first."""
        return tuple(dict.fromkeys(summary.game for summary in self.summaries))

    @cached_property
    def shown(self) -> list[GameSummary]:
        """The summaries, with names cleaned for display on a page."""
        return [replace(summary, seats=shown_names(summary.seats)) for summary in self.summaries]

    @cached_property
    def people(self) -> list[Person]:
        return list_people(self.shown)

    @cached_property
    def by_game(self) -> dict[str, "Totals"]:
        """Separate totals for each kind of game."""
        if len(self.kinds) == 1:
            return {self.kinds[0]: self}
        return {
            kind: Totals([summary for summary in self.summaries if summary.game == kind]) for kind in self.kinds
        }

    @cached_property
    def own(self) -> object:
        """The game's own statistics; only for a single kind (`by_game`)."""
        [kind] = self.kinds
        return GAMES[kind].history().add_up(self)

    def compute(self) -> None:
        """Computes everything now, so that no page has to."""
        _ = self.people
        for totals in self.by_game.values():
            _ = totals.own
