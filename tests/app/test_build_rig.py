"""`companion run`: the whole rig, with a chip and a camera that behave like real ones."""

import json
import signal
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from typing import Any
from urllib.request import urlopen

import cv2
import numpy as np
import pytest

from companion import __version__
from companion.app import build_rig
from companion.app.build_rig import RunOptions, rig, run_rig
from companion.app.config import RigPlan, SeatPlan
from companion.app.serve_page import JOURNAL
from companion.journal import Journal
from companion.logs.logging_setup import logging_to
from companion.rig.camera_worker import FrameSource
from companion.table.live_table import Table
from companion.table.table_clock import TableClock
from companion.threads.shutdown import Stop
from companion.threads.worker import Crew
from companion.units import SECOND
from hardware.camera.frames import Frame
from hardware.faults import NoCamera
from hardware.gpio.simchip import SimChip
from hardware.ports import EdgeSource, KernelEdge

from ..told import wait_for_its_end

SOON = 20.0
PLAN = RigPlan((SeatPlan(17, 27, 22), SeatPlan(5, None, 13), SeatPlan(19)), camera="none")

pytestmark = pytest.mark.usefixtures("chip")
GAME = {"type": "game", "game": "goat", "seats": ["Ada", "Ben", "Cy"], "starter": 0, "grid": "none"}


