"""Which games are in the journal, without reading them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from companion.journal import Gap, Loss, Reader
from companion.journal.game_list import END
from companion.journal.gaps import find_gaps_within

Mark = tuple[int, int]
"""An event's number and its checksum, which says that it is the very same event."""


@dataclass(frozen=True, slots=True)
class GameSpan:
    """Where one game lies."""

    begin: Mark
    last: int
    """Of the last event before the next game."""
    key: str
    """Another one as soon as the game has gone on, or another journal lies there."""
    is_closed: bool
    """Another game has begun since."""
    lost: tuple[Gap, ...] = ()

    @property
    def number(self) -> int:
        """Of its first event: the game is called by it."""
        return self.begin[0]


@dataclass(frozen=True, slots=True)
class GameIndex:
    spans: tuple[GameSpan, ...] = ()
    """The first game first."""
    mark: Mark = (0, 0)
    """Of the newest event."""
    losses: tuple[Loss, ...] = ()
    places: dict[int, int] = field(default_factory=dict[int, int])
    """Of each game by its number."""

    def span(self, number: int) -> GameSpan | None:
        place = self.places.get(number)
        return self.spans[place] if place is not None else None


def update_index(reader: Reader, mark: Mark, before: GameIndex) -> GameIndex:
    """`before`: of an earlier moment of the same journal, most likely; then only what is new is asked for."""
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
