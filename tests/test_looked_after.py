"""Threads of the whole rig that die, hang or fail in the middle of a race: what each one's policy says happens,
the race is judged right, and whoever asks is told."""

import json
import os
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app import build_rig
from companion.app.serve_page import JOURNAL
from companion.history.summary_worker import SummaryWorker
from companion.journal import Journal
from companion.live.feed import Feed
from companion.logs.console import Console
from companion.report.report_parts import MISREAD
from companion.rig.button_worker import ButtonWorker
from companion.rig.camera_worker import CameraWorker, FrameSource
from companion.rig.lamp_sender import LampSender
from companion.rig.misread_photos import MisreadPhotos
from companion.rig.race_photos import RacePhotos
from companion.rig.vision import Vision
from companion.table import live_table as tables
from companion.table.live_table import Table
from companion.table.table_clock import TableClock
from companion.threads import worker as workers
from companion.threads.supervisor import Supervisor
from companion.threads.worker import Worker
from companion.web.live_pages import Lines
from companion.web.waitress_parts import Loop
from hardware.camera.frames import Frame
from hardware.gpio.simchip import SimChip

from .app.test_build_rig import GAME, Phone, paired, slap
from .befallen import HOWS, STEP_S, WITH_CAMERA, Program, Spoil, heard_of, shorten_waits, spoiling, up
from .kinds import mostly_slow
from .spoils import drawn_mat
from .still import Still
from .test_full_disk import rested
from .thread_names import kill, thread_named, unreported
from .waiting import SOON, until

MS = 1_000_000

pytestmark = pytest.mark.usefixtures("chip", "short_waits")


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_waits(monkeypatch)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Where one is being played."""
    with (
        Journal.open(tmp_path / JOURNAL) as journal,
        Table(journal, clock=TableClock()) as table,
    ):
        table.tell(GAME).result(SOON)
    return tmp_path


def presses(data: Path) -> list[tuple[int, int]]:
    """Each one's seat and time, as the journal has them."""
    with Journal.open(data / JOURNAL) as journal:
        events = [json.loads(entry.event) for entry in journal.entries()]
    return [(event["seat"], event["t"]) for event in events if event["type"] == "press"]


def is_judged(phone: Phone) -> bool:
    state = phone.state()
    return state["phase"] == "pickup" and state["safe"] == [1, 2]


RESTARTED: list[tuple[type[Worker], str]] = [
    (Feed, "feed"),
    (Lines, "live"),
    (ButtonWorker, "buttons"),
    (LampSender, "lamps"),
    (SummaryWorker, "history"),
]


@pytest.mark.parametrize("how", mostly_slow(HOWS))
@pytest.mark.parametrize("who", RESTARTED, ids=[key for _, key in RESTARTED])
def test_who_is_begun_again_costs_the_race_nothing(
    game: Path, chip: SimChip, monkeypatch: pytest.MonkeyPatch, who: tuple[type[Worker], str], how: str
) -> None:
    """While it is down everybody is told; systemd hears that all else goes on; then the race is judged by the
    times at which people pressed, each press once, though the later one arrived first."""
    kind, key = who
    with spoiling(monkeypatch, kind, how) as spoil, up(game, monkeypatch) as table:
        until(lambda: table.health()[0] == 200)
        assert [] == table.pages_health()
        now = chip.clock()
        slap(chip, 19, now + 2 * MS)
        spoil.is_on = True
        assert spoil.struck.wait(SOON)
        slap(chip, 5, now)
        if how == "hang":
            table.pass_by(key, workers.HANGS_AFTER_S + 2 * STEP_S)
        until(lambda: key in table.health()[1])
        status, wrong = table.health()
        assert (503, False) == (status, wrong["ok"])
        assert len(wrong[key]) > 20
        until(lambda: key in table.pages_health())
        before = len(table.alive)
        table.pass_by(key, 4 * STEP_S)
        assert len(table.alive) > before
        spoil.end()
        until(lambda: table.health()[0] == 200)
        until(lambda: table.pages_health() == [])
        until(lambda: is_judged(table.phone))
        until(lambda: chip.level(13))
        assert not table.stop.said
    (first, begin), (second, end) = sorted(presses(game), key=lambda press: press[1])
    assert (1, 2, 2 * MS) == (first, second, end - begin)
    table.stop.raise_death()


