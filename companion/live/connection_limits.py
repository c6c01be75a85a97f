"""Limits of live pages: each holds a connection open."""

import ipaddress
import socket
from collections import Counter
from functools import lru_cache
from threading import Lock
from typing import Final

from companion.errors import TooManyConnections

# 250 phones, and some connections whose phone has gone unnoticed.
IN_ALL: Final = 256
# Enough for a laptop with many tabs; nobody alone can lock the others out.
OF_ONE: Final = 16
AGAIN_IN_S: Final = 5


class ConnectionLimit:
    """Counts the open live pages: in all, of each address and of each IPv6 network."""

    def __init__(self, in_all: int = IN_ALL, of_one: int = OF_ONE) -> None:
        self._in_all = in_all
        self._of_one = of_one
        self._taken: Counter[str] = Counter()
        self._networks: Counter[str] = Counter()
        self._lock = Lock()

    @property
    def taken(self) -> int:
        with self._lock:
            return self._taken.total()

    def take(self, address: str) -> None:
        """Counts one more page for that address. Raises `TooManyConnections`."""
        with self._lock:
            if self._taken.total() >= self._in_all:
                raise TooManyConnections(
                    f"{self._in_all} pages are open already; close one that nobody looks at.", AGAIN_IN_S
                )
            # No limit for this machine: its user can do more harm otherwise, and forwarded connections come from
            # it.
            if self._taken[address] >= self._of_one and not is_this_machine(address):
                raise TooManyConnections(
                    f"This device has {self._of_one} live pages open already; close one.", AGAIN_IN_S
                )
            network = network_of(address)
            # An IPv6 device has any number of addresses, so its network has a limit too: half, as a whole house
            # may share it.
            if "/" in network and self._networks[network] >= self._in_all // 2:
                raise TooManyConnections("Too many live pages are open from this network; close one.", AGAIN_IN_S)
            self._taken[address] += 1
            self._networks[network] += 1

    def leave(self, address: str) -> None:
        with self._lock:
            for counted, one in ((self._taken, address), (self._networks, network_of(address))):
                counted[one] -= 1
                if not counted[one]:
                    del counted[one]


def is_this_machine(address: str) -> bool:
    """Whether that address is the loopback or any other of this machine's own."""
    try:
        found = plain(address)
    except ValueError:
        return False
    return found.is_loopback or is_ours(found)


def plain(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The address; one that a dual-stack socket reports as IPv4 mapped to IPv6 is returned as IPv4. Raises
    `ValueError`."""
    found = ipaddress.ip_address(address.partition("%")[0])
    return getattr(found, "ipv4_mapped", None) or found


def is_ours(found: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether this machine has that address now: only then can a socket be bound to it."""
    if found.is_multicast or found.is_unspecified or str(found) == "255.255.255.255":
        return False
    family = socket.AF_INET6 if found.version == 6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(found), 0))
    except OSError:
        return False
    return True


@lru_cache(4096)
def network_of(address: str) -> str:
    """The /64 network of an IPv6 address, which one device may have all to itself; an IPv4 address stays as it
    is."""
    try:
        found = plain(address)
    except ValueError:
        return address
    if found.version == 4 or found.is_loopback:
        return str(found)
    return str(ipaddress.ip_network((found, 64), strict=False))
