"""The rig as it is found: it is said what it is, and it runs with that."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.app import detect as finding
from companion.app.config import KEYS, USUAL
from companion.app.detect import detect_rig
from hardware.faults import NoAccess, NoChip
from hardware.gpio.chips import Header
from hardware.gpio.simchip import SimChip


class Board:
    """A keyboard that is only there."""

    fd = -1
    name = "Keyboard"
    keys = ()

    def close(self) -> None:
        """Somebody else wants it."""


def machine(
    monkeypatch: pytest.MonkeyPatch, *, pins: bool = False, boards: int = 0, cameras: int | None = None
) -> None:
    """`cameras`: of the Pi's own; None where picamera2 is not installed."""

    def find() -> Header:
        if not pins:
            raise NoChip("This machine has no GPIO pins.")
        return Header(SimChip(), "/dev/gpiochip0", "pinctrl-rp1")

    def plugged() -> Callable[[], list[Board]]:
        return lambda: [Board() for _ in range(boards)]

    def loaded(name: str) -> SimpleNamespace:
        if cameras is None:
            raise ImportError(name)
        known = ["a camera"] * cameras
        return SimpleNamespace(Picamera2=SimpleNamespace(global_camera_info=lambda: known))

    monkeypatch.setattr(finding, "find_header", find)
    monkeypatch.setattr(finding, "open_keyboards", plugged)
    monkeypatch.setattr(finding, "import_module", loaded)


@pytest.fixture
def said() -> list[str]:
    return []


def test_a_pi_with_its_camera(monkeypatch: pytest.MonkeyPatch, said: list[str], tmp_path: Path) -> None:
    """Wired as the drawing shows."""
    machine(monkeypatch, pins=True, cameras=1)
    plan = detect_rig(said.append, tmp_path)
    assert ("gpio", "pi", USUAL) == (plan.buttons, plan.camera, plan.seats)
    assert ["Buttons: the pins of /dev/gpiochip0", "Camera: pi."] == [line.split(" (")[0] for line in said]


def test_a_laptop_with_a_webcam(monkeypatch: pytest.MonkeyPatch, said: list[str], tmp_path: Path) -> None:
    """The first of its cameras, and the keyboard; what else the kernel calls video is none."""
    machine(monkeypatch, boards=1, cameras=0)
    for number, bus, index in ((1, "platform", 0), (10, "usb", 0), (2, "usb", 1), (3, "usb", 0)):
        node = tmp_path / "class" / f"video{number}"
        (node / "device").mkdir(parents=True)
        (node / "device/subsystem").symlink_to(tmp_path / "bus" / bus)
        (node / "index").write_text(f"{index}\n")
    plan = detect_rig(said.append, tmp_path / "class")
    assert ("keyboard", "usb:3") == (plan.buttons, plan.camera)
    assert KEYS == tuple(seat.grab for seat in plan.seats)
    assert "no GPIO pins" in said[0]


def test_keyboards_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch, said: list[str], tmp_path: Path) -> None:
    """It is said what to do, and played with phones."""
    machine(monkeypatch)

    def shut() -> Callable[[], list[Board]]:
        def refused() -> list[Board]:
            raise NoAccess("/dev/input/event3 may not be read by this user.")

        return refused

    monkeypatch.setattr(finding, "open_keyboards", shut)
    assert "none" == detect_rig(said.append, tmp_path).buttons
    assert ["/dev/input/event3 may not be read by this user.", "Buttons: none; phones stand in for them."] == said[
        1:3
    ]


def test_a_machine_with_nothing(monkeypatch: pytest.MonkeyPatch, said: list[str], tmp_path: Path) -> None:
    """Phones and people do everything."""
    machine(monkeypatch)
    plan = detect_rig(said.append, tmp_path)
    assert ("none", "none") == (plan.buttons, plan.camera)
    assert [
        "Buttons: none; phones stand in for them.",
        "Camera: none; people say what lies on the table.",
    ] == said[1:]
