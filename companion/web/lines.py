"""The live pages' way out: one thread passes on to all of them what is new.

WSGI gives each page a thread of its own for as long as it is open. With 250 of them every update wakes 250 threads
that all want the same lock and the interpreter: 68 us of processor for each phone, and on a busy machine the last
one waits a quarter of a second. So a page that begins is handed over to here; its thread is free again.
"""

import time
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any, Final, Protocol, cast

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

from companion.live.feed import Feed
from companion.live.places import is_this_machine, network_of

# Where a request's environment says that the server keeps a live page by itself: a function that takes it.
HAND_OVER: Final = "companion.hand_over"
# A browser opens six for a page and one for its line; nobody alone can take all that there are, nor with the 2^64
# addresses that an IPv6 device may call its own, which a whole house may share.
OF_ONE_DEVICE: Final = 64
OF_ONE_NETWORK: Final = 384
# Whoever says a byte now and then, and never comes to the end of the request, is no phone.
ASKED_WITHIN_S: Final = 20.0


class LivePage(Protocol):
    def news(self) -> bytes:
        """What is new to it; nothing while there is none."""
        ...

    def close(self) -> None:
        """It has hung up."""
        ...


class Task(WSGITask):
    """One request, which may leave behind a page that stays."""

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
                # It has hung up before it heard the first word.
                self._page.close()

    def finish(self) -> None:
        if self._page is None:
            super().finish()
            return
        page, self._page = self._page, None
        self.close_on_finish = False
        channel = cast("Channel", self.channel)
        channel.stays = True
        channel.server.lines.add(_Open(channel, page, chunked=self.chunked_response))


class Channel(HTTPChannel):
    task_class = Task
    server: Any
    stays = False
    """Its page is live: nothing more is asked here."""

    def __init__(self, server: "LiveServer", *rest: Any, **more: Any) -> None:
        super().__init__(server, *rest, **more)
        self._asking_since: float | None = None
        if server.has_too_many(self.addr[0]):
            self.handle_close()

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

    def _flush_some(self, do_close: bool = True) -> bool:  # noqa: FBT001, FBT002 - waitress's own
        # Waitress leaves the lock out where no request is under way; but our thread may be writing.
        with self.outbuf_lock:
            return bool(cast("Any", super())._flush_some(do_close=do_close))  # noqa: SLF001 - as above

    def pass_on(self, text: bytes) -> None:
        with self.outbuf_lock:
            if not self.connected:
                return
            sent: int = self.send(text, do_close=False)
            self.last_activity = time.time()
            if sent < len(text):
                # Its line is full; the rest waits for it, and nobody else does.
                self.write_soon(text[sent:])


class LiveServer(TcpWSGIServer):
    channel_class = Channel
    lines: "Lines"

    def has_too_many(self, host: str) -> bool:
        if is_this_machine(host):
            return False
        hosts = [channel.addr[0] for channel in self._channels()]
        network = network_of(host)
        return hosts.count(host) > OF_ONE_DEVICE or (
            sum(network_of(other) == network for other in hosts) > OF_ONE_NETWORK
        )

    def maintenance(self, now: int) -> None:
        super().maintenance(now)
        for channel in self._channels():
            if channel.dawdles:
                channel.will_close = True

    def _channels(self) -> list["Channel"]:
        return list(cast("dict[int, Channel]", self.active_channels).values())


@dataclass(frozen=True, slots=True, eq=False)
class _Open:
    channel: Channel
    page: LivePage
    chunked: bool


class Lines:
    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._lock = Lock()
        self._open: list[_Open] = []
        self._closing = False
        self._thread = Thread(target=self._run, name="lines")
        self._thread.start()

    def add(self, line: _Open) -> None:
        with self._lock:
            if self._closing:
                line.page.close()
                return
            self._open.append(line)
            # What came while its page was put together.
            self._serve([line])

    def close(self) -> None:
        """Once the feed is closed."""
        self._thread.join()
        with self._lock:
            self._closing = True
            for line in self._open:
                line.page.close()

    def _run(self) -> None:
        place = 0
        while not self._feed.wait(place):
            with self._lock:
                place = self._feed.newest_place
                self._open = [line for line in self._open if self._is_there(line)]
                self._serve(self._open)

    def _is_there(self, line: _Open) -> bool:
        if not line.channel.connected:
            line.page.close()
        return line.channel.connected

    def _serve(self, lines: list[_Open]) -> None:
        said, packed = b"", b""
        for line in lines:
            # Who hasn't read the last yet gets, when it has, all of this in one.
            if line.channel.total_outbufs_len:
                continue
            news = line.page.news()
            if news and line.chunked:
                if news is not said:
                    said, packed = news, b"%x\r\n%b\r\n" % (len(news), news)
                line.channel.pass_on(packed)
            elif news:
                line.channel.pass_on(news)
