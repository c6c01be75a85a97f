"""The power goes at any moment, and whatever the journal has acknowledged is there afterwards."""

import json
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from companion.journal import Journal
from companion.journal.lock import lock_path

from ...kinds import mostly_slow
from .disk import Disk, Name, Note, Recorder, Sync, SyncFolder, Told, Wired, Write

MEMORY = Path("/dev/shm")  # noqa: S108  thousands of journals are opened, and their syncs needn't reach a real disk


@dataclass(frozen=True, slots=True)
class Evening:
    notes: list[Note]
    events: list[str]
    whole: set[int]  # how many events there may be to see: no batch is seen in part


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)


def batch(number: int, chance: random.Random) -> list[str]:
    """Mostly one short event; now and then several, or one that spills over several pages."""
    sizes = chance.choice([[40], [40], [40], [600, 600, 600, 600, 600], [2500, 40], [9000]])
    return [
        json.dumps({"t": number, "type": "note", "text": chance.choice("abc") * chance.randrange(1, size)})
        for size in sizes
    ]


def play(folder: Path, seed: int, *before_each_transaction: str) -> Evening:
    """Sittings with a checkpoint every few appends, on a disk that notes everything down; some end in a kill."""
    chance = random.Random(seed)
    disk = Recorder()
    evening = Evening(disk.notes, [], {0})
    before = ("PRAGMA wal_autocheckpoint = 8", *before_each_transaction)
    clock = count(1)
    for number, killed in enumerate((False, True, False, True, True, False)):
        path = folder / str(number) / "journal.db"
        journal = Journal.open(path, connect=lambda path: Wired(path, disk.vfs, *before), wall=lambda: next(clock))
        for _ in range(35):
            evening.events.extend(entry.event for entry in journal.append(batch(journal.last, chance)))
            evening.notes.append(Told(journal.last))
            evening.whole.add(journal.last)
        if not killed:
            journal.close()
        # The next sitting finds what this one has written so far, but of a killed one not what closing writes.
        ignored = shutil.ignore_patterns("*-shm", "*.lock")
        shutil.copytree(path.parent, folder / str(number + 1), ignore=ignored)
        with disk.deaf():
            journal.close()
    return evening


def cuts(evening: Evening, folder: Path, number: int, seed: int) -> Iterator[tuple[Path, int]]:
    """The journal as each cut leaves it, and up to where it had been acknowledged."""
    chance = random.Random(seed)
    moments = sorted(chance.choices(range(1, len(evening.notes) + 1), k=number))
    disk, noted = Disk(), 0
    for moment in moments:
        for note in evening.notes[noted:moment]:
            disk.note(note)
        noted = moment
        after = folder / "after"
        after.mkdir()
        disk.cut(after, chance)
        lock_path(after / "journal.db").touch()  # on disk since the log's first sync of the folder
        yield after / "journal.db", disk.told
        shutil.rmtree(after)


def stands(path: Path, told: int, evening: Evening) -> None:
    with Journal.open(path, wall=lambda: 10**9) as journal:
        seen = [entry.event for entry in journal.entries()]
        assert journal.recovered is None
        assert evening.events[: len(seen)] == seen
        assert len(seen) in evening.whole
        assert len(seen) >= told
        [again] = journal.append(['{"t":0,"type":"again"}'])
        assert again.number == len(seen) + 1
    assert ("ok", len(seen) + 1) == beheld(path)


def beheld(path: Path) -> tuple[str, int]:
    with closing(sqlite3.connect(path)) as db:
        [(verdict,)] = db.execute("PRAGMA integrity_check").fetchall()
        [(events,)] = db.execute("SELECT count(*) FROM event").fetchall()
    return verdict, events


@pytest.mark.parametrize(("seed", "many"), mostly_slow([(0, 100), *((seed, 1000) for seed in range(4))]))
def test_power_cuts_lose_nothing_that_was_acknowledged(folder: Path, seed: int, many: int) -> None:
    """After so many cuts of an evening no file is damaged, no acknowledged event gone, no batch seen in part."""
    evening = play(folder, seed)
    survived = 0
    for path, told in cuts(evening, folder, many, seed):
        stands(path, told, evening)
        survived += 1
    assert survived == many


def test_the_same_cuts_find_out_a_writer_that_does_not_sync(folder: Path) -> None:
    """With synchronous=NORMAL many cuts lose acknowledged events: the check above can fail."""
    evening = play(folder, 0, "PRAGMA synchronous = NORMAL")
    losses = [told - beheld(path)[1] for path, told in cuts(evening, folder, 300, 0)]
    assert sum(loss > 0 for loss in losses) > 100


def test_evenings_cover_what_can_go_wrong(folder: Path) -> None:
    """A recorded evening holds checkpoints, syncs of the file and of the log, creations and deletions."""
    notes = play(folder, 0).notes
    [file, *logs] = dict.fromkeys(note.file for note in notes if isinstance(note, Sync))
    assert len(logs) == 3
    assert sum(note == Sync(file) for note in notes) > 50
    assert sum(isinstance(note, Name) for note in notes) == 6
    assert any(isinstance(note, SyncFolder) for note in notes)


def test_a_recorded_evening_is_always_the_same(folder: Path) -> None:
    """The same seed gives the same notes but for the log's random salts, and so the same cuts."""
    first, second = folder / "first", folder / "second"
    shapes = [
        [(type(note), len(note.data) if isinstance(note, Write) else 0) for note in play(each, 3).notes]
        for each in (first, second)
    ]
    assert shapes[0] == shapes[1]


def test_the_disk_keeps_what_was_synced(folder: Path) -> None:
    """Synced bytes survive every cut; unsynced ones are lost, kept and torn, by the seed."""
    disk = Disk()
    for note in [Name("a", 1), SyncFolder(), Write(1, 0, b"safe" * 300), Sync(1), Write(1, 1200, b"float" * 300)]:
        disk.note(note)
    seen: set[bytes] = set()
    for seed in range(50):
        disk.cut(folder, random.Random(seed))
        seen.add((folder / "a").read_bytes())
    assert all(content.startswith(b"safe" * 300) for content in seen)
    assert {b"safe" * 300, b"safe" * 300 + b"float" * 300} < seen
