"""The journal: what has been appended is on disk, all of it or nothing, before anybody is told."""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from companion.errors import JournalDamaged, JournalError
from companion.journal.check import check
from companion.journal.connection import Connection, connect, in_plain_words, transaction, value
from companion.journal.entry import VOCABULARY, Draft, Entry, draft, insert, read
from companion.journal.game_list import last_game
from companion.journal.gaps import gaps_in
from companion.journal.lock import Lock, Noted
from companion.journal.recover import Recovery, recover
from companion.journal.schema import blank, is_blank, look, migrate, settle
from companion.journal.swap import NEW, beside, finish, install


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
        self.gaps: Final = gaps_in(db)
        end: int = value(db, "SELECT coalesce(max(number), 0) FROM event")
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
        """Makes the journal if there is none, and recovers it if it's damaged; `.recovered` tells."""
        look(path)
        with ExitStack() as undo:
            lock = undo.enter_context(Lock(path))
            now = wall()
            aside = _made_sound(path, lock.noted, now)
            with in_plain_words(path):
                db = connect(path)
                undo.callback(db.close)
                settle(db, path)
                migrate(db, now)
                journal = cls(path, db, lock, wall)
                if aside is not None:
                    journal.recovered = Recovery.of(aside[0], db, lock.noted, aside[1])
                lock.note(Noted(journal.last))
            undo.pop_all()
        return journal

    @property
    def last(self) -> int:
        """The newest event's number; 0 before the first."""
        return self._last

    @property
    def last_game(self) -> int:
        """The number with which the newest game begins; 0 before the first."""
        self._must_be_open()
        with self._doubting():
            return last_game(self._db)

    def append(self, events: Sequence[str], *, version: int = VOCABULARY) -> tuple[Entry, ...]:
        """Each event a JSON object on one line, written in that version of the vocabulary."""
        return self.enter((draft(event) for event in events), version=version)

    def enter(self, drafts: Iterable[Draft], *, version: int = VOCABULARY) -> tuple[Entry, ...]:
        """The same for events that have been read already."""
        self._must_be_open()
        wall = self._wall()
        entries = tuple(
            Entry(number, version, each.t, wall, each.type, each.event)
            for number, each in enumerate(drafts, self._last + 1)
        )
        if entries:
            self._write(entries, wall)
        return entries

    def try_writing(self) -> None:
        """Raises `JournalError` for as long as nothing can be kept. It writes as an event does, but adds none."""
        self._must_be_open()
        self._must_be_there()
        with self._doubting(), transaction(self._db):
            edition = value(self._db, "PRAGMA user_version")
            self._db.execute(f"PRAGMA user_version = {edition}")

    def entries(self, after: int = 0) -> Iterator[Entry]:
        self._must_be_open()
        with self._doubting():
            yield from read(self._db, self._path, after)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with ExitStack() as done, in_plain_words(self._path):
            done.callback(self._lock.release)
            done.callback(self._db.close)
            if self._sound:
                if self._sitting:
                    self._tidy_up()
                self._lock.note(Noted(self._last, is_whole=True))

    def _tidy_up(self) -> None:
        # A disk may be full, or fail. Everything is kept all the same: the next opening finds the sitting
        # unclosed, and checks.
        with suppress(JournalError), in_plain_words(self._path):
            self._db.execute("UPDATE sitting SET closed = ? WHERE number = ?", (self._wall(), self._sitting))
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _write(self, entries: Sequence[Entry], wall: int) -> None:
        sitting = self._sitting
        self._must_be_there()
        with self._doubting(), transaction(self._db):
            if not sitting:
                sitting = self._sit_down(wall)
            for entry in entries:
                insert(self._db, entry)
        self._sitting = sitting
        self._last = entries[-1].number

    def _sit_down(self, wall: int) -> int:
        self._db.execute("INSERT INTO sitting (opened) VALUES (?)", (wall,))
        return value(self._db, "SELECT max(number) FROM sitting")

    @contextmanager
    def _doubting(self) -> Generator[None]:
        """Damage that shows itself only now has everything checked at the next opening."""
        try:
            with in_plain_words(self._path):
                yield
        except JournalDamaged:
            self._sound = False
            if not self._sitting:
                with in_plain_words(self._path):
                    self._sitting = self._sit_down(self._wall())
            raise

    def _must_be_there(self) -> None:
        """SQLite would go on writing into a file that nobody finds again."""
        try:
            is_there = self._path.stat().st_ino == self._file
        except OSError:
            is_there = False
        if not is_there:
            raise JournalError(
                f"The journal {self._path} was moved or deleted while it was open: put it back, or start the "
                "companion anew."
            )

    def _must_be_open(self) -> None:
        if self._closed:
            raise JournalError(f"The journal {self._path} is closed: open it again before using it.")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _made_sound(path: Path, noted: Noted, now: int) -> tuple[Path, int] | None:
    """Where a damaged journal was set aside, if it was one, and since when what is lost has been found."""
    aside = finish(path)
    if is_blank(path) and is_blank(beside(path, "-wal")):
        install(path, blank, NEW, now)
    else:
        try:
            check(path)
        except JournalDamaged:
            return recover(path, noted, now), now
    # A recovery that the power has interrupted began some time ago.
    return (aside, 0) if aside is not None else None
