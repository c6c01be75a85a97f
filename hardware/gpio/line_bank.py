"""All lines of a chip that are inputs, in one request, read by one thread.

One request gives one numbering of all edges and one buffer that can be made large: the kernel keeps 16 edges for
each line unless it is asked for more, and a rattling switch fills that while a busy machine is late by 20 ms. A
line that joins or leaves costs a new request; that is done while a program sets itself up, hardly while people
play.

A line that makes more edges than any hand is muted: no edge of it is asked for any more, it is only looked at from
time to time, until it seems to lie still; then it is heard again, on trial, for sparks are short and each look may
fall between two. So a loose wire costs the other buttons nothing.
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

# Sixteen presses a second with 80 edges each are 1,280; nobody has faster hands, nor a worse switch.
STORM: Final = 1500
# So many edges are told before the kernel is asked for more: telling takes longer than asking, and while a storm's
# edges are told those of the others must not run over.
PORTION: Final = 32
# How often a muted line is looked at, and how long it must lie still. Whoever debounces it trusts it after a
# second; by then it has been on trial. On a busy machine a look comes late; one that comes so late has not seen
# that it lay still.
LOOK_NS: Final = SECOND // 20
TOO_LATE_NS: Final = SECOND // 5
CALM_NS: Final = SECOND // 2
# Whoever tells an edge takes microseconds; by then it hangs.
HANGS_S: Final = 2.0
# In its first second a line on trial may make no more edges: one press with its release makes 80.
TRIAL: Final = 100
NEVER: Final = -SECOND
GIVEN_BACK: Final = "The GPIO lines have been given back; a new pin factory gets them again."


@dataclass(frozen=True, slots=True)
class LineEdge:
    """An edge of one line. `number` counts the line's edges; what is left out was lost."""

    t_ns: int
    high: bool
    number: int


EdgeHandler = Callable[[LineEdge], None]


@dataclass(slots=True)
class GpioLine:
    settings: LineSettings
    heard: EdgeHandler | None = None
    sequence: int = 0
    """The kernel's number of its newest edge in the present request."""
    number: int = 0
    high: bool = False
    since: int = NEVER
    """When a new second of counting began, or, while it is muted, when it last changed."""
    counted: int = 0
    muted: bool = False
    looked: int = NEVER
    """When it was last looked at while it was muted."""

    @property
    def asked(self) -> LineSettings:
        listening = self.heard is not None and not self.muted
        return self.settings if listening else replace(self.settings, edge_detection=Edges.NONE)


@dataclass(slots=True)
class _Undelivered:
    heard: EdgeHandler
    signal: LineEdge


