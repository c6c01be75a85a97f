"""The table's time: CLOCK_MONOTONIC with an offset, so that it continues after the latest time in the journal.

The kernel's clock starts anew with every boot; a game that was interrupted by a power cut does not. Code that gets
kernel timestamps converts them here first, so that the journal, the pictures and the page use one time.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TableClock:
    """The kernel's clock plus a constant offset."""

    ahead: int = 0
    kernel: Callable[[], int] = field(default=time.monotonic_ns)

    @classmethod
    def after(cls, latest: int, kernel: Callable[[], int] = time.monotonic_ns) -> "TableClock":
        """A clock that is later than `latest`, the latest time in the journal."""
        return cls(max(0, latest + 1 - kernel()), kernel)

    def __call__(self) -> int:
        return self.kernel() + self.ahead

    def at(self, kernel_ns: int) -> int:
        """Converts a kernel timestamp to the table's time."""
        return kernel_ns + self.ahead
