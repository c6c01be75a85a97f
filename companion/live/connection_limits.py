"""How many may look at once: each live phone is a connection kept open."""

import ipaddress
import socket
from collections import Counter
from functools import lru_cache
from threading import Lock
from typing import Final

from companion.errors import TooManyConnections

# 250 phones, and some that have not noticed yet that they are gone.
IN_ALL: Final = 256
# A family's laptop with all its tabs; nobody alone can lock the others out.
OF_ONE: Final = 16
AGAIN_IN_S: Final = 5


class ConnectionLimit:
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
        """Raises `TooManyConnections`."""
        with self._lock:
            if self._taken.total() >= self._in_all:
                raise TooManyConnections(
                    f"{self._in_all} pages are open already; close one that nobody looks at.", AGAIN_IN_S
                )
            # Whoever sits at the machine itself can do worse than look, and what is forwarded comes from there.
            if self._taken[address] >= self._of_one and not is_this_machine(address):
                raise TooManyConnections(
                    f"This device has {self._of_one} live pages open already; close one.", AGAIN_IN_S
                )
            network = network_of(address)
            # An IPv6 device has as many addresses as it likes; but a whole house may share their beginning.
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
    """Whatever it calls itself: its loopback, or the address under which the house knows it."""
    try:
        found = plain(address)
    except ValueError:
        return False
    return found.is_loopback or is_ours(found)


def plain(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """A socket that hears both kinds writes IPv4 addresses as a kind of IPv6. Raises `ValueError`."""
    found = ipaddress.ip_address(address.partition("%")[0])
    return getattr(found, "ipv4_mapped", None) or found


def is_ours(found: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """The machine itself knows which addresses it has now, Wi-Fi or not: only on those can a socket be opened."""
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
    """Of an IPv6 device its 2^64 addresses together; an IPv4 address is one device's."""
    try:
        found = plain(address)
    except ValueError:
        return address
    if found.version == 4 or found.is_loopback:
        return str(found)
    return str(ipaddress.ip_network((found, 64), strict=False))
