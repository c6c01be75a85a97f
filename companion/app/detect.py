"""Detects the hardware of the rig where there is no rig.toml."""

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from companion.app.config import KEYS, RigPlan, usual_seats
from hardware.camera.camera_process import QUIET
from hardware.faults import HardwareError, NoAccess
from hardware.gpio.chips import find_header
from hardware.input.arcade_encoder import open_keyboards

VIDEO: Final = Path("/sys/class/video4linux")


def detect_rig(say: Callable[[str], None], video: Path = VIDEO) -> RigPlan:
    """The plan of the detected rig; `say` is told what was found and what is missing."""
    buttons = _buttons(say)
    return RigPlan(usual_seats(buttons), buttons, _camera(say, video))


def _buttons(say: Callable[[str], None]) -> str:
    try:
        header = find_header()
    except HardwareError as error:
        say(str(error))
    else:
        header.chip.close()
        say(
            f"Buttons: the pins of {header.path} ({header.label}), wired as hardware/README.md shows. Where "
            'nothing is wired, write buttons = "none" into rig.toml: then phones stand in for them.'
        )
        return "gpio"
    try:
        boards = open_keyboards()()
    except NoAccess as error:
        say(str(error))
    else:
        for board in boards:
            board.close()
        if boards:
            say(f"Buttons: the keyboard; seat after seat the keys {', '.join(KEYS)}.")
            return "keyboard"
    say("Buttons: none; phones stand in for them.")
    return "none"


def _camera(say: Callable[[str], None], video: Path) -> str:
    for camera in (*_of_the_pi(), *_of_usb(video)):
        say(f"Camera: {camera}.")
        return camera
    say("Camera: none; people say what lies on the table.")
    return "none"


def _of_the_pi() -> Iterator[str]:
    os.environ.update({**QUIET, **os.environ})
    try:
        picamera2 = import_module("picamera2")
    except ImportError:
        return
    if picamera2.Picamera2.global_camera_info():
        yield "pi"


def _of_usb(video: Path) -> Iterator[str]:
    """USB cameras only: a Pi has a dozen video devices that are no cameras, and a webcam has a second one for
    metadata."""
    plugged = [node for node in video.glob("video*") if (node / "device/subsystem").resolve().name == "usb"]
    cameras = [node for node in plugged if (node / "index").read_text().strip() == "0"]
    numbers = sorted(int(node.name.removeprefix("video")) for node in cameras)
    yield from (f"usb:{number}" for number in numbers)
