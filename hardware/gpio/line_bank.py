"""All input lines of a chip in one request, read by one thread.

One request gives one sequence of numbers for all edges, and one large buffer: by default the kernel keeps 16 edges
for each line, and a bouncing switch fills that while a busy machine is late by 20 ms. Adding or removing a line
costs a new request; that happens at startup, hardly ever during a game.

A line with more edges than any hand can make is muted: its edges are not requested any more, and its level is
polled until it seems to be still. Then it is on trial: edges are requested again, but with a lower limit, since
sparks are short and polling may miss them. So a loose wire costs the other buttons nothing.
"""

import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import RLock, Thread
from typing import Final

from gpiod import EdgeEvent, LineSettings
from gpiod.line import Edge as Edges
from gpiod.line import Value

from companion.units import SECOND
from hardware.faults import LineLost
from hardware.gpio.line_requests import BUFFER, request_lines
from hardware.ports import Chip, LineRequest

# The limit of edges a second before a line is muted. Sixteen presses a second with 80 edges each are 1,280; no
# hands are faster, and no switch is worse.
STORM: Final = 1500
# How many edges are delivered before the kernel is read again. Delivering is slower than reading, and during a
# storm the other lines' edges must not overflow the buffer.
PORTION: Final = 32
# The poll interval of a muted line, and how long it must be still. The debouncer trusts a line after a second; by
# then it has been on trial. A poll that comes late, on a busy machine, does not count as having seen the line
# still.
LOOK_NS: Final = SECOND // 20
TOO_LATE_NS: Final = SECOND // 5
CALM_NS: Final = SECOND // 2
# A timeout: delivering an edge takes microseconds, so after this the handler is taken to hang.
HANGS_S: Final = 2.0
# The limit of edges in the first second on trial: one press with its release makes 80.
TRIAL: Final = 100
NEVER: Final = -SECOND
GIVEN_BACK: Final = "The GPIO lines have been given back; a new pin factory gets them again."


@dataclass(frozen=True, slots=True)
class LineEdge:
    """An edge of one line. `number` counts the line's edges; a gap means lost edges."""

    t_ns: int
    high: bool
    number: int


EdgeHandler = Callable[[LineEdge], None]


@dataclass(slots=True)
class GpioLine:
    """One input line and its state."""

    settings: LineSettings
    handler: EdgeHandler | None = None
    sequence: int = 0
    """The kernel's number of the newest edge in the present request."""
    number: int = 0
    high: bool = False
    since: int = NEVER
    """When the present second of counting began; while muted, when the level last changed."""
    counted: int = 0
    muted: bool = False
    looked: int = NEVER
    """When its level was last polled while muted."""

    @property
    def wanted_settings(self) -> LineSettings:
        listening = self.handler is not None and not self.muted
        return self.settings if listening else replace(self.settings, edge_detection=Edges.NONE)


@dataclass(slots=True)
class _PendingEdge:
    handler: EdgeHandler
    signal: LineEdge


