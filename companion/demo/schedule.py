"""What is going to happen in the drawn world, in the order of its own clock."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

from companion.units import Ns

Deed = Callable[[], None]


class WorldClock:
    """Of the drawn world; it stands still between one thing that happens and the next."""

    def __init__(self, now: Ns) -> None:
        self.now = now
        self.flows: Callable[[], Ns] | None = None
        """How it would go if it did not, once somebody looks on."""

    def __call__(self) -> Ns:
        return self.now

    def passing(self) -> Ns:
        """For what people say between two things that happen: their phones wait for no picture."""
        return self.now if self.flows is None else max(self.now, self.flows())


class Schedule:
    def __init__(self) -> None:
        # At one instant in the order in which they were planned.
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
