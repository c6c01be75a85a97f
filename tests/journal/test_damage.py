"""Damaged journals: set aside as they are, and what can be read of them lives on under its old numbers."""

import random
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import JournalDamaged, JournalFull, NotAJournal
from companion.journal import Entry, Gap, Journal, JournalGame, Loss, Reader, Recovery, recover, schema, swap
from companion.journal.connection import connect
from companion.journal.entry import insert

from ..kinds import mostly_slow
from .evening import PowerGone, files, gone_after, keep, press, presses, texts, unplugged

PAGE = 4096
LONG = '{"t":500,"type":"long","x":"' + "ü" * 20_000 + '"}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of 401 events, closed as it should be; number 201 is long."""
    path = tmp_path / "journal.db"
    keep(path, presses(200), [LONG], presses(200))
    return path


def entries(path: Path) -> dict[int, Entry]:
    with Reader.open(path) as reader:
        return {entry.number: entry for entry in reader.entries()}


def change(path: Path, offset: int, data: bytes) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:offset] + data + content[offset + len(data) :])


def recovered(path: Path, before: dict[int, Entry]) -> Recovery:
    """Opens the damaged journal and holds it to everything that is true of every recovery."""
    damaged = {
        name: content for name, content in files(path.parent).items() if not name.endswith(("-shm", ".lock"))
    }
    with Journal.open(path) as journal:
        report = journal.recovered
        assert report is not None
        found = {entry.number: entry for entry in journal.entries()}
        assert found.items() <= before.items()
        assert len(found) == report.recovered
        assert max(found, default=0) == report.last
        lost = [number for loss in report.lost for number in range(loss.gap.first, loss.gap.last + 1)]
        assert sorted(set(range(1, journal.last + 1)) - set(found)) == lost
        assert journal.gaps == tuple(loss.gap for loss in report.lost)
        journal.append([press(9)])
    for name, content in damaged.items():
        assert report.aside.with_name(name.replace(path.name, report.aside.name)).read_bytes() == content
    with Journal.open(path) as journal:
        assert journal.recovered is None
        assert journal.gaps == tuple(loss.gap for loss in report.lost)
        assert [press(9)] == [entry.event for entry in journal.entries(after=report.last)]
    return report


@pytest.mark.parametrize("page", range(32))
def test_a_zeroed_page_costs_only_what_was_on_it(path: Path, page: int) -> None:
    """Whichever page is lost, of the file's head, the way to the leaves, or the leaves: the rest is recovered."""
    before = entries(path)
    assert len(path.read_bytes()) == 32 * PAGE
    change(path, page * PAGE, bytes(PAGE))
    report = recovered(path, before)
    assert report.recovered >= 401 - PAGE // 100
    assert len(report.lost) <= 1


def test_a_damaged_head_costs_nothing(path: Path) -> None:
    """A file SQLite takes for no database at all gives back every event."""
    before = entries(path)
    change(path, 0, random.Random(1).randbytes(100))
    report = recovered(path, before)
    assert (report.recovered, report.last, report.lost) == (401, 401, ())


@pytest.mark.parametrize("hit_elsewhere", [False, True])
def test_a_destroyed_name_is_still_ours(path: Path, *, hit_elsewhere: bool) -> None:
    """The lock file beside it tells a journal whose application id is gone from a stranger's database."""
    before = entries(path)
    change(path, 68, b"ELSE")
    if hit_elsewhere:
        change(path, 5 * PAGE, bytes(PAGE))
    assert recovered(path, before).recovered > (350 if hit_elsewhere else 400)


def test_a_stranger_s_database_is_left_alone(path: Path) -> None:
    """Wherever it lies: one that is sound and has other tables is none of ours."""
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE event (number)")
    before = files(path.parent)
    with pytest.raises(NotAJournal):
        Journal.open(path)
    assert files(path.parent) == before