@dataclass(slots=True)
class LineBank:
    """All inputs of one chip. Edges are delivered to the handlers by the bank's own thread or by the caller of
    `deliver_pending`, never by both at once."""

    chip: Chip
    consumer: str
    clock: Callable[[], int] = time.monotonic_ns
    _lines: dict[int, GpioLine] = field(default_factory=dict[int, GpioLine])
    _request: LineRequest | None = None
    _pending: deque[_PendingEdge] = field(default_factory=deque[_PendingEdge])
    _lock: RLock = field(default_factory=RLock)
    # Held during delivery, to keep the edges in order. Replaced if its holder hangs.
    _delivering: RLock = field(default_factory=RLock)
    _thread: Thread | None = None
    _closing: bool = False
    _is_dead: bool = False
    _wake_pipe: tuple[int, int] = field(default_factory=os.pipe)
    # Not poll: it keeps the request's file open while it waits, so its lines would stay taken after the release.
    _epoll: select.epoll = field(default_factory=select.epoll)

    def __post_init__(self) -> None:
        self._epoll.register(self._wake_pipe[0], select.EPOLLIN)

    # Which lines there are

    def set_line(self, offset: int, settings: LineSettings, handler: EdgeHandler | None = None) -> None:
        """Requests a line, or changes its settings. `handler` gets each edge, on the bank's own thread.

        >>> bank.set_line(17, LineSettings(edge_detection=Edges.BOTH), print)
        """
        with self._lock:
            if self._closing:
                raise LineLost(GIVEN_BACK)
            known = self._lines.get(offset)
            if known is None:
                self._lines[offset] = GpioLine(settings, handler)
                try:
                    self._request_anew()
                except Exception:
                    del self._lines[offset]
                    self._request_anew()
                    raise
                return
            known.settings, known.handler = settings, handler
            self._reconfigure()

    def release_line(self, offset: int) -> None:
        with self._lock:
            if self._lines.pop(offset, None) is not None:
                self._request_anew()

    def has_line(self, offset: int) -> bool:
        return offset in self._lines

    def is_high(self, offset: int) -> bool:
        with self._lock:
            if self._request is None:
                raise LineLost(GIVEN_BACK)
            return self._request.get_value(offset) is Value.ACTIVE

    @property
    def is_working(self) -> bool:
        """Whether edges are still delivered."""
        return not self._is_dead

    def deliver_pending(self) -> None:
        """Delivers every edge made before this call; if that is impossible, `is_working` says so."""
        delivering = self._delivering
        if not delivering.acquire(timeout=HANGS_S):
            self._is_dead = True
            return
        try:
            # The bank's own thread meets the same error, and ends with it.
            with suppress(LineLost):
                while self._deliver_some():
                    pass
        finally:
            delivering.release()

    def restart(self) -> None:
        """Starts again after the thread has died or hung. Edges still in the kernel are delivered. If the chip did
        not answer, its lines are requested again, and lost edges show as gaps in the numbers. Raises the chip's
        error."""
        if not self._lock.acquire(timeout=HANGS_S):
            raise LineLost("The buttons' chip hangs: switch this machine off and on.")
        try:
            if self._closing or self.is_working:
                return
            self._delivering, self._thread = RLock(), None
            if not self._still_answers():
                self._request_anew()
                self._report_levels()
            self._is_dead = False
            self._listen()
        finally:
            self._lock.release()

    def _still_answers(self) -> bool:
        try:
            self._collect_from_kernel()
        except LineLost:
            return False
        return self._request is not None

    def _report_levels(self) -> None:
        """Delivers the present levels, as edges with some lost before them."""
        for offset, line in self._lines.items():
            if line.handler is not None:
                line.number += 2
                line.high = self.is_high(offset)
                self._pending.append(_PendingEdge(line.handler, LineEdge(self.clock(), line.high, line.number)))

    def muted(self) -> tuple[int, ...]:
        with self._lock:
            return tuple(offset for offset, line in self._lines.items() if line.muted)

    def close(self) -> None:
        if not self._lock.acquire(timeout=HANGS_S):
            # A thread hangs in the kernel: its files are released when the program ends.
            self._closing = self._is_dead = True
            return
        try:
            if self._closing:
                return
            self._closing = True
            self._lines.clear()
            self._request_anew()
        finally:
            self._lock.release()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(HANGS_S)
        if thread is None or not thread.is_alive():
            self._close_files()

    def _close_files(self) -> None:
        with self._lock:
            self._is_dead = True
            self._epoll.close()
            for end in self._wake_pipe:
                os.close(end)

    # The request

    def _request_anew(self) -> None:
        if self._request is not None:
            # First deliver what is pending, unless the chip has died: a new request would lose it.
            with suppress(LineLost):
                self._collect_from_kernel()
            self._epoll.unregister(self._request.fd)
            self._request.release()
            self._request = None
        for line in self._lines.values():
            line.sequence = 0
        if self._lines:
            self._request = request_lines(self.chip, self._config(), self.consumer)
            self._epoll.register(self._request.fd, select.EPOLLIN)
        self._listen()

    def _reconfigure(self) -> None:
        assert self._request is not None
        self._request.reconfigure_lines(self._config())
        self._listen()

    def _config(self) -> dict[int, LineSettings]:
        return {offset: line.wanted_settings for offset, line in self._lines.items()}

    def _listen(self) -> None:
        if self._thread is not None:
            os.write(self._wake_pipe[1], b"!")
        elif any(line.handler for line in self._lines.values()):
            self._thread = Thread(target=self._read, name="gpio edges", daemon=True)
            self._thread.start()

    # The edges

    def _read(self) -> None:
        delivering = self._delivering
        try:
            while not self._closing and self._delivering is delivering:
                self._epoll.poll(0 if self._pending else LOOK_NS / SECOND if self.muted() else None)
                with delivering:
                    self._deliver_some(own=True)
        finally:
            if self._delivering is delivering:
                self._is_dead = True

    def _deliver_some(self, *, own: bool = False) -> bool:
        """Whether there was anything to deliver. `own`: called on the bank's own thread."""
        delivering, count = self._delivering, self._collect_some(own=own)
        for _ in range(count):
            pending = self._next_pending(delivering)
            if pending is None:
                break
            _deliver(pending)
        return bool(count)

    def _next_pending(self, delivering: RLock) -> _PendingEdge | None:
        """One at a time: if its handler hangs, the edges after it are left for the next deliverer."""
        with self._lock:
            return self._pending.popleft() if self._pending and self._delivering is delivering else None

    def _collect_some(self, *, own: bool) -> int:
        """Collects edges to deliver before the kernel is read again; returns how many there are."""
        with self._lock:
            if self._is_dead:
                return 0
            # Only the bank's own thread empties its wake-up pipe; whoever else delivers could swallow its wake-up.
            if own and _is_ready(self._wake_pipe[0]):
                os.read(self._wake_pipe[0], 4096)
            self._collect_from_kernel()
            self._mute_storms()
            # Each change found wakes the reader. If every call polled, catching up would find the next change at
            # once.
            if own or self._is_look_due():
                self._pending += self._look_at_muted()
            return min(len(self._pending), PORTION)

    def _collect_from_kernel(self) -> None:
        # Read each time: it may have been replaced by a new request.
        if self._request is not None and _is_ready(self._request.fd):
            self._pending += self._read_events(self._request)

    def _read_events(self, request: LineRequest) -> list[_PendingEdge]:
        try:
            events = request.read_edge_events(BUFFER)
        except OSError as error:
            raise LineLost(f"The buttons' chip does not answer any more ({error.strerror}).") from error
        return [one for event in events if (one := self._to_pending(event)) is not None]

    def _to_pending(self, event: EdgeEvent) -> _PendingEdge | None:
        line = self._lines.get(event.line_offset)
        if line is None or line.handler is None:
            return None
        # Numbers start from 1 again after a line was reconfigured.
        step = event.line_seqno - line.sequence if event.line_seqno > line.sequence else 1
        line.sequence, line.number = event.line_seqno, line.number + step
        line.high = event.event_type is EdgeEvent.Type.RISING_EDGE
        if event.timestamp_ns - line.since > SECOND:
            line.since, line.counted = event.timestamp_ns, 0
        # Edges that overflowed the buffer count as well.
        line.counted += step
        return _PendingEdge(line.handler, LineEdge(event.timestamp_ns, line.high, line.number))

    def _mute_storms(self) -> None:
        stormy = [
            (offset, line) for offset, line in self._lines.items() if line.counted > STORM and not line.muted
        ]
        if not stormy:
            return
        for _, line in stormy:
            line.muted = True
        self._reconfigure()
        # Their earlier edges come first, so that numbers and times stay in order.
        self._collect_from_kernel()
        for offset, line in stormy:
            self._pending += self._lose_storm(line, self.clock(), high=self.is_high(offset))

    def _is_look_due(self) -> bool:
        """A caller that catches up must not take a line for still just because the bank's thread had no time to
        poll it."""
        return any(line.muted and self.clock() - line.looked >= LOOK_NS for line in self._lines.values())

    def _look_at_muted(self) -> list[_PendingEdge]:
        """Polls the muted lines: a change counts as an edge of the continuing storm."""
        pending: list[_PendingEdge] = []
        muted = [(offset, line) for offset, line in self._lines.items() if line.muted]
        for offset, line in muted:
            now, high = self.clock(), self.is_high(offset)
            if high != line.high or now - line.looked > TOO_LATE_NS:
                pending += self._lose_storm(line, now, high=high)
            elif now - line.since >= CALM_NS:
                line.muted, line.counted, line.since = False, STORM - TRIAL, now
            line.looked = now
        if any(not line.muted for _, line in muted):
            self._reconfigure()
        return pending

    def _lose_storm(self, line: GpioLine, now: int, *, high: bool) -> list[_PendingEdge]:
        """One edge, with a gap in the numbers before it, so that a poll is not taken for a press."""
        line.high, line.since, line.looked, line.number = high, now, now, line.number + STORM
        return [] if line.handler is None else [_PendingEdge(line.handler, LineEdge(now, high, line.number))]


def _is_ready(fd: int) -> bool:
    waiting = select.poll()
    waiting.register(fd, select.POLLIN)
    return bool(waiting.poll(0))


def _deliver(pending: _PendingEdge) -> None:
    try:
        pending.handler(pending.signal)
    except Exception as error:  # noqa: BLE001 - somebody's mistake in a handler must not make all buttons deaf
        args = threading.ExceptHookArgs((type(error), error, error.__traceback__, threading.current_thread()))
        threading.excepthook(args)
