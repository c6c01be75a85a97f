"""Looking at the journal: the games of an evening, while it is being written and after."""

import sqlite3
import threading
from pathlib import Path

import pytest

from companion.errors import JournalDamaged, JournalError
from companion.journal import Journal, JournalGame, Reader
from companion.journal.lock import lock_path

from .evening import GAME, keep, press, presses

ISLE = ' { "type" : "game", "game":"isle", "t":7, "seats":["Ü", "\\u00df", "🐐"] } '


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def test_games_are_listed_with_what_they_hold(path: Path) -> None:
    """Each game's first number, wall-clock time, name, seats and number of entries, its first included."""
    walls = iter(range(100, 200))
    with Journal.open(path, wall=lambda: next(walls)) as journal:
        journal.append([press(1)])
        journal.append([GAME, press(2), press(3)])
        journal.append([press(4)])
        journal.append([ISLE])
    with Reader.open(path) as reader:
        begun = next(entry.wall for entry in reader.entries(1))
        assert [
            JournalGame(2, begun, "goat", ("Ada", "Ben"), 4, end=6),
            JournalGame(6, begun + 2, "isle", ("Ü", "ß", "🐐"), 1),
        ] == reader.games()


def test_a_journal_without_a_game_lists_none(path: Path) -> None:
    """Neither an empty journal nor loose events make a game."""
    keep(path)
    with Reader.open(path) as reader:
        assert (reader.last, reader.games()) == (0, [])
    keep(path, [press(1), '{"t":1,"type":"note","game":"game","x":"\\"type\\":\\"game\\""}'])
    with Reader.open(path) as reader:
        assert reader.games() == []


def test_readers_can_t_write(path: Path) -> None:
    """Not even by reaching for the connection itself."""
    keep(path, [press(1)])
    with Reader.open(path) as reader:
        for statement in (
            "INSERT INTO sitting (opened) VALUES (1)",
            "DROP TABLE event",
            "PRAGMA user_version = 9",
        ):
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                reader._db.execute(statement)  # pyright: ignore[reportPrivateUsage]
        assert reader.last == 1


def test_readers_see_only_whole_batches_while_the_writer_writes(path: Path) -> None:
    """Reading and writing at the same time, a reader sees a beginning of the journal that ends with a batch."""
    done = threading.Event()
    with Journal.open(path) as journal:

        def write() -> None:
            for t in range(0, 900, 3):
                journal.append([press(t + 1), press(t + 2), press(t + 3)])
            done.set()

        table = threading.Thread(target=write)
        table.start()
        looks = 0
        while not done.is_set() or looks < 3:
            with Reader.open(path) as reader:
                seen = [entry.event for entry in reader.entries()]
            assert presses(len(seen)) == seen
            assert len(seen) % 3 == 0
            looks += 1
        table.join()
        assert journal.last == 900


def test_a_slow_reader_doesn_t_hold_the_writer_up(path: Path) -> None:
    """In the midst of reading, the log still comes home when the journal is closed."""
    keep(path, presses(600))
    with Reader.open(path) as reader:
        entries = reader.entries()
        assert next(entries).number == 1
        with Journal.open(path) as journal:
            journal.append([press(601)])
        assert (path.parent / "journal.db-wal").stat().st_size == 0
        assert presses(601)[1:] == [entry.event for entry in entries]


def test_a_damaged_journal_is_named_to_the_reader(path: Path) -> None:
    """Damage is said in our words, whether SQLite or the event's own checksum finds it."""
    keep(path, [GAME, *presses(200)])
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"Ada", b"Eva"))
    with Reader.open(path) as reader:
        with pytest.raises(JournalDamaged, match="Event 1 in"):
            reader.games()
        with pytest.raises(JournalDamaged, match="Event 1 in"):
            list(reader.entries())
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(JournalDamaged, match="is damaged"), Reader.open(path) as reader:
        list(reader.entries())
    path.write_bytes(b"\xff" * 4096 + whole[4096:])
    assert lock_path(path).exists()
    with pytest.raises(JournalError, match="is damaged"):
        Reader.open(path)
