"""The web server inside the program: waitress, whose threads answer requests, and one thread for all live pages.

Stopping takes no longer than the slowest answer under way: the feed ends the live pages, and what is stuck in a
phone's full line is cut off.
"""

import errno
import logging
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, Self, cast

from flask import Flask
from waitress.adjustments import Adjustments

from companion.app.address import LAST_PORT
from companion.errors import CannotListen, PortTaken
from companion.live.connection_limits import IN_ALL
from companion.web.live_pages import Lines
from companion.web.security import services_of
from companion.web.waitress_parts import LiveServer, Loop, Threads

ALL_ADDRESSES: Final = "0.0.0.0"  # noqa: S104 - every phone in the house is to find it
PORT: Final = 8080
# How many ports are tried from there on.
PORTS: Final = 100
THREADS: Final = 16
# Phones keep connections open for later. With the live ones they stay below the 1,024 files a process may open.
CONNECTIONS: Final = IN_ALL + 512
IDLE_S: Final = 30
CLEANUP_S: Final = 5
# What waits for one phone in our memory: any page, so that who reads slowly holds no thread.
PHONES_LINE: Final = 4 * 1024 * 1024
# The head of a request, and a little more than what the page itself refuses with a sentence.
HEAD: Final = 16 * 1024
BODY: Final = 64 * 1024
# A phone that has left the house says no goodbye. It is sent a sign of life every 5 s; one that answers none of
# them for so long is gone.
UNHEARD_MS: Final = 15_000
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
    """Where phones find what listens there, the best address first; by number, as Android resolves no `.local`."""
    host, port = listening.getsockname()[:2]
    hosts = [host] if host not in {"::", ALL_ADDRESSES} else [*_of_this_machine(), "127.0.0.1"]
    return tuple(f"http://{f'[{one}]' if ':' in one else one}:{port}/" for one in dict.fromkeys(hosts))


def _of_this_machine() -> Iterator[str]:
    """The address from which this machine would speak to the rest of the house. No packet is sent for that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return
        yield probe.getsockname()[0]


class Server:
    """Begins with `with`."""

    def __init__(self, app: Flask, listening: socket.socket) -> None:
        # It warns of every request that waits a moment for a thread; after a restart all phones come at once.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self.url = addresses_of(listening)[0]
        self._services = services_of(app)
        self._app = app
        self._listening = listening
        self._parts = ExitStack()

    def __enter__(self) -> Self:
        crew, feed, listening = self._services.crew, self._services.feed, self._listening
        threads = Threads(THREADS, crew)
        sockets: dict[int, Any] = {}
        server = LiveServer(
            self._app,
            sockets,
            _sock=listening,
            dispatcher=threads,
            adj=_adjustments(listening),
            sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
            bind_socket=False,
        )
        server.threads = threads
        server.lines = lines = Lines(feed, crew)
        # What was begun last ends first.
        parts = self._parts
        parts.callback(server.close)
        parts.enter_context(Loop(server, sockets, crew))
        parts.callback(threads.close, STOP_WITHIN_S)
        parts.callback(server.hang_up)
        parts.enter_context(lines)
        # Its streams are the requests that never end by themselves.
        parts.callback(feed.close)
        return self

    def close(self) -> None:
        self._parts.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _adjustments(listening: socket.socket) -> Adjustments:
    adjustments = Adjustments(
        sockets=[listening],
        ident=None,
        backlog=256,
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE_S,
        cleanup_interval=CLEANUP_S,
        asyncore_use_poll=True,
        # So that it notices when a phone hangs up in the middle of an answer.
        channel_request_lookahead=1,
        outbuf_high_watermark=PHONES_LINE,
        max_request_header_size=HEAD,
        max_request_body_size=BODY,
        clear_untrusted_proxy_headers=True,
        # Each phone that leaves would write a traceback.
        log_socket_errors=False,
    )
    # No keyword of its own sets it.
    adjustments.socket_options = _options()
    return adjustments


def _options() -> list[tuple[int, int, int]]:
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    if sys.platform == "linux":
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD_MS))
    return options
