"""A disk that is full, or fails, under a table that plays: nothing ends, nothing told is lost, it is said once and
goes on by itself; with a real tiny disk, and with one that only says so, which every machine has."""

import errno
import json
import logging
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from companion import opened as journals
from companion import photofinish, running
from companion import table as tables
from companion.demo.drawn_lot import scene_by_lot
from companion.demo.supplied import goat_faces
from companion.journal import Journal
from companion.live import health as healths
from companion.watchman import Camera
from companion.web import api
from hardware.pictures import Frame, Pixels
from hardware.simchip import SimChip

from .disks import Card, Failing, fill, tiny_disk
from .journal.power.disk import Wired
from .remembered import paint
from .test_running import GAME, PLAN, Phone, paired, phone_lines, running_rig, slap
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


@contextmanager
def said_disk(number: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Disk]:
    """The files of the journal fail by themselves, and as SQLite says it."""
    card, others = Card(), Failing(folder, monkeypatch)
    connected = partial(Journal.open, connect=lambda path: Wired(path, card.vfs))
    monkeypatch.setattr(journals, "Journal", type("Carded", (), {"open": staticmethod(connected)}))
    folder.mkdir()

    def fill_up(left_kb: int | None) -> None:
        others.error = None if left_kb is None else number
        card.fails_at = "write" if left_kb == 0 else ""

    try:
        yield Disk(folder, fill_up)
    finally:
        card.unregister()


KINDS = {"real": real_disk} | {
    errno.errorcode[number]: partial(said_disk, number)
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES)
}


@pytest.fixture(params=KINDS)
def disk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    with KINDS[request.param](tmp_path / "disk", monkeypatch) as disk:
        yield disk


class Still:
    """A camera that shows the same table for ever."""

    def __init__(self, pixels: Pixels, clock: Callable[[], int]) -> None:
        self._pixels = pixels
        self._clock = clock

    def frame(self, timeout_s: float) -> Frame | None:
        Event().wait(min(timeout_s, 0.02))
        return Frame(self._clock(), self._pixels)


@pytest.fixture
def phone(
    disk: Disk, chip: SimChip, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Iterator[Phone]:
    caplog.set_level(logging.INFO)
    pixels, _ = paint(scene_by_lot(4, goat_faces(), light="neutral", mat=True, filled=3))

    @contextmanager
    def camera(_: str) -> Generator[Camera]:
        yield Still(np.asarray(pixels, np.uint8), chip.clock)

    monkeypatch.setattr(running, "camera", camera)
    monkeypatch.setattr(photofinish, "AGAIN_S", 0.05)
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
    assert wrong(phone)["photos"] in phone.page("/rig").replace("&#39;", "'")
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
    assert wrong(phone)["journal"] in phone.page("/rig").replace("&#39;", "'")
    assert (before, "play") == (events(phone, "press"), phone.state()["phase"])
    disk.fill_up(None)
    until(lambda: wrong(phone) == {})
    race(phone, chip)
    until(lambda: photos(disk) == 4)
    assert before + 2 == events(phone, "press")
    assert {} == wrong(phone)
    said = [line.message for line in caplog.records if getattr(line, "trouble", None) == "journal"]
    assert 2 == len(said)
    assert f"This is over: {said[0]}" == said[1]
