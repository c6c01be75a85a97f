"""Our subclasses of waitress: connections to phones, the socket loop, and the worker threads for requests.

Several private names of waitress are used here, so it is pinned to 3.0 (`pyproject.toml`), and
`tests/web/test_waitress.py` checks what each of them does.
"""

import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Final, Protocol, cast

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

from companion.errors import CannotListen
from companion.live.connection_limits import IN_ALL, is_this_machine, network_of
from companion.threads.troubles import WEB
from companion.threads.worker import Crew, Policy, Worker, WorkerHangs

_log: Final = logging.getLogger(__name__)

# The key in the WSGI environment for the function that takes over a live page.
HAND_OVER: Final = "companion.hand_over"
# Limits of connections. A browser opens six for a page and one for its live stream. Nobody alone may use up all of
# them, not even with the 2^64 addresses of an IPv6 network; a whole house may share one network.
OF_ONE_DEVICE: Final = 64
OF_ONE_NETWORK: Final = 384
# The timeout for receiving a request: a client that sends a byte now and then is dropped.
ASKED_WITHIN_S: Final = 20.0
# The longest time between two turns of the loop.
LOOP_S: Final = 1.0
# The timeout of an answer: after so long without any output its thread is taken to hang.
ANSWERED_WITHIN_S: Final = 60.0
# Phones keep connections open for reuse. Together with the live pages these stay below the limit of 1,024 open
# files.
CONNECTIONS: Final = IN_ALL + 512
IDLE_S: Final = 30
CLEANUP_S: Final = 5
# The output buffer of one phone. It holds any page, so that a slow reader blocks no thread.
PHONES_LINE: Final = 4 * 1024 * 1024
# The limits of a request's header and body. The body's is above the application's own, which answers with
# a sentence.
HEAD: Final = 16 * 1024
BODY: Final = 64 * 1024
# TCP_USER_TIMEOUT. A phone that leaves the Wi-Fi closes no connection. It is sent a heartbeat every 5 s, and
# dropped if it acknowledges nothing for so long.
UNHEARD_MS: Final = 15_000


class LivePage(Protocol):
    def news(self) -> bytes:
        """New data for the page; empty if there is none."""
        ...

    def close(self) -> None:
        """The page's connection is closed."""
        ...


class KeepsPages(Protocol):
    """What takes over live pages: `companion.web.live_pages.Lines`."""

    def add(self, channel: "Channel", page: LivePage, *, chunked: bool) -> None: ...


class Task(WSGITask):
    """One request; it may leave a live page behind."""

    _page: LivePage | None = None

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[HAND_OVER] = self._hand_over
        return environ

    def _hand_over(self, page: LivePage) -> None:
        self._page = page

    def service(self) -> None:
        try:
            super().service()
        finally:
            if self._page is not None:
                # The connection failed before the page was handed over.
                self._page.close()

    def finish(self) -> None:
        if self._page is None:
            super().finish()
            return
        page, self._page = self._page, None
        self.close_on_finish = False
        channel = cast("Channel", self.channel)
        channel.stays = True
        channel.server.lines.add(channel, page, chunked=self.chunked_response)


