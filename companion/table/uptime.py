"""How long this machine has been running: a clock that neither people nor the network can set.

It starts anew with every boot, and goes on while the machine sleeps. Times that must survive a restart of the
program are stored together with the boot's id.
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
    """An id that changes with every boot; None where the system has none."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return None
