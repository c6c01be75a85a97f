"""A disk that is full, or fails, under a table that plays: nothing ends, nothing told is lost, it is said once and
goes on by itself; with a real tiny disk, and with one that only says so, which every machine has."""

import errno
import json
import logging
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from companion.app import build_rig
from companion.demo import world as worlds
from companion.demo.build_demo import Demo, DemoOptions, demo
from companion.demo.cast import Company
from companion.drawn.drawn_lot import scene_by_lot
from companion.errors import JournalFull
from companion.games.goat.cast.supplied_deck import goat_faces
from companion.journal import Journal
from companion.journal.connection import connect
from companion.live import health as healths
from companion.rig import race_photos
from companion.rig.camera_worker import FrameSource
from companion.table import live_table as tables
from companion.table import open_journal as journals
from companion.table.live_table import Snapshot, Table
from companion.threads.worker import Crew
from companion.web import api, phones_file
from hardware.gpio.simchip import SimChip

from .app.test_build_rig import GAME, PLAN, Phone, paired, phone_lines, running_rig, slap
from .disks import Failing, fill, tiny_disk
from .kinds import mostly_slow
from .remembered import paint
from .said import Run
from .still import Still
from .waiting import until

WATCHED = replace(PLAN, camera="usb:0")


class Disk:
    """Where the data is kept, and what befalls it."""

    def __init__(self, folder: Path, fill_up: Callable[[int | None], None]) -> None:
        self.folder = folder
        self.fill_up = fill_up
        """So many kB are left; None: as many as there were."""


@contextmanager
def real_disk(folder: Path, _monkeypatch: pytest.MonkeyPatch) -> Generator[Disk]:
    with tiny_disk(folder, 2048) as disk:
        ballast = disk / "ballast"

        def fill_up(left_kb: int | None) -> None:
            ballast.unlink(missing_ok=True)
            if left_kb is not None:
                fill(disk, left_kb)

        yield Disk(disk, fill_up)


# As SQLite says it.
CODES = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.EIO: sqlite3.SQLITE_IOERR_WRITE,
    errno.EACCES: sqlite3.SQLITE_PERM,
}


class Refusing:
    """The journal's own connection; while it is told to, it commits nothing."""

    code: int | None = None

    def __init__(self, path: Path) -> None:
        self._db = connect(path)

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def execute(self, sql: str, parameters: Sequence[int | str] = ()) -> Iterator[Any]:
        if sql == "COMMIT" and self.code is not None:
            error = sqlite3.OperationalError("refused")
            error.sqlite_errorcode = self.code
            raise error
        return self._db.execute(sql, parameters)

    def close(self) -> None:
        self._db.close()


@contextmanager
def said_disk(number: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Disk]:
    """It only says so, but whatever is wrong with it; and on every machine."""
    others = Failing(folder, monkeypatch)
    connected = partial(Journal.open, connect=Refusing)
    monkeypatch.setattr(journals, "Journal", type("Refused", (), {"open": staticmethod(connected)}))
    folder.mkdir()

    def fill_up(left_kb: int | None) -> None:
        others.error = None if left_kb is None else number
        monkeypatch.setattr(Refusing, "code", CODES[number] if left_kb == 0 else None)

    yield Disk(folder, fill_up)


KINDS = {"real": real_disk} | {errno.errorcode[number]: partial(said_disk, number) for number in CODES}


@pytest.fixture(params=mostly_slow(["ENOSPC", "real", *sorted(KINDS.keys() - {"ENOSPC", "real"})], 2))
def disk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    with KINDS[request.param](tmp_path / "disk", monkeypatch) as disk:
        yield disk


