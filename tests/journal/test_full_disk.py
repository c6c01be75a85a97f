"""A disk that is full, or fails: the event is refused, nothing before it is lost, and afterwards it goes on."""

import collections
import errno
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import JournalError, JournalFull
from companion.journal import Journal
from companion.journal.connection import connect

from ..disks import Card, tiny_disk
from ..disks import fill as fill_disk
from .evening import files, keep, press, presses, texts
from .power.disk import Wired


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


FULL = r"is full: nothing more is kept, everything before is safe\. Make room"


def fill(journal: Journal) -> int:
    """Appends until there is no room; the last number that was kept."""
    with pytest.raises(JournalFull, match=FULL):
        collections.deque((journal.append([press(journal.last + 1)]) for _ in range(10_000)), maxlen=0)
    return journal.last


def test_a_full_disk_refuses_the_event_and_keeps_the_others(path: Path) -> None:
    """SQLite's own limit on the file stands for the disk: refused, nothing lost, and on again with room."""
    connections: list[sqlite3.Connection] = []

    def small(path: Path) -> sqlite3.Connection:
        connections.append(connect(path))
        connections[0].execute("PRAGMA max_page_count = 12")
        return connections[0]

    with Journal.open(path, connect=small) as journal:
        last = fill(journal)
        assert last > 50
        assert fill(journal) == last
        with pytest.raises(JournalFull):
            journal.append(presses(100))
        assert presses(last) == [entry.event for entry in journal.entries()]
        connections[0].execute("PRAGMA max_page_count = 1000")
        assert [last + 1] == [entry.number for entry in journal.append([press(last + 1)])]
    assert presses(last + 1) == texts(path)


@pytest.fixture
def card() -> Iterator[Card]:
    card = Card()
    yield card
    card.unregister()


def test_a_write_without_room_refuses_the_event(path: Path, card: Card) -> None:
    """The same when the operating system has no room for the log, in the middle of a batch too."""
    keep(path, presses(3))
    with Journal.open(path, connect=lambda path: Wired(path, card.vfs)) as journal:
        journal.append([press(4)])
        card.room = 100_000
        last = fill(journal)
        with pytest.raises(JournalFull):
            journal.append([press(last + 1), press(last + 2)])
        card.room = 1 << 40
        journal.append([press(last + 1)])
    assert presses(last + 1) == texts(path)


@pytest.mark.parametrize("what", ["write", "sync"])
def test_a_failing_card_refuses_the_event(path: Path, card: Card, what: str) -> None:
    """An event whose write or sync failed isn't there, and the next one takes its number."""
    with Journal.open(path, connect=lambda path: Wired(path, card.vfs)) as journal:
        journal.append([press(1)])
        card.fails_at = what
        for _ in range(3):
            with pytest.raises(JournalError, match=r"The disk failed at .* the event isn't kept"):
                journal.append([press(9), press(9)])
        card.fails_at = ""
        assert [press(1)] == [entry.event for entry in journal.entries()]
        assert [entry.number for entry in journal.append([press(2)])] == [2]
    assert presses(2) == texts(path)


@pytest.mark.parametrize("failing", ["", "write", "sync"])
def test_a_disk_that_is_full_or_fails_at_the_end_marks_nothing(path: Path, card: Card, failing: str) -> None:
    """Everything is kept, so closing is no failure; it lets go of everything, and the next opening checks."""
    journal = Journal.open(path, connect=lambda path: Wired(path, card.vfs))
    journal.append([press(1)])
    card.room, card.fails_at = 0, failing
    journal.close()
    card.room, card.fails_at = 1 << 40, ""
    with Journal.open(path) as journal:
        assert journal.recovered is None
        journal.append([press(2)])
    assert presses(2) == texts(path)


def test_a_lock_that_can_t_be_signed_is_let_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card too full for the very first file leaves no lock behind that would bar the next attempt."""

    def no_room(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(os, "write", no_room)
        with pytest.raises(JournalFull):
            Journal.open(path)
    keep(path, [press(1)])
    assert [press(1)] == texts(path)


def test_opening_a_journal_needs_no_room(path: Path, card: Card) -> None:
    """On a full disk the journal still opens and is read, so that the page can say what is wrong."""
    keep(path, [press(1)])
    card.room = 0
    with Journal.open(path, connect=lambda path: Wired(path, card.vfs)) as journal:
        assert [press(1)] == [entry.event for entry in journal.entries()]
        with pytest.raises(JournalFull):
            journal.append([press(2)])


if sys.platform != "win32":
    import resource

    def test_the_system_s_own_limit_is_an_error_of_the_disk(path: Path) -> None:
        """A real refusal by the kernel, in the middle of an evening: said, survived, nothing lost."""
        with Journal.open(path) as journal:
            journal.append(presses(10))
            soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            log = len(files(path.parent)["journal.db-wal"])
            resource.setrlimit(resource.RLIMIT_FSIZE, (log + 6000, hard))
            try:
                with pytest.raises(JournalError, match="The disk failed at"):
                    journal.append(presses(100))
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            journal.append([press(11)])
        assert presses(11) == texts(path)


def test_whether_there_is_room_again_can_be_tried(path: Path, card: Card) -> None:
    """It fails for as long as an event would, and says nothing itself."""
    with Journal.open(path, connect=lambda path: Wired(path, card.vfs)) as journal:
        journal.try_writing()
        journal.append([press(1)])
        card.room = 0
        for _ in range(3):
            with pytest.raises(JournalFull):
                journal.try_writing()
        card.room = 1 << 40
        card.fails_at = "sync"
        with pytest.raises(JournalError, match="The disk failed"):
            journal.try_writing()
        card.fails_at = ""
        journal.try_writing()
        assert [2] == [entry.number for entry in journal.append([press(2)])]
    assert presses(2) == texts(path)


@pytest.mark.skipif(sys.platform == "win32", reason="there nobody can move a file that is open")
def test_a_journal_that_is_gone_refuses_the_event(path: Path) -> None:
    """Moved, or deleted with its folder: what was written now would be lost. Put back, it goes on."""
    with Journal.open(path) as journal:
        journal.append([press(1)])
        elsewhere = path.parent.rename(path.parent.with_name("elsewhere"))
        for _ in range(2):
            with pytest.raises(JournalError, match="was moved or deleted while it was open: put it back"):
                journal.append([press(2)])
            with pytest.raises(JournalError, match="was moved or deleted"):
                journal.try_writing()
            path.parent.mkdir(exist_ok=True)
            path.touch()
        path.unlink()
        path.parent.rmdir()
        elsewhere.rename(path.parent)
        journal.try_writing()
        assert [2] == [entry.number for entry in journal.append([press(2)])]
    assert presses(2) == texts(path)


def test_a_real_full_disk_refuses_the_event_and_keeps_the_others(tmp_path: Path) -> None:
    """With room again it goes on, in the same sitting."""
    with tiny_disk(tmp_path / "disk", 300) as disk, Journal.open(disk / "journal.db") as journal:
        journal.append([press(1)])
        ballast = fill_disk(disk)
        last = fill(journal)
        with pytest.raises(JournalFull):
            journal.try_writing()
        ballast.unlink()
        journal.try_writing()
        assert [last + 1] == [entry.number for entry in journal.append([press(last + 1)])]
        assert presses(last + 1) == [entry.event for entry in journal.entries()]
