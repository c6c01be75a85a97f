"""The web server inside the program: waitress, whose threads answer requests, and one thread for all live pages.

Stopping takes no longer than the slowest request under way: the feed ends the live pages, and unsent data in a
phone's buffer is dropped.
"""

import errno
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, Self, cast

from flask import Flask

from companion.app.address import LAST_PORT
from companion.errors import CannotListen, PortTaken
from companion.web.live_pages import Lines
from companion.web.security import services_of
from companion.web.waitress_parts import Loop, Threads, build_server

ALL_ADDRESSES: Final = "0.0.0.0"  # noqa: S104 - every phone in the house is to find it
PORT: Final = 8080
# How many ports are tried, counting from `PORT`.
PORTS: Final = 100
THREADS: Final = 16
STOP_WITHIN_S: Final = 2


def listen(bind: str | None = None, port: int | None = None) -> socket.socket:
    """A socket on that address, by default on all of this machine; without a port the first free one from 8080 on.
    Raises `CannotListen`, or `PortTaken`, which is one."""
    if port is not None:
        return _listening(bind, port)
    for wanted in range(PORT, PORT + PORTS):
        try:
            return _listening(bind, wanted)
        except PortTaken:
            continue
    raise PortTaken(f"All ports from {PORT} to {PORT + PORTS - 1} are taken; name a free one.")


def _listening(bind: str | None, port: int) -> socket.socket:
    where = f"port {port} of {bind or 'this machine'}"
    if port > LAST_PORT:
        raise CannotListen(f"The page can't listen on {where}: ports end at {LAST_PORT}.")
    try:
        if bind is None and socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        family, _, _, _, at = socket.getaddrinfo(bind or ALL_ADDRESSES, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(cast("tuple[str, int]", at[:2]), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(f"The page can't listen on {where}: another program does already.") from error
        raise CannotListen(f"The page can't listen on {where}: {_why(error)}.") from error


def _why(error: OSError) -> str:
    instead = f"it has {', '.join([*_of_this_machine(), '127.0.0.1'])}, or leave it away to listen on all"
    match error:
        case socket.gaierror():
            return f"no machine of that name is known here; {instead}"
        case OSError(errno=errno.EADDRNOTAVAIL):
            return f"that is no address of this machine; {instead}"
        case OSError(errno=errno.EACCES):
            return "ports below 1024 are the system's; take one from 1024 on, like 8080"
        case _:
            return error.strerror or str(error)


def addresses_of(listening: socket.socket) -> tuple[str, ...]:
    """The addresses at which phones reach this socket, the best first. Numeric, because Android does not resolve
    `.local`."""
    host, port = listening.getsockname()[:2]
    hosts = [host] if host not in {"::", ALL_ADDRESSES} else [*_of_this_machine(), "127.0.0.1"]
    return tuple(f"http://{f'[{one}]' if ':' in one else one}:{port}/" for one in dict.fromkeys(hosts))


def _of_this_machine() -> Iterator[str]:
    """The address from which this machine would reach the rest of the house. No packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return
        yield probe.getsockname()[0]


class Server:
    """The running web server: started by `with`, stopped at its end."""

    def __init__(self, app: Flask, listening: socket.socket) -> None:
        self.url = addresses_of(listening)[0]
        self._services = services_of(app)
        self._app = app
        self._listening = listening
        self._parts = ExitStack()

    def __enter__(self) -> Self:
        crew, feed, listening = self._services.crew, self._services.feed, self._listening
        threads = Threads(THREADS, crew)
        sockets: dict[int, Any] = {}
        server = build_server(self._app, listening, sockets, threads)
        server.lines = lines = Lines(feed, crew)
        # Stopped in reverse order.
        parts = self._parts
        parts.callback(server.close)
        parts.enter_context(Loop(server, sockets, crew))
        parts.callback(threads.close, STOP_WITHIN_S)
        parts.callback(server.hang_up)
        parts.enter_context(lines)
        # The live streams are the requests that never end by themselves.
        parts.callback(feed.close)
        return self

    def close(self) -> None:
        self._parts.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
