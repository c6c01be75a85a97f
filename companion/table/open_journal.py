"""Opens the journal at the program's start: repairs it if it is damaged, and reports what is lost.

SQLite needs a little disk space for the files it keeps beside an open database. A reserve file of that size is
written while there is room and deleted when the disk is full, so that the program can still start and its page say
what is wrong.
"""

import logging
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.backups import finish_restoring
from companion.errors import JournalFull
from companion.files import write_whole
from companion.journal import Journal
from companion.journal.swap import add_suffix
from companion.table.resume import ResumedTable, resume
from companion.threads.troubles import DAMAGED, Troubles

_log: Final = logging.getLogger(__name__)

RESERVE: Final = ".reserve"
# Size of the reserve: SQLite's shared memory takes 32 kB, and its write-ahead log a few.
RESERVED: Final = 128 * 1024


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    """The open journal, the state resumed from it, and what is lost."""

    journal: Journal
    left: ResumedTable
    """The table's state as resumed from the journal."""

    @property
    def is_something_lost(self) -> bool:
        """Whether events are known to be lost."""
        return self.left.torn is not None or bool(self.journal.recovered and self.journal.recovered.lost)

    @property
    def damage(self) -> str | None:
        """Sentences for the console and the page about the damage; None if the journal was undamaged."""
        said = [str(self.journal.recovered)] if self.journal.recovered is not None else []
        if self.left.torn is not None:
            said.append(
                f"The game that was played last can't go on (lost: {self.left.torn}): begin a new one. "
                "The history shows it as far as it is known."
            )
        return " ".join(said) or None


@contextmanager
def open_journal(path: Path, troubles: Troubles) -> Generator[OpenedJournal]:
    """Opens the journal, repaired if need be; damage is logged or put on the board of troubles."""
    finish_restoring(path.parent)
    with _open_or_free_reserve(path) as journal:
        _set_aside(add_suffix(path, RESERVE))
        found = OpenedJournal(journal, resume(journal))
        if found.damage is not None:
            if found.is_something_lost:
                troubles.raise_trouble(DAMAGED, found.damage)
            else:
                _log.warning("%s", found.damage)
        yield found


def _open_or_free_reserve(path: Path) -> Journal:
    try:
        return Journal.open(path)
    except JournalFull:
        reserve = add_suffix(path, RESERVE)
        if not reserve.exists():
            raise
        reserve.unlink()
    return Journal.open(path)


def _set_aside(reserve: Path) -> None:
    """Writes the reserve file; if there is no room for it, the next start tries again."""
    if not reserve.exists():
        with suppress(OSError):
            write_whole(reserve, bytes(RESERVED))
