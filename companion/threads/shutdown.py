"""How the program is told to end: by SIGTERM or Ctrl-C, by its terminal being closed, or by a part of it that
can't go on.
"""

import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
# Windows closes no terminal by a signal.
HANG_UP: Final = () if sys.platform == "win32" else (signal.SIGHUP,)
HUNG_UP: Final = (
    "The terminal in which this ran was closed, so it has ended: nohup, tmux or the service in systemd/ keep it."
)


class Stop:
    """Why the program ends: somebody said so, or a part has died of something."""

    def __init__(self) -> None:
        self.said = False
        # A signal may be heard while its thread is about to wait: a threading.Event would then wait for itself.
        self._bell = SimpleQueue[None]()
        self._death: BaseException | None = None
        self.is_hung_up = False
        """Whether the terminal was closed."""

    def hang_up(self) -> None:
        self.is_hung_up = True
        self()

    def __call__(self, death: BaseException | None = None) -> None:
        # The first death is the cause of those after it.
        self._death = self._death or death
        self.said = True
        self._bell.put(None)

    def wait(self, seconds: float | None) -> bool:
        """Whether it was said by then."""
        if not self.said:
            try:
                self._bell.get(timeout=seconds)
            except Empty:
                return self.said
            # For whoever waits too.
            self._bell.put(None)
        return True

    def raise_death(self) -> None:
        if self._death is not None:
            raise self._death


@contextmanager
def stopped_by_signals(stop: Stop) -> Generator[None]:
    def heard(number: int, _frame: FrameType | None) -> None:
        # Nothing can be said here: the signal may have interrupted whoever is just saying something.
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
    """While nothing has been begun that would have to be taken down in order: it is left at once, and with 0."""

    with _heard_by(_Leaving()):
        yield


class _Leaving:
    """What is raised within a destructor or by some libraries' loading is lost; that it was said is not."""

    is_said = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        self.is_said = True
        raise SystemExit(0)


@contextmanager
def _heard_by(hear: Callable[[int, FrameType | None], None]) -> Generator[dict[signal.Signals, object]]:
    # Under nohup a closed terminal is to be nothing to us.
    minded = [number for number in HANG_UP if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, hear) for number in (*SIGNALS, *minded)}
    try:
        yield {**before}
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
