"""What a damage has taken from the journal: numbers that no event has any more.

The rest of a game rests on what was lost, so a game is known up to its first gap and no further. Only at the
journal's end it is otherwise: what has come since was heard by a table that knew nothing of what was lost.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from companion.journal.connection import Connection, value

_EXISTS = "SELECT count(*) FROM sqlite_schema WHERE name = 'gap'"
_READ = "SELECT first, last, found, goes_on, crc FROM gap ORDER BY first"
_INSERT = "INSERT INTO gap (first, last, found, goes_on, crc) VALUES (?, ?, ?, ?, ?)"
_MISSING = (
    "SELECT before + 1, number - 1 FROM"
    " (SELECT number, lag(number, 1, 0) OVER (ORDER BY number) AS before FROM event)"
    " WHERE number > before + 1"
)
_LAST = "SELECT coalesce(max(number), 0) FROM event"


@dataclass(frozen=True, slots=True)
class Gap:
    """
    >>> Gap(3, 5, found=0, goes_on=False).count
    3
    """

    first: int
    last: int
    found: int
    """When, wall-clock nanoseconds."""
    goes_on: bool
    """What came after it was heard without it."""

    @property
    def count(self) -> int:
        return self.last - self.first + 1

    @property
    def checksum(self) -> int:
        return zlib.crc32(b"gap %d %d %d %d" % (self.first, self.last, self.found, self.goes_on))

    def __str__(self) -> str:
        return f"event {self.first}" if self.first == self.last else f"events {self.first} to {self.last}"


def gap_of(first: int, last: int, found: int, goes_on: int, crc: int) -> Gap | None:
    """None where the checksum does not hold."""
    gap = Gap(first, last, found, bool(goes_on))
    return gap if gap.checksum == crc else None


def gaps_in(db: Connection) -> tuple[Gap, ...]:
    """Those whose checksum holds; a journal of the first edition knows of none."""
    if not value(db, _EXISTS):
        return ()
    rows = cast("list[tuple[int, int, int, int, int]]", list(db.execute(_READ)))
    return tuple(gap for row in rows if (gap := gap_of(*row)) is not None)


def note_missing(db: Connection, found: int, *, known: Iterable[Gap] = (), last: int = 0) -> None:
    """Writes down every number that has no event. `known`: the gaps of before; one that has the same numbers stays
    as it is. `last`: up to that number there surely were events."""
    before = {(gap.first, gap.last): gap for gap in known}
    end: int = value(db, _LAST)
    last = max(last, *(gap.last for gap in before.values()), 0)
    missing = cast("list[tuple[int, int]]", list(db.execute(_MISSING)))
    spans = [*missing, *([(end + 1, last)] if last > end else [])]
    for span in spans:
        gap = before.get(span) or Gap(*span, found, goes_on=span[0] > end)
        db.execute(_INSERT, (gap.first, gap.last, gap.found, int(gap.goes_on), gap.checksum))


def breaking(gaps: Sequence[Gap], game: int, end: int) -> Gap | None:
    """The first that cuts off the rest of the game with the events from `game` to before `end`."""
    return next((gap for gap in gaps if not gap.goes_on and game < gap.first < end), None)


def lost_within(gaps: Sequence[Gap], game: int, end: int) -> tuple[Gap, ...]:
    """All that lie in that game, also those after which it went on."""
    return tuple(gap for gap in gaps if game < gap.first < end)
