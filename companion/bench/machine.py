"""What a measurement has to say of the machine it was made on."""

import sys
import time
from pathlib import Path
from typing import Final

import numpy as np

if sys.platform != "win32":
    import resource

# The unit of ru_maxrss: bytes on macOS, kilobytes elsewhere.
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
MEMORY: Final = Path("/proc/self/statm")
PAGE: Final = 4096


def peak_memory() -> str:
    """The peak memory of this process, in words."""
    if sys.platform == "win32":
        return "Memory is not told on Windows"
    return f"Memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * PEAK_UNIT / 1e6:.0f} MB"


def memory() -> int | None:
    """The present memory of this process in bytes; None except on Linux."""
    return int(MEMORY.read_text().split()[1]) * PAGE if MEMORY.exists() else None


def blas_threads() -> str:
    """No library reports how many threads multiply matrices; the CPU time spent outside of our own thread shows
    it."""
    square = np.ones((1000, 1000), np.float32)
    begin, begin_own = time.process_time(), time.thread_time()
    for _ in range(4):
        np.matmul(square, square)
    spent, own = time.process_time() - begin, time.thread_time() - begin_own
    return "1" if spent < 1.2 * own else f"about {round(spent / own)} (OPENBLAS_NUM_THREADS=1 makes it one)"