@pytest.fixture
def phone(
    disk: Disk, chip: SimChip, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Iterator[Phone]:
    caplog.set_level(logging.INFO)
    pixels, _ = paint(scene_by_lot(4, goat_faces(), light="neutral", mat=True, filled=3))

    @contextmanager
    def camera(_: str) -> Generator[FrameSource]:
        yield Still(np.asarray(pixels, np.uint8), chip.clock)

    monkeypatch.setattr(build_rig, "camera", camera)
    monkeypatch.setattr(phones_file, "AGAIN_S", 0.05)
    monkeypatch.setattr(race_photos, "RETRY_S", 0.05)
    monkeypatch.setattr(tables, "TRY_S", 0.05)
    # A tiny disk is nearly full by itself.
    monkeypatch.setattr(healths, "LOW_DISK", 0)
    monkeypatch.setattr(api, "LOW_DISK", 0)
    with running_rig(WATCHED, disk.folder, []) as phone:
        paired(phone, chip)
        until(lambda: "The camera sees the mat" in phone.page("/rig/now"))
        yield phone


def wrong(phone: Phone) -> dict[str, str]:
    _, said = phone.ask("/healthz")
    return {key: what for key, what in said.items() if key != "ok" and what is not None}


def events(phone: Phone, kind: str) -> int:
    return sum(json.loads(line)["type"] == kind for line in phone_lines(phone))


def rested(chip: SimChip) -> int:
    """When all buttons have been up for a while: what comes sooner is no press of its own."""
    now = chip.clock()
    until(lambda: chip.clock() > now + 300_000_000)
    return chip.clock()


def race(phone: Phone, chip: SimChip) -> None:
    """Whoever presses last is the slowest."""
    now = rested(chip)
    for pin, after in ((5, 0), (19, 1_000_000)):
        slap(chip, pin, now + after)
    until(lambda: phone.state()["phase"] == "pickup")
    assert [1, 2] == phone.state()["safe"]


def settled(phone: Phone) -> None:
    """The debt is paid."""
    assert 200 == phone.say({"type": "take", "seat": 0, "cards": 0})
    until(lambda: phone.state()["phase"] == "play")


def photos(disk: Disk) -> int:
    return len([*(disk.folder / "finishes").glob("*.jpg")])


def test_photos_are_refused_and_presses_are_not(
    phone: Phone, chip: SimChip, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    """There is room for a press and for no picture: the race is judged, its pictures wait; that is said once."""
    assert 200 == phone.say(GAME)
    disk.fill_up(28)
    race(phone, chip)
    until(lambda: "photos" in wrong(phone))
    assert ["photos"] == [*wrong(phone)]
    assert str(disk.folder / "finishes") in wrong(phone)["photos"]
    assert "Photo finishes can't be kept at the moment" in phone.page("/rig").replace("&#39;", "'")
    assert photos(disk) < 2
    disk.fill_up(None)
    until(lambda: wrong(phone) == {})
    until(lambda: photos(disk) == 2)
    assert 2 == len([line for line in caplog.records if getattr(line, "trouble", None) == "photos"])


def test_what_can_not_be_kept_is_refused_and_it_goes_on_by_itself(
    phone: Phone, chip: SimChip, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    """There is room for nothing: presses and phones are refused, and it is said why, once. With room the next race
    is judged, its pictures are kept, and nothing is wrong any more."""
    assert 200 == phone.say(GAME)
    race(phone, chip)
    settled(phone)
    until(lambda: photos(disk) == 2)
    before = events(phone, "press")
    disk.fill_up(0)
    slap(chip, 5, rested(chip))
    until(lambda: "journal" in wrong(phone))
    slap(chip, 19, rested(chip))
    until(lambda: sum("not noted" in line.message for line in caplog.records) >= 2)
    assert 503 == phone.say({"type": "laid"})
    assert "What happens can't be written down" in phone.page("/rig").replace("&#39;", "'")
    assert (before, "play") == (events(phone, "press"), phone.state()["phase"])
    other = Phone(phone.place)
    assert 202 == other.ask("/api/pair", {"seat": 1})[0]
    slap(chip, 5, rested(chip))
    until(lambda: other.ask("/api/pair", {"seat": 1})[0] == 200)
    until(lambda: sum("not noted" in line.message for line in caplog.records) >= 3)
    assert ["journal", "phones"] == [*wrong(phone)]
    disk.fill_up(None)
    until(lambda: phone.page("/rig") and "phones" not in wrong(phone))
    until(lambda: wrong(phone) == {})
    race(phone, chip)
    settled(phone)
    until(lambda: photos(disk) == 4)
    assert before + 2 == events(phone, "press")
    assert {} == wrong(phone)
    said = [line.message for line in caplog.records if getattr(line, "trouble", None) == "journal"]
    assert 2 == len(said)
    assert f"This is over: {said[0]}" == said[1]


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "HOLD_S", 0.05)
    monkeypatch.setattr(race_photos, "RETRY_S", 0.05)
    monkeypatch.setattr(tables, "TRY_S", 0.05)
    monkeypatch.setattr(healths, "LOW_DISK", 0)
    monkeypatch.setattr(api, "LOW_DISK", 0)


@contextmanager
def demo_in(disk: Disk) -> Generator[tuple[Demo, Phone]]:
    deaths: list[BaseException] = []
    options = DemoOptions(Company("goat", 3, 5, None), 1000, "127.0.0.1", None, disk.folder)
    with demo(options, Crew(deaths.append)) as built:
        yield built, Phone(built.url)
    assert [] == deaths


@pytest.mark.parametrize("disk", mostly_slow(["ENOSPC", "real"]), indirect=True)
@pytest.mark.usefixtures("quickly")
def test_the_demo_waits_for_room(disk: Disk) -> None:
    """The drawn people hold still meanwhile, and the page says why; with room they play on where they were."""
    with demo_in(disk) as (built, phone), built.playing:
        until(lambda: built.table.snapshot.number > 3)
        disk.fill_up(0)
        until(lambda: "journal" in wrong(phone))
        stood = built.table.snapshot.number
        assert "What happens can't be written down" in phone.page("/rig").replace("&#39;", "'")
        assert stood == built.table.snapshot.number
        disk.fill_up(None)
        until(lambda: built.table.snapshot.number > stood + 2)
        until(lambda: wrong(phone) == {})
        assert built.playing.world is not None
        assert () == built.playing.world.refused


@pytest.mark.usefixtures("quickly")
def test_a_demo_that_begins_where_nothing_can_be_kept_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its page says why nobody sits there; with room they sit down."""
    with monkeypatch.context() as full:
        full.setattr(Journal, "enter", no_room)
        full.setattr(Journal, "try_writing", no_room)
        begun = ExitStack()
        built, phone = begun.enter_context(demo_in(Disk(tmp_path, lambda _: None)))
        begun.enter_context(built.playing)
        assert ["journal"] == [*wrong(phone)]
        assert 0 == built.table.snapshot.number
    with begun:
        until(lambda: built.table.snapshot.number > 3)
        until(lambda: wrong(phone) == {})


@pytest.mark.usefixtures("quickly")
def test_a_demo_that_waits_for_room_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever waits for room is told that it is over, and no thread is left behind."""
    monkeypatch.setattr(Journal, "enter", no_room)
    monkeypatch.setattr(Journal, "try_writing", no_room)
    held = Event()
    wait = Table.wait

    def waited(table: Table, after: int, timeout: float) -> tuple[Snapshot, ...]:
        if timeout == worlds.HOLD_S:
            held.set()
        return wait(table, after, timeout)

    monkeypatch.setattr(Table, "wait", waited)
    with demo_in(Disk(tmp_path, lambda _: None)) as (built, _), built.playing:
        assert held.wait(20)
    assert [] == [line.message for line in caplog.records if "left behind" in line.message]


def no_room(*_: object) -> None:
    raise JournalFull("The disk is full.")


@pytest.mark.parametrize("disk", ["real"], indirect=True)
def test_a_rig_that_begins_on_a_full_disk_shows_its_page(disk: Disk, chip: SimChip) -> None:
    """What was played before is there, and it goes on as soon as there is room."""
    with running_rig(PLAN, disk.folder, []) as phone:
        paired(phone, chip)
        assert 200 == phone.say(GAME)
    disk.fill_up(0)
    with running_rig(PLAN, disk.folder, []) as phone:
        assert ["Ada", "Ben", "Cy"] == phone.ask("/api/state")[1]["names"]
        slap(chip, 5, rested(chip))
        until(lambda: "journal" in wrong(phone))
        disk.fill_up(None)
        race(phone, chip)


@pytest.mark.parametrize("command", mostly_slow(["run", "demo"]))
def test_a_journal_that_can_not_be_made_is_one_sentence(command: str, tmp_path: Path) -> None:
    """And ends it with 1: there is nothing that could be shown."""
    (tmp_path / "rig.toml").write_text('address = "127.0.0.1"\nbuttons = "none"\ncamera = "none"\n')
    with tiny_disk(tmp_path / "disk", 256) as disk:
        fill(disk)
        options = {"run": ["--config", str(tmp_path / "rig.toml")], "demo": ["--bind", "127.0.0.1"]}[command]
        program = [sys.executable, "-m", "companion", command, "--data", str(disk), *options]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (1, 1) == (done.returncode, done.stderr.count("\n"))
    assert re.match(r"companion: The disk under .*journal\.db is full: .* Make room there", done.stderr)


def test_what_can_not_be_taught_printed_or_measured_is_one_sentence(run: Run, tmp_path: Path) -> None:
    """With the name that was asked for, what to do, and nothing half done left behind."""
    with tiny_disk(tmp_path / "disk", 64) as disk:
        fill(disk)
        for command, file in (("mat", "mat.pdf"), ("deck", "cards.pdf")):
            said = run(command, "-o", disk / file)
            wanted = f"companion: {disk / file}: No space left on device; make room there and try again\n"
            assert (1, wanted) == (said.code, said.err)
        assert ["ballast"] == [one.name for one in disk.iterdir()]