@pytest.mark.parametrize("name", mostly_slow(["buttons", "feed", "live", "lamps"]))
def test_who_is_killed_from_outside_is_back_at_once(
    game: Path, chip: SimChip, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Wherever it is at that moment, again and again."""
    with up(game, monkeypatch) as table:
        for _ in range(5):
            kill_and_wait(table, name)
        now = chip.clock()
        slap(chip, 19, now + 2 * MS)
        kill(thread_named(name))
        slap(chip, 5, now)
        until(lambda: table.looks() and is_judged(table.phone))
        until(lambda: table.looks() and table.health()[0] == 200)
    assert [1, 2] == [seat for seat, _ in sorted(presses(game), key=lambda press: press[1])]


def wake(edges: threading.Thread) -> None:
    reader: Any = edges
    os.write(reader._target.__self__._wake_pipe[1], b"!")


def test_the_drivers_own_threads_are_looked_after_by_who_owns_them(
    game: Path, chip: SimChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lets the lamps glow, and what hears the lines: no lamp stands still, no press is lost."""
    monkeypatch.setattr(threading, "excepthook", unreported)
    with up(game, monkeypatch) as table:
        until(lambda: table.health()[0] == 200)
        glow, edges = thread_named("lamps' glow"), thread_named("gpio edges")
        kill(glow)
        until(lambda: table.boards == [["lamps"], []])
        kill(edges)
        # Whoever else delivers the edges may be quicker, and then nothing else would ever wake it.
        wake(edges)
        now = chip.clock()
        slap(chip, 19, now + 2 * MS)
        slap(chip, 5, now)
        edges.join(SOON)
        assert not edges.is_alive()
        until(lambda: is_judged(table.phone))
        until(lambda: chip.level(13))
        until(lambda: table.health()[0] == 200)
    (first, begin), (second, end) = sorted(presses(game), key=lambda press: press[1])
    assert (1, 2, 2 * MS) == (first, second, end - begin)


def kill_and_wait(table: Program, name: str) -> None:
    """Until it has been told, and is over."""
    before = len(table.boards)
    kill(thread_named(name))
    until(lambda: table.looks() and table.boards[before:] == [[name], []])


FATAL: list[tuple[type[Worker], str]] = [(Table, "table"), (Loop, "web")]


@pytest.mark.parametrize("how", mostly_slow(HOWS))
@pytest.mark.parametrize("who", FATAL, ids=[key for _, key in FATAL])
def test_who_is_fatal_ends_the_program_and_the_next_one_judges_the_race(
    game: Path, chip: SimChip, monkeypatch: pytest.MonkeyPatch, who: tuple[type[Worker], str], how: str
) -> None:
    """Within seconds, and systemd hears of no life any more; what was pressed before is in the journal or pressed
    anew."""
    kind, key = who
    with spoiling(monkeypatch, kind, how) as spoil, up(game, monkeypatch) as table:
        until(lambda: table.health()[0] == 200)
        now = chip.clock()
        slap(chip, 5, now)
        until(lambda: presses_told(table) == 1)
        spoil.is_on = True
        if kind is Table:
            # It rests until it is told something.
            slap(chip, 19, now + 2 * MS)
        assert spoil.struck.wait(SOON)
        if how == "hang":
            table.pass_by(key, workers.HANGS_AFTER_S + 2 * STEP_S)
        until(lambda: table.stop.said)
        assert not table.crew.can_go_on
        told = len(table.alive)
        Supervisor(table.crew, table.clock).look()
        table.clock.now += 60
        Supervisor(table.crew, table.clock).look()
        assert told == len(table.alive)
        if kind is Table:
            assert "table" in table.health()[1]
        spoil.over.set()
    with pytest.raises(BaseException, match=r".*") as death:
        table.stop.raise_death()
    assert {"kill": "SystemExit", "hang": "WorkerHangs", "raise": "ZeroDivisionError"}[how] == death.type.__name__
    told_before = [seat for seat, _ in presses(game)]
    with up(game, monkeypatch) as again:
        if told_before == [1]:
            slap(chip, 19, chip.clock())
        until(lambda: is_judged(again.phone))


def test_the_program_ends_within_seconds_though_all_of_them_hang(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but the table, which notes what it was told before."""
    monkeypatch.setattr(workers, "CLOSE_S", 2.0)
    monkeypatch.setattr(tables, "CLOSE_S", 2.0)
    spoils: list[Spoil] = []
    with ExitStack() as undo:
        spoils += [undo.enter_context(spoiling(monkeypatch, kind, "hang")) for kind, _ in RESTARTED]
        with up(game, monkeypatch) as table:
            until(lambda: table.health()[0] == 200)
            for spoil in spoils:
                spoil.is_on = True
            for spoil in spoils:
                assert spoil.struck.wait(SOON)
            told = table.phone.ask("/api/state")[1]["no"]
            begin = time.monotonic()
        # The machine may be busy with other things.
        assert time.monotonic() - begin < 8
        for spoil in spoils:
            spoil.end()
    with Journal.open(game / JOURNAL) as journal:
        assert told == journal.last


def presses_told(table: Program) -> int:
    return int(table.phone.ask("/api/state")[1]["no"]) - 1


class Blind:
    """A camera that shows nothing yet."""

    def frame(self, timeout_s: float) -> Frame | None:
        Event().wait(min(timeout_s, 0.01))
        return None


@pytest.mark.parametrize("how", mostly_slow(HOWS))
def test_a_camera_whose_thread_fails_is_opened_anew_and_alone(
    game: Path, chip: SimChip, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Play goes on by the buttons meanwhile."""
    now_open: list[int] = []
    most: list[int] = []

    @contextmanager
    def camera(_: str) -> Generator[FrameSource]:
        now_open.append(1)
        most.append(len(now_open))
        try:
            yield Blind()
        finally:
            now_open.pop()

    monkeypatch.setattr(build_rig, "camera", camera)
    with spoiling(monkeypatch, CameraWorker, how) as spoil, up(game, monkeypatch, WITH_CAMERA) as table:
        until(lambda: now_open)
        spoil.is_on = True
        assert spoil.struck.wait(SOON)
        if how == "hang":
            table.pass_by("camera", 20 + 2 * STEP_S)
        until(lambda: "camera" in table.pages_health())
        assert 503 == table.health()[0]
        now = chip.clock()
        slap(chip, 19, now + 2 * MS)
        slap(chip, 5, now)
        until(lambda: is_judged(table.phone))
        spoil.end()
        until(lambda: table.pages_health() == [])
        until(lambda: now_open)
    assert 1 == max(most)
    assert [] == now_open


class Dark:
    """A camera that shows nothing, again and again."""

    def frame(self, timeout_s: float) -> Frame | None:
        Event().wait(min(timeout_s, 0.01))
        return Frame(time.monotonic_ns(), np.zeros((240, 320, 3), np.uint8))


def test_eyes_that_read_no_picture_let_the_race_go_on_by_the_buttons(
    tmp_path: Path, chip: SimChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody is told; the first picture that can be read is the end of it, and they are counted."""
    see, is_spoilt = Vision.see, Event()

    def see_or_fail(self: Vision, *seen: Any) -> Any:
        if is_spoilt.is_set():
            raise cv2.error("(-215:Assertion failed) !_src.empty()")
        return see(self, *seen)

    @contextmanager
    def camera(_: str) -> Generator[FrameSource]:
        yield Dark()

    monkeypatch.setattr(Vision, "see", see_or_fail)
    monkeypatch.setattr(build_rig, "camera", camera)
    with Journal.open(tmp_path / JOURNAL) as journal, Table(journal, clock=TableClock()) as before:
        before.tell({key: value for key, value in GAME.items() if key != "grid"}).result(SOON)
    with up(tmp_path, monkeypatch, WITH_CAMERA) as table:
        is_spoilt.set()
        until(lambda: "eyes" in table.health()[1])
        until(lambda: "eyes" in table.pages_health())
        slap(chip, 5, chip.clock())
        until(lambda: '"void"' in heard_of(table.phone))
        assert "could not be read" in table.phone.page("/rig")
        assert table.crew.can_go_on
        is_spoilt.clear()
        until(lambda: "eyes" not in table.health()[1])
        until(lambda: table.pages_health() == [])
        assert not table.stop.said


BESIDE: list[tuple[type[Worker], str, str]] = [
    (who, key, how)
    for how in HOWS
    for who, key in ((RacePhotos, "photos"), (Console, "telling"), (MisreadPhotos, "misread"))
]


@pytest.mark.parametrize(
    ("kind", "key", "how"), mostly_slow(BESIDE), ids=[f"{key}-{how}" for _, key, how in BESIDE]
)
def test_who_works_beside_the_game_is_missed_by_no_race(  # noqa: PLR0913, PLR0917 - what befalls whom
    tmp_path: Path,
    chip: SimChip,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    kind: type[Worker],
    key: str,
    how: str,
) -> None:
    """It is judged, and everybody is told who is down; afterwards its pictures are kept, what happened is told,
    what people corrected is kept for a report: nothing is lost, nothing comes twice."""
    pixels = drawn_mat()

    @contextmanager
    def camera(_: str) -> Generator[FrameSource]:
        yield Still(pixels, chip.clock)

    monkeypatch.setattr(build_rig, "camera", camera)
    with spoiling(monkeypatch, kind, how) as spoil, up(tmp_path, monkeypatch, WITH_CAMERA) as table:
        until(lambda: "The camera sees the mat" in table.phone.page("/rig/now"))
        paired(table.phone, chip)
        assert 200 == table.phone.say(GAME)
        until(lambda: table.health()[0] == 200)
        now = rested(chip)
        spoil.is_on = True
        slap(chip, 5, now)
        table.telling.say("first")
        assert spoil.struck.wait(SOON)
        slap(chip, 19, now + 2 * MS)
        until(lambda: is_judged(table.phone))
        table.telling.say("second")
        if how == "hang":
            table.pass_by(key, workers.HANGS_AFTER_S + 2 * STEP_S)
        until(lambda: key in table.health()[1])
        status, wrong = table.health()
        assert (503, False) == (status, wrong["ok"])
        assert len(wrong[key]) > 20
        until(lambda: [key] == table.pages_health())
        until(lambda: f"The thread '{key}' has failed, 3 in a row." in caplog.text)
        assert 200 == table.phone.say({"type": "fix", "decks": [20, 20, 20]})
        table.pass_by(key, 4 * STEP_S)
        assert table.alive[-1] == table.clock.now
        spoil.end()
        until(lambda: table.health()[0] == 200)
        until(lambda: [] == table.pages_health())
        until(lambda: len([*(tmp_path / "finishes").glob("*.jpg")]) == 2)
        until(lambda: len([*(tmp_path / MISREAD).glob("*.jpg")]) == 1)
        until(lambda: [line for line in table.told if line in {"first", "second"}] == ["first", "second"])
        assert not table.stop.said
    assert [1, 2] == [seat for seat, _ in presses(tmp_path)]
