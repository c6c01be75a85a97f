"""The table's time: CLOCK_MONOTONIC, going on where the journal stands.

The kernel's clock begins anew with every boot; a game that was interrupted by a pulled plug does not. Whoever
hears the kernel's times brings them here first, so that the journal, the pictures and the page speak of one time.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TableClock:
    ahead: int = 0
    kernel: Callable[[], int] = field(default=time.monotonic_ns)

    @classmethod
    def after(cls, latest: int, kernel: Callable[[], int] = time.monotonic_ns) -> "TableClock":
        """Later than all that is in the journal."""
        return cls(max(0, latest + 1 - kernel()), kernel)

    def __call__(self) -> int:
        return self.kernel() + self.ahead

    def at(self, kernel_ns: int) -> int:
        """What the kernel's time is at the table."""
        return kernel_ns + self.ahead
