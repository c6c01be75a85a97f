"""Shutdown: by SIGTERM or Ctrl-C, by SIGHUP when the terminal is closed, or by a thread that can't go on."""

import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
# Windows has no SIGHUP.
HANG_UP: Final = () if sys.platform == "win32" else (signal.SIGHUP,)
HUNG_UP: Final = (
    "The terminal in which this ran was closed, so it has ended: nohup, tmux or the service in systemd/ keep it."
)


class Stop:
    """The request to end the program, with the exception if a thread has died."""

    def __init__(self) -> None:
        self.said = False
        # A signal handler may interrupt its own thread just as that begins to wait: a threading.Event would then
        # deadlock on its lock, a SimpleQueue does not.
        self._bell = SimpleQueue[None]()
        self._death: BaseException | None = None
        self.is_hung_up = False
        """Whether the terminal was closed."""

    def hang_up(self) -> None:
        self.is_hung_up = True
        self()

    def __call__(self, death: BaseException | None = None) -> None:
        # Keep the first exception: it caused the later ones.
        self._death = self._death or death
        self.said = True
        self._bell.put(None)

    def wait(self, seconds: float | None) -> bool:
        """Waits for a request to end, with a timeout; whether there was one."""
        if not self.said:
            try:
                self._bell.get(timeout=seconds)
            except Empty:
                return self.said
            # Put it back for other threads that wait too.
            self._bell.put(None)
        return True

    def raise_death(self) -> None:
        if self._death is not None:
            raise self._death


@contextmanager
def stopped_by_signals(stop: Stop) -> Generator[None]:
    def heard(number: int, _frame: FrameType | None) -> None:
        # No logging in a signal handler: it may have interrupted a thread that holds the log's lock.
        if number in HANG_UP:
            stop.hang_up()
        else:
            stop()

    with _heard_by(heard) as before:
        if any(isinstance(hears, _Leaving) and hears.is_said for hears in before.values()):
            stop()
        yield


@contextmanager
def left_by_signals() -> Generator[None]:
    """While there is nothing to shut down in order: a signal ends the program at once, with exit code 0."""

    with _heard_by(_Leaving()):
        yield


class _Leaving:
    """A signal handler that raises. SystemExit may be swallowed in destructors or while some libraries load, so it
    also remembers that the end was requested."""

    is_said = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        self.is_said = True
        raise SystemExit(0)


@contextmanager
def _heard_by(hear: Callable[[int, FrameType | None], None]) -> Generator[dict[signal.Signals, object]]:
    # Under nohup SIGHUP is ignored, and stays so.
    minded = [number for number in HANG_UP if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, hear) for number in (*SIGNALS, *minded)}
    try:
        yield {**before}
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
