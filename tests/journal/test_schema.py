"""Older journals become newer ones, newer ones and strangers' files stay as they are."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.errors import JournalNewer
from companion.journal import Journal, Reader, restore, schema

from .evening import files, keep, press, texts, unplugged

if TYPE_CHECKING:
    from collections.abc import Callable

THIRD = """
ALTER TABLE event ADD COLUMN camera TEXT NOT NULL DEFAULT 'none; and a semicolon';
CREATE TABLE lamp (number INTEGER PRIMARY KEY, seat INTEGER NOT NULL) STRICT;  -- added
CREATE TRIGGER lamp_is_never_removed BEFORE DELETE ON lamp
BEGIN
    SELECT RAISE(ABORT, 'a lamp is never removed');
END;
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def third(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """From here on a third edition is known."""
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, THIRD))
    return monkeypatch


def edition(path: Path) -> tuple[int, int, list[str]]:
    with closing(sqlite3.connect(path)) as db:
        [(number,)] = db.execute("PRAGMA user_version")
        [(owner,)] = db.execute("PRAGMA application_id")
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema ORDER BY name")]
    return owner, number, names


def test_a_new_journal_says_what_it_is(path: Path) -> None:
    """The file carries the application's id and the edition's number."""
    keep(path)
    assert edition(path)[:2] == (0x43415244, 2)


def test_an_older_journal_becomes_the_newer_one(path: Path, third: pytest.MonkeyPatch) -> None:
    """A third edition adds to the first two; events stay, and more come."""
    with third.context() as first:
        first.setattr(schema, "STEPS", schema.STEPS[:1])
        keep(path, [press(1)])
        assert edition(path)[1] == 1
    keep(path, [press(2)])
    assert edition(path)[1] == 3
    assert {"lamp", "lamp_is_never_removed", "event_is_never_removed"} < set(edition(path)[2])
    assert [press(1), press(2)] == texts(path)


def test_a_damaged_journal_of_the_third_edition_is_recovered_too(path: Path, third: pytest.MonkeyPatch) -> None:
    """Columns that were added behind ours don't hinder the recovery."""
    assert third
    keep(path, [press(1)])
    path.write_bytes(b"\0" * 4096 + path.read_bytes()[4096:])
    assert [press(1)] == texts(path)
    assert edition(path)[1] == 3


def test_a_migration_that_fails_leaves_the_older_edition(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a step is taken, or none of it."""
    keep(path, [press(1)])
    before = edition(path)
    with monkeypatch.context() as broken:
        broken.setattr(schema, "STEPS", (*schema.STEPS, "CREATE TABLE lamp (seat);\nCREATE TABLE event (x);\n"))
        with pytest.raises(OSError, match="already exists"):
            Journal.open(path)
    assert before == edition(path)
    assert [press(1)] == texts(path)


@pytest.mark.parametrize("step", [*schema.STEPS, THIRD])
def test_every_step_only_adds(step: str) -> None:
    """Each statement creates something or adds a column."""
    assert list(schema.split_statements(step))
    for statement in schema.split_statements(step):
        first = re.sub(r"--.*", "", statement).split()[:5]
        assert first[0] == "CREATE" or (first[:2] == ["ALTER", "TABLE"] and first[3] == "ADD")


def test_a_later_companion_s_journal_is_left_alone(path: Path, third: pytest.MonkeyPatch) -> None:
    """It is refused by writer, reader and restore, in one sentence, and not a byte changes."""
    keep(path, [press(1)])
    third.undo()
    before = files(path.parent)
    actions: list[Callable[[Path], object]] = [
        Journal.open,
        Reader.open,
        lambda path: restore(path, path.with_name("other.db")),
    ]
    for action in actions:
        with pytest.raises(JournalNewer, match=r"later companion \(journal edition 3, this one knows 2\)"):
            action(path)
    assert before == files(path.parent)


def test_a_later_edition_that_is_still_in_the_log_is_found_too(path: Path) -> None:
    """The number is read through the log where the file itself doesn't have it yet."""
    after = unplugged(path, [press(1)])
    with closing(sqlite3.connect(after, isolation_level=None)) as db, closing(sqlite3.connect(after)) as keeper:
        keeper.execute("SELECT * FROM event").fetchall()
        db.execute("CREATE TABLE lamp (seat)")
        db.execute("PRAGMA user_version = 3")
        with pytest.raises(JournalNewer):
            Journal.open(after)