class Phone:
    """Asks the page as a browser does."""

    def __init__(self, url: str) -> None:
        self.place = url.removeprefix("http://").rstrip("/")
        self.cookie = ""

    def ask(self, path: str, body: object = None) -> tuple[int, Any]:
        connection = HTTPConnection(self.place, timeout=SOON)
        head = {"Cookie": self.cookie, "Origin": f"http://{self.place}", "Content-Type": "application/json"}
        said = None if body is None else json.dumps(body)
        connection.request("GET" if said is None else "POST", path, said, head)
        answer = connection.getresponse()
        if cookie := answer.headers.get("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        value = json.loads(answer.read())
        connection.close()
        return answer.status, value

    def page(self, path: str) -> str:
        with urlopen(f"http://{self.place}{path}", timeout=SOON) as answer:
            return answer.read().decode()

    def say(self, event: Mapping[str, object]) -> int:
        number = self.ask("/api/state")[1]["no"]
        return self.ask("/api/events", {"no": number, "event": event})[0]

    def state(self) -> Any:
        return self.ask("/api/state")[1]["state"]


@pytest.fixture
def said() -> list[str]:
    return []


def until(true: Any) -> None:
    waits = Event()
    for _ in range(round(SOON / 0.01)):
        if true():
            return
        waits.wait(0.01)
    raise AssertionError("it never came true")


@contextmanager
def running_rig(plan: RigPlan, data: Path, said: list[str]) -> Generator[Phone]:
    stop = Stop()
    with logging_to(said.append), rig(RunOptions(plan, data, "127.0.0.1"), Crew(stop), said.append) as up:
        yield Phone(up.url)
    stop.raise_death()


@pytest.fixture
def phone(tmp_path: Path, said: list[str]) -> Iterator[Phone]:
    with running_rig(PLAN, tmp_path, said) as phone:
        yield phone


def slap(chip: SimChip, pin: int, at_ns: int | None = None) -> None:
    chip.press(pin, at_ns)
    chip.let_go(pin, None if at_ns is None else at_ns + 60_000_000)


def paired(phone: Phone, chip: SimChip) -> None:
    """With the button of seat 0."""
    assert 202 == phone.ask("/api/pair", {"seat": 0})[0]
    slap(chip, 17, chip.clock())
    until(lambda: phone.ask("/api/pair", {"seat": 0})[0] == 200)


def test_a_race_from_the_pins_to_the_phone(phone: Phone, chip: SimChip) -> None:
    """Paired by a button, begun on a phone, slapped on pins, judged by the kernel's time, shown by lamps."""
    paired(phone, chip)
    assert 200 == phone.say(GAME)
    until(lambda: chip.level(22))
    now = chip.clock()
    # The later one arrives first.
    slap(chip, 19, now + 2_000_000)
    slap(chip, 5, now)
    until(lambda: phone.state()["phase"] == "pickup")
    assert [1, 2] == phone.state()["safe"]
    until(lambda: chip.level(13))
    lines = [json.loads(line) for line in phone_lines(phone)]
    presses = [line for line in lines if line["type"] == "press"]
    assert 2_000_000 == abs(presses[0]["t"] - presses[1]["t"])


def test_the_evening_after(chip: SimChip, tmp_path: Path, said: list[str]) -> None:
    """The Pi was switched off, so the kernel's time is behind the table's: a sprint begins with the light all the
    same."""
    with (
        Journal.open(tmp_path / JOURNAL) as journal,
        Table(journal, clock=TableClock(ahead=24 * 3600 * SECOND)) as table,
    ):
        table.tell(GAME).result(SOON)
    with running_rig(PLAN, tmp_path, said) as phone:
        now = chip.clock()
        slap(chip, 17, now)
        slap(chip, 5, now + 100_000_000)
        slap(chip, 19, now + 100_000_000)
        until(lambda: any(json.loads(line)["type"] == "sprint" for line in phone_lines(phone)))
        now = chip.clock() + SECOND // 2
        slap(chip, 19, now)
        slap(chip, 5, now + 100_000_000)
        until(lambda: phone.state()["phase"] == "pickup")
        assert [0, 2] == sorted(phone.state()["safe"])


def phone_lines(phone: Phone) -> list[bytes]:
    connection = HTTPConnection(phone.place, timeout=SOON)
    connection.request("GET", "/api/games/1.jsonl")
    lines = connection.getresponse().read().splitlines()
    connection.close()
    return lines


def test_all_is_given_back(chip: SimChip, tmp_path: Path, said: list[str]) -> None:
    """Lines, threads and the port: the rig may be started again at once, and the game goes on."""
    for round_ in range(2):
        with running_rig(PLAN, tmp_path, said) as phone:
            if round_ == 0:
                paired(phone, chip)
                assert 200 == phone.say(GAME)
            assert ["Ada", "Ben", "Cy"] == phone.ask("/api/state")[1]["names"]
        assert [] == chip.requests


def test_without_buttons_phones_stand_in(tmp_path: Path, said: list[str]) -> None:
    """And a code pairs them."""
    plan = RigPlan((SeatPlan(1), SeatPlan(2), SeatPlan(3)), buttons="none", camera="none")
    with running_rig(plan, tmp_path, said) as phone:
        (page, code) = next(lines for lines in said if lines.startswith("page: ")).splitlines()
        assert f"page: http://{phone.place}/" == page
        assert code.startswith("pairing code: ")
        assert 200 == phone.ask("/api/pair", {"code": code.split()[-1]})[0]
        assert 200 == phone.say(GAME)
        assert 200 == phone.say({"type": "press", "seat": 1})
        shown = phone.page("/rig")
        assert "no buttons and no lamps: phones stand in" in shown
        assert [] == [part for part in ("Lamp:", "Button:", "data-try") if part in shown]


class Plug:
    """Buttons that are pulled out."""

    doubts = ()
    trouble: str | None = None

    def held(self) -> tuple[int, ...]:
        return ()

    def read(self, timeout_s: float) -> tuple[KernelEdge, ...]:
        Event().wait(min(timeout_s, 0.01))
        return ()

    def close(self) -> None:
        """Nothing is open."""


def test_whose_buttons_are_gone_pairs_by_the_code(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told to whoever reads along, on a line of its own; no log keeps it."""
    plug = Plug()

    def buttons(_plan: RigPlan, _pins: object) -> EdgeSource:
        return plug

    monkeypatch.setattr(build_rig, "open_buttons", buttons)
    with logging_to(lambda _: None) as log, running_rig(PLAN, tmp_path, said):
        assert not any("pairing code" in line for line in said)
        plug.trouble = "The buttons are unplugged."
        until(lambda: len(said) == 3)
        page, trouble, code = said
        assert page.startswith("page: ")
        assert "The buttons are unplugged." == trouble
        assert code.startswith("pairing code: ")
        assert "pairing code" not in log.ring.text()


def test_how_the_rig_was_found_is_said_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Then where the page is, and then the code."""

    def ready(_: str) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(build_rig.systemd, "tell", ready)
    plan = RigPlan((SeatPlan(1), SeatPlan(2)), buttons="none", camera="none")
    run_rig(RunOptions(plan, tmp_path, "127.0.0.1", remarks=("There are no buttons.",)))
    wait_for_its_end()
    found, page, code = capfd.readouterr().out.splitlines()
    assert "There are no buttons." == found
    log = (tmp_path / "companion.log").read_text()
    assert "companion.app.build_rig: There are no buttons." in log
    assert f"Table companion {__version__}, Python 3." in log
    assert page.startswith("page: ")
    assert code.startswith("pairing code: ")


def test_what_goes_wrong_on_a_page_is_logged(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line for whoever reads along; what led to it stands in the ring. The phone gets a sentence."""

    def fail(_: object) -> None:
        raise LookupError("no goat")

    monkeypatch.setattr("companion.web.rig_page.what_is_wrong", fail)
    plan = RigPlan((SeatPlan(1), SeatPlan(2)), buttons="none", camera="none")
    told: list[str] = []
    with logging_to(told.append) as log, running_rig(plan, tmp_path, said) as phone:
        connection = HTTPConnection(phone.place, timeout=SOON)
        connection.request("GET", "/rig")
        answer = connection.getresponse()
        assert (500, True) == (answer.status, b"Something went wrong here" in answer.read())
        connection.close()
    assert ["Exception on /rig [GET] (LookupError: no goat)"] == told
    assert "in fail" in "".join(line.trace for line in log.ring.lines())


def test_a_camera_in_trouble_is_said_and_the_page_answers(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until it can be had."""
    tries: list[str] = []

    @contextmanager
    def camera(what: str) -> Generator[FrameSource]:
        tries.append(what)
        if len(tries) == 1:
            raise NoCamera("No camera answers at the ribbon.")
        yield Blank()

    monkeypatch.setattr(build_rig, "camera", camera)
    monkeypatch.setattr("companion.rig.camera_worker.RETRY_S", 0.01)
    with running_rig(RigPlan(PLAN.seats, camera="pi"), tmp_path, said) as phone:
        until(lambda: len(tries) == 2)
        assert "No camera answers at the ribbon." in said
        until(lambda: phone.ask("/healthz")[1]["camera"] == "absent")


def test_pictures_that_are_not_there_end_nothing(tmp_path: Path, said: list[str]) -> None:
    """The page says so, and people play without."""
    plan = RigPlan(PLAN.seats, camera=str(tmp_path / "film"))
    with running_rig(plan, tmp_path, said) as phone:
        until(lambda: phone.ask("/healthz")[1]["camera"] == "absent")
        assert any("there is no such folder, video or camera" in line for line in said)


class Blank:
    """A camera that has been opened and gives nothing yet: the next one to be tried takes its time as well."""

    def frame(self, timeout_s: float) -> Frame | None:
        Event().wait(min(timeout_s, 0.01))
        return None


def test_a_folder_of_pictures_is_a_camera(tmp_path: Path, said: list[str]) -> None:
    """So is a video."""
    pixels = np.full((240, 320, 3), 77, np.uint8)
    cv2.imwrite(str(tmp_path / "0.png"), pixels)
    (tmp_path / "frames.json").write_text('{"frames": [{"file": "0.png", "t_ns": 5}]}')
    plan = RigPlan((SeatPlan(1), SeatPlan(2)), buttons="none", camera=str(tmp_path))
    with build_rig.camera_opener(plan, said.append)() as camera:
        frame = camera.frame(SOON)
    assert frame is not None
    assert (77, (240, 320, 3)) == (frame.pixels.max(), frame.pixels.shape)
