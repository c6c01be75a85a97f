"""A damaged journal goes aside as it is; whatever can be read of it becomes a new one, under the old numbers."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from companion.journal.connection import Connection, connect, transaction
from companion.journal.entry import Entry
from companion.journal.game_list import Loss, list_losses
from companion.journal.gaps import Gap, write_gaps
from companion.journal.lock import JournalEnd
from companion.journal.salvage import salvage
from companion.journal.schema import create_blank
from companion.journal.swap import DAMAGED, add_suffix, install

_SORTED = (
    "INSERT INTO event (number, version, t, wall, type, event, crc)"
    " SELECT number, version, t, wall, type, event, crc FROM found ORDER BY number"
)


@dataclass(frozen=True, slots=True)
class Recovery:
    """The outcome of a recovery, and the sentence about it (`str`)."""

    aside: Path
    recovered: int
    last: int
    lost: tuple[Loss, ...]
    is_end_known: bool
    """Whether it is known where it ended."""

    @classmethod
    def of(cls, aside: Path, db: Connection, noted: JournalEnd, since: int) -> Self:
        [(recovered, last)] = db.execute("SELECT count(*), coalesce(max(number), 0) FROM event")
        return cls(aside, recovered, last, list_losses(db, aside, since), noted.is_whole)

    def __str__(self) -> str:
        lost = f"lost: {'; '.join(map(str, self.lost))}" if self.lost else "none before that is lost"
        return (
            f"The journal was damaged; the damaged file is kept as {self.aside}. "
            f"{self.recovered} events were recovered, up to number {self.last}; {lost}. "
            + ("" if self.is_end_known else "Whether there were events after it, the file no longer tells. ")
            + "A game that has lost events is shown as far as it is known, all others are whole."
        )


def recover(path: Path, noted: JournalEnd, wall: int) -> Path:
    """Replace a damaged journal by what can be read of it; return where the damaged file lies now.

    `noted`: how far the journal surely went.
    """

    def build(successor: Path) -> None:
        create_blank(successor)
        with closing(connect(successor)) as db:
            _copy_in(db, salvage(path, add_suffix(path, "-wal")), noted, wall)

    return install(path, build, DAMAGED, wall)


def _copy_in(db: Connection, found: Iterable[Entry | Gap], noted: JournalEnd, wall: int) -> None:
    # Pages come in no order and the journal only grows at its end: so they are sorted first, by SQLite itself,
    # because a long life's events need not fit the memory of a Pi.
    db.execute("CREATE TEMP TABLE found (number INTEGER PRIMARY KEY, version, t, wall, type, event, crc)")
    gaps: list[Gap] = []
    with transaction(db):
        for each in found:
            if isinstance(each, Gap):
                gaps.append(each)
                continue
            row = (each.number, each.version, each.t, each.wall, each.type, each.event, each.checksum)
            db.execute("INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        db.execute(_SORTED)
        write_gaps(db, wall, known=gaps, last=noted.last)
