"""The resolution of this rig's clock, measured once and kept for the referee.

Two presses closer than that are a dead heat. On a Pi one interrupt serves a whole bank of lines in the order of
their numbers, so of two presses within it the lower pin would always win.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from companion.files import write_whole

FILE: Final = "timing.json"
USUAL_US: Final = 50
# Safety factor on the measured value: a busy evening is worse than the minute of the measurement.
MARGIN: Final = 2
# Lower bound: two reads of the clock in one interrupt are no closer, and no finger is more exact.
LEAST_US: Final = 10
MOST_US: Final = 10_000


@dataclass(frozen=True, slots=True)
class Resolution:
    """Two presses closer than `us` microseconds can't be put in order."""

    us: int = USUAL_US
    measured: str | None = None
    """How it was measured; None for the default."""
    pairs: int = 0


def resolution_from_gaps(gaps_ns: Sequence[int], how: str) -> Resolution:
    """From the gaps between the two timestamps of one instant on two lines: their 99.9th percentile, doubled."""
    worst = sorted(abs(gap) for gap in gaps_ns)[max(0, len(gaps_ns) - 1 - len(gaps_ns) // 1000)]
    us = -(-worst * MARGIN // 1000)
    return Resolution(min(max(us, LEAST_US), MOST_US), how, len(gaps_ns))


def save_resolution(resolution: Resolution, data: Path) -> Path:
    data.mkdir(parents=True, exist_ok=True)
    path = data / FILE
    write_whole(path, f"{json.dumps(asdict(resolution))}\n".encode())
    return path


def load_resolution(data: Path) -> Resolution:
    """Reads what `save_resolution` wrote; the default if nobody has measured or the file can't be read."""
    try:
        said: Any = json.loads((data / FILE).read_text())
        us, how, pairs = said["us"], said["measured"], said["pairs"]
    except (OSError, ValueError, KeyError, TypeError):
        return Resolution()
    return Resolution(us, how, pairs) if type(us) is int and LEAST_US <= us <= MOST_US else Resolution()
