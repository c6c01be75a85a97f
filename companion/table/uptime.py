"""How long this machine has been running: a clock that nobody sets, neither people nor the network.

It begins anew with every boot, and goes on while the machine sleeps. What has to be timed over a restart of the
program bears the boot's name beside it.
"""

import sys
import time
from pathlib import Path
from typing import Final

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")

if sys.platform == "linux":

    def uptime() -> float:
        """Seconds."""
        return time.clock_gettime(time.CLOCK_BOOTTIME)
else:  # pragma: no cover  (the other systems' nearest)

    def uptime() -> float:
        """Seconds."""
        return time.monotonic()


def boot_id() -> str | None:
    """Another one after every boot; None where the system has none."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return None
