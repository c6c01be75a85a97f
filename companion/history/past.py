"""What all games come to, worked out once."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from companion.core.names import shown_names
from companion.games.registry import GAMES
from companion.history.brief import Brief
from companion.history.people import Person, list_people


class Past:
    def __init__(self, briefs: Sequence[Brief] = ()) -> None:
        self.briefs = tuple(briefs)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The games there are, the one that was played last first."""
        return tuple(dict.fromkeys(brief.game for brief in self.briefs))

    @cached_property
    def shown(self) -> list[Brief]:
        """With everybody's name as it may stand on a page."""
        return [replace(brief, seats=shown_names(brief.seats)) for brief in self.briefs]

    @cached_property
    def people(self) -> list[Person]:
        return list_people(self.shown)

    @cached_property
    def by_kind(self) -> dict[str, "Past"]:
        """The same of each game alone."""
        if len(self.kinds) == 1:
            return {self.kinds[0]: self}
        return {kind: Past([brief for brief in self.briefs if brief.game == kind]) for kind in self.kinds}

    @cached_property
    def totals(self) -> object:
        """As the game itself adds them up; for one of `by_kind`."""
        [kind] = self.kinds
        return GAMES[kind].history().totals(self)

    def work_out(self) -> None:
        """All of it, so that nobody who looks waits for it."""
        _ = self.people
        for past in self.by_kind.values():
            _ = past.totals
