"""`companion check`: in plain words what is wrong, and every part is looked at."""

import errno
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.app import doctor
from companion.app.address import Address
from companion.app.config import RigPlan, SeatPlan
from companion.app.doctor import CheckResult, check_rig
from companion.eyes.deck.deck_shelf import find_deck
from companion.files import OF_THE_DISK
from companion.rig.camera_worker import FrameSource
from companion.rig.clock_resolution import Resolution, save_resolution
from companion.web.server import listen
from hardware.camera.frames import Frame, Pixels
from hardware.faults import CameraGone
from hardware.gpio.simchip import SimChip

from ..disks import Failing
from ..spoils import SPOILS, drawn_mat

NOTHING = RigPlan((SeatPlan(1), SeatPlan(2)), buttons="none", camera="none")
WIRED = RigPlan((SeatPlan(17, 27, 22), SeatPlan(5)), camera="none")


def look(plan: RigPlan, data: Path, wait: Callable[[float], object] = lambda _: None) -> dict[str, CheckResult]:
    return {one.part: one for one in check_rig(plan, data, data, wait)}


def test_a_rig_with_nothing_is_well(tmp_path: Path) -> None:
    """Phones and people do everything; every part has a word."""
    found = look(NOTHING, tmp_path)
    assert ["buttons", "lamps", "camera", "clock", "disk", "warmth", "power"] == list(found)
    assert all(one.well for one in found.values())
    assert "companion timing" in found["clock"].words


def test_buttons_and_lamps_are_tried(chip: SimChip, tmp_path: Path) -> None:
    """Long enough to be seen, one after the other, and given back."""
    lit: list[tuple[bool, bool]] = []
    plan = RigPlan((SeatPlan(17, 27, 22), SeatPlan(5), SeatPlan(6, None, 23)), camera="none")
    found = look(plan, tmp_path, lambda _: lit.append((chip.level(22), chip.level(23))))
    assert [(True, False), (False, True)] == lit
    assert "3 seats, none pressed." == found["buttons"].words
    assert "at seats 1, 3: did each of them shine?" in found["lamps"].words
    assert [] == chip.requests


def test_a_call_that_is_pressed_all_the_time_is_found(chip: SimChip, tmp_path: Path) -> None:
    """By its seat as well, though not every seat has one."""
    chip.press(6)
    plan = RigPlan((SeatPlan(17), SeatPlan(5), SeatPlan(27, 6)), camera="none")
    assert "seat 3. Do its wires touch" in look(plan, tmp_path)["buttons"].words


def test_a_button_that_is_pressed_all_the_time_is_found(chip: SimChip, tmp_path: Path) -> None:
    """By its seat."""
    chip.press(5)
    buttons = look(WIRED, tmp_path)["buttons"]
    assert not buttons.well
    assert "seat 2. Do its wires touch" in buttons.words


def test_without_pins_the_other_parts_are_still_looked_at(tmp_path: Path) -> None:
    """On a machine that has none."""
    found = look(WIRED, tmp_path)
    assert not found["buttons"].well
    assert found["disk"].well


