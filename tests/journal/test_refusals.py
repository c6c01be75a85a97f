"""What can't be opened is refused in one clear sentence, and nothing on the disk changes."""

import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from companion.errors import CompanionError, JournalBusy, JournalError, JournalFull, NotAJournal
from companion.journal import Journal, Reader, restore, schema
from companion.journal.connection import translate_errors
from companion.journal.lock import lock_path

from .evening import files, keep, press, texts

KEEPER = """
import sys
from pathlib import Path
from companion.journal import Journal
journal = Journal.open(Path(sys.argv[1]))
for line in sys.stdin:
    print(journal.append([line.strip()])[-1].number, flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@contextmanager
def another_process(path: Path) -> Generator[subprocess.Popen[str]]:
    """Keeps the journal until it's killed."""
    command = [sys.executable, "-c", KEEPER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def say(process: subprocess.Popen[str], event: str) -> int:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(event + "\n")
    process.stdin.flush()
    return int(process.stdout.readline())


def test_two_processes_never_keep_one_journal(path: Path) -> None:
    """The second is told who keeps it, changes nothing, and may read; the first goes on."""
    with another_process(path) as process:
        assert say(process, press(1)) == 1
        before = files(path.parent)
        with pytest.raises(JournalBusy, match=rf"process \(number {process.pid}\) already keeps"):
            Journal.open(path)
        assert before == files(path.parent)
        with Reader.open(path) as reader:
            assert say(process, press(2)) == reader.last == 2


def test_no_restore_while_another_process_keeps_the_journal(path: Path) -> None:
    """Restoring needs the journal for itself."""
    backup = path.with_name("backup.db")
    keep(backup, [press(9)])
    with another_process(path) as process:
        assert say(process, press(1)) == 1
        before = files(path.parent)
        with pytest.raises(JournalBusy):
            restore(backup, path)
        assert before == files(path.parent)


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no SIGKILL")
def test_a_killed_process_leaves_no_lock_and_loses_nothing(path: Path) -> None:
    """After kill -9 the journal opens at once, with all that was acknowledged."""
    with another_process(path) as process:
        for t in range(1, 21):
            assert t == say(process, press(t))
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Journal.open(path) as journal:
        assert journal.recovered is None
        assert [press(t) for t in range(1, 21)] == [entry.event for entry in journal.entries()]


def test_the_same_process_can_t_keep_it_twice(path: Path) -> None:
    """A second writer in one process is refused too, and the first keeps its lock."""
    with Journal.open(path) as journal:
        for _ in range(2):
            with pytest.raises(JournalBusy, match=f"number {os.getpid()}"):
                Journal.open(path)
        journal.append([press(1)])


def test_an_unsigned_lock_is_a_lock(path: Path) -> None:
    """Whoever holds the lock without having signed it yet is somebody unknown."""
    with Journal.open(path):
        lock_path(path).write_text("")
        with pytest.raises(JournalBusy, match="number unknown"):
            Journal.open(path)


def foreign_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA application_id = 252006673")
        db.execute("CREATE TABLE track (name)")
        db.commit()


def foreign_database_in_wal_mode(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE track (name)")
        db.commit()


def picture(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(5000))


def journal_of_another(path: Path) -> None:
    foreign_database(path)
    lock_path(path).touch()


STRANGERS: list[Callable[[Path], None]] = [
    foreign_database,
    foreign_database_in_wal_mode,
    picture,
    journal_of_another,
]


@pytest.mark.parametrize("make", STRANGERS, ids=lambda make: make.__name__)
def test_a_stranger_s_file_is_left_alone(path: Path, make: Callable[[Path], None]) -> None:
    """A file that is no journal of ours is refused by all who open, and not a byte changes."""
    make(path)
    other = path.with_name("other.db")
    keep(other, [press(1)])
    before = files(path.parent)
    actions: list[Callable[[Path], object]] = [
        Journal.open,
        Reader.open,
        lambda path: restore(path, other),
        lambda path: restore(other, path),
    ]
    for action in actions:
        with pytest.raises(NotAJournal, match=r"no journal of the companion's: name another file\."):
            action(path)
    assert before == files(path.parent)


def test_a_folder_is_no_journal(path: Path) -> None:
    """A folder in the journal's place is named as one."""
    path.mkdir()
    for action in (Journal.open, Reader.open):
        with pytest.raises(JournalError, match="is a folder: name a file in it"):
            action(path)
    assert files(path) == {}


def test_a_missing_folder_is_made(path: Path) -> None:
    """All missing folders above the journal are made."""
    keep(path.parent / "var" / "lib" / "journal.db", [press(1)])
    assert [press(1)] == texts(path.parent / "var" / "lib" / "journal.db")


def test_an_empty_file_becomes_a_journal(path: Path) -> None:
    """An empty file holds nothing to lose."""
    path.touch()
    keep(path, [press(1)])
    assert [press(1)] == texts(path)


def test_a_file_in_the_folder_s_place_is_named(path: Path) -> None:
    """A path through a file can't be used, and the file stays."""
    path.write_text("a file")
    with pytest.raises(JournalError, match="can't be used"):
        Journal.open(path / "journal.db")
    assert path.read_text() == "a file"


@pytest.fixture
def forbidden() -> Iterator[Path]:
    """A folder this process may read but not write, whoever runs the tests."""
    if os.name == "nt":
        pytest.skip("Windows has no such folders")
    folder = Path(tempfile.mkdtemp())
    keep(folder / "journal.db", [press(1)])
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)  # root may write everywhere; nobody may not
    yield folder
    if root:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_an_unwritable_folder_is_named(forbidden: Path) -> None:
    """A folder that may not be written is refused for a new journal, and a present one isn't touched."""
    before = files(forbidden)
    for name in ("new.db", "journal.db", "sub/journal.db"):
        with pytest.raises(JournalError, match="must be allowed to read and write the file and its folder"):
            Journal.open(forbidden / name)
    with Reader.open(forbidden / "journal.db") as reader:
        assert reader.last > 0
    assert before == files(forbidden)


def test_a_reader_makes_no_journal(path: Path) -> None:
    """Reading where nothing has been kept yet says so and makes nothing."""
    with pytest.raises(JournalError, match="There is no journal"):
        Reader.open(path)
    assert files(path.parent) == {}


def test_a_disk_that_can_t_be_read_makes_no_stranger(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk fails nobody knows whose the file is."""
    keep(path, [press(1)])

    class Unreadable(sqlite3.Connection):
        def execute(self, sql: str, *_: object) -> sqlite3.Cursor:
            error = sqlite3.OperationalError(sql)
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
            raise error

    monkeypatch.setattr(schema, "connect_immutable", partial(sqlite3.connect, factory=Unreadable))
    with pytest.raises(JournalError, match="The disk failed at"):
        Journal.open(path)


CODES = {
    sqlite3.SQLITE_FULL: JournalFull,
    sqlite3.SQLITE_IOERR_SHMSIZE: JournalFull,
    sqlite3.SQLITE_IOERR_WRITE: JournalError,
    sqlite3.SQLITE_BUSY_SNAPSHOT: JournalBusy,
    sqlite3.SQLITE_LOCKED: JournalBusy,
    sqlite3.SQLITE_TOOBIG: JournalError,
}


@pytest.mark.parametrize(("code", "kind"), CODES.items())
def test_sqlite_s_errors_become_ours(path: Path, code: int, kind: type[CompanionError]) -> None:
    """Each kind of complaint becomes one sentence that names the file."""
    complaint = sqlite3.OperationalError("words of SQLite's")
    complaint.sqlite_errorcode = code
    with pytest.raises(kind) as refusal, translate_errors(path):
        raise complaint
    assert str(path) in str(refusal.value)
    assert complaint is refusal.value.__cause__


def test_a_mistake_in_speaking_to_sqlite_stays_one(path: Path) -> None:
    """What says nothing about the file isn't dressed up."""
    with pytest.raises(sqlite3.ProgrammingError), translate_errors(path):
        raise sqlite3.ProgrammingError


SYSTEM = {
    errno.ENOSPC: "is full",
    errno.EROFS: "may not be opened",
    errno.EIO: "can't be used: Input/output error",
}


@pytest.mark.parametrize(("number", "words"), SYSTEM.items())
def test_the_system_s_errors_become_ours(path: Path, number: int, words: str) -> None:
    """The same for what the operating system says."""
    with pytest.raises(JournalError, match=words), translate_errors(path):
        raise OSError(number, os.strerror(number))
