"""The journal for everybody else: looks, never touches, and never holds the writer up."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.errors import JournalError
from companion.journal.connection import (
    Connection,
    connect_immutable,
    connect_read_only,
    query_value,
    translate_errors,
)
from companion.journal.entry import Entry, read_entries
from companion.journal.game_list import JournalGame, Loss, list_games, list_losses
from companion.journal.gaps import Gap, read_gaps
from companion.journal.schema import check_ours, identify, is_blank
from companion.journal.swap import add_suffix


class Reader:
    """A read-only view of a journal that may be written to meanwhile.

    Only the thread that opened it may use it; opening one takes well under a millisecond.

        with Reader.open(path) as reader:
            for game in reader.games(): ...
    """

    def __init__(self, path: Path, db: Connection) -> None:
        self._path = path
        self._db = db

    @classmethod
    def open(cls, path: Path) -> Self:
        check_ours(path)
        if is_blank(path):
            raise JournalError(f"There is no journal at {path}: it's made when the table first runs.")
        with translate_errors(path):
            # SQLite keeps files beside the journal, to read it too. Where it may not, and no log says that
            # somebody else writes, the file alone is the whole truth.
            alone = not _may_write(path.parent) and not add_suffix(path, "-wal").exists()
            db = connect_immutable(path) if alone else connect_read_only(path)
            with ExitStack() as undo:
                undo.callback(db.close)
                identify(db, path)
                undo.pop_all()
        return cls(path, db)

    @property
    def last(self) -> int:
        """The newest event's number; 0 before the first."""
        with translate_errors(self._path):
            return query_value(self._db, "SELECT coalesce(max(number), 0) FROM event")

    @property
    def newest(self) -> tuple[int, int]:
        """The newest event's number and checksum; noughts before the first."""
        with translate_errors(self._path):
            found = list(self._db.execute("SELECT number, crc FROM event ORDER BY number DESC LIMIT 1"))
        return found[0] if found else (0, 0)

    def begins(self, since: int = 0) -> list[tuple[int, int]]:
        """The number and the checksum of the first event of each game that begins with that event or later."""
        found = "SELECT number, crc FROM event WHERE type = 'game' AND number >= ? ORDER BY number"
        with translate_errors(self._path):
            return list(self._db.execute(found, (since,)))

    @property
    def edition(self) -> int:
        """The number of the file's form (`schema.STEPS`)."""
        with translate_errors(self._path):
            return query_value(self._db, "PRAGMA user_version")

    def entries(self, after: int = 0) -> Iterator[Entry]:
        with translate_errors(self._path):
            yield from read_entries(self._db, self._path, after)

    def games(self) -> list[JournalGame]:
        with translate_errors(self._path):
            return list_games(self._db, self._path)

    def gaps(self) -> tuple[Gap, ...]:
        """The numbers that were lost to damage."""
        with translate_errors(self._path):
            return read_gaps(self._db)

    def losses(self) -> tuple[Loss, ...]:
        """The same, with the game and the times between which each gap lies."""
        with translate_errors(self._path):
            return list_losses(self._db, self._path)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _may_write(folder: Path) -> bool:
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
