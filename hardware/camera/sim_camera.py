"""A simulated camera for `hardware.camera.camera_process`, with the faults of real ones.

`which` says what: "steady" gives pictures for ever, "gone" is pulled out after three, "hung" then answers no more,
"absent" and "busy" can't be had at all; "turning" gives pictures now of one size, now of another, "huge" larger
ones than any camera's.
"""

import time
from typing import Final

import numpy as np

from hardware.camera.frames import Frame, Pictures
from hardware.faults import CameraBusy, CameraGone, NoCamera

WIDE, HIGH = 64, 48
EVERY_S: Final = 0.02
BEFORE: Final = 3
# Rows and columns: a usual webcam's size, and others, which "turning" goes through.
SIZES: Final = ((HIGH, WIDE), (720, 1280), (1944, 2592), (2, 3), (1, 1), (3040, 4056))
# A multiple of the number of sizes, so that a picture's shade tells its size.
SHADES: Final = 256 // len(SIZES) * len(SIZES)
HUGE: Final = (6944, 9152)


def pictures(which: str) -> Pictures:
    if which == "absent":
        raise NoCamera("There is no such camera.")
    if which == "busy":
        raise CameraBusy("Another program has it.")
    number = 0
    while True:
        number += 1
        if number > BEFORE and which == "gone":
            raise CameraGone("It was pulled out.")
        if number > BEFORE and which == "hung":
            time.sleep(3600)
        yield Frame(time.monotonic_ns(), np.full((*_size(which, number), 3), number % SHADES, np.uint8), 0)
        time.sleep(EVERY_S)


def _size(which: str, number: int) -> tuple[int, int]:
    match which:
        case "turning":
            return SIZES[number % len(SIZES)]
        case "huge":
            return HUGE
        case _:
            return HIGH, WIDE
