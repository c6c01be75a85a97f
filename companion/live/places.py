"""How many may look at once: each live phone holds one of the web server's threads."""

import ipaddress
from collections import Counter
from threading import Lock
from typing import Final

from companion.errors import NoPlaceLeft

# 250 phones, and some that have not noticed yet that they are gone.
IN_ALL: Final = 256
# A family's laptop with all its tabs; nobody alone can lock the others out.
OF_ONE: Final = 16
AGAIN_IN_S: Final = 5


class Places:
    def __init__(self, in_all: int = IN_ALL, of_one: int = OF_ONE) -> None:
        self._in_all = in_all
        self._of_one = of_one
        self._taken: Counter[str] = Counter()
        self._lock = Lock()

    @property
    def taken(self) -> int:
        with self._lock:
            return self._taken.total()

    def take(self, address: str) -> None:
        """Raises `NoPlaceLeft`."""
        with self._lock:
            if self._taken.total() >= self._in_all:
                raise NoPlaceLeft(
                    f"{self._in_all} pages are open already; close one that nobody looks at.", AGAIN_IN_S
                )
            # Whoever sits at the machine itself can do worse than look, and what is forwarded comes from there.
            if self._taken[address] >= self._of_one and not is_loopback(address):
                raise NoPlaceLeft(
                    f"This device has {self._of_one} live pages open already; close one.", AGAIN_IN_S
                )
            self._taken[address] += 1

    def leave(self, address: str) -> None:
        with self._lock:
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
