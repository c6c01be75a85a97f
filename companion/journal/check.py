"""Is everything in the file still as it was written?

Asked at every start, of a backup, and of what is to be restored. Only reads: whatever is found, the file and its
log can still be set aside as they are.
"""

from contextlib import closing
from pathlib import Path

from companion.errors import NotAJournal
from companion.journal.connection import (
    Connection,
    connect_immutable,
    connect_read_only,
    damage_error,
    query_value,
    translate_errors,
)
from companion.journal.entry import verify
from companion.journal.gaps import read_gaps
from companion.journal.salvage import read_events, read_frames
from companion.journal.schema import FIRST_EDITION_WITH_GAPS, PAGE, has_schema, identify, is_blank
from companion.journal.swap import add_suffix

# What stands at these places of every journal's file (sqlite.org/fileformat2.html, 1.3). SQLite believes them, or
# does without: a file that says it is read-only is read-only, and one in another encoding has other texts.
_HEADER = {
    0: b"SQLite format 3\0" + PAGE.to_bytes(2),
    20: bytes([0, 64, 32, 32]),
    44: (4).to_bytes(4),
    52: bytes(4) + (1).to_bytes(4),
    64: bytes(4),
    72: bytes(20),
}
_HEADER_BYTES = 100
_MODES, _MODE_OF_A_BACKUP, _MODE = slice(18, 20), b"\1\1", b"\2\2"


def check(path: Path) -> None:
    """Raise JournalDamaged unless the header, the tables, every checksum and every number are as they were
    written."""
    log = add_suffix(path, "-wal")
    logged = log.exists() and log.stat().st_size > 0
    if is_blank(path):
        raise damage_error(path, "nothing is left of it but its log")
    with translate_errors(path):
        _check_header(path, log)
        # Without a log the file is the whole truth, and can be read without leaving a trace beside it.
        with closing((connect_read_only if logged else connect_immutable)(path)) as db:
            _check_everything(db, path, log)


def _check_header(path: Path, log: Path) -> None:
    """A sound header in the log will do: a power cut may spoil the file's first page while it is written."""
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    logged = (frame.content[:_HEADER_BYTES] for frame in read_frames(log) if frame.page == 1)
    if not _is_header(header) and not any(map(_is_header, logged)):
        raise damage_error(path, "its beginning is destroyed")


def _is_header(header: bytes) -> bool:
    fixed = all(header[place : place + len(content)] == content for place, content in _HEADER.items())
    return fixed and header[_MODES] in (_MODE, _MODE_OF_A_BACKUP)


def _check_everything(db: Connection, path: Path, log: Path) -> None:
    try:
        identify(db, path)
    except NotAJournal as error:
        raise damage_error(path, "its name is destroyed") from error
    if not has_schema(db):
        raise damage_error(path, "its tables are not what they were")
    found = query_value(db, "PRAGMA integrity_check(1)")
    if found != "ok":
        raise damage_error(path, found.splitlines()[-1])
    last, missing = verify(db, path)
    _check_gaps(db, path, last, missing)
    if _count_unreachable_appends(last, log) > 1:
        raise damage_error(path, f"the log has events after number {last} that SQLite can't reach")


def _check_gaps(db: Connection, path: Path, last: int, missing: list[tuple[int, int]]) -> None:
    """A row can vanish without a trace in the pages' structure; it leaves one in the numbers."""
    if query_value(db, "PRAGMA user_version") < FIRST_EDITION_WITH_GAPS:
        return
    gaps = read_gaps(db)
    if len(gaps) != query_value(db, "SELECT count(*) FROM gap"):
        raise damage_error(path, "what it knows of an earlier damage is destroyed")
    if missing != [(gap.first, gap.last) for gap in gaps if gap.first <= last]:
        raise damage_error(path, "events are missing")


def _count_unreachable_appends(last: int, log: Path) -> int:
    """How many appends left events in the log that SQLite doesn't see.

    SQLite reads its log up to the first frame that isn't sound and takes the rest for the remains of a power cut.
    But each append was on disk before the next began: a power cut leaves the remains of one, never of two. What
    was appended together has the same wall-clock time.
    """
    return len({entry.wall for frame in read_frames(log) for entry in read_events(frame) if entry.number > last})