def test_a_schema_that_is_gone_is_damage(path: Path) -> None:
    """Where our own tables can't be found under their names, the events are found without them."""
    before = entries(path)
    content = path.read_bytes()
    change(path, content.index(b"sitting", 100), b"sittinx")
    change(path, content.index(b"sittingsitting", 100), b"sittinxsittinx")
    change(path, content.index(b"CREATE TABLE sitting"), b"CREATE TABLE sittinx")
    assert recovered(path, before).recovered == 401


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_file_cut_in_the_middle_gives_its_beginning(path: Path, share: float) -> None:
    """What of the file is there is recovered."""
    before = entries(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    assert recovered(path, before).recovered > 401 * share - 150


def test_a_flipped_bit_in_a_text_is_noticed(path: Path) -> None:
    """A text that still is right JSON, but no longer what was kept, is lost and not believed."""
    before = entries(path)
    change(path, path.read_bytes().index(b'"t": 42, "type": "press", "seat": 0') + 33, b"1")
    [loss] = recovered(path, before).lost
    assert (loss.gap.first, loss.gap.last, loss.gap.goes_on) == (42, 42, False)


def test_a_text_that_is_no_text_any_more_is_noticed(path: Path) -> None:
    """Bytes that are no UTF-8 cost one event and stop nothing."""
    before = entries(path)
    change(path, path.read_bytes().index(b'"t": 77,') + 60, b"\xff\xfe")
    assert recovered(path, before).recovered == 400


def test_damage_that_comes_while_the_table_plays_is_repaired_at_the_next_opening(path: Path) -> None:
    """Whoever reads is told in words; so is who asks for the newest game."""
    with Journal.open(path) as journal:
        journal.append([press(1)])
        before = entries(path)
        change(path, path.read_bytes().index(b'"t": 77,') + 60, b"yy")
        with (
            Reader.open(path) as reader,
            pytest.raises(JournalDamaged, match=r"Event 7\d in .* start the companion"),
        ):
            list(reader.entries())
    assert recovered(path, before).recovered == 401


def test_a_single_flipped_bit_in_the_newest_event_is_found(path: Path) -> None:
    """It is lost, and that there was one is remembered."""
    before = entries(path)
    change(path, path.read_bytes().rindex(b'"t": 200,') + 60, b"y")
    report = recovered(path, before)
    assert [(401, 401, True)] == [(loss.gap.first, loss.gap.last, loss.gap.goes_on) for loss in report.lost]


def middle(log: Path) -> None:
    size = log.stat().st_size
    change(log, size // 3, random.Random(2).randbytes(size // 3))


def head(log: Path) -> None:
    change(log, 0, random.Random(3).randbytes(32))


@pytest.mark.parametrize("damage", [middle, head])
def test_garbage_over_the_log_is_noticed(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    """Events in the log that SQLite would silently take for a power cut's remains are recovered."""
    path = unplugged(tmp_path / "journal.db", *([press(t)] for t in range(1, 200)), [LONG], [press(200)])
    whole = path.parent / "whole"
    shutil.copytree(path.parent, whole)
    damage(swap.add_suffix(path, "-wal"))
    assert recovered(path, entries(whole / path.name)).recovered > 140


@pytest.mark.parametrize("cut", [1, 3000, 5000, 100_000])
def test_a_log_without_its_end_is_a_power_cut(tmp_path: Path, cut: int) -> None:
    """What is missing from the end of the log was, as far as anybody can tell, never written."""
    path = unplugged(tmp_path / "journal.db", *([press(t)] for t in range(1, 200)))
    log = swap.add_suffix(path, "-wal")
    log.write_bytes(log.read_bytes()[:-cut])
    with Journal.open(path) as journal:
        assert journal.recovered is None
        assert 100 < journal.last < 199
        assert presses(journal.last) == [entry.event for entry in journal.entries()]


def emptied(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("loss", [emptied, Path.unlink])
def test_a_log_without_its_file_is_read(tmp_path: Path, loss: Callable[[Path], None]) -> None:
    """Where only the log is left, SQLite would delete it; we recover from it."""
    path = unplugged(tmp_path / "journal.db", *([press(t)] for t in range(1, 100)))
    before = {number: replace(entry) for number, entry in entries(path).items()}
    loss(path)
    assert recovered(path, before).recovered == 99


@pytest.mark.parametrize("seed", mostly_slow(range(150), 30))
def test_any_garbage_leaves_only_true_events(path: Path, tmp_path: Path, seed: int) -> None:
    """Wherever bytes are overwritten, behind the head: what is found was kept so, or nothing was damaged."""
    chance = random.Random(seed)
    before = entries(path)
    size = path.stat().st_size
    for _ in range(chance.choice([1, 3, 10])):
        garbage = chance.randbytes(chance.choice([1, 8, 200, 5000]))
        change(path, chance.randrange(100, size - len(garbage)), garbage)
    with Journal.open(path) as journal:
        found = {entry.number: entry for entry in journal.entries()}
        assert found.items() <= before.items()
        assert journal.recovered is not None or found == before
    assert len(list(tmp_path.glob("*.damaged-*Z"))) == (journal.recovered is not None)


def test_a_recovery_tells_in_plain_words_what_is_lost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many came back, which are lost, of which game, when that was, and where the damaged file is."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    aside = path.with_name("journal.db.damaged-20261118-120000Z")
    begun = 1_794_000_000_000_000_000
    game = JournalGame(2, begun, "goat", ("Ada", "Ben"), 90)
    lost = (
        Loss(Gap(3, 3, 0, goes_on=False), game, begun, begun + 10**10),
        Loss(Gap(10, 12, 0, goes_on=True), None),
    )
    report = Recovery(aside, 96, 100, lost, is_end_known=False)
    assert str(report) == (
        f"The journal was damaged; the damaged file is kept as {aside}. 96 events were recovered, up to number "
        "100; lost: event 3 of the game of 2026-11-06 21:20 (Ada, Ben), after 21:20:00 and before 21:20:10; "
        "events 10 to 12. Whether there were events after it, the file no longer tells. "
        "A game that has lost events is shown as far as it is known, all others are whole."
    )
    whole = str(replace(report, lost=(), is_end_known=True))
    assert "up to number 100; none before that is lost. A game" in whole


def test_a_gap_is_remembered_through_a_second_damage(path: Path) -> None:
    """Also that the game went on after it; and numbers that were lost at the end are given to no other event."""
    change(path, path.read_bytes().rindex(b'"t": 200,') + 60, b"y")
    with Journal.open(path, wall=lambda: 7) as journal:
        journal.append([press(9)])
        assert [(gap.first, gap.last, gap.found, gap.goes_on) for gap in journal.gaps] == [(401, 401, 7, True)]
        assert journal.last == 402
    change(path, path.read_bytes().index(b'"t": 42,') + 60, b"y")
    with Journal.open(path, wall=lambda: 8) as journal:
        found = [(gap.first, gap.last, gap.found, gap.goes_on) for gap in journal.gaps]
        assert found == [(42, 42, 8, False), (401, 401, 7, True)]
        assert journal.recovered is not None
        assert [42] == [loss.gap.first for loss in journal.recovered.lost]


def test_a_gap_that_is_damaged_itself_is_found(path: Path) -> None:
    """What is remembered of an earlier damage has a checksum, too."""
    change(path, path.read_bytes().rindex(b'"t": 200,') + 60, b"y")
    wall = 0x1234567812345678
    Journal.open(path, wall=lambda: wall).close()
    content = path.read_bytes()
    path.write_bytes(content.replace(wall.to_bytes(8), (wall + 1).to_bytes(8)))
    with Journal.open(path) as journal:
        assert journal.recovered is not None
        assert [(gap.first, gap.goes_on) for gap in journal.gaps] == [(401, True)]


def test_a_journal_of_the_first_edition_remembers_its_gaps_from_now_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an older companion has recovered had lost them without a trace but the numbers."""
    path.unlink()
    with monkeypatch.context() as older:
        older.setattr(schema, "STEPS", schema.STEPS[:1])
        keep(path, presses(3))
    with closing(connect(path)) as db:
        insert(db, Entry(6, 1, 6, 6, "press", press(6)))
    with Journal.open(path) as journal:
        assert [(gap.first, gap.last, gap.goes_on) for gap in journal.gaps] == [(4, 5, False)]


def test_no_two_damaged_files_share_a_name(path: Path) -> None:
    """Two recoveries within a second set two files aside."""
    for _ in range(2):
        change(path, 3 * PAGE, bytes(PAGE))
        Journal.open(path, wall=lambda: 10**18).close()
    names = {"journal.db.damaged-20010909-014640Z", "journal.db.damaged-20010909-014640Z-2"}
    assert names < set(files(path.parent))


def test_no_room_for_the_recovery_leaves_everything_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk stops the recovery before anything is moved; with room again it succeeds."""
    before = entries(path)
    change(path, 3 * PAGE, bytes(PAGE))
    damaged = files(path.parent)

    def small(path: Path) -> sqlite3.Connection:
        db = connect(path)
        db.execute("PRAGMA max_page_count = 10")
        return db

    with monkeypatch.context() as full:
        full.setattr(recover, "connect", small)
        with pytest.raises(JournalFull):
            Journal.open(path)
    assert {**damaged, "journal.db.lock": b""} == {**files(path.parent), "journal.db.lock": b""}
    assert recovered(path, before).recovered > 350


@pytest.mark.parametrize("renames", range(4))
def test_a_recovery_may_be_interrupted_anywhere(
    tmp_path: Path, renames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever the power goes during a recovery, the next opening ends with the same journal and report."""
    path = unplugged(tmp_path / "journal.db", *([press(t)] for t in range(1, 100)))
    path.write_bytes(b"")
    log = swap.add_suffix(path, "-wal").read_bytes()
    with monkeypatch.context() as interrupted:
        gone_after(renames, interrupted)
        with pytest.raises(PowerGone):
            Journal.open(path)
    with Journal.open(path) as journal:
        assert presses(99) == [entry.event for entry in journal.entries()]
        assert journal.recovered is not None
        assert journal.recovered.recovered == 99
        assert journal.recovered.aside.read_bytes() == b""
        assert log == swap.add_suffix(journal.recovered.aside, "-wal").read_bytes()
    assert {"journal.db", "journal.db.lock"} == {name for name in files(path.parent) if "damaged" not in name}


@pytest.mark.parametrize("renames", range(2))
def test_the_making_of_a_journal_may_be_interrupted(
    tmp_path: Path, renames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal is there as a whole or not at all, whatever a first attempt left behind."""
    path = tmp_path / "journal.db"
    for leftover in ("journal.db.draft", "journal.db.draft-wal"):
        path.with_name(leftover).write_text("left behind")
    with monkeypatch.context() as interrupted:
        gone_after(renames, interrupted)
        with pytest.raises(PowerGone):
            Journal.open(path)
    keep(path, [press(1)])
    assert [press(1)] == texts(path)
    assert {"journal.db", "journal.db.lock"} == set(files(tmp_path))


def test_a_neighbour_s_successor_is_none_of_ours(tmp_path: Path) -> None:
    """Two journals in one folder don't finish each other's moves."""
    (tmp_path / "other.db.damaged-1.successor").write_text("other's")
    keep(tmp_path / "journal.db", [press(1)])
    assert (tmp_path / "other.db.damaged-1.successor").read_text() == "other's"
