"""A damaged journal goes aside as it is; whatever can be read of it becomes a new one, under the old numbers."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from companion.journal.connection import Connection, connect, transaction
from companion.journal.entry import Entry, insert
from companion.journal.pages import salvage
from companion.journal.schema import blank
from companion.journal.swap import DAMAGED, beside, install

_GAPS = (
    "SELECT before + 1, number FROM"
    " (SELECT number, lag(number, 1, 0) OVER (ORDER BY number) AS before FROM event)"
    " WHERE number > before + 1"
)


@dataclass(frozen=True, slots=True)
class Recovery:
    """What was found at opening a damaged journal, and what became of it."""

    aside: Path
    recovered: int
    last: int
    lost: tuple[range, ...]

    @classmethod
    def of(cls, aside: Path, db: Connection) -> Self:
        [(recovered, last)] = db.execute("SELECT count(*), coalesce(max(number), 0) FROM event")
        return cls(aside, recovered, last, tuple(range(first, end) for first, end in db.execute(_GAPS)))

    def __str__(self) -> str:
        spans = (f"{gap.start}" if len(gap) == 1 else f"{gap.start} to {gap.stop - 1}" for gap in self.lost)
        return (
            f"The journal was damaged; the damaged file is kept as {self.aside}. "
            f"{self.recovered} events were recovered, up to number {self.last}; "
            f"lost before that: {', '.join(spans) or 'none'}. "
            "Whether there were events after it, the file no longer tells."
        )


def recover(path: Path, wall: int) -> Path:
    """Where the damaged file lies now."""

    def build(successor: Path) -> None:
        blank(successor)
        with closing(connect(successor)) as db:
            _fill(db, salvage(path, beside(path, "-wal")))

    return install(path, build, DAMAGED, wall)


def _fill(db: Connection, found: Iterator[Entry]) -> None:
    # Pages come in no order and the journal only grows at its end: so they are sorted first, by SQLite itself,
    # because a long life's events need not fit the memory of a Pi.
    db.execute("CREATE TEMP TABLE found (number INTEGER PRIMARY KEY, version, t, wall, type, event)")
    with transaction(db):
        for entry in found:
            row = (entry.number, entry.version, entry.t, entry.wall, entry.type, entry.event)
            db.execute("INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?, ?, ?)", row)
        for row in db.execute("SELECT number, version, t, wall, type, event FROM found ORDER BY number"):
            insert(db, Entry(*row))
