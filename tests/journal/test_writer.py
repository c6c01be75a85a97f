"""What the journal promises the table."""

import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import InvalidEvent, JournalError
from companion.journal import Entry, Journal, Reader, backup
from companion.journal.connection import connect
from companion.journal.entry import parse_draft

from .evening import GAME, failing, files, keep, press, presses, texts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a folder #1?" / "journal.db"


def test_what_is_appended_comes_back_as_it_was(path: Path) -> None:
    """Number, version, both times, type and the very text of each event are kept over a restart."""
    expected = (
        Entry(1, 7, 0, 1_700_000_000_000_000_123, "game", GAME),
        Entry(2, 7, 5, 1_700_000_000_000_000_123, "press", ' {"type" : "press", "t":5, "seat":1.50e1} '),
    )
    with Journal.open(path, wall=lambda: 1_700_000_000_000_000_123) as journal:
        appended = journal.append([entry.event for entry in expected], version=7)
    with Journal.open(path) as journal:
        assert (expected, 2) == (tuple(journal.entries()), journal.last)
    assert expected == appended


def test_numbers_go_on_where_they_stopped(path: Path) -> None:
    """Numbers rise by one over appends, batches and restarts; `after` leaves out what came before."""
    keep(path, [press(1)], [press(2), press(3)])
    with Journal.open(path) as journal:
        assert tuple(entry.number for entry in journal.append([press(4), press(5)])) == (4, 5)
        assert [entry.number for entry in journal.entries(after=3)] == [4, 5]
        assert journal.last == 5


def test_the_newest_game_is_known(path: Path) -> None:
    """From where a restarted table replays: 0 before the first game, then always the newest one's number."""
    with Journal.open(path) as journal:
        assert journal.last_game == 0
        journal.append([press(1)])
        assert journal.last_game == 0
        journal.append([GAME, press(2), GAME, press(3)])
        assert journal.last_game == 4
    with Journal.open(path) as journal:
        assert journal.last_game == 4


def test_many_events_are_read_in_helpings(path: Path) -> None:
    """More events than one helping come back complete and in order."""
    keep(path, presses(1234))
    assert presses(1234) == texts(path)


def test_what_was_appended_is_seen_by_readers_at_once(path: Path) -> None:
    """When `append` returns, another connection sees the event."""
    with Journal.open(path) as journal, Reader.open(path) as reader:
        for t in range(20):
            journal.append([press(t)])
            assert t + 1 == reader.last


def test_an_empty_append_writes_nothing(path: Path) -> None:
    """Appending no events is allowed, gives none, and leaves the files as they are."""
    with Journal.open(path) as journal:
        before = files(path.parent)
        assert journal.append([]) == ()
        assert before == files(path.parent)


def test_one_senseless_event_keeps_the_whole_batch_out(path: Path) -> None:
    """A batch is kept as a whole or not at all."""
    with Journal.open(path) as journal:
        journal.append([press(1)])
        with pytest.raises(InvalidEvent):
            journal.append([press(2), "no event", press(3)])
        assert [press(1)] == [entry.event for entry in journal.entries()]
        assert [entry.number for entry in journal.append([press(4)])] == [2]


def test_an_interrupted_batch_leaves_nothing_behind(path: Path) -> None:
    """Ctrl-C in the middle of a batch keeps all of it out, and the journal goes on."""
    with Journal.open(path, connect=failing(3, KeyboardInterrupt())) as journal:
        journal.append([press(1)])
        with pytest.raises(KeyboardInterrupt):
            journal.append([press(2), press(3)])
        assert [entry.number for entry in journal.append([press(4)])] == [2]
    assert [press(1), press(4)] == texts(path)


