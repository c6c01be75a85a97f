"""An index of the games in the journal, made without reading all events."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from companion.journal import Gap, Loss, Reader
from companion.journal.game_list import END
from companion.journal.gaps import find_gaps_within

Mark = tuple[int, int]
"""An event's number and its checksum: together they identify the event."""


@dataclass(frozen=True, slots=True)
class GameSpan:
    """Where one game lies in the journal."""

    begin: Mark
    last: int
    """The number of the last event before the next game."""
    key: str
    """The key of its summary: it changes when the game goes on, or when the journal is another one."""
    is_closed: bool
    """Whether another game has begun since."""
    lost: tuple[Gap, ...] = ()

    @property
    def number(self) -> int:
        """The number of its first event, by which the game is called."""
        return self.begin[0]


@dataclass(frozen=True, slots=True)
class GameIndex:
    """All games of a journal."""

    spans: tuple[GameSpan, ...] = ()
    """The oldest game first."""
    mark: Mark = (0, 0)
    """The newest event."""
    losses: tuple[Loss, ...] = ()
    places: dict[int, int] = field(default_factory=dict[int, int])
    """Each game's index in `spans`, by its number."""

    def span(self, number: int) -> GameSpan | None:
        place = self.places.get(number)
        return self.spans[place] if place is not None else None


def update_index(reader: Reader, mark: Mark, before: GameIndex) -> GameIndex:
    """`before`: an earlier index, if it is of the same journal: then only new events are read."""
    gaps = reader.gaps()
    old = before.spans[:-1]
    begins = reader.begins(before.spans[-1].number) if before.spans else []
    if not begins or begins[0] != before.spans[-1].begin:
        old, begins = (), reader.begins()
    marks: Sequence[Mark] = [*begins, (END, 0)]
    spans = (*old, *(_span(begin, end, mark, gaps) for begin, end in pairwise(marks)))
    places = {span.number: place for place, span in enumerate(spans)}
    return GameIndex(spans, mark, reader.losses() if gaps else (), places)


def _span(begin: Mark, end: Mark, newest: Mark, gaps: Sequence[Gap]) -> GameSpan:
    is_closed = end[0] != END
    after = end if is_closed else newest
    lost = find_gaps_within(gaps, begin[0], end[0])
    key = f"{begin[0]}.{begin[1]}-{after[0]}.{after[1]}" + "".join(f"-{gap.checksum}" for gap in lost)
    return GameSpan(begin, end[0] - 1 if is_closed else newest[0], key, is_closed, lost)
