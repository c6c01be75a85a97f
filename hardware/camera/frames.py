"""What a camera driver gives: pictures, each with the time at which its exposure began.

Drivers run in a process of their own (`hardware.camera.camera_process`): a camera whose cable comes loose may
never answer again, not even to a request to stop.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""Rows x columns x blue, green, red."""

SIZE: Final = (1280, 960)
# How long a camera may adjust exposure and white balance before they are locked: a colour must not drift during a
# game.
SETTLE_NS: Final = 2_000_000_000
# A timestamp that is further off comes from another clock.
PLAUSIBLE_NS: Final = 1_500_000_000


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture with its timestamp."""

    t_ns: int
    pixels: Pixels
    ahead_ns: int | None = None
    """By how much the clock of the camera's timestamps is ahead of ours; None if the camera gives none."""


Pictures = Iterator[Frame]
Driver = Callable[[str], Pictures]


@dataclass(frozen=True, slots=True)
class OffsetClock:
    """Converts another clock's time to ours. Which clock it is shows when it is read beside ours."""

    ahead_ns: int = 0

    def ours(self, t_ns: int) -> int:
        return t_ns - self.ahead_ns


def find_clock(t_ns: int, monotonic_ns: int, boot_ns: int, wall_ns: int) -> OffsetClock | None:
    """Which of the kernel's clocks stamped a picture that has just arrived; None for none of them."""
    for now in (monotonic_ns, boot_ns, wall_ns):
        if 0 <= now - t_ns <= PLAUSIBLE_NS:
            return OffsetClock(now - monotonic_ns)
    return None