class Channel(HTTPChannel):
    """The connection to one phone."""

    task_class = Task
    server: Any
    """A `LiveServer`."""
    stays = False
    """Whether its page is live: further requests on this connection are ignored."""
    _has_left = False

    def __init__(self, server: "LiveServer", *rest: Any, **more: Any) -> None:
        super().__init__(server, *rest, **more)
        self._asking_since: float | None = None
        if server.has_too_many(self.addr[0]):
            self.handle_close()

    def service(self) -> None:
        with self.server.threads.answering():
            try:
                super().service()
            except BaseException:
                # The thread was ended while it answered; nobody else will continue this request.
                self.hang_up()
                raise

    def received(self, data: bytes) -> bool:
        if self.stays:
            return False
        went_on: bool = super().received(data)
        if self.request is None:
            self._asking_since = None
        elif self._asking_since is None:
            self._asking_since = time.monotonic()
        return went_on

    @property
    def dawdles(self) -> bool:
        return self._asking_since is not None and time.monotonic() - self._asking_since > ASKED_WITHIN_S

    @property
    def is_full(self) -> bool:
        """Whether unsent data is waiting in the output buffer."""
        return bool(self.total_outbufs_len)

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: FBT001, FBT002 - waitress's own
        """Any network error means that this phone is gone, and concerns no other. Waitress handles a reset
        connection, but neither a timeout (ETIMEDOUT) nor an unreachable host (EHOSTUNREACH)."""
        try:
            return int(super().send(data, do_close))
        except OSError as error:
            self._leave(error)
            if do_close:
                self.handle_close()
            return 0

    def recv(self, buffer_size: int) -> bytes:
        try:
            return bytes(super().recv(buffer_size))
        except OSError as error:
            self._leave(error)
            self.handle_close()
            return b""

    def write_soon(self, data: Any) -> int:
        """Output to a slow phone is progress, so it counts as a heartbeat of the answering thread."""
        self.server.threads.beat()
        return int(super().write_soon(data))

    def _leave(self, error: OSError) -> None:
        """The phone is asleep, out of reach, or its battery is empty."""
        self.will_close = True
        if not self._has_left:
            self._has_left = True
            _log.info("A phone has left without a word (%s).", os.strerror(error.errno or 0))

    def _flush_some(self, do_close: bool = True) -> bool:  # noqa: FBT001, FBT002 - waitress's own
        # Waitress skips the lock when no request is under way, but the live pages' thread may be writing.
        with self.outbuf_lock:
            return bool(cast("Any", super())._flush_some(do_close=do_close))  # noqa: SLF001 - as above

    def pass_on(self, text: bytes) -> None:
        """Sends to the phone. Thread-safe, and never waits for the phone."""
        with self.outbuf_lock:
            if not self.connected or self.will_close:
                return
            sent = self.send(text, do_close=False)
            self.last_activity = time.time()
            if sent < len(text) and not self.will_close:
                # The socket is full: the rest is buffered for later.
                self.write_soon(text[sent:])
        if self.will_close:
            self.server.pull_trigger()

    def hang_up(self) -> None:
        """Closes the connection. Thread-safe: the loop's thread does it."""
        self.will_close = True
        self.server.pull_trigger()


class LiveServer(TcpWSGIServer):
    """The waitress server, with limits of connections and a safe way to stop."""

    channel_class = Channel
    lines: KeepsPages
    threads: "Threads"
    is_closing = False

    def has_too_many(self, host: str) -> bool:
        if is_this_machine(host):
            return False
        hosts = [channel.addr[0] for channel in self.channels()]
        network = network_of(host)
        return hosts.count(host) > OF_ONE_DEVICE or (
            sum(network_of(other) == network for other in hosts) > OF_ONE_NETWORK
        )

    def handle_error(self) -> None:
        """Waitress would close the listening socket for good because of one connection that failed."""
        _log.exception("A phone could not be let in.")

    def maintenance(self, now: int) -> None:
        super().maintenance(now)
        for channel in self.channels():
            if channel.dawdles:
                channel.will_close = True

    def hang_up(self) -> None:
        """Stops accepting and drops all connections with their unsent data. Thread-safe: the loop's thread does
        it."""
        self.is_closing = True
        cast("Any", self.trigger).pull_trigger(self._hang_up)

    def _hang_up(self) -> None:
        self.accepting = False
        for channel in self.channels():
            channel.handle_close()

    def close(self) -> None:
        """Call it after the loop has ended. That may be before `_hang_up` has run; the phones still connected
        would wait in vain."""
        self._hang_up()
        super().close()

    def channels(self) -> list[Channel]:
        return list(cast("dict[int, Channel]", self.active_channels).values())


def build_server(app: Flask, listening: socket.socket, sockets: dict[int, Any], threads: "Threads") -> LiveServer:
    """`sockets`: the loop's map of sockets, by file number; the server adds its own."""
    # It warns of each request that is queued for a moment; after a restart all phones reconnect at once.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    server = LiveServer(
        app,
        sockets,
        _sock=listening,
        dispatcher=threads,
        adj=_adjustments(listening),
        sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
        bind_socket=False,
    )
    server.threads = threads
    return server