SENSELESS = {
    "no JSON": ("{", "property name"),
    "nothing": ("", "Expecting value"),
    "a list": ("[1]", "must be a JSON object"),
    "no time": ('{"type":"press"}', '"t" must be an integer'),
    "a time in a string": ('{"t":"1","type":"press"}', '"t" must be an integer'),
    "a broken time": ('{"t":1.0,"type":"press"}', '"t" must be an integer'),
    "a time that is true": ('{"t":true,"type":"press"}', '"t" must be an integer'),
    "a time beyond 64 bits": (f'{{"t":{2**63},"type":"press"}}', "fits 64 bits"),
    "a time of 5,000 digits": ('{"t":' + "9" * 5000 + ',"type":"press"}', "far too large"),
    "no type": ('{"t":1}', '"type" must be a word'),
    "a type that is a number": ('{"t":1,"type":2}', '"type" must be a word'),
    "NaN": ('{"t":1,"type":"press","x":NaN}', "NaN is no number"),
    "infinity": ('{"t":1,"type":"press","x":-Infinity}', "-Infinity is no number"),
    "a lone surrogate": ('{"t":1,"type":"press","x":"\ud800"}', "half a character"),
    "an escaped lone surrogate": (r'{"t":1,"type":"press","x":"\udc00"}', "half a character"),
    "a NUL": ('{"t":1,"type":"press","x":"\0"}', "Invalid control character"),
    "the same key twice": ('{"t":1,"t":2,"type":"press"}', "a key stands in it twice"),
    "two lines": ('{"t":1,\n"type":"press"}', "must stand on one line"),
    "an old Mac's two lines": ('{"t":1,\r"type":"press"}', "must stand on one line"),
    "too deep": ('{"t":1,"type":"press","x":' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
    "a game without a name": ('{"t":1,"type":"game","seats":["Ada"]}', "a game must have its name"),
    "a game without seats": ('{"t":1,"type":"game","game":"goat"}', "a game must have its name"),
    "a game of numbers": ('{"t":1,"type":"game","game":"goat","seats":[1]}', "a game must have its name"),
}


@pytest.mark.parametrize(("event", "why"), SENSELESS.values(), ids=SENSELESS)
def test_what_is_no_event_is_refused(path: Path, event: str, why: str) -> None:
    """A text that might come back different, or can't be replayed, is refused with the reason."""
    with Journal.open(path) as journal:
        with pytest.raises(InvalidEvent) as refusal:
            journal.append([event])
        assert why in str(refusal.value)
        assert "\n" not in str(refusal.value)
        assert journal.last == 0


ODD = [
    r'{"t":1,"type":"press","x":"\u0000 \ud83d\udc10"}',
    '{"t":-9223372036854775808,"type":"","x":[1e400,-0,' + "9" * 4000 + "]}",
    '{"t":9223372036854775807,"type":"\u2028 🐐 \x7f","":null}',
    '{"t":1,"type":"long","x":"' + "é" * 100_000 + '"}',
]


@pytest.mark.parametrize("event", ODD)
def test_odd_but_right_texts_are_kept_to_the_last_character(path: Path, event: str) -> None:
    """Escapes, huge numbers, line separators and long texts come back exactly."""
    keep(path, [event])
    assert [event] == texts(path)


@given(
    st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers() | st.floats() | st.text()),
    st.integers(-(2**63), 2**63 - 1),
    st.text(),
)
def test_an_event_is_either_refused_or_understood(said: dict[str, Any], t: int, kind: str) -> None:
    """Whatever Python writes as JSON is refused with our own error or gives its own time and type."""
    event = json.dumps(said | {"t": t, "type": kind})
    try:
        found = parse_draft(event)
        assert (t, kind) == (found.t, found.type)
    except InvalidEvent:
        assert any(word in event for word in ("NaN", "Infinity", r"\ud", '"game"'))


