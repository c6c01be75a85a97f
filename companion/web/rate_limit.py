"""Rate limits for guessing the pairing code.

Each address has its own limit. An IPv6 device has as many addresses as it likes, so there is also a limit for each
network and one for all together. These two are token buckets, so nobody is locked out for long: a burst is
allowed, then single attempts evenly spread over the hour.
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
# Larger than for one address: a family's phones share one IPv6 prefix, as do all addresses of one device.
OF_A_NETWORK: Final = 30
# Two hundred guesses in the first hour, a hundred in each further hour: a ten-thousandth of all codes.
IN_ALL: Final = 100
# How many addresses and networks are remembered. Beyond this the one with the oldest failure is dropped.
KEPT: Final = 1024

T = TypeVar("T")


@dataclass(slots=True)
class Window:
    """A sliding window: after so many failures in the last minute or hour, wait until the first of them has
    expired."""

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
    """A token bucket: a burst first, then evenly spaced over the hour."""

    an_hour: int
    paid: float = -inf
    """Until when the failures so far use up the rate."""

    def seconds_to_wait(self, now: float) -> float:
        return self.paid + HOUR_S / self.an_hour - HOUR_S - now

    def fail(self, now: float) -> None:
        self.paid = max(self.paid, now) + HOUR_S / self.an_hour


class PairingAttempts:
    """Counts failed attempts only."""

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
        """Counts a failed attempt from that address."""
        now, network = self._clock(), network_of(address)
        _get_newest(self._addresses, address, Window).fail(now)
        if network != address:
            _get_newest(self._networks, network, lambda: RateLimit(OF_A_NETWORK)).fail(now)
        self._all.fail(now)


def _get_newest(known: OrderedDict[str, T], key: str, new: Callable[[], T]) -> T:
    """The entry for that key, made the newest one. A new key evicts the entry with the oldest failure."""
    found = known.pop(key, None) or new()
    known[key] = found
    if len(known) > KEPT:
        known.popitem(last=False)
    return found
