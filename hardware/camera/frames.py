"""What a camera's driver is: something that gives pictures, each with the instant at which its exposure began.

Drivers run in a process of their own (`hardware.camera.camera_process`): a camera whose ribbon is pulled out may
never answer again, not even when it is asked to stop, and nobody should have to wait for it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""Rows x columns x blue, green, red."""

SIZE: Final = (1280, 960)
# So long a camera takes to find its exposure and white balance, which are then left as they are: a colour must not
# drift while people play.
SETTLE_NS: Final = 2_000_000_000
# A time of another clock is further off.
PLAUSIBLE_NS: Final = 1_500_000_000


@dataclass(frozen=True, slots=True)
class Frame:
    t_ns: int
    pixels: Pixels
    ahead_ns: int | None = None
    """How far the clock was ahead of ours that the camera has stamped it by; None where it has not."""


Pictures = Iterator[Frame]
Driver = Callable[[str], Pictures]


@dataclass(frozen=True, slots=True)
class OffsetClock:
    """A clock's time as ours. Which clock it is shows when it is read beside ours."""

    ahead_ns: int = 0

    def ours(self, t_ns: int) -> int:
        return t_ns - self.ahead_ns


def find_clock(t_ns: int, monotonic_ns: int, boot_ns: int, wall_ns: int) -> OffsetClock | None:
    """Which of the kernel's clocks a picture's time was taken from that has just come; None for none of them."""
    for now in (monotonic_ns, boot_ns, wall_ns):
        if 0 <= now - t_ns <= PLAUSIBLE_NS:
            return OffsetClock(now - monotonic_ns)
    return None
