"""What a damage has taken from the journal: numbers that no event has any more.

The rest of a game rests on what was lost, so a game is known up to its first gap and no further. Only at the
journal's end it is otherwise: what has come since was heard by a table that knew nothing of what was lost.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from companion.journal.connection import Connection, query_value

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
    """Lost events, by the first and the last number.

    >>> Gap(3, 5, found=0, goes_on=False).count
    3
    """

    first: int
    last: int
    found: int
    """When the damage was found (wall-clock nanoseconds)."""
    goes_on: bool
    """The gap was at the journal's end: later events were ruled by a table that did not know the lost ones."""

    @property
    def count(self) -> int:
        return self.last - self.first + 1

    @property
    def checksum(self) -> int:
        return zlib.crc32(b"gap %d %d %d %d" % (self.first, self.last, self.found, self.goes_on))

    def __str__(self) -> str:
        return f"event {self.first}" if self.first == self.last else f"events {self.first} to {self.last}"


def make_gap(first: int, last: int, found: int, goes_on: int, crc: int) -> Gap | None:
    """A gap from its row; None if the checksum is wrong."""
    gap = Gap(first, last, found, bool(goes_on))
    return gap if gap.checksum == crc else None


def read_gaps(db: Connection) -> tuple[Gap, ...]:
    """The gaps whose checksum is right; none in a journal of the first edition, which has no such table."""
    if not query_value(db, _EXISTS):
        return ()
    rows = cast("list[tuple[int, int, int, int, int]]", list(db.execute(_READ)))
    return tuple(gap for row in rows if (gap := make_gap(*row)) is not None)


def write_gaps(db: Connection, found: int, *, known: Iterable[Gap] = (), last: int = 0) -> None:
    """Store a gap for each span of numbers that has no event.

    `known`: gaps stored earlier; where the numbers are the same, the old gap is stored again unchanged. `last`: up
    to that number there surely were events.
    """
    before = {(gap.first, gap.last): gap for gap in known}
    end: int = query_value(db, _LAST)
    last = max(last, *(gap.last for gap in before.values()), 0)
    missing = cast("list[tuple[int, int]]", list(db.execute(_MISSING)))
    spans = [*missing, *([(end + 1, last)] if last > end else [])]
    for span in spans:
        gap = before.get(span) or Gap(*span, found, goes_on=span[0] > end)
        db.execute(_INSERT, (gap.first, gap.last, gap.found, int(gap.goes_on), gap.checksum))


def find_break(gaps: Sequence[Gap], game: int, end: int) -> Gap | None:
    """The first gap that ends what is known of the game whose events go from `game` to before `end`."""
    return next((gap for gap in gaps if not gap.goes_on and game < gap.first < end), None)


def find_gaps_within(gaps: Sequence[Gap], game: int, end: int) -> tuple[Gap, ...]:
    """All gaps in that game, also those after which it went on."""
    return tuple(gap for gap in gaps if game < gap.first < end)
