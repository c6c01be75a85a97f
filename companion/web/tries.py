"""How often a stranger may guess the pairing code."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from companion.errors import TooOften
from companion.live.places import network_of

MINUTE_S: Final = 60
HOUR_S: Final = 3600
A_MINUTE: Final = 3
AN_HOUR: Final = 10
# Whoever owns many addresses guesses at most so often: a ten-thousandth of all codes.
IN_ALL_AN_HOUR: Final = 100
# Addresses remembered; beyond that the one that failed longest ago is forgotten, and only the sum still counts.
KEPT: Final = 1024


class Tries:
    """Failures only; whoever gets it right is not counted."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failed: OrderedDict[str, deque[float]] = OrderedDict()
        self._all: deque[float] = deque(maxlen=IN_ALL_AN_HOUR)

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._failed)

    def check(self, address: str) -> None:
        """Raises `TooOften` for one that must not try now."""
        now = self._clock()
        own = self._failed.get(network_of(address), deque[float]())
        waits = [
            since[-most] + span - now
            for since, most, span in (
                (own, A_MINUTE, MINUTE_S),
                (own, AN_HOUR, HOUR_S),
                (self._all, IN_ALL_AN_HOUR, HOUR_S),
            )
            if len(since) >= most
        ]
        wait = max(waits, default=0.0)
        if wait > 0:
            raise TooOften("That was wrong too often; wait a little before the next try.", int(wait) + 1)

    def failed(self, address: str) -> None:
        now, who = self._clock(), network_of(address)
        self._failed.setdefault(who, deque(maxlen=AN_HOUR)).append(now)
        self._failed.move_to_end(who)
        self._all.append(now)
        if len(self._failed) > KEPT:
            self._failed.popitem(last=False)
