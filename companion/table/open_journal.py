"""The journal as the program opens it at its start: what was damaged is healed by then, and is said.

Opening needs a little room, for what SQLite keeps beside the file while it is open. So that a table whose disk is
full can still be begun, and its page say what is wrong, that much is set aside while there is room.
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
# SQLite's shared memory takes 32 kB, and its log a few.
RESERVED: Final = 128 * 1024


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    journal: Journal
    left: ResumedTable
    """The table as it was left."""

    @property
    def is_something_lost(self) -> bool:
        """As far as is known."""
        return self.left.torn is not None or bool(self.journal.recovered and self.journal.recovered.lost)

    @property
    def damage(self) -> str | None:
        """What is lost, for whoever looks at the console or at a page; None while nothing is."""
        said = [str(self.journal.recovered)] if self.journal.recovered is not None else []
        if self.left.torn is not None:
            said.append(
                f"The game that was played last can't go on (lost: {self.left.torn}): begin a new one. "
                "The history shows it as far as it is known."
            )
        return " ".join(said) or None


@contextmanager
def open_journal(path: Path, troubles: Troubles) -> Generator[OpenedJournal]:
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
    """Where there is no room for it now there may be at the next start."""
    if not reserve.exists():
        with suppress(OSError):
            write_whole(reserve, bytes(RESERVED))
