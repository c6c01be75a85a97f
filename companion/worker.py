"""Background threads: each has a name, a heartbeat, and a policy for its death.

A worker does one `turn` after the other until it is closed. What a turn raises is its death:

* `FATAL`: the program ends through `on_death`, and systemd starts it anew from the journal.
* `RESTART`: the trouble is told, and after a pause that grows with each failure in a row it goes on.

A thread that hangs is as dead as one that ended. The `Crew` asks every worker for its heartbeat, from the main
thread. A hung `RESTART` worker gets a new thread; Python can't end the old one, so that one is superseded: it ends
by itself at its next heartbeat.
"""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from contextlib import contextmanager
from enum import Enum
from threading import Event, Lock, Thread, current_thread
from types import TracebackType
from typing import Final, Self
from weakref import WeakSet

from companion.errors import CompanionError, TableClosed
from companion.troubles import Troubles

_log: Final = logging.getLogger(__name__)

# The first pause after a failure, and the longest; each is twice the one before.
FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 30.0
# Whoever has worked so long since the last failure, beside its pause, begins again with the first pause.
PROVEN_S: Final = 10.0
# A turn takes milliseconds, on a Pi that is busy a second. A card reader that stalls holds up a write for seconds.
HANGS_AFTER_S: Final = 10.0
# After so many new threads in a row that hung like the first, only a new process helps.
MOST_REPLACEMENTS: Final = 3
# Whoever closes waits so long for a turn to end, and no longer: the program ends within seconds, come what may.
CLOSE_S: Final = 3.0


class Policy(Enum):
    FATAL = "fatal"
    RESTART = "restart"


class WorkerHangs(CompanionError, RuntimeError):
    """A thread has given no sign of life for longer than any of its turns may take."""


class Superseded(BaseException):
    """Raised in a thread that hung and has been replaced meanwhile: it ends without touching anything more."""


