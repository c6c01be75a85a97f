"""How the journal's file is opened, and how SQLite's complaints are put into words.

Exactly one connection writes, and the same one checkpoints; all others are opened `mode=ro`. SQLite before 3.51.3
can spoil a file when two connections checkpoint at once, and Raspberry Pi OS has older ones.
"""

import errno
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from companion.errors import (
    CompanionError,
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalFull,
)

WAIT_SECONDS = 5.0
_LOW_BYTE = 0xFF  # SQLite's extended codes carry the plain one there


class Connection(Protocol):
    """The little of sqlite3.Connection that the journal needs, so that the power can be cut under another."""

    @property
    def in_transaction(self) -> bool: ...
    def execute(self, sql: str, parameters: Sequence[int | str] = ..., /) -> Iterator[Any]: ...
    def close(self) -> None: ...


def connect(path: Path) -> sqlite3.Connection:
    """Open for writing. Another thread may take the connection over, but two must never use it at once."""
    return _connect(path, "mode=rw", check_same_thread=False)


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open for reading, with the log: sees whatever has been written. SQLite may create files beside the
    journal."""
    return _connect(path, "mode=ro")


def connect_immutable(path: Path) -> sqlite3.Connection:
    """Open for reading without the log: creates no file, and sees only what has reached the file itself."""
    return _connect(path, "mode=ro&immutable=1")


def _connect(path: Path, how: str, *, check_same_thread: bool = True) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=WAIT_SECONDS,
        isolation_level=None,
        check_same_thread=check_same_thread,
    )
    # What SQLite says of a damaged file quotes its garbage. Events don't come this way (see entry.read).
    db.text_factory = partial(str, encoding="utf-8", errors="replace")
    return db


def query_value(db: Connection, sql: str, *parameters: int) -> Any:
    """The first column of the first row, or None if there is no row."""
    return next(iter(list(db.execute(sql, parameters))), (None,))[0]


@contextmanager
def transaction(db: Connection) -> Generator[None]:
    """All or nothing. SQLite may have rolled back by itself, after a full disk for one."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


@contextmanager
def translate_errors(path: Path) -> Generator[None]:
    """Raise SQLite's and the system's errors as a JournalError that says what to do about `path`."""
    try:
        yield
    except CompanionError:
        raise
    except sqlite3.Error as error:
        code: int | None = getattr(error, "sqlite_errorcode", None)
        if code is None:
            raise  # a mistake of ours in speaking to sqlite3, nothing about the file
        raise _error_from_sqlite(code, path, error) from error
    except UnicodeDecodeError as error:  # raised in place of sqlite3's own, whose message it can't decode
        raise damage_error(path, "its tables have no readable names") from error
    except OSError as error:
        raise _error_from_system(path, error) from error


def _error_from_sqlite(code: int, path: Path, error: sqlite3.Error) -> JournalError:
    plain = code & _LOW_BYTE
    if plain == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR_SHMSIZE:
        return _full_error(path)
    # The third says that a statement makes no sense: ours are fixed, so a table isn't what it was.
    if plain in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
        return damage_error(path, str(error))
    if plain in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalBusy(f"Another program holds on to {path}: end it and try again.")
    if plain in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return _access_error(path)
    if plain == sqlite3.SQLITE_IOERR:
        return JournalError(
            f"The disk failed at {path} ({error}): the event isn't kept, everything before it is. "
            "Look at the card and its reader, and make a backup."
        )
    return JournalError(f"SQLite refuses to do this to {path}: {error}.")


def _error_from_system(path: Path, error: OSError) -> JournalError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _full_error(path)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return _access_error(path)
    return JournalError(f"{path} can't be used: {error.strerror or error}.")


def damage_error(path: Path, how: str) -> JournalDamaged:
    """The error to raise about a damaged journal; `how` names the damage in a few words."""
    return JournalDamaged(
        f"The journal {path} is damaged ({how}): start the companion anew, "
        "it sets the file aside and recovers what can be read."
    )


def _full_error(path: Path) -> JournalFull:
    return JournalFull(
        f"The disk under {path} is full: nothing more is kept, everything before is safe. "
        "Make room there and try again."
    )


def _access_error(path: Path) -> JournalError:
    return JournalError(
        f"{path} may not be opened: the companion must be allowed to read and write the file and its folder."
    )