@dataclass(slots=True)
class LineBank:
    chip: Chip
    consumer: str
    clock: Callable[[], int] = time.monotonic_ns
    _lines: dict[int, GpioLine] = field(default_factory=dict[int, GpioLine])
    _request: LineRequest | None = None
    _untold: deque[_Undelivered] = field(default_factory=deque[_Undelivered])
    _lock: RLock = field(default_factory=RLock)
    # Who holds it tells what has come, in its order; nobody else does meanwhile. Replaced where that one hangs.
    _telling: RLock = field(default_factory=RLock)
    _thread: Thread | None = None
    _closing: bool = False
    _deaf: bool = False
    _bell: tuple[int, int] = field(default_factory=os.pipe)
    # Not poll: whoever polls a request holds it open, and its lines would stay taken after its release.
    _waiting: select.epoll = field(default_factory=select.epoll)

    def __post_init__(self) -> None:
        self._waiting.register(self._bell[0], select.EPOLLIN)

    # Which lines there are

    def put(self, offset: int, settings: LineSettings, heard: EdgeHandler | None = None) -> None:
        """`heard` gets each edge, on the bank's own thread."""
        with self._lock:
            if self._closing:
                raise LineLost(GIVEN_BACK)
            known = self._lines.get(offset)
            if known is None:
                self._lines[offset] = GpioLine(settings, heard)
                try:
                    self._ask_anew()
                except Exception:
                    del self._lines[offset]
                    self._ask_anew()
                    raise
                return
            known.settings, known.heard = settings, heard
            self._reconfigure()

    def drop(self, offset: int) -> None:
        with self._lock:
            if self._lines.pop(offset, None) is not None:
                self._ask_anew()

    def holds(self, offset: int) -> bool:
        return offset in self._lines

    def is_high(self, offset: int) -> bool:
        with self._lock:
            if self._request is None:
                raise LineLost(GIVEN_BACK)
            return self._request.get_value(offset) is Value.ACTIVE

    @property
    def well(self) -> bool:
        """Whether edges still come through."""
        return not self._deaf

    def catch_up(self) -> None:
        """When this returns, every edge that was made before it was called has been told; or see `well`."""
        telling = self._telling
        if not telling.acquire(timeout=HANGS_S):
            self._deaf = True
            return
        try:
            # A chip that does not answer is met by the bank's own thread too, and ends it.
            with suppress(LineLost):
                while self._tell_some():
                    pass
        finally:
            telling.release()

    def revive(self) -> None:
        """After its thread has died or hung. What the kernel still holds is told; a chip that did not answer is
        asked for its lines anew, and what was lost meanwhile shows in the numbers. Raises what it says against
        that."""
        if not self._lock.acquire(timeout=HANGS_S):
            raise LineLost("The buttons' chip hangs: switch this machine off and on.")
        try:
            if self._closing or self.well:
                return
            self._telling, self._thread = RLock(), None
            if not self._still_answers():
                self._ask_anew()
                self._tell_levels()
            self._deaf = False
            self._listen()
        finally:
            self._lock.release()

    def _still_answers(self) -> bool:
        try:
            self._take_what_came()
        except LineLost:
            return False
        return self._request is not None

    def _tell_levels(self) -> None:
        """As they are now, with something lost before."""
        for offset, line in self._lines.items():
            if line.heard is not None:
                line.number += 2
                line.high = self.is_high(offset)
                self._untold.append(_Undelivered(line.heard, LineEdge(self.clock(), line.high, line.number)))

    def muted(self) -> tuple[int, ...]:
        with self._lock:
            return tuple(offset for offset, line in self._lines.items() if line.muted)

    def close(self) -> None:
        if not self._lock.acquire(timeout=HANGS_S):
            # A thread hangs in the kernel: what it holds is given back when the program ends.
            self._closing = self._deaf = True
            return
        try:
            if self._closing:
                return
            self._closing = True
            self._lines.clear()
            self._ask_anew()
        finally:
            self._lock.release()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(HANGS_S)
        if thread is None or not thread.is_alive():
            self._hang_up()

    def _hang_up(self) -> None:
        with self._lock:
            self._deaf = True
            self._waiting.close()
            for end in self._bell:
                os.close(end)

    # The request

    def _ask_anew(self) -> None:
        if self._request is not None:
            # What has come until now is not lost with it, unless the chip has died.
            with suppress(LineLost):
                self._take_what_came()
            self._waiting.unregister(self._request.fd)
            self._request.release()
            self._request = None
        for line in self._lines.values():
            line.sequence = 0
        if self._lines:
            self._request = request_lines(self.chip, self._config(), self.consumer)
            self._waiting.register(self._request.fd, select.EPOLLIN)
        self._listen()

    def _reconfigure(self) -> None:
        assert self._request is not None
        self._request.reconfigure_lines(self._config())
        self._listen()

    def _config(self) -> dict[int, LineSettings]:
        return {offset: line.asked for offset, line in self._lines.items()}

    def _listen(self) -> None:
        if self._thread is not None:
            os.write(self._bell[1], b"!")
        elif any(line.heard for line in self._lines.values()):
            self._thread = Thread(target=self._read, name="gpio edges", daemon=True)
            self._thread.start()

    # The edges

    def _read(self) -> None:
        telling = self._telling
        try:
            while not self._closing and self._telling is telling:
                self._waiting.poll(0 if self._untold else LOOK_NS / SECOND if self.muted() else None)
                with telling:
                    self._tell_some(own=True)
        finally:
            if self._telling is telling:
                self._deaf = True

    def _tell_some(self, *, own: bool = False) -> bool:
        """Whether there was anything. `own`: on the bank's own thread."""
        telling, count = self._telling, self._look_for_some(own=own)
        for _ in range(count):
            told = self._next(telling)
            if told is None:
                break
            _tell(told)
        return bool(count)

    def _next(self, telling: RLock) -> _Undelivered | None:
        """One at a time: what comes after one that hangs is left for whoever tells then."""
        with self._lock:
            return self._untold.popleft() if self._untold and self._telling is telling else None

    def _look_for_some(self, *, own: bool) -> int:
        """How many are to be told before the kernel is asked for more."""
        with self._lock:
            if self._deaf:
                return 0
            # The bell is for this thread: one that catches up must not keep it from looking at what it has muted.
            if own and _is_ready(self._bell[0]):
                os.read(self._bell[0], 4096)
            self._take_what_came()
            self._mute()
            # Each change that is seen wakes whoever listens; who then catches up must not see the next at once.
            if own or self._is_look_due():
                self._untold += self._look()
            return min(len(self._untold), PORTION)

    def _take_what_came(self) -> None:
        # Asked each time, for it may be another request by now.
        if self._request is not None and _is_ready(self._request.fd):
            self._untold += self._take(self._request)

    def _take(self, request: LineRequest) -> list[_Undelivered]:
        try:
            events = request.read_edge_events(BUFFER)
        except OSError as error:
            raise LineLost(f"The buttons' chip does not answer any more ({error.strerror}).") from error
        return [one for event in events if (one := self._told(event)) is not None]

    def _told(self, event: EdgeEvent) -> _Undelivered | None:
        line = self._lines.get(event.line_offset)
        if line is None or line.heard is None:
            return None
        # A line that was reconfigured counts from 1 again.
        step = event.line_seqno - line.sequence if event.line_seqno > line.sequence else 1
        line.sequence, line.number = event.line_seqno, line.number + step
        line.high = event.event_type is EdgeEvent.Type.RISING_EDGE
        if event.timestamp_ns - line.since > SECOND:
            line.since, line.counted = event.timestamp_ns, 0
        # What the kernel had no room for was made as well.
        line.counted += step
        return _Undelivered(line.heard, LineEdge(event.timestamp_ns, line.high, line.number))

    def _mute(self) -> None:
        stormy = [
            (offset, line) for offset, line in self._lines.items() if line.counted > STORM and not line.muted
        ]
        if not stormy:
            return
        for _, line in stormy:
            line.muted = True
        self._reconfigure()
        # What they had made by then comes first, so that numbers and times agree.
        self._take_what_came()
        for offset, line in stormy:
            self._untold += self._seen(line, self.clock(), high=self.is_high(offset))

    def _is_look_due(self) -> bool:
        """Whoever catches up is not to take a line for calm only because this thread had no time to look."""
        return any(line.muted and self.clock() - line.looked >= LOOK_NS for line in self._lines.values())

    def _look(self) -> list[_Undelivered]:
        """At what is muted: a change is one edge of a storm that goes on."""
        told: list[_Undelivered] = []
        muted = [(offset, line) for offset, line in self._lines.items() if line.muted]
        for offset, line in muted:
            now, high = self.clock(), self.is_high(offset)
            if high != line.high or now - line.looked > TOO_LATE_NS:
                told += self._seen(line, now, high=high)
            elif now - line.since >= CALM_NS:
                line.muted, line.counted, line.since = False, STORM - TRIAL, now
            line.looked = now
        if any(not line.muted for _, line in muted):
            self._reconfigure()
        return told

    def _seen(self, line: GpioLine, now: int, *, high: bool) -> list[_Undelivered]:
        """Told as one edge with a storm lost before it, so that whoever listens takes no look for a finger."""
        line.high, line.since, line.looked, line.number = high, now, now, line.number + STORM
        return [] if line.heard is None else [_Undelivered(line.heard, LineEdge(now, high, line.number))]


def _is_ready(fd: int) -> bool:
    waiting = select.poll()
    waiting.register(fd, select.POLLIN)
    return bool(waiting.poll(0))


def _tell(told: _Undelivered) -> None:
    try:
        told.heard(told.signal)
    except Exception as error:  # noqa: BLE001 - somebody's mistake in a handler must not make all buttons deaf
        args = threading.ExceptHookArgs((type(error), error, error.__traceback__, threading.current_thread()))
        threading.excepthook(args)
