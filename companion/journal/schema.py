"""What makes a SQLite file a journal, and how an older one becomes a newer one.

Each edition adds to the one before and takes nothing away: new tables, new columns with a default, new triggers.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from importlib.resources import files
from pathlib import Path

from companion.errors import JournalDamaged, JournalError, JournalNewer, NotAJournal
from companion.journal.connection import (
    Connection,
    connect,
    connect_immutable,
    damage_error,
    query_value,
    transaction,
    translate_errors,
)
from companion.journal.gaps import write_gaps
from companion.journal.lock import lock_path

APPLICATION_ID = 0x43415244  # "CARD"
PAGE = 4096
# The edition that has a table of gaps.
FIRST_EDITION_WITH_GAPS = 2

# Step i leads from edition i to edition i+1.
STEPS: tuple[str, ...] = tuple(
    files("companion.journal").joinpath(name).read_text(encoding="utf-8") for name in ("schema.sql", "schema2.sql")
)
_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"


def check_ours(path: Path) -> None:
    """Raise NotAJournal or JournalNewer if this companion must not open the file. Changes nothing in it.

    A damaged journal passes: it will be recovered.
    """
    if path.is_dir():
        raise JournalError(f"{path} is a folder: name a file in it, such as {path / 'journal.db'}.")
    with translate_errors(path):
        if is_blank(path):
            return
        with closing(connect_immutable(path)) as db:
            try:
                _check_database(db, path)
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
                if code not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
                    raise
                if not lock_path(path).exists():
                    raise NotAJournal(f"{path} is no journal of the companion's: name another file.") from error


def is_blank(path: Path) -> bool:
    """Whether there is no file, or an empty one."""
    return not path.exists() or path.stat().st_size == 0


def _check_database(db: Connection, path: Path) -> None:
    try:
        identify(db, path)
    except JournalDamaged:
        return
    except NotAJournal:
        # A journal whose very name is destroyed is told from a stranger's sound database by its lock file.
        if not lock_path(path).exists() or (
            query_value(db, "PRAGMA integrity_check") == "ok" and not _is_known(db)
        ):
            raise


def identify(db: Connection, path: Path) -> None:
    """Raise NotAJournal or JournalNewer by the numbers that SQLite keeps in the file's header."""
    if query_value(db, "PRAGMA application_id") != APPLICATION_ID:
        raise NotAJournal(f"{path} is a database, but no journal of the companion's: name another file.")
    edition = query_value(db, "PRAGMA user_version")
    if edition > len(STEPS):
        if _is_known(db):
            raise damage_error(path, "the number of its edition is destroyed")
        raise JournalNewer(
            f"{path} was written by a later companion (journal edition {edition}, this one knows {len(STEPS)}): "
            "update this companion."
        )


def has_schema(db: Connection) -> bool:
    """Whether its tables are to the letter those of its edition: a destroyed rule would refuse, or take, what it
    should not."""
    edition = query_value(db, "PRAGMA user_version")
    return 0 < edition <= len(STEPS) and list(db.execute(_SCHEMA)) == _schema(STEPS[:edition])


def _is_known(db: Connection) -> bool:
    found = list(db.execute(_SCHEMA))
    return any(found == _schema(STEPS[:edition]) for edition in range(1, len(STEPS) + 1))


@cache
def _schema(steps: tuple[str, ...]) -> list[tuple[str, str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as db:
        for script in steps:
            db.executescript(script)
        return db.execute(_SCHEMA).fetchall()


def configure(db: Connection, path: Path) -> None:
    """Set the connection up so that whatever is committed survives a power cut."""
    db.execute("PRAGMA synchronous = FULL")
    # Without these a Mac tells "written" while it is in the drive's cache; elsewhere they do nothing.
    db.execute("PRAGMA fullfsync = ON")
    db.execute("PRAGMA checkpoint_fullfsync = ON")
    db.execute("PRAGMA mmap_size = 0")
    if query_value(db, "PRAGMA journal_mode = WAL") != "wal" or query_value(db, "PRAGMA synchronous") != 2:
        raise JournalError(
            f"{path} lies on a file system that can't hold a write-ahead log: choose a folder on a local disk."
        )


def migrate(db: Connection, wall: int = 0) -> None:
    """Bring the file to the newest edition, in one transaction. `wall`: the wall-clock time now."""
    edition = query_value(db, "PRAGMA user_version")
    if edition == len(STEPS):
        return
    with transaction(db):
        for script in STEPS[edition:]:
            for statement in split_statements(script):
                db.execute(statement)
        if 0 < edition < FIRST_EDITION_WITH_GAPS:
            write_gaps(db, wall)
        db.execute(f"PRAGMA user_version = {len(STEPS)}")
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    # `check_ours` reads the file without its log, so the new edition's number must be in the file itself.
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def split_statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def create_blank(path: Path) -> None:
    """Create an empty journal in a new file."""
    path.touch()
    with closing(connect(path)) as db:
        db.execute(f"PRAGMA page_size = {PAGE}")
        configure(db, path)
        migrate(db)
