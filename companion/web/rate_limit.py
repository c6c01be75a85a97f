"""How often a stranger may guess the pairing code.

Each address has its own tries. An IPv6 device has as many addresses as it likes, and whoever owns many of whatever
kind guesses from each; so there is a pace for a network, and one for all together. A pace locks nobody out: so
many guesses come at once, and from then on one after the other, as they would come evenly over an hour.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Final, TypeVar

from companion.errors import RateLimited
from companion.live.connection_limits import network_of
from companion.table.uptime import uptime

MINUTE_S: Final = 60
HOUR_S: Final = 3600
A_MINUTE: Final = 3
AN_HOUR: Final = 10
# A family's phones share the beginning of their IPv6 addresses, and so do all that one device has.
OF_A_NETWORK: Final = 30
# Two hundred guesses in the first hour and a hundred in each that follows: a ten-thousandth of all codes.
IN_ALL: Final = 100
# Addresses and networks remembered; beyond that the one that failed longest ago is forgotten.
KEPT: Final = 1024

T = TypeVar("T")


@dataclass(slots=True)
class Window:
    """Whoever has failed so often in the last minute, or hour, waits until the first of them has passed."""

    failed: deque[float] = field(default_factory=lambda: deque[float](maxlen=AN_HOUR))

    def seconds_to_wait(self, now: float) -> float:
        limits = ((A_MINUTE, MINUTE_S), (AN_HOUR, HOUR_S))
        return max(
            (self.failed[-most] + span - now for most, span in limits if len(self.failed) >= most), default=0
        )

    def fail(self, now: float) -> None:
        self.failed.append(now)


@dataclass(slots=True)
class RateLimit:
    """So many at once, then one in each part of the hour."""

    an_hour: int
    paid: float = -inf
    """By then all that failed have had their part of the hour."""

    def seconds_to_wait(self, now: float) -> float:
        return self.paid + HOUR_S / self.an_hour - HOUR_S - now

    def fail(self, now: float) -> None:
        self.paid = max(self.paid, now) + HOUR_S / self.an_hour


class PairingAttempts:
    """Failures only; whoever gets it right is not counted."""

    def __init__(self, clock: Callable[[], float] = uptime) -> None:
        self._clock = clock
        self._addresses: OrderedDict[str, Window] = OrderedDict()
        self._networks: OrderedDict[str, RateLimit] = OrderedDict()
        self._all = RateLimit(IN_ALL)

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._addresses)

    def check(self, address: str) -> None:
        """Raises `RateLimited` for one that must not try now."""
        now = self._clock()
        own, network = self._addresses.get(address), self._networks.get(network_of(address))
        wait = max(one.seconds_to_wait(now) for one in (own, network, self._all) if one is not None)
        if wait > 0:
            raise RateLimited("That was wrong too often; wait a little before the next try.", int(wait) + 1)

    def note_failure(self, address: str) -> None:
        """That address has guessed wrong."""
        now, network = self._clock(), network_of(address)
        _get_newest(self._addresses, address, Window).fail(now)
        if network != address:
            _get_newest(self._networks, network, lambda: RateLimit(OF_A_NETWORK)).fail(now)
        self._all.fail(now)


def _get_newest(known: OrderedDict[str, T], key: str, new: Callable[[], T]) -> T:
    """Whoever comes new takes the place of whoever failed longest ago."""
    found = known.pop(key, None) or new()
    known[key] = found
    if len(known) > KEPT:
        known.popitem(last=False)
    return found
