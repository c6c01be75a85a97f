"""Background threads: each has a name, a heartbeat, and a policy for its death.

A worker does one `turn` after the other until it is closed. What a turn raises is its death:

* `FATAL`: the program ends through the crew's `on_death`, and systemd starts it anew from the journal.
* `RESTART`: the trouble is reported, and the worker retries after a pause that grows with each failure in a row.

A thread that hangs counts as dead. The `Crew` checks every worker's heartbeat from the main thread. A hung
`RESTART` worker gets a new thread; Python can't end the old one, so the old one is superseded: it ends by itself
at its next heartbeat. So a worker that has waited for something that may hang calls `beat` before it touches
shared state.
"""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from contextlib import contextmanager
from enum import Enum
from threading import Event, Lock, Thread, current_thread
from types import TracebackType
from typing import Final, Protocol, Self
from weakref import WeakSet

from companion.errors import CompanionError, TableClosed
from companion.threads.troubles import Trouble, Troubles

_log: Final = logging.getLogger(__name__)

# Backoff: the first pause after a failure, and the longest; each is twice the one before.
FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 30.0
# A worker that has run this long since the last failure, not counting its pause, has its backoff reset.
PROVEN_S: Final = 10.0
# Heartbeat timeout. A turn takes milliseconds, on a busy Pi a second; a stalled SD card blocks writes for seconds.
HANGS_AFTER_S: Final = 10.0
# When this many replacement threads in a row have hung too, only a new process helps.
MOST_REPLACEMENTS: Final = 3
# The crew checks every second. After a gap this long no worker is to blame: the machine slept.
AWAY_S: Final = 5.0
# Timeout for closing all workers together, so that the program always ends within seconds. Each worker gets at
# least a moment, however many hang.
CLOSE_S: Final = 2.0
MOMENT_S: Final = 0.2


class Policy(Enum):
    """What happens when a turn raises or hangs."""

    FATAL = "fatal"
    RESTART = "restart"


class WorkerHangs(CompanionError, RuntimeError):
    """A worker's heartbeat is older than its timeout."""


class Superseded(BaseException):
    """Raised in a thread that hung and has been replaced meanwhile: it ends without touching anything more."""


