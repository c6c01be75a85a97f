"""Lamps that glow: lines switched on and off fast by one thread for all of them.

The kernel offers no such thing for the header's pins. Sixty times a second and more the eye sees no flicker. Where
the machine is busy this thread comes late, by as much as half a period; a lamp that was lit for too long then
stays dark for longer, so that it trembles but is as bright as it should be.
"""

import errno
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Final

from companion.units import SECOND

# A line is switched in microseconds; who waits for longer waits for a thread that hangs.
HANGS_S: Final = 1.0

Switch = Callable[[bool], None]


@dataclass(slots=True)
class Glow:
    switch: Switch
    period_ns: int
    share: float
    at: int
    on: bool = False
    due: int = 0
    owed: float = 0.0
    """The light that is still to be given, in nanoseconds; less than none where it was lit for too long."""

    def turn(self, now: int) -> None:
        """On or off as it is due."""
        self.settle(now)
        if self.share <= 0 or self.share >= 1:
            self._set(on=self.share >= 1)
            self.owed, self.due = 0.0, now + self.period_ns
            return
        # Half of what is given in one period: lit until so much is given in advance, dark until so much is owed.
        swing = self.period_ns * self.share * (1 - self.share) / 2
        self._set(on=self.owed >= 0)
        rest = (self.owed + swing) / (1 - self.share) if self.on else (swing - self.owed) / self.share
        self.due = now + round(rest)

    def settle(self, now: int) -> None:
        """What was given until now; of what is older than a period nobody sees anything any more."""
        given = (self.share - self.on) * (now - self.at)
        self.owed = min(max(self.owed + given, -self.period_ns), self.period_ns)
        self.at = now

    def _set(self, *, on: bool) -> None:
        if on is not self.on:
            self.on = on
            self.switch(on)


@dataclass(slots=True)
class Dimmer:
    clock: Callable[[], int] = time.monotonic_ns
    _glows: dict[int, Glow] = field(default_factory=dict[int, Glow])
    _changed: Condition = field(default_factory=Condition)
    _thread: Thread | None = None
    _dead: dict[int, OSError] = field(default_factory=dict[int, OSError])
    _hangs: bool = False
    """Nobody waits twice for a thread that hangs."""

    def glow(self, line: int, switch: Switch, frequency: float, share: float) -> None:
        """Raises `OSError` if that line could not be switched any more; the others glow on."""
        with self._held():
            now = self.clock()
            glow = self._glows.setdefault(line, Glow(switch, 0, share, now))
            glow.settle(now)
            glow.switch, glow.period_ns, glow.share = switch, round(SECOND / frequency), share
            # At once, for this thread has the processor.
            self._turn(line, glow, now)
            if line in self._dead:
                raise self._dead.pop(line)
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="lamps' glow", daemon=True)
                self._thread.start()
            self._changed.notify()

    @property
    def is_working(self) -> bool:
        """Whether what glows goes on glowing."""
        return not self._glows or (self._thread is not None and self._thread.is_alive())

    def dark(self, line: int) -> None:
        """That line is switched by nobody any more. Raises `OSError` where the thread hangs that switches it."""
        with self._held():
            self._glows.pop(line, None)
            self._dead.pop(line, None)
            thread = self._end() if not self._glows else None
        _join(thread)

    def close(self) -> None:
        try:
            with self._held():
                self._glows.clear()
                thread = self._end()
        except OSError:
            # It ends with the program.
            return
        _join(thread)

    @contextmanager
    def _held(self) -> Generator[None]:
        self._hangs = not self._changed.acquire(timeout=0 if self._hangs else HANGS_S)
        if self._hangs:
            raise OSError(errno.ETIMEDOUT, "what switches the lamps hangs")
        try:
            yield
        finally:
            self._changed.release()

    def _end(self) -> Thread | None:
        thread, self._thread = self._thread, None
        self._changed.notify()
        return thread

    def _run(self) -> None:
        with self._changed:
            while self._thread is threading.current_thread() and self._glows:
                now = self.clock()
                for line, glow in [*self._glows.items()]:
                    if glow.due <= now:
                        self._turn(line, glow, now)
                soonest = min((glow.due for glow in self._glows.values()), default=now)
                self._changed.wait(max(soonest - self.clock(), 0) / SECOND)
            if self._thread is threading.current_thread():
                self._thread = None

    def _turn(self, line: int, glow: Glow, now: int) -> None:
        try:
            glow.turn(now)
        except OSError as error:
            self._dead[line] = error
            del self._glows[line]


def _join(thread: Thread | None) -> None:
    if thread is not None and thread is not threading.current_thread():
        thread.join(HANGS_S)
