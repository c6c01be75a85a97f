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
    connect_looking,
    connect_reading,
    in_plain_words,
    value,
)
from companion.journal.entry import Entry, read
from companion.journal.game_list import JournalGame, Loss, games_in, losses_in
from companion.journal.gaps import Gap, gaps_in
from companion.journal.schema import identify, is_blank, look
from companion.journal.swap import beside


class Reader:
    """Belongs to the thread that opened it; opening one takes well under a millisecond."""

    def __init__(self, path: Path, db: Connection) -> None:
        self._path = path
        self._db = db

    @classmethod
    def open(cls, path: Path) -> Self:
        look(path)
        if is_blank(path):
            raise JournalError(f"There is no journal at {path}: it's made when the table first runs.")
        with in_plain_words(path):
            # SQLite keeps files beside the journal, to read it too. Where it may not, and no log says that
            # somebody else writes, the file alone is the whole truth.
            alone = not _may_write(path.parent) and not beside(path, "-wal").exists()
            db = connect_looking(path) if alone else connect_reading(path)
            with ExitStack() as undo:
                undo.callback(db.close)
                identify(db, path)
                undo.pop_all()
        return cls(path, db)

    @property
    def last(self) -> int:
        with in_plain_words(self._path):
            return value(self._db, "SELECT coalesce(max(number), 0) FROM event")

    @property
    def newest(self) -> tuple[int, int]:
        """The newest event's number and checksum; noughts before the first."""
        with in_plain_words(self._path):
            found = list(self._db.execute("SELECT number, crc FROM event ORDER BY number DESC LIMIT 1"))
        return found[0] if found else (0, 0)

    def begins(self, since: int = 0) -> list[tuple[int, int]]:
        """The number and the checksum of the first event of each game that begins with that event or later."""
        found = "SELECT number, crc FROM event WHERE type = 'game' AND number >= ? ORDER BY number"
        with in_plain_words(self._path):
            return list(self._db.execute(found, (since,)))

    @property
    def edition(self) -> int:
        """Of the file's form."""
        with in_plain_words(self._path):
            return value(self._db, "PRAGMA user_version")

    def entries(self, after: int = 0) -> Iterator[Entry]:
        with in_plain_words(self._path):
            yield from read(self._db, self._path, after)

    def games(self) -> list[JournalGame]:
        with in_plain_words(self._path):
            return games_in(self._db, self._path)

    def gaps(self) -> tuple[Gap, ...]:
        """What earlier damages have taken."""
        with in_plain_words(self._path):
            return gaps_in(self._db)

    def losses(self) -> tuple[Loss, ...]:
        """The same with what is known of where it was."""
        with in_plain_words(self._path):
            return losses_in(self._db, self._path)

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
