"""The planned events of the drawn world, in order of time."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

from companion.units import Ns

Deed = Callable[[], None]


class WorldClock:
    """The drawn world's clock; it stands still between two events."""

    def __init__(self, now: Ns) -> None:
        self.now = now
        self.flows: Callable[[], Ns] | None = None
        """The running time between two events, for what phones send; None while nobody watches."""

    def __call__(self) -> Ns:
        return self.now

    def passing(self) -> Ns:
        """The present time for events from phones, which do not wait for a picture."""
        return self.now if self.flows is None else max(self.now, self.flows())


class Schedule:
    def __init__(self) -> None:
        # At the same time, in the order in which they were planned.
        self._plans: list[tuple[Ns, int, Deed]] = []
        self._planned = count()

    @property
    def next(self) -> Ns | None:
        return self._plans[0][0] if self._plans else None

    def plan(self, t: Ns, deed: Deed) -> None:
        heappush(self._plans, (t, next(self._planned), deed))

    def clear(self) -> None:
        self._plans.clear()

    def run_due(self, now: Ns) -> None:
        while self._plans and self._plans[0][0] <= now:
            _, _, deed = heappop(self._plans)
            deed()