class Worker(ABC):
    """A background thread with a heartbeat, and a context manager: `with` starts it, and its end closes it."""

    def __init__(  # noqa: PLR0913 - each has a default but the name and the policy
        self,
        name: str,
        policy: Policy,
        *,
        crew: "Crew | None" = None,
        sentence: str = "",
        is_vital: bool = True,
        hangs_after_s: float = HANGS_AFTER_S,
    ) -> None:
        """`name`: of the thread, and the key of its trouble. `crew`: which the worker joins when it starts.
        `sentence`: what people lose while it is down. `is_vital`: if every replacement thread hangs as well, the
        program ends and is restarted; a worker that is not vital stays down, and play goes on without it."""
        self.name: Final = name
        self.policy: Final = policy
        self._crew = crew if crew is not None else Crew()
        self._troubles = self._crew.troubles
        self.sentence: Final = sentence or f"The part named {name} has failed and is begun again."
        self._is_vital = is_vital
        self._hangs_after_s = hangs_after_s
        self._closing = Event()
        self._lock = Lock()
        self._beat = self._crew.clock()
        self._is_resting = True
        self._failures = 0
        """Failures in a row, each within `PROVEN_S` of running."""
        self._failed_at = 0.0
        self._is_down = False
        """True from a failure to the end of the next good turn."""
        self._replacements = 0
        """Replacement threads in a row of which none has completed a turn."""
        self._has_given_up = False
        self._has_begun = self._has_ended = self._has_died = False
        self._superseded: WeakSet[Thread] = WeakSet()
        self._thread = self._new_thread()

    @abstractmethod
    def turn(self) -> None:
        """One round of work; must return soon when `self._closing` is set. A turn that may take longer than
        `hangs_after_s` calls `beat` in between, or waits within `resting`."""

    def recover(self) -> None:  # noqa: B027 - most workers have nothing to clean up
        """Called before the first turn after a failure: cleans up what the failed turn left half done."""

    @property
    def is_alive(self) -> bool:
        """Whether the worker runs or rests; False while it waits to be restarted. One that was never started
        counts as alive."""
        is_lost = self._is_down or self._has_died or self._is_hung()
        return not self._has_begun or (self._thread.is_alive() and not is_lost)

    @property
    def silent_s(self) -> float:
        """The age of the last heartbeat in seconds; 0 while the worker rests."""
        return 0.0 if self._is_resting else self._crew.clock() - self._beat

    @property
    def can_go_on(self) -> bool:
        """False where nothing but a new process helps."""
        if self._has_died:
            return False
        is_needed = self._has_begun and not self._closing.is_set() and self.policy is Policy.FATAL
        return not is_needed or (self._thread.is_alive() and not self._is_hung())

    def beat(self) -> None:
        """Records a heartbeat; called within long turns and before shared state is changed. Raises `Superseded`
        in a thread that has been replaced; otherwise it is not replaced before the timeout has passed again."""
        with self._lock:
            self._check_current()
            self._beat = self._crew.clock()

    def excuse(self) -> None:
        """Resets the heartbeat after the machine slept or the program was suspended: no worker could beat."""
        with self._lock:
            self._beat = self._crew.clock()

    @contextmanager
    def resting(self) -> Generator[None]:
        """No heartbeat is expected within this: for waits without a timeout."""
        self._rest(resting=True)
        try:
            yield
        finally:
            self._rest(resting=False)

    def _rest(self, *, resting: bool) -> None:
        with self._lock:
            self._check_current()
            self._beat = self._crew.clock()
            self._is_resting = resting

    @property
    def is_left_behind(self) -> bool:
        """Whether the thread still runs although the worker was closed."""
        return self._closing.is_set() and self._thread.is_alive()

    def check(self) -> None:
        """Called by the crew on the main thread: replaces a hung thread, or ends the program."""
        if self._closing.is_set() or self._has_ended or not self._has_begun:
            return
        dead = not self._thread.is_alive()
        if not dead and not self._is_hung():
            return
        hung = WorkerHangs(
            f"The thread {self.name!r} has ended without a word."
            if dead
            else f"The thread {self.name!r} has given no sign of life for {self.silent_s:.0f} s."
        )
        if self.policy is Policy.FATAL:
            self._closing.set()
            self._superseded.add(self._thread)
            self._die(hung)
        else:
            self._replace(hung)

    def close(self) -> None:
        """Stops the worker and waits for its thread with a timeout; harmless if it was never started."""
        self._closing.set()
        self._join(self._crew.left_to_close_s())

    def __enter__(self) -> Self:
        self._beat, self._is_resting, self._has_begun = self._crew.clock(), False, True
        self._thread.start()
        self._crew.add(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _new_thread(self) -> Thread:
        # A daemon thread, so that one that hangs for ever can't keep the program from ending.
        return Thread(target=self._run, name=self.name, daemon=True)

    def _join(self, timeout_s: float | None = None) -> None:
        """Waits for the thread to end, if it was started."""
        thread = self._thread
        if thread.is_alive() and thread is not current_thread():
            thread.join(timeout_s)
            if thread.is_alive():
                # It did not end in time: superseded, it ends at its next heartbeat and changes nothing.
                self._superseded.add(thread)
                _log.error("The thread %r did not end within %s s and is left behind.", self.name, timeout_s)

    def _is_hung(self) -> bool:
        return self.silent_s > self._hangs_after_s

    def _check_current(self) -> None:
        if current_thread() in self._superseded:
            raise Superseded

    def _replace(self, hung: WorkerHangs) -> None:
        with self._lock:
            if self._thread.is_alive() and not self._is_hung():
                # A heartbeat came at the last moment.
                return
            # Before the new thread starts, because its first good turn clears the trouble.
            self._tell_trouble()
            self._replacements += 1
            if self._replacements > MOST_REPLACEMENTS:
                self._give_up(hung)
                return
            self._is_down = True
            self._superseded.add(self._thread)
            self._beat, self._is_resting = self._crew.clock(), False
            self._thread = self._new_thread()
            self._thread.start()
        _log.error("%s It gets a new one.", hung)

    def _give_up(self, hung: WorkerHangs) -> None:
        if self._has_given_up:
            return
        self._has_given_up = True
        _log.error("%s New threads hang as well.", hung)
        if self._is_vital:
            self._die(hung)

    def _die(self, death: BaseException) -> None:
        """Reports `death` to the crew's `on_death`, which ends the program."""
        self._has_died = True
        self._crew.on_death(death)

    def _run(self) -> None:
        try:
            while not self._closing.is_set():
                self._take_turn()
        except (TableClosed, Superseded):
            pass
        except BaseException as error:  # noqa: BLE001 - whatever it is, the program must not go on silently
            _log.critical("The thread %r can't go on.", self.name, exc_info=error)
            if self.policy is Policy.FATAL:
                self._has_ended = True
                self._die(error)
            # The thread ended without being closed or superseded: the crew finds it dead and restarts it.
            return
        if current_thread() is self._thread:
            self._has_ended = True

    def _take_turn(self) -> None:
        if self.policy is Policy.FATAL:
            self.turn()
            self.beat()
        elif not self._try_turn():
            with self.resting():
                self._closing.wait(self._pause_s())

    def _try_turn(self) -> bool:
        """Runs one turn; False if it raised."""
        try:
            if self._is_down:
                self.recover()
            self.turn()
            self.beat()
        except (TableClosed, Superseded):
            raise
        except BaseException as error:  # noqa: BLE001 - the policy is to go on, whatever it was
            self.beat()
            now = self._crew.clock()
            self._failures = self._failures + 1 if now - self._failed_at < PROVEN_S + self._pause_s() else 1
            self._failed_at, self._is_down = now, True
            _log.error("The thread %r has failed, %d in a row.", self.name, self._failures, exc_info=error)
            self._tell_trouble()
            return False
        if self._is_down:
            # In this order: if the thread ends in between, no trouble stays on the board for ever.
            self._troubles.clear(self.name)
            self._is_down, self._replacements = False, 0
        return True

    def _tell_trouble(self) -> None:
        self._troubles.raise_trouble(self.name, self.sentence)

    def _pause_s(self) -> float:
        return min(FIRST_PAUSE_S * 2 ** min(self._failures, 20) / 2, LONGEST_PAUSE_S)


class Watched(Protocol):
    """What the crew supervises: a `Worker`, or a thread that is managed elsewhere."""

    @property
    def name(self) -> str:
        """The thread's name, and the key of its trouble."""
        ...

    @property
    def sentence(self) -> str:
        """What people lose while it is down."""
        ...

    @property
    def is_alive(self) -> bool: ...

    @property
    def can_go_on(self) -> bool:
        """False where nothing but a new process helps."""
        ...

    def check(self) -> None: ...

    def excuse(self) -> None: ...


class Crew:
    """All threads of one program. The main thread calls `check` every second."""

    def __init__(
        self,
        on_death: Callable[[BaseException], None] = lambda _: None,
        troubles: Troubles | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`on_death`: ends the program for the reason it is given; called on the thread that dies or on the main
        thread, so it must not wait for either. `clock`: of the heartbeats, in seconds."""
        self.on_death: Final = on_death
        self.troubles: Final = troubles if troubles is not None else Troubles()
        self.clock: Final = clock
        # Replaced as a whole, never mutated: the page's threads read it without a lock.
        self.watched: tuple[Watched, ...] = ()
        self._checked = clock()
        self._closes_by = 0.0

    def add(self, watched: Watched) -> None:
        self.watched = (*self.watched, watched)

    def check(self) -> None:
        now, before = self.clock(), self._checked
        self._checked = now
        for watched in self.watched:
            if now - before > AWAY_S:
                watched.excuse()
            watched.check()

    def left_to_close_s(self) -> float:
        """The timeout in seconds for the next worker that is closed."""
        now = time.monotonic()
        self._closes_by = self._closes_by or now + CLOSE_S
        return max(MOMENT_S, self._closes_by - now)

    @property
    def can_go_on(self) -> bool:
        """Whether systemd's watchdog may be told that the program is alive."""
        return all(watched.can_go_on for watched in self.watched)

    def dead(self) -> tuple[str, ...]:
        """The names of the threads that do not work now."""
        return tuple(watched.name for watched in self.watched if not watched.is_alive)

    def wrong(self) -> tuple[Trouble, ...]:
        """The troubles on the board, and one for each dead thread that has none there."""
        told = self.troubles.current()
        keys = {trouble.key for trouble in told}
        silent = (watched for watched in self.watched if watched.name not in keys and not watched.is_alive)
        return (*told, *(Trouble(watched.name, watched.sentence) for watched in silent))
