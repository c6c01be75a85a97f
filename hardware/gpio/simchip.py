"""A simulated chip in pure Python: its lines behave as the kernel's do and are pulled by a program.

Edges are numbered for each line and for each request. Each request buffers as many as it asked for and drops the
oldest when full. A line belongs to one request only, and falls back to its pull when nobody drives it.
"""

import errno
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Final

from gpiod import EdgeEvent, LineSettings
from gpiod.line import Bias, Direction, Edge, Value

WIDE: Final = 54
# The kernel's default buffer size for each line.
USUAL_ROOM: Final = 16
_EDGES: Final = {
    Edge.BOTH: (True, False),
    Edge.RISING: (True,),
    Edge.FALLING: (False,),
    Edge.NONE: (),
}


@dataclass(slots=True)
class SimLine:
    """One simulated line."""

    name: str
    driven: bool | None = None
    """The level that is forced from outside; None leaves the line to its pull."""
    settings: LineSettings | None = None
    output: bool = False
    consumer: str = ""
    number: int = 0
    high: bool = False

    @property
    def used(self) -> bool:
        return self.settings is not None

    @property
    def driving(self) -> bool | None:
        if self.settings is not None and self.settings.direction is Direction.OUTPUT:
            return self.output
        return self.driven

    @property
    def pulled_up(self) -> bool:
        return self.settings is not None and self.settings.bias is Bias.PULL_UP


@dataclass(frozen=True, slots=True)
class SimInfo:
    label: str


@dataclass(slots=True, eq=False)
class SimChip:
    """The simulated chip; stands in for `gpiod.Chip`."""

    label: str = "pinctrl-bcm2711"
    clock: Callable[[], int] = time.monotonic_ns
    lines: dict[int, SimLine] = field(
        default_factory=lambda: {offset: SimLine(f"GPIO{offset}") for offset in range(WIDE)}
    )
    wires: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    """Groups of lines that are wired together."""
    requests: "list[SimRequest]" = field(default_factory=list["SimRequest"])
    lock: RLock = field(default_factory=RLock)

    def join(self, *offsets: int) -> None:
        """Wires these lines together."""
        self.wires.append(offsets)

    def joined(self, offset: int) -> tuple[int, ...]:
        return next((wire for wire in self.wires if offset in wire), (offset,))

    def level(self, offset: int) -> bool:
        lines = [self.lines[at] for at in self.joined(offset)]
        driving = [line.driving for line in lines if line.driving is not None]
        return driving[0] if driving else any(line.pulled_up for line in lines)

    def get_info(self) -> SimInfo:
        return SimInfo(self.label)

    def line_offset_from_id(self, id: str | int) -> int:  # noqa: A002 - gpiod's name
        for offset, line in self.lines.items():
            if line.name == id:
                return offset
        raise OSError(errno.ENOENT, "no such line")

    def get_line_info(self, line: int | str) -> SimLine:
        return self.lines[self.line_offset_from_id(line) if isinstance(line, str) else line]

    def request_lines(
        self,
        config: Any,
        consumer: str | None = None,
        event_buffer_size: int | None = None,
        output_values: Any = None,  # noqa: ARG002 - ours stand in the settings
    ) -> "SimRequest":
        with self.lock:
            if any(self.lines[offset].used for offset in config):
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
            room = event_buffer_size or USUAL_ROOM * len(config)
            request = SimRequest(self, tuple(config), consumer or "", deque(maxlen=room))
            for offset in config:
                self.lines[offset].number = 0
                self.lines[offset].consumer = request.consumer
            request.reconfigure_lines(config)
            self.requests.append(request)
            return request

    def close(self) -> None:
        for request in [*self.requests]:
            request.release()

    def drive(self, offset: int, *, high: bool | None, at_ns: int | None = None) -> None:
        """Forces the line high or low from outside, or lets it go."""
        with self.lock:
            self.lines[offset].driven = high
            self.settle((offset,), at_ns)

    def press(self, offset: int, at_ns: int | None = None) -> None:
        self.drive(offset, high=False, at_ns=at_ns)

    def let_go(self, offset: int, at_ns: int | None = None) -> None:
        self.drive(offset, high=None, at_ns=at_ns)

    def settle(self, offsets: Sequence[int], at_ns: int | None = None) -> None:
        """Updates these lines to their present level and delivers the edges."""
        for offset in sorted({joined for moved in offsets for joined in self.joined(moved)}):
            line, high = self.lines[offset], self.level(offset)
            if high == line.high:
                continue
            line.high = high
            if line.settings is not None and high in _EDGES[line.settings.edge_detection]:
                request = next(request for request in self.requests if offset in request.offsets)
                request.hear(offset, high=high, at_ns=self.clock() if at_ns is None else at_ns)


@dataclass(slots=True, eq=False)
class SimRequest:
    """Lines that were requested together; stands in for `gpiod.LineRequest`."""

    chip: SimChip
    offsets: tuple[int, ...]
    consumer: str
    events: deque[EdgeEvent]
    number: int = 0
    pipe: tuple[int, int] = field(default_factory=os.pipe)
    is_open: bool = True

    @property
    def fd(self) -> int:
        return self.pipe[0]

    def get_value(self, line: int | str) -> Value:
        with self.chip.lock:
            offset = self.chip.line_offset_from_id(line) if isinstance(line, str) else line
            return Value.ACTIVE if self.chip.level(offset) else Value.INACTIVE

    def set_value(self, line: int | str, value: Value) -> None:
        with self.chip.lock:
            offset = self.chip.line_offset_from_id(line) if isinstance(line, str) else line
            self.chip.lines[offset].output = value is Value.ACTIVE
            self.chip.settle((offset,))

    def read_edge_events(self, max_events: int | None = None) -> list[EdgeEvent]:
        with self.chip.lock:
            if self.events:
                os.read(self.fd, 1)
            some = [self.events.popleft() for _ in range(min(len(self.events), max_events or len(self.events)))]
            if self.events:
                os.write(self.pipe[1], b"!")
            return some

    def reconfigure_lines(self, config: Any) -> None:
        with self.chip.lock:
            for offset, settings in config.items():
                line = self.chip.lines[offset]
                line.settings = settings
                line.output = settings.output_value is Value.ACTIVE
                line.high = self.chip.level(offset)
                self.chip.settle((offset,))

    def hear(self, offset: int, *, high: bool, at_ns: int) -> None:
        line = self.chip.lines[offset]
        self.number += 1
        line.number += 1
        kind = EdgeEvent.Type.RISING_EDGE if high else EdgeEvent.Type.FALLING_EDGE
        if not self.events:
            os.write(self.pipe[1], b"!")
        self.events.append(EdgeEvent(kind.value, at_ns, offset, self.number, line.number))

    def release(self) -> None:
        with self.chip.lock:
            if not self.is_open:
                return
            self.is_open = False
            for offset in self.offsets:
                self.chip.lines[offset].settings = None
                self.chip.lines[offset].consumer = ""
            self.chip.requests.remove(self)
            self.chip.settle(self.offsets)
            for end in self.pipe:
                os.close(end)