FORBIDDEN = {
    "an update": "UPDATE event SET t = 9 WHERE number = 1",
    "an update or replace": "UPDATE OR REPLACE event SET number = 2 WHERE number = 1",
    "a deletion": "DELETE FROM event WHERE number = 1",
    "emptying the table": "DELETE FROM event",
    "a replacement": "INSERT OR REPLACE INTO event VALUES (1, 1, 1, 1, 'x', 'x', 1)",
    "another replacement": "REPLACE INTO event VALUES (2, 1, 1, 1, 'x', 'x', 1)",
    "an upsert": "INSERT INTO event VALUES (1, 1, 1, 1, 'x', 'x', 1) ON CONFLICT DO UPDATE SET t = 9",
    "an ignored insertion": "INSERT OR IGNORE INTO event VALUES (1, 1, 1, 1, 'x', 'x', 1)",
    "an insertion before the end": "INSERT INTO event VALUES (0, 1, 1, 1, 'x', 'x', 1)",
    "an insertion without a number": "INSERT INTO event VALUES (NULL, 1, 1, 1, 'x', 'x', 1)",
    "a time that is a text": "INSERT INTO event VALUES (9, 1, 'soon', 1, 'x', 'x', 1)",
}


@pytest.mark.parametrize("statement", FORBIDDEN.values(), ids=FORBIDDEN)
def test_events_are_neither_changed_nor_removed(path: Path, statement: str) -> None:
    """Whoever opens the file with SQLite itself is refused as well."""
    keep(path, [press(1), press(2)])
    with closing(sqlite3.connect(path)) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute(statement)
    assert [press(1), press(2)] == texts(path)


def test_the_writing_connection_is_set_to_outlive_the_power(path: Path) -> None:
    """Write-ahead log, every commit synced, no mmap, on the connection that writes."""
    promised = {
        "journal_mode": "wal",
        "synchronous": 2,
        "mmap_size": 0,
        "fullfsync": 1,
        "checkpoint_fullfsync": 1,
    }
    writing: list[sqlite3.Connection] = []

    def kept(path: Path) -> sqlite3.Connection:
        writing.append(connect(path))
        return writing[0]

    with Journal.open(path, connect=kept):
        assert promised == {name: writing[0].execute(f"PRAGMA {name}").fetchone()[0] for name in promised}


def test_only_one_connection_can_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all connections a life of opening, reading and backing up makes, one isn't read-only."""
    keep(path, [GAME])
    opened: list[str] = []
    real = sqlite3.connect

    def noting(database: str, **options: Any) -> sqlite3.Connection:
        opened.append(database)
        return real(database, **options)

    monkeypatch.setattr(sqlite3, "connect", noting)
    with Journal.open(path) as journal, Reader.open(path) as reader:
        journal.append([press(1)])
        reader.games()
        backup(path, path.parent / "backup.db")
    uri = path.absolute().as_uri()
    assert len([each for each in opened if each.startswith(uri + "?")]) > 3
    assert [uri + "?mode=rw"] == [each for each in opened if each.startswith(uri) and "mode=ro" not in each]


def test_a_file_system_without_a_log_is_refused(path: Path) -> None:
    """Where SQLite can't keep its promise the journal isn't opened."""
    keep(path, [press(1)])

    def in_memory(path: Path) -> sqlite3.Connection:
        with closing(connect(path)) as db:
            memory = sqlite3.connect(":memory:", isolation_level=None)
            db.backup(memory)
            return memory

    with pytest.raises(JournalError, match="can't hold a write-ahead log"):
        Journal.open(path, connect=in_memory)
    assert [press(1)] == texts(path)


def test_closing_twice_is_once(path: Path) -> None:
    """`close` may be called again; what is asked afterwards is refused in plain words."""
    journal = Journal.open(path)
    journal.append([press(1)])
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="is closed"):
        journal.append([press(2)])
    with pytest.raises(JournalError, match="is closed"):
        next(journal.entries())


def test_a_closed_journal_is_one_file_and_its_lock(path: Path) -> None:
    """Closing brings the log home."""
    keep(path, [press(1)])
    assert {"journal.db", "journal.db.lock"} == set(files(path.parent))


def test_the_journal_may_be_handed_to_another_thread(path: Path) -> None:
    """Opened by one thread, kept by another."""
    with Journal.open(path) as journal:
        table = threading.Thread(target=lambda: journal.append([press(1)]))
        table.start()
        table.join()
        assert journal.last == 1
