"""The interfaces of the rig's hardware: edges of buttons, lamps, pictures.

Real drivers and simulated ones use the same types. Times are integer nanoseconds of CLOCK_MONOTONIC, stamped by
the kernel, never the time at which Python was told.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from gpiod import EdgeEvent
from gpiod.line import Value

PRESSED, RELEASED = 0, 1
"""Pressing a button pulls its line down to ground."""


@dataclass(frozen=True, slots=True)
class KernelEdge:
    """One edge of one button."""

    button: int
    t_ns: int
    level: int
    number: int
    """Counts each button's edges from 1; a gap means lost edges."""


class EdgeSource(Protocol):
    """A source of all edges of all buttons, each once. Lost edges show as a gap in a button's numbers."""

    @property
    def doubts(self) -> tuple[str, ...]:
        """What this source can't guarantee, in words."""
        ...

    @property
    def trouble(self) -> str | None:
        """Why no edges arrive now, in words; None if all is well. A plug may come back."""
        ...

    def held(self) -> tuple[int, ...]:
        """The buttons that are held down now."""
        ...

    def read(self, timeout_s: float) -> tuple[KernelEdge, ...]:
        """The edges since the last call, in no order; waits that long for the first. On our own pins and input
        devices none made before the call is missing."""
        ...

    def close(self) -> None: ...


class LineRequest(Protocol):
    """Lines that were requested; `gpiod.LineRequest` is one."""

    @property
    def fd(self) -> int: ...

    def get_value(self, line: int | str) -> Value: ...

    def set_value(self, line: int | str, value: Value) -> None: ...

    def read_edge_events(self, max_events: int | None = None) -> list[EdgeEvent]: ...

    def reconfigure_lines(self, config: Any) -> None: ...

    def release(self) -> None: ...


class LineHolder(Protocol):
    """The name of a line and its user; `gpiod.LineInfo` is one."""

    @property
    def name(self) -> str: ...

    @property
    def used(self) -> bool: ...

    @property
    def consumer(self) -> str: ...


class ChipInfo(Protocol):
    @property
    def label(self) -> str: ...


class Chip(Protocol):
    """A GPIO chip; `gpiod.Chip` is one."""

    def get_info(self) -> ChipInfo: ...

    def line_offset_from_id(self, id: str | int) -> int: ...  # noqa: A002 - gpiod's name

    def get_line_info(self, line: int | str) -> LineHolder: ...

    def request_lines(
        self,
        config: Any,
        consumer: str | None = None,
        event_buffer_size: int | None = None,
        output_values: Any = None,
    ) -> LineRequest: ...

    def close(self) -> None: ...
