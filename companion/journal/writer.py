"""The journal: what has been appended is on disk, all of it or nothing, before anybody is told."""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from companion.errors import JournalDamaged, JournalError
from companion.journal.check import check
from companion.journal.connection import Connection, connect, query_value, transaction, translate_errors
from companion.journal.entry import VOCABULARY, Draft, Entry, insert, parse_draft, read_entries
from companion.journal.game_list import find_last_game
from companion.journal.gaps import read_gaps
from companion.journal.lock import JournalEnd, Lock
from companion.journal.recover import Recovery, recover
from companion.journal.schema import check_ours, configure, create_blank, is_blank, migrate
from companion.journal.swap import NEW, add_suffix, finish_install, install


class Journal:
    """The one connection that writes. Any thread may use it, but only one at a time: the table's."""

    def __init__(self, path: Path, db: Connection, lock: Lock, wall: Callable[[], int]) -> None:
        self._path = path
        self._db = db
        self._lock = lock
        self._wall = wall
        self._sitting = 0
        self._sound = True
        self._closed = False
        self._file = path.stat().st_ino
        self.gaps: Final = read_gaps(db)
        end: int = query_value(db, "SELECT coalesce(max(number), 0) FROM event")
        # Numbers that were lost at the end are not given to others.
        self._last = max(end, *(gap.last for gap in self.gaps), 0)
        self.recovered: Recovery | None = None

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        connect: Callable[[Path], Connection] = connect,
        wall: Callable[[], int] = time.time_ns,
    ) -> Self:
        """Create the journal if there is none, and recover it if it is damaged (`recovered` then says what was
        lost).

            with Journal.open(path) as journal:
                journal.append(['{"t": 5, "type": "undo"}'])
        """
        check_ours(path)
        with ExitStack() as undo:
            lock = undo.enter_context(Lock(path))
            now = wall()
            aside = _repair(path, lock.noted, now)
            with translate_errors(path):
                db = connect(path)
                undo.callback(db.close)
                configure(db, path)
                migrate(db, now)
                journal = cls(path, db, lock, wall)
                if aside is not None:
                    journal.recovered = Recovery.of(aside[0], db, lock.noted, aside[1])
                lock.note(JournalEnd(journal.last))
            undo.pop_all()
        return journal

    @property
    def last(self) -> int:
        """The newest event's number; 0 before the first."""
        return self._last

    @property
    def last_game(self) -> int:
        """The number with which the newest game begins; 0 before the first."""
        self._check_open()
        with self._note_damage():
            return find_last_game(self._db)

    def append(self, events: Sequence[str], *, version: int = VOCABULARY) -> tuple[Entry, ...]:
        """Store events, each a JSON object on one line: all or none, on disk before this returns."""
        return self.enter((parse_draft(event) for event in events), version=version)

    def enter(self, drafts: Iterable[Draft], *, version: int = VOCABULARY) -> tuple[Entry, ...]:
        """The same for events that have been parsed already."""
        self._check_open()
        wall = self._wall()
        entries = tuple(
            Entry(number, version, each.t, wall, each.type, each.event)
            for number, each in enumerate(drafts, self._last + 1)
        )
        if entries:
            self._write(entries, wall)
        return entries

    def try_writing(self) -> None:
        """Raise JournalError if no event could be stored now: commits a write that changes nothing."""
        self._check_open()
        self._check_file()
        with self._note_damage(), transaction(self._db):
            edition = query_value(self._db, "PRAGMA user_version")
            self._db.execute(f"PRAGMA user_version = {edition}")

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """The events after that number."""
        self._check_open()
        with self._note_damage():
            yield from read_entries(self._db, self._path, after)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with ExitStack() as done, translate_errors(self._path):
            done.callback(self._lock.release)
            done.callback(self._db.close)
            if self._sound:
                if self._sitting:
                    self._tidy_up()
                self._lock.note(JournalEnd(self._last, is_whole=True))

    def _tidy_up(self) -> None:
        # The disk may be full, or fail. No event is lost by that: the next opening checks the journal anyway.
        with suppress(JournalError), translate_errors(self._path):
            self._db.execute("UPDATE sitting SET closed = ? WHERE number = ?", (self._wall(), self._sitting))
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _write(self, entries: Sequence[Entry], wall: int) -> None:
        sitting = self._sitting
        self._check_file()
        with self._note_damage(), transaction(self._db):
            if not sitting:
                sitting = self._insert_sitting(wall)
            for entry in entries:
                insert(self._db, entry)
        self._sitting = sitting
        self._last = entries[-1].number

    def _insert_sitting(self, wall: int) -> int:
        self._db.execute("INSERT INTO sitting (opened) VALUES (?)", (wall,))
        return query_value(self._db, "SELECT max(number) FROM sitting")

    @contextmanager
    def _note_damage(self) -> Generator[None]:
        """If damage shows itself now, leave the sitting and the lock file unclosed."""
        try:
            with translate_errors(self._path):
                yield
        except JournalDamaged:
            self._sound = False
            if not self._sitting:
                with translate_errors(self._path):
                    self._sitting = self._insert_sitting(self._wall())
            raise

    def _check_file(self) -> None:
        """Raise if the file was moved or deleted: SQLite would go on writing into it unnoticed."""
        try:
            is_there = self._path.stat().st_ino == self._file
        except OSError:
            is_there = False
        if not is_there:
            raise JournalError(
                f"The journal {self._path} was moved or deleted while it was open: put it back, or start the "
                "companion anew."
            )

    def _check_open(self) -> None:
        if self._closed:
            raise JournalError(f"The journal {self._path} is closed: open it again before using it.")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _repair(path: Path, noted: JournalEnd, now: int) -> tuple[Path, int] | None:
    """Create a missing journal and recover a damaged one; of the latter return where the damaged file lies, and
    the time since which gaps in the new one stem from this damage."""
    aside = finish_install(path)
    if is_blank(path) and is_blank(add_suffix(path, "-wal")):
        install(path, create_blank, NEW, now)
    else:
        try:
            check(path)
        except JournalDamaged:
            return recover(path, noted, now), now
    # A recovery that the power has interrupted began some time ago.
    return (aside, 0) if aside is not None else None
