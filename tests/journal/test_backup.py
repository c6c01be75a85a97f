"""One file to carry away, and back."""

import sqlite3
import threading
from contextlib import closing
from importlib import import_module
from pathlib import Path

import pytest

from companion.errors import JournalDamaged, JournalError, JournalFull
from companion.journal import Journal, Reader, backup, restore
from companion.journal.connection import connect

from .evening import GAME, PowerGone, files, gone_after, keep, press, presses, texts, unplugged


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick" / "evening.db"


def test_a_backup_is_the_journal_in_one_file(path: Path, target: Path) -> None:
    """All that was appended, the log's part included, in a file with nothing beside it, even when read."""
    with Journal.open(path) as journal:
        journal.append([GAME, *presses(5)])
        assert backup(path, target) == 6
        journal.append([press(6)])
    assert {"evening.db"} == set(files(target.parent))
    with Reader.open(target) as reader:
        assert [GAME, *presses(5)] == [entry.event for entry in reader.entries()]
    assert {"evening.db"} == set(files(target.parent))


def test_a_backup_is_a_moment_of_the_evening(path: Path, target: Path) -> None:
    """Taken while the writer appends, it holds all that was told before it began, and no batch in part."""
    begun = threading.Event()
    enough = threading.Event()
    with Journal.open(path) as journal:

        def write() -> None:
            while not enough.is_set():
                t = journal.last
                journal.append([press(t + 1), press(t + 2), press(t + 3)])
                begun.set()

        table = threading.Thread(target=write)
        table.start()
        assert begun.wait(10)
        try:
            for number in range(10):
                told = journal.last
                copy = target.with_name(f"{number}.db")
                events = backup(path, copy)
                assert told <= events <= journal.last
                assert events % 3 == 0
                with Reader.open(copy) as reader:
                    assert presses(events) == [entry.event for entry in reader.entries()]
        finally:
            enough.set()
            table.join()


def test_a_backup_overwrites_nothing(path: Path, target: Path) -> None:
    """A name that is taken is refused, the journal's own included."""
    keep(path, [press(1)])
    target.write_text("holiday pictures")
    for taken in (target, path, target.parent):
        with pytest.raises(JournalError, match="is there already: give the backup another name"):
            backup(path, taken)
    assert target.read_text() == "holiday pictures"


def test_no_backup_without_a_journal(path: Path, target: Path) -> None:
    """Where there is none, none is made."""
    with pytest.raises(JournalError, match="There is no journal"):
        backup(path, target)
    assert files(path.parent) == files(target.parent) == {}


def test_a_damaged_journal_gives_no_backup(path: Path, target: Path) -> None:
    """A backup is checked before it gets its name."""
    keep(path, presses(200))
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"t": 77,', b'"t": 78,'))
    with pytest.raises(JournalDamaged, match="is damaged and no backup was made"):
        backup(path, target)
    assert files(target.parent) == {}


def test_a_full_stick_gets_no_backup(path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a backup that didn't fit stays behind."""
    keep(path, presses(500))

    def small(path: Path) -> sqlite3.Connection:
        db = connect(path)
        db.execute("PRAGMA max_page_count = 5")
        return db

    monkeypatch.setattr(import_module("companion.journal.backup"), "connect", small)
    with pytest.raises(JournalFull, match=str(target)):
        backup(path, target)
    assert files(target.parent) == {}


def test_a_missing_stick_is_named(path: Path) -> None:
    """A folder that isn't there isn't made: the stick isn't plugged in."""
    keep(path, [press(1)])
    with pytest.raises(JournalError, match="can't be used: No such file or directory"):
        backup(path, path.parent / "no stick" / "evening.db")
    assert not (path.parent / "no stick").exists()


def test_restoring_brings_the_backup_back_and_sets_the_present_aside(path: Path, target: Path) -> None:
    """The backup's events are there again, more can come, and the present journal lies beside, whole."""
    keep(path, presses(3))
    backup(path, target)
    keep(path, [press(4)])
    aside = restore(target, path)
    assert aside is not None
    assert aside.name.startswith("journal.db.replaced-")
    assert presses(3) == texts(path)
    keep(path, [press(9)])
    assert [*presses(3), press(9)] == texts(path)
    with Reader.open(aside) as reader:
        assert presses(4) == [entry.event for entry in reader.entries()]
    restore(aside, path)
    assert presses(4) == texts(path)


def test_restoring_where_there_is_nothing_makes_the_journal(path: Path, target: Path) -> None:
    """On a new card there is nothing to set aside."""
    keep(target, presses(3))
    assert restore(target, path) is None
    assert presses(3) == texts(path)


def test_restoring_takes_the_log_of_the_present_aside_too(path: Path, target: Path) -> None:
    """A log left by a power cut goes with its journal and never meets the restored one."""
    after = unplugged(path, presses(3), presses(3))
    keep(target, [press(9)])
    aside = restore(target, after)
    assert aside is not None
    assert [press(9)] == texts(after)
    with Reader.open(aside) as reader:
        assert presses(3) * 2 == [entry.event for entry in reader.entries()]


def test_only_a_sound_backup_is_restored(path: Path, target: Path) -> None:
    """A damaged, missing or empty backup, or the journal itself, is refused and nothing is moved."""
    keep(path, presses(3))
    keep(target, presses(200))
    target.write_bytes(target.read_bytes().replace(b'"t": 77,', b'"t": 78,'))
    empty = target.with_name("empty.db")
    empty.touch()
    before = files(path.parent)
    refusals = {
        target: "is damaged, and the journal stays as it is: take another",
        empty: "There is no backup at",
        target.with_name("missing.db"): "There is no backup at",
        path: "is the journal itself",
    }
    for wrong, words in refusals.items():
        with pytest.raises(JournalError, match=words):
            restore(wrong, path)
    assert before == files(path.parent)


def test_no_restore_while_the_journal_is_kept(path: Path, target: Path) -> None:
    """The table must stand still."""
    keep(target, [press(1)])
    with Journal.open(path) as journal:
        with pytest.raises(JournalError, match="already keeps"):
            restore(target, path)
        journal.append([press(2)])
    assert [press(2)] == texts(path)


@pytest.mark.parametrize("renames", range(3))
def test_a_restore_may_be_interrupted_anywhere(
    path: Path, target: Path, renames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut the journal is the old one or the new one, whole, and the old one is never lost."""
    keep(path, presses(3))
    keep(target, [press(9)])
    with monkeypatch.context() as interrupted:
        gone_after(renames, interrupted)
        with pytest.raises(PowerGone):
            restore(target, path)
    with Journal.open(path) as journal:
        assert journal.recovered is None
        assert (presses(3) if renames == 0 else [press(9)]) == [entry.event for entry in journal.entries()]
    replaced = list(path.parent.glob("*.replaced-*Z"))
    assert len(replaced) == (renames > 0)
    for aside in replaced:
        with closing(sqlite3.connect(aside)) as db:
            assert db.execute("SELECT count(*) FROM event").fetchone() == (3,)
