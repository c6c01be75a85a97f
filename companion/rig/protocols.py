"""What the page shows to somebody who builds or repairs a rig: whether the grid is seen, the cells are read, the
buttons and lamps work, and the clock's resolution. Plain values and small protocols; drivers and the demo
implement them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.core.mat import Point
from companion.core.reading import Sight


@dataclass(frozen=True, slots=True)
class GridView:
    """The newest picture, and what was read in it."""

    t: int
    """The beginning of its exposure; it also identifies the picture."""
    cells: tuple[Sight, ...]
    """Nine, row by row."""
    found: str
    """How the grid was found: "mat", "corners" or "none"."""
    corners: tuple[Point, ...] | None
    """Of the grid, clockwise from the top left, as fractions of the picture's width and height."""


class CameraView(Protocol):
    """The camera preview. The picture shows all that lies there, including cards that players must not see."""

    @property
    def dropped(self) -> int:
        """How many pictures could not be read."""
        ...

    def seen(self) -> GridView | None:
        """What was read in the newest picture; None before the first."""
        ...

    def picture(self) -> bytes | None:
        """A JPEG of the newest picture, small enough for a phone."""
        ...

    def tap(self, corners: Sequence[Point] | None) -> None:
        """Sets the grid's corners, as fractions like those of `GridView`; with None the mat is looked for again.
        Raises `GridNotFound` for corners between which no grid can be."""
        ...


@dataclass(frozen=True, slots=True)
class Button:
    """The state and statistics of one seat's button."""

    down: bool = False
    presses: int = 0
    bounces: int = 0
    """Contacts that the debouncing did not count as presses."""
    ago_ms: int | None = None
    """Milliseconds since the last press."""
    lost: int = 0
    """Edges that the kernel counted but that never arrived."""
    wrong: str | None = None
    """Why it is left out, as the name of a `companion.core.button_faults.Fault`."""
    call_wrong: str | None = None
    """The same of the seat's other button, the one for calls."""


class Seats(Protocol):
    """The buttons' statistics, as the page reads them."""

    @property
    def gone(self) -> bool:
        """Whether edges no longer arrive from the buttons."""
        ...

    def buttons(self) -> Mapping[int, Button]:
        """The buttons by place; a button without any edge so far may be missing."""
        ...


class Lamps(Protocol):
    """The lamps, as the page shows and tries them out."""

    def lights(self) -> Sequence[str]:
        """What the lamp at each place shows now, as the value of a `companion.core.lamp.Lamp`, or "tried"."""
        ...

    def try_lamp(self, place: int, /) -> None:
        """Lets this lamp blink for a moment, whatever the referee says."""
        ...


@dataclass(frozen=True, slots=True)
class ClockReport:
    """The clocks' measured offset and resolution."""

    offset_us: float | None
    """What to add to the camera's time to get the buttons' time."""
    resolution_us: float
    """Two presses closer than this can't be put in order."""


class Clocks(Protocol):
    """The source of the `ClockReport`."""

    def report(self) -> ClockReport: ...


@dataclass(frozen=True, slots=True)
class Rig:
    """The parts of the rig; None for a part that is not there."""

    view: CameraView | None = None
    seats: Seats | None = None
    lamps: Lamps | None = None
    clocks: Clocks | None = None