def _adjustments(listening: socket.socket) -> Adjustments:
    adjustments = Adjustments(
        sockets=[listening],
        ident=None,
        backlog=256,
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE_S,
        cleanup_interval=CLEANUP_S,
        asyncore_use_poll=True,
        # Read ahead, to notice when a phone hangs up in the middle of an answer.
        channel_request_lookahead=1,
        outbuf_high_watermark=PHONES_LINE,
        max_request_header_size=HEAD,
        max_request_body_size=BODY,
        clear_untrusted_proxy_headers=True,
        # Otherwise each phone that leaves writes a traceback to the log.
        log_socket_errors=False,
    )
    # `Adjustments` has no argument for the socket options.
    adjustments.socket_options = _socket_options()
    return adjustments


def _socket_options() -> list[tuple[int, int, int]]:
    unheard = [(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD_MS)] if sys.platform == "linux" else []
    return [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), *unheard]


class Loop(Worker):
    """The worker that runs waitress's socket loop: it accepts phones, reads requests, and flushes output
    buffers."""

    def __init__(self, server: LiveServer, sockets: dict[int, Any], crew: Crew) -> None:
        super().__init__(
            WEB,
            Policy.FATAL,
            crew=crew,
            sentence="The page has stopped to answer; the program begins anew.",
        )
        self._server = server
        self._sockets = sockets

    def turn(self) -> None:
        if not self._server.accepting and not self._server.is_closing:
            raise CannotListen("The page's own socket has been closed.")
        # One turn of the loop that waitress itself would run for ever.
        wasyncore.loop(timeout=LOOP_S, use_poll=self._server.adj.asyncore_use_poll, map=self._sockets, count=1)

    def close(self) -> None:
        self._closing.set()
        self._server.pull_trigger()
        super().close()


class Threads(ThreadedTaskDispatcher):
    """The pool of threads that answer requests. Unlike waitress's own it joins its threads when it is closed,
    reports hanging ones to the crew and replaces dead ones."""

    def __init__(self, count: int, crew: Crew) -> None:
        super().__init__()
        self.name: Final = WEB
        self.sentence: Final = "Some of what phones ask for is not answered: a part of the page hangs."
        self._count = count
        self._crew = crew
        self._started: dict[int, threading.Thread] = {}
        self._busy_since: dict[threading.Thread, float] = {}
        self._is_closing = False
        self.set_thread_count(count)
        crew.add(self)

    def start_new_thread(self, target: Callable[[int], object], thread_no: int) -> None:
        thread = threading.Thread(target=target, name=f"web-{thread_no}", args=(thread_no,), daemon=True)
        self._started[thread_no] = thread
        thread.start()

    @contextmanager
    def answering(self) -> Generator[None]:
        thread = threading.current_thread()
        self._busy_since[thread] = self._crew.clock()
        try:
            yield
        finally:
            self._busy_since.pop(thread, None)

    def beat(self) -> None:
        """The heartbeat of the answer that the calling thread is working on."""
        thread = threading.current_thread()
        if thread in self._busy_since:
            self._busy_since[thread] = self._crew.clock()

    @property
    def is_alive(self) -> bool:
        return not self._hanging() and all(thread.is_alive() for thread in list(self._started.values()))

    @property
    def can_go_on(self) -> bool:
        return self._hanging() < self._count

    def check(self) -> None:
        if self._is_closing:
            return
        hanging = self._hanging()
        if hanging:
            self._crew.troubles.raise_trouble(self.name, self.sentence)
        else:
            self._crew.troubles.clear(self.name)
        if hanging >= self._count:
            self._crew.on_death(WorkerHangs(f"All {hanging} threads that answer phones hang."))
        self._replace_dead()

    def excuse(self) -> None:
        now = self._crew.clock()
        for thread in list(self._busy_since):
            self._busy_since[thread] = now

    def close(self, timeout_s: int) -> None:
        self._is_closing = True
        end = time.monotonic() + timeout_s
        self.shutdown(timeout=timeout_s)
        for thread in self._started.values():
            thread.join(max(0.0, end - time.monotonic()))

    def _hanging(self) -> int:
        now = self._crew.clock()
        return sum(now - since > ANSWERED_WITHIN_S for since in list(self._busy_since.values()))

    def _replace_dead(self) -> None:
        dead = [number for number, thread in self._started.items() if not thread.is_alive()]
        for number in dead:
            _log.error("The thread 'web-%d' has ended without a word. It gets a new one.", number)
            self._busy_since.pop(self._started.pop(number), None)
        if dead:
            with self.lock:
                self.threads.difference_update(dead)
            self.set_thread_count(self._count)
