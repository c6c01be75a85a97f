"""What all games come to, worked out once."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from companion.core.names import shown_names
from companion.history.brief import Brief
from companion.history.fairness import SeatSpeed, seat_speeds
from companion.history.reactions import Person, people
from companion.history.records import Records, records


class Past:
    def __init__(self, briefs: Sequence[Brief] = ()) -> None:
        self.briefs = tuple(briefs)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The games there are, the one that was played last first."""
        return tuple(dict.fromkeys(brief.game for brief in self.briefs))

    @cached_property
    def _shown(self) -> list[Brief]:
        """With everybody's name as it may stand on a page."""
        return [replace(brief, seats=shown_names(brief.seats)) for brief in self.briefs]

    @cached_property
    def people(self) -> list[Person]:
        return people(self._shown)

    @cached_property
    def speeds(self) -> list[SeatSpeed]:
        return seat_speeds(self._shown)

    @cached_property
    def records(self) -> Records:
        return records(self._shown)

    @cached_property
    def by_kind(self) -> dict[str, "Past"]:
        """The same of each game alone."""
        if len(self.kinds) == 1:
            return {self.kinds[0]: self}
        return {kind: Past([brief for brief in self.briefs if brief.game == kind]) for kind in self.kinds}

    def work_out(self) -> None:
        """All of it, so that nobody who looks waits for it."""
        for past in (self, *self.by_kind.values()):
            _ = past.people, past.speeds, past.records
