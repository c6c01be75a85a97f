"""What the rig gives and takes, whoever builds it: edges of buttons, lamps, pictures.

Real drivers and the stand-ins beside them speak these words only. Times are integer nanoseconds of
CLOCK_MONOTONIC, the kernel's own, never the time at which Python heard of it.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from gpiod import EdgeEvent
from gpiod.line import Value

PRESSED, RELEASED = 0, 1
"""The buttons pull their lines down to ground."""


@dataclass(frozen=True, slots=True)
class KernelEdge:
    button: int
    t_ns: int
    level: int
    number: int
    """Counted for each button from 1; what is left out was lost on the way."""


class EdgeSource(Protocol):
    """All edges of all buttons, each once. What is lost shows as a gap in a button's numbers."""

    @property
    def doubts(self) -> tuple[str, ...]:
        """What this source can't promise, in words."""
        ...

    @property
    def trouble(self) -> str | None:
        """Why nothing is heard of the buttons now, in words; a plug may come back."""
        ...

    def held(self) -> tuple[int, ...]:
        """The buttons that are down now."""
        ...

    def read(self, timeout_s: float) -> tuple[KernelEdge, ...]:
        """What has come, of our own pins and of input devices all that was made before the call; waits so long for
        the first. In no order."""
        ...

    def close(self) -> None: ...


class LineRequest(Protocol):
    """Lines that are ours for now; `gpiod.LineRequest` is one."""

    @property
    def fd(self) -> int: ...

    def get_value(self, line: int | str) -> Value: ...

    def set_value(self, line: int | str, value: Value) -> None: ...

    def read_edge_events(self, max_events: int | None = None) -> list[EdgeEvent]: ...

    def reconfigure_lines(self, config: Any) -> None: ...

    def release(self) -> None: ...


class LineHolder(Protocol):
    """Who says what a line is called and who uses it; `gpiod.LineInfo` is one."""

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
    """A bank of lines; `gpiod.Chip` is one."""

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
