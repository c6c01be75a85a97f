"""The live pages: one thread sends updates to all of them.

WSGI keeps a thread for each open page. With 250 pages every update wakes 250 threads that compete for one lock and
the interpreter: 68 us of processor for each phone, and on a busy machine the last one waits a quarter of a second.
So a page that opens is handed over to this thread, and its own is free again.

A page that can't be served is closed. Its phone reconnects within half a second, says what it has read last, and
misses nothing. Other pages do not wait.
"""

import logging
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Final

from companion.live.feed import Feed
from companion.threads.troubles import LIVE
from companion.threads.worker import Crew, Policy, Worker
from companion.web.waitress_parts import Channel, LivePage

_log: Final = logging.getLogger(__name__)

# Serving a page takes microseconds. After this timeout, the thread that holds the page's lock is assumed to hang.
HELD_S: Final = 0.5


class OpenPage:
    """One open page: its connection and its position in the feed."""

    def __init__(self, channel: Channel, page: LivePage, *, chunked: bool) -> None:
        self._channel = channel
        self._page = page
        self._chunked = chunked
        self._lock = Lock()
        self._is_halfway = False
        """Whether its news was taken from the feed but not sent yet."""
        self._first_to_close = Lock()

    @property
    def is_open(self) -> bool:
        return self._channel.connected and not self._channel.will_close

    def serve(self) -> None:
        # Skip phones with unsent data; they get everything at once later.
        if self._channel.is_full:
            return
        if not self._lock.acquire(timeout=HELD_S):
            self._channel.hang_up()
            return
        try:
            self._tell_news()
        except Exception:  # noqa: BLE001 - one page is no reason to leave the others without news
            _log.exception("A live page can't be served and is closed.")
            self._channel.hang_up()
        finally:
            self._lock.release()

    def _tell_news(self) -> None:
        if self._is_halfway:
            # The thread that served this page last was ended in the middle of it.
            self._channel.hang_up()
            return
        self._is_halfway = True
        news = self._page.news()
        if news:
            self._channel.pass_on(b"%x\r\n%b\r\n" % (len(news), news) if self._chunked else news)
        self._is_halfway = False

    def close(self) -> None:
        """Frees the page's place; only the first call counts."""
        if self._first_to_close.acquire(blocking=False):
            self._page.close()


class Lines(Worker):
    """The worker thread that sends updates to all open pages."""

    def __init__(self, feed: Feed, crew: Crew) -> None:
        super().__init__(
            LIVE,
            Policy.RESTART,
            crew=crew,
            sentence="The live pages stand still at the moment; the game is judged all the same.",
        )
        self._feed = feed
        self._new: SimpleQueue[OpenPage] = SimpleQueue()
        self._open: list[OpenPage] = []
        """Used by this worker's thread only, so it needs no lock that a hanging thread could hold."""
        self._place = 0

    def add(self, channel: Channel, page: LivePage, *, chunked: bool) -> None:
        """Takes over a page. Thread-safe."""
        new = OpenPage(channel, page, chunked=chunked)
        self._new.put(new)
        if self._closing.is_set():
            self._close_all()
            return
        # Send what arrived while the page was being set up.
        new.serve()

    def turn(self) -> None:
        if self._feed.wait(self._place):
            self._closing.set()
            return
        self.beat()
        self._place = self._feed.newest_place
        self._welcome()
        stay: list[OpenPage] = []
        for page in self._open:
            self.beat()
            if page.is_open:
                stay.append(page)
                page.serve()
            else:
                page.close()
        self._open = stay

    def close(self) -> None:
        """Call it after the feed is closed."""
        super().close()
        self._close_all()

    def _welcome(self) -> None:
        while not self._new.empty():
            self._open.append(self._new.get())

    def _close_all(self) -> None:
        while True:
            try:
                self._new.get_nowait().close()
            except Empty:
                break
        for page in self._open:
            page.close()