class Still:
    """Two pictures a second, the first of which is dark."""

    def __init__(self, pixels: Pixels | None) -> None:
        self.pixels = pixels
        self.taken = 0

    def frame(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - it waits for nothing
        if self.pixels is None:
            return None
        self.taken += 1
        return Frame(self.taken * 500_000_000, self.pixels if self.taken > 1 else self.pixels // 60)


def sees(pixels: Pixels | None) -> Callable[..., Callable[[], AbstractContextManager[FrameSource]]]:
    return lambda *_: lambda: nullcontext(Still(pixels))


def camera_of(plan: RigPlan, data: Path) -> CheckResult:
    return look(plan, data)["camera"]


WATCHED = RigPlan(NOTHING.seats, buttons="none", camera="usb:0")


def test_a_mat_in_sight_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With how many of its markers are seen."""
    monkeypatch.setattr(doctor, "camera_opener", sees(drawn_mat()))
    assert "4 of its 4 markers" in camera_of(WATCHED, tmp_path).words


def turned(mat: Pixels) -> Pixels:
    return np.ascontiguousarray(mat[::-1, ::-1])


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (turned, "upside down"),
        (SPOILS["dark"], "too dark"),
        (SPOILS["covered"], "in front of the lens"),
        (SPOILS["blur"], "out of focus"),
        (SPOILS["lost"], "No mat is in sight"),
    ],
)
def test_what_spoils_a_picture_is_said(
    spoil: Callable[[Pixels], Pixels], word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what to do."""
    monkeypatch.setattr(doctor, "camera_opener", sees(spoil(drawn_mat())))
    finding = camera_of(WATCHED, tmp_path)
    assert not finding.well
    assert word in finding.words


def test_a_camera_that_gives_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or that says why itself."""
    monkeypatch.setattr(doctor, "camera_opener", sees(None))
    assert "no picture" in camera_of(WATCHED, tmp_path).words

    def gone(*_: object) -> Callable[[], AbstractContextManager[FrameSource]]:
        raise CameraGone("Its ribbon has come loose.")

    monkeypatch.setattr(doctor, "camera_opener", gone)
    assert CheckResult("camera", "Its ribbon has come loose.", well=False) == camera_of(WATCHED, tmp_path)


def test_the_deck_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name or its file, and whether it can be read. Without a camera none is needed."""
    monkeypatch.setattr(doctor, "camera_opener", sees(drawn_mat()))
    assert "deck" not in look(WATCHED, tmp_path)
    supplied = str(find_deck("goats", tmp_path))
    by_file = look(replace(WATCHED, deck=supplied), tmp_path)["deck"]
    assert CheckResult("deck", "goats: 16 kinds of cards are taught.") == by_file
    missing = look(replace(WATCHED, deck="nope"), tmp_path)["deck"]
    assert not missing.well
    assert "nope: there is no such deck and no such file; there are goats, or teach one" in missing.words
    (tmp_path / "models").mkdir()
    for name in ("ours", "goats"):
        (tmp_path / "models" / f"{name}.deck").write_bytes(b"not one")
        damaged = look(replace(WATCHED, deck=name), tmp_path)["deck"]
        assert not damaged.well
        assert f"{name}.deck: this is no taught deck" in damaged.words
    assert "deck" not in look(replace(NOTHING, deck="nope"), tmp_path)


def test_where_the_page_is_to_be_served_is_tried(tmp_path: Path) -> None:
    """Where rig.toml says it; else a free port is always found."""
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        wrong = look(replace(NOTHING, address=Address("127.0.0.1", port)), tmp_path)["page"]
    assert not wrong.well
    assert f"port {port} of 127.0.0.1: another program does already" in wrong.words
    well = look(replace(NOTHING, address=Address("127.0.0.1", port)), tmp_path)["page"]
    assert CheckResult("page", f"It can be served at http://127.0.0.1:{port}/") == well
    unknown = look(replace(NOTHING, address=Address("nobody.invalid")), tmp_path)["page"]
    assert "no machine of that name is known here" in unknown.words


def test_a_folder_that_can_not_be_written_to_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do; it is tried, for rights alone do not tell of a card that is locked."""
    disk = Failing(tmp_path, monkeypatch)
    for number in (errno.EACCES, errno.EROFS, errno.ENOSPC):
        disk.error = number
        words = OF_THE_DISK[number].format(where=tmp_path)
        assert (
            CheckResult("disk", f"{words[0].upper()}{words[1:]}.", well=False) == look(NOTHING, tmp_path)["disk"]
        )
    disk.error = None
    assert look(NOTHING, tmp_path)["disk"].well
    assert [] == [*tmp_path.iterdir()]


def test_a_journal_that_can_not_be_opened_is_told(tmp_path: Path) -> None:
    """A later version has written it, or it is none at all."""
    with sqlite3.connect(tmp_path / "journal.db") as strange:
        strange.execute("CREATE TABLE recipe (name)")
    strange.close()
    disk = look(NOTHING, tmp_path)["disk"]
    assert not disk.well
    assert "no journal of the companion's" in disk.words


def test_a_measured_clock_is_told(tmp_path: Path) -> None:
    """With how it was measured."""
    save_resolution(Resolution(37, "by a wire", 500), tmp_path)
    assert "37 us from each other (by a wire)" in look(NOTHING, tmp_path)["clock"].words


@pytest.mark.parametrize(("milli", "well"), [(48_312, True), (81_000, False)])
def test_a_hot_machine_is_told(milli: int, well: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a table of cases
    """In degrees."""
    zone = tmp_path / "class/thermal/thermal_zone0"
    zone.mkdir(parents=True)
    (zone / "temp").write_text(f"{milli}\n")
    warmth = look(NOTHING, tmp_path)["warmth"]
    assert (well, True) == (warmth.well, f"{milli // 1000} °C" in warmth.words)


@pytest.mark.parametrize("at", ["soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware"])
@pytest.mark.parametrize(
    ("state", "well", "word"),
    [
        ("?", True, "does not watch"),
        ("0", True, "strong enough"),
        ("50005", False, "too weak: use"),
        ("10000", False, "for a moment"),
    ],
)
def test_a_weak_supply_is_told(state: str, well: bool, word: str, at: str, tmp_path: Path) -> None:  # noqa: FBT001
    """Now, or since it was switched on."""
    firmware = tmp_path / "devices/platform" / at
    firmware.mkdir(parents=True)
    (firmware / "get_throttled").write_text(f"{state}\n")
    power = look(NOTHING, tmp_path)["power"]
    assert (well, True) == (power.well, word in power.words)


@pytest.mark.parametrize(("alarm", "well"), [("0", True), ("1", False)])
def test_a_sensor_tells_of_the_supply_too(alarm: str, well: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Where the kernel passes the firmware's report on to nobody."""
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        sensor = tmp_path / f"class/hwmon/hwmon{number}"
        sensor.mkdir(parents=True)
        (sensor / "name").write_text(f"{name}\n")
        (sensor / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    assert well == look(NOTHING, tmp_path)["power"].well


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With where."""
    monkeypatch.setattr(doctor, "LOW_DISK", 1 << 62)
    disk = look(NOTHING, tmp_path)["disk"]
    assert not disk.well
    assert "Make room." in disk.words
