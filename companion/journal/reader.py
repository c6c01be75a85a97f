"""The journal for everybody else: looks, never touches, and never holds the writer up."""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from sqlite3 import Connection
from types import TracebackType
from typing import Self

from companion.errors import JournalError
from companion.journal.connection import connect_looking, connect_reading, in_plain_words, value
from companion.journal.entry import Entry, read
from companion.journal.schema import identify, is_blank, look
from companion.journal.swap import beside

_END = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Game:
    """One game of an evening, as its first event names it."""

    number: int
    wall: int
    game: str
    seats: tuple[str, ...]
    entries: int


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
    def edition(self) -> int:
        """Of the file's form."""
        with in_plain_words(self._path):
            return value(self._db, "PRAGMA user_version")

    def entries(self, after: int = 0) -> Iterator[Entry]:
        with in_plain_words(self._path):
            yield from read(self._db, self._path, after)

    def games(self) -> list[Game]:
        with in_plain_words(self._path):
            begun = self._db.execute("SELECT number FROM event WHERE type = 'game' ORDER BY number").fetchall()
            bounds = pairwise([*(number for (number,) in begun), _END])
            return [self._game(number, end) for number, end in bounds]

    def _game(self, number: int, end: int) -> Game:
        entry = next(read(self._db, self._path, number - 1))
        [(entries,)] = self._db.execute(
            "SELECT count(*) FROM event WHERE number >= ? AND number < ?", (number, end)
        )
        said = json.loads(entry.event)
        return Game(number, entry.wall, said["game"], tuple(said["seats"]), entries)

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
