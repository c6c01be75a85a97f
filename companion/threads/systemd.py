"""Tells systemd that the companion is up, and sends its watchdog heartbeats; does nothing without systemd."""

import os
import socket
from collections.abc import Mapping
from typing import Final

READY: Final = "READY=1"
ALIVE: Final = "WATCHDOG=1"
# The heartbeat interval where systemd asks for none.
SELDOM_S: Final = 10.0
_MICRO: Final = 1_000_000


def tell(what: str, environment: Mapping[str, str] = os.environ) -> None:
    path = environment.get("NOTIFY_SOCKET")
    if not path:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
        # A leading @ is an abstract socket's zero byte.
        line.connect(f"\0{path[1:]}" if path.startswith("@") else path)
        line.sendall(what.encode())


def every_s(environment: Mapping[str, str] = os.environ) -> float:
    """The heartbeat interval in seconds: a third of the timeout after which systemd would restart the program."""
    asked = environment.get("WATCHDOG_USEC", "")
    return int(asked) / _MICRO / 3 if asked.isdecimal() and int(asked) else SELDOM_S
