"""A camera without a camera, for `hardware.camera`: it does what cameras do, well and badly.

`which` says what: "steady" gives pictures for ever, "gone" is pulled out after three, "hung" then answers no more,
"absent" and "busy" can't be had at all.
"""

import time
from typing import Final

import numpy as np

from hardware.errors import CameraBusy, CameraGone, NoCamera
from hardware.pictures import Frame, Pictures

WIDE, HIGH = 64, 48
EVERY_S: Final = 0.02
BEFORE: Final = 3


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
        yield Frame(time.monotonic_ns(), np.full((HIGH, WIDE, 3), number % 256, np.uint8), 0)
        time.sleep(EVERY_S)
