"""What the program tells whoever reads along, told on a thread of its own: a reader who rests holds up whoever
writes into his pipe for as long as he likes, and the table can't wait for him.

What he leaves unread too long is left out, and he is told so; so is what a file on a full disk has no room for.
One who hangs up is no trouble: the page is what counts.
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

# So many lines and pictures of the table wait for the reader. A lively evening has one or two a second.
ROOM: Final = 200
# Who reads at all has read the last line by then; it is part of the second in which the program ends.
PARTING_S: Final = 0.25
LEFT_OUT: Final = "(Nobody was reading: some of what happened is left out here.)"
NO_ROOM: Final = "(The disk was full: some of what happened is left out here.)"
FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# Where somebody has made the pipe one that doesn't wait.
RETRY_S: Final = 0.05


class Out(Protocol):
    """Where something is written."""

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...


class Unbuffered:
    """Standard output without Python's buffer: what is left in that, the program waits for when it ends."""

    def __init__(self, out: TextIO | None) -> None:
        """None where it was closed before the program began."""
        self._out = out

    def write(self, text: str, /) -> None:
        if self._out is None:
            return
        # A name that can't be written there is no reason to fall silent.
        left = text.encode(self._out.encoding, "replace")
        # It stays somebody else's, who closes it.
        with open(self._out.fileno(), "wb", buffering=0, closefd=False) as out:
            while left:
                written = out.write(left)
                if not written:
                    time.sleep(RETRY_S)
                left = left[written or 0 :]

    def flush(self) -> None:
        """Nothing ever waits in it."""


class Console(Worker):
    def __init__(self, say: Callable[[str], object], crew: Crew | None = None) -> None:
        """`say` may take as long as it likes."""
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
        # Nobody waits for a reader who rests for good; should he come back, he is told the rest.
        if self._thread.is_alive():
            self._thread.join(PARTING_S)

    def _own_up(self) -> None:
        if self._has_left_out:
            self._waiting.append(partial(self._say, LEFT_OUT))
            self._has_left_out = False

    def _next(self) -> Callable[[], object] | None:
        """None when all is told."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ends)
            return self._waiting.popleft() if self._waiting else None

    def turn(self) -> None:
        # However long it takes him to read: that is no thread that hangs.
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
                # Whoever read along has hung up: nobody is left who could be told.
                self._closing.set()
