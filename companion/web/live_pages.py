"""The live pages' way out: one thread passes on to all of them what is new.

WSGI gives each page a thread of its own for as long as it is open. With 250 of them every update wakes 250 threads
that all want the same lock and the interpreter: 68 us of processor for each phone, and on a busy machine the last
one waits a quarter of a second. So a page that begins is handed over to here; its thread is free again.

A page that can't be served, for whatever reason, is closed: its phone comes back in half a second, says how far it
has read, and misses nothing. Nobody else waits for it.
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

# To serve a page takes microseconds. A page that somebody else has been at for so long is in the hands of a thread
# that hangs.
HELD_S: Final = 0.5


class OpenPage:
    def __init__(self, channel: Channel, page: LivePage, *, chunked: bool) -> None:
        self._channel = channel
        self._page = page
        self._chunked = chunked
        self._lock = Lock()
        self._is_halfway = False
        """Between what it was to be told and its being sent."""
        self._first_to_close = Lock()

    @property
    def is_open(self) -> bool:
        return self._channel.connected and not self._channel.will_close

    def serve(self) -> None:
        # Who hasn't read the last yet gets, when it has, all of this in one.
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
            # Whoever served it last did not come to the end of it.
            self._channel.hang_up()
            return
        self._is_halfway = True
        news = self._page.news()
        if news:
            self._channel.pass_on(b"%x\r\n%b\r\n" % (len(news), news) if self._chunked else news)
        self._is_halfway = False

    def close(self) -> None:
        """It gives its place back, once."""
        if self._first_to_close.acquire(blocking=False):
            self._page.close()


class Lines(Worker):
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
        """Of this worker's thread alone: no lock that a thread which hangs could hold."""
        self._place = 0

    def add(self, channel: Channel, page: LivePage, *, chunked: bool) -> None:
        """From any thread."""
        new = OpenPage(channel, page, chunked=chunked)
        self._new.put(new)
        if self._closing.is_set():
            self._close_all()
            return
        # What came while its page was put together.
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
        """Once the feed is closed."""
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