class Worker(ABC):
    """Begins with `with`, and ends with it or with the table."""

    def __init__(  # noqa: PLR0913 - each has a default but the name and the policy
        self,
        name: str,
        policy: Policy,
        *,
        on_death: Callable[[BaseException], None] = lambda _: None,
        troubles: Troubles | None = None,
        sentence: str = "",
        hangs_after_s: float = HANGS_AFTER_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`name`: of the thread, and the key of its trouble. `on_death`: for `FATAL`, on the worker's own thread
        or on the crew's; it must not wait for the worker. `sentence`: what people lose while it is down."""
        self.name: Final = name
        self.policy: Final = policy
        self._on_death = on_death
        self._troubles = troubles if troubles is not None else Troubles()
        self._sentence = sentence or f"The part named {name} has failed and is begun again."
        self._hangs_after_s = hangs_after_s
        self._clock = clock
        self._closing = Event()
        self._lock = Lock()
        self._beat = clock()
        self._is_resting = True
        self._failures = 0
        """In a row, each soon after the one before."""
        self._failed_at = 0.0
        self._is_down = False
        """From a failure to the end of the next good turn."""
        self._replacements = 0
        """In a row, without a turn that ended."""
        self._has_begun = self._has_ended = False
        self._superseded: WeakSet[Thread] = WeakSet()
        self._thread = self._new_thread()

    @abstractmethod
    def turn(self) -> None:
        """One round. Ends soon when `self._closing` is set. Where it may take longer than `hangs_after_s` it calls
        `beat` in between, or waits within `resting`."""

    def recover(self) -> None:  # noqa: B027 - most have nothing to put right
        """Before the first turn after a failure: whatever the failed turn left half done is to be put right."""

    @property
    def is_alive(self) -> bool:
        """Whether it works, or rests; a worker that waits to be begun again is not alive."""
        return self._thread.is_alive() and not self._is_down and not self._is_hung()

    @property
    def can_go_on(self) -> bool:
        """False where nothing but a new process helps."""
        if self._closing.is_set() or not self._has_begun:
            return True
        if self.policy is Policy.FATAL:
            return self._thread.is_alive() and not self._is_hung()
        return self._replacements <= MOST_REPLACEMENTS

    def beat(self) -> None:
        """A sign of life within a long turn. Raises `Superseded` in a thread that has been replaced."""
        self._check_current()
        self._beat = self._clock()

    @contextmanager
    def resting(self) -> Generator[None]:
        """While it waits for something that may never come, be it for years."""
        self._check_current()
        self._is_resting = True
        try:
            yield
        finally:
            self._check_current()
            self._beat = self._clock()
            self._is_resting = False

    def check(self) -> None:
        """The crew's look, from the main thread: what hangs is replaced, or ends the program."""
        if self._closing.is_set() or self._has_ended or not self._has_begun:
            return
        dead = not self._thread.is_alive()
        if not dead and not self._is_hung():
            return
        silent_s = self._clock() - self._beat
        hung = WorkerHangs(
            f"The thread {self.name!r} has ended without a word."
            if dead
            else f"The thread {self.name!r} has given no sign of life for {silent_s:.0f} s."
        )
        if self.policy is Policy.FATAL:
            self._closing.set()
            self._on_death(hung)
        else:
            self._replace(hung)

    def close(self) -> None:
        """Ends it; also if it has never begun."""
        self._closing.set()
        self._join(CLOSE_S)

    def __enter__(self) -> Self:
        self._beat, self._is_resting, self._has_begun = self._clock(), False, True
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _new_thread(self) -> Thread:
        # A daemon, so that one that hangs for good can't keep the program from ending.
        return Thread(target=self._run, name=self.name, daemon=True)

    def _join(self, timeout_s: float | None = None) -> None:
        """Waits for its end, if it has begun."""
        thread = self._thread
        if thread.is_alive() and thread is not current_thread():
            thread.join(timeout_s)
            if thread.is_alive():
                _log.error("The thread %r did not end within %s s and is left behind.", self.name, timeout_s)

    def _is_hung(self) -> bool:
        return not self._is_resting and self._clock() - self._beat > self._hangs_after_s

    def _check_current(self) -> None:
        if current_thread() in self._superseded:
            raise Superseded

    def _replace(self, hung: WorkerHangs) -> None:
        with self._lock:
            self._replacements += 1
            if self._replacements > MOST_REPLACEMENTS:
                if self._replacements == MOST_REPLACEMENTS + 1:
                    _log.error("%s New threads hang as well; only a restart of the program helps.", hung)
                return
            _log.error("%s It gets a new one.", hung)
            self._tell_trouble()
            self._is_down = True
            self._superseded.add(self._thread)
            self._beat, self._is_resting = self._clock(), False
            self._thread = self._new_thread()
            self._thread.start()

    def _run(self) -> None:
        try:
            while not self._closing.is_set():
                self._take_turn()
        except (TableClosed, Superseded):
            pass
        except BaseException as error:  # noqa: BLE001 - whatever it is, nobody must go on as if all were well
            _log.critical("The thread %r can't go on.", self.name, exc_info=error)
            if self.policy is Policy.FATAL:
                self._has_ended = True
                self._on_death(error)
            # Else the crew finds it dead, and begins it again.
            return
        if current_thread() is self._thread:
            self._has_ended = True

    def _take_turn(self) -> None:
        if self.policy is Policy.FATAL:
            self.turn()
        elif not self._try_turn():
            with self.resting():
                self._closing.wait(self._pause_s())
            return
        self.beat()

    def _try_turn(self) -> bool:
        """Whether it went well."""
        try:
            if self._is_down:
                self.recover()
            self.turn()
            self._check_current()
        except (TableClosed, Superseded):
            raise
        except BaseException as error:  # noqa: BLE001 - the policy is to go on, whatever it was
            self._check_current()
            now = self._clock()
            self._failures = self._failures + 1 if now - self._failed_at < PROVEN_S + self._pause_s() else 1
            self._failed_at, self._is_down = now, True
            _log.error("The thread %r has failed, %d in a row.", self.name, self._failures, exc_info=error)
            self._tell_trouble()
            return False
        if self._is_down:
            self._is_down, self._replacements = False, 0
            self._troubles.clear(self.name)
        return True

    def _tell_trouble(self) -> None:
        self._troubles.raise_trouble(self.name, self._sentence)

    def _pause_s(self) -> float:
        return min(FIRST_PAUSE_S * 2 ** min(self._failures, 20) / 2, LONGEST_PAUSE_S)


class Crew:
    """All workers of one program. The main thread calls `check` every second."""

    def __init__(self) -> None:
        self._workers: list[Worker] = []

    def add(self, worker: Worker) -> Worker:
        self._workers.append(worker)
        return worker

    def check(self) -> None:
        for worker in self._workers:
            worker.check()

    @property
    def can_go_on(self) -> bool:
        """Whether the watchdog may be told that all is well enough."""
        return all(worker.can_go_on for worker in self._workers)

    def dead(self) -> tuple[str, ...]:
        """The names of those that do not work now."""
        return tuple(worker.name for worker in self._workers if not worker.is_alive)
