"""The queue of edges between the thread that reads them and the one that judges them."""

from collections import deque
from threading import Condition
from typing import Final

from hardware.ports import KernelEdge

# Enough for a storm on every line until it is muted. A full queue drops the oldest edges, and the gap in their
# numbers shows it.
ROOM: Final = 16_384


class EdgeQueue:
    """A bounded queue of edges."""

    def __init__(self, room: int = ROOM) -> None:
        self._edges: deque[KernelEdge] = deque(maxlen=room)
        self._came = Condition()

    def put(self, edge: KernelEdge) -> None:
        with self._came:
            self._edges.append(edge)
            self._came.notify()

    def take(self, timeout_s: float) -> tuple[KernelEdge, ...]:
        """All edges in the queue; waits that long for the first."""
        with self._came:
            self._came.wait_for(lambda: self._edges, timeout_s)
            edges = tuple(self._edges)
            self._edges.clear()
            return edges
