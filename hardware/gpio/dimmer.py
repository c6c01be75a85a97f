"""Dimmed lamps: software PWM, by one thread for all lines.

The kernel offers no PWM for most pins of the header. From sixty times a second on the eye sees no flicker. On a
busy machine this thread is late, by up to half a period. A lamp that was lit for too long then stays dark for
longer: it trembles but has the right brightness on average.
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

# A timeout: switching a line takes microseconds, so after this the thread is taken to hang.
HANGS_S: Final = 1.0

Switch = Callable[[bool], None]


@dataclass(slots=True)
class Glow:
    """One dimmed line."""

    switch: Switch
    period_ns: int
    share: float
    at: int
    on: bool = False
    due: int = 0
    owed: float = 0.0
    """The light still to be given, in nanoseconds; negative if it was lit for too long."""

    def turn(self, now: int) -> None:
        """Switches the line on or off, whichever is due."""
        self.settle(now)
        if self.share <= 0 or self.share >= 1:
            self._set(on=self.share >= 1)
            self.owed, self.due = 0.0, now + self.period_ns
            return
        # The hysteresis, half of the light of one period: lit until so much is given in advance, dark until so
        # much is owed.
        swing = self.period_ns * self.share * (1 - self.share) / 2
        self._set(on=self.owed >= 0)
        rest = (self.owed + swing) / (1 - self.share) if self.on else (swing - self.owed) / self.share
        self.due = now + round(rest)

    def settle(self, now: int) -> None:
        """Accounts for the time until now; an error older than a period is dropped, as nobody sees it any more."""
        given = (self.share - self.on) * (now - self.at)
        self.owed = min(max(self.owed + given, -self.period_ns), self.period_ns)
        self.at = now

    def _set(self, *, on: bool) -> None:
        if on is not self.on:
            self.on = on
            self.switch(on)


@dataclass(slots=True)
class Dimmer:
    """Dims lines with one thread for all of them."""

    clock: Callable[[], int] = time.monotonic_ns
    _glows: dict[int, Glow] = field(default_factory=dict[int, Glow])
    _changed: Condition = field(default_factory=Condition)
    _thread: Thread | None = None
    _dead: dict[int, OSError] = field(default_factory=dict[int, OSError])
    _hangs: bool = False
    """Whether the thread hangs: then nobody waits for it again."""

    def glow(self, line: int, switch: Switch, frequency: float, share: float) -> None:
        """Dims that line. Raises `OSError` if it can't be switched any more; the others go on."""
        with self._held():
            now = self.clock()
            glow = self._glows.setdefault(line, Glow(switch, 0, share, now))
            glow.settle(now)
            glow.switch, glow.period_ns, glow.share = switch, round(SECOND / frequency), share
            # Switched here, without waiting for the thread.
            self._turn(line, glow, now)
            if line in self._dead:
                raise self._dead.pop(line)
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="lamps' glow", daemon=True)
                self._thread.start()
            self._changed.notify()

    @property
    def is_working(self) -> bool:
        """Whether the thread still dims the lines."""
        return not self._glows or (self._thread is not None and self._thread.is_alive())

    def dark(self, line: int) -> None:
        """Stops dimming that line. Raises `OSError` if the thread hangs."""
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
            # A daemon thread: it ends with the program.
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
