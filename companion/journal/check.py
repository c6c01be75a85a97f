"""Is everything in the file still as it was written?

Asked after the power went, of a backup, and on request. Only reads: whatever is found, the file and its log can
still be set aside as they are.
"""

from contextlib import closing
from pathlib import Path

from companion.errors import NotAJournal
from companion.journal.connection import (
    Connection,
    connect_looking,
    connect_reading,
    damaged,
    in_plain_words,
    value,
)
from companion.journal.entry import read
from companion.journal.pages import frames, rows
from companion.journal.schema import identify, is_blank
from companion.journal.swap import beside

_UNCLEAN = "SELECT count(*) FROM sitting WHERE closed IS NULL AND number = (SELECT max(number) FROM sitting)"


def check(path: Path, *, thorough: bool) -> None:
    """Raises JournalDamaged. Not thorough: reads everything only if the journal wasn't closed the last time."""
    log = beside(path, "-wal")
    logged = log.exists() and log.stat().st_size > 0
    if is_blank(path):
        raise damaged(path, "nothing is left of it but its log")
    # Without a log the file is the whole truth, and can be read without leaving a trace beside it.
    connect = connect_reading if logged else connect_looking
    with in_plain_words(path), closing(connect(path)) as db:
        try:
            identify(db, path)
        except NotAJournal as error:
            raise damaged(path, "its beginning is destroyed") from error
        _check_newest(db, path)
        unclean = value(db, _UNCLEAN)
        if thorough or logged or unclean:
            _check_everything(db, path, log)


def _check_newest(db: Connection, path: Path) -> None:
    for _ in read(db, path, value(db, "SELECT coalesce(max(number), 0) - 1 FROM event")):
        pass


def _check_everything(db: Connection, path: Path, log: Path) -> None:
    found = value(db, "PRAGMA integrity_check(1)")
    if found != "ok":
        raise damaged(path, found.splitlines()[-1])
    last = 0
    for entry in read(db, path, 0):
        last = entry.number
    if _appended_beyond(last, log) > 1:
        raise damaged(path, f"the log has events after number {last} that SQLite can't reach")


def _appended_beyond(last: int, log: Path) -> int:
    """How many appends left events in the log that SQLite doesn't see.

    SQLite reads its log up to the first frame that isn't sound and takes the rest for the remains of a power cut.
    But each append was on disk before the next began: a power cut leaves the remains of one, never of two. What
    was appended together has the same wall-clock time.
    """
    return len({entry.wall for frame in frames(log) for entry in rows(frame) if entry.number > last})
