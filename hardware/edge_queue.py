"""Where edges wait between the thread that hears them and the one that judges them."""

from collections import deque
from threading import Condition
from typing import Final

from hardware.ports import KernelEdge

# A storm on every line leaves no more behind before it is muted. When it is full the oldest go, and the gap in
# their numbers tells of it.
ROOM: Final = 16_384


class EdgeQueue:
    def __init__(self, room: int = ROOM) -> None:
        self._edges: deque[KernelEdge] = deque(maxlen=room)
        self._came = Condition()

    def put(self, edge: KernelEdge) -> None:
        with self._came:
            self._edges.append(edge)
            self._came.notify()

    def take(self, timeout_s: float) -> tuple[KernelEdge, ...]:
        """All that is there; waits so long for the first."""
        with self._came:
            self._came.wait_for(lambda: self._edges, timeout_s)
            edges = tuple(self._edges)
            self._edges.clear()
            return edges
