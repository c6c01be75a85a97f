"""Console output, written by a worker thread: a reader that pauses blocks writes to its pipe for as long as it
likes, and the table must not wait for it.

Lines that don't fit into the queue are dropped, and so are lines that don't fit onto a full disk; a line says so
afterwards. A closed pipe is no trouble: the page is what counts.
"""

import errno
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Condition
from typing import Final, Protocol, TextIO

from companion.threads.troubles import TELLING
from companion.threads.worker import Crew, Policy, Worker

# Size of the queue, in lines and pictures of the table. A lively evening has one or two a second.
ROOM: Final = 200
# Timeout for the last lines at the end: enough for any active reader, and the program should end within a second.
PARTING_S: Final = 0.25
LEFT_OUT: Final = "(Nobody was reading: some of what happened is left out here.)"
NO_ROOM: Final = "(The disk was full: some of what happened is left out here.)"
FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# Retry interval for a pipe that another program has set to non-blocking.
RETRY_S: Final = 0.05


class Out(Protocol):
    """A text stream for output."""

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...


class Unbuffered:
    """Standard output without Python's buffer: flushing that at exit could block the program for ever."""

    def __init__(self, out: TextIO | None) -> None:
        """`out`: None if it was closed before the program began."""
        self._out = out

    def write(self, text: str, /) -> None:
        if self._out is None:
            return
        # Replace letters that the stream's encoding lacks, rather than fail on a player's name.
        left = text.encode(self._out.encoding, "replace")
        # The file descriptor belongs to the stream, so don't close it.
        with open(self._out.fileno(), "wb", buffering=0, closefd=False) as out:
            while left:
                written = out.write(left)
                if not written:
                    time.sleep(RETRY_S)
                left = left[written or 0 :]

    def flush(self) -> None:
        """Does nothing: there is no buffer."""


class Console(Worker):
    """The worker thread that writes the console's output."""

    def __init__(self, say: Callable[[str], object], crew: Crew | None = None) -> None:
        """`say` writes one line; it may block."""
        super().__init__(
            TELLING,
            Policy.RESTART,
            crew=crew,
            sentence="What happens can't be told in the terminal at the moment; the page tells it.",
            is_vital=False,
        )
        self._say = say
        self._waiting: deque[Callable[[], object]] = deque()
        self._changed = Condition()
        self._has_left_out = False
        self._has_no_room = False
        self._ends = False

    def say(self, line: str) -> None:
        self.tell(partial(self._say, line))

    def tell(self, news: Callable[[], object]) -> None:
        with self._changed:
            if len(self._waiting) >= ROOM:
                self._has_left_out = True
                return
            self._own_up()
            self._waiting.append(news)
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._own_up()
            self._ends = True
            self._changed.notify()
        # The reader may block the worker thread for ever, so don't wait longer; if it resumes it gets the rest.
        if self._thread.is_alive():
            self._thread.join(PARTING_S)

    def _own_up(self) -> None:
        if self._has_left_out:
            self._waiting.append(partial(self._say, LEFT_OUT))
            self._has_left_out = False

    def _next(self) -> Callable[[], object] | None:
        """Waits for the next output in the queue; None when the console is closed and the queue is empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ends)
            return self._waiting.popleft() if self._waiting else None

    def turn(self) -> None:
        # No heartbeat is expected here: a slow reader may block the write for any time.
        with self.resting():
            news = self._next()
            if news is not None:
                self._tell(news)
        if news is None:
            self._closing.set()

    def _tell(self, news: Callable[[], object]) -> None:
        try:
            if self._has_no_room:
                self._say(NO_ROOM)
                self._has_no_room = False
            news()
        except OSError as error:
            self._has_no_room = error.errno in FULL
            if not self._has_no_room:
                # The reader has closed the pipe: stop writing.
                self._closing.set()
