"""What whoever builds or mends a rig wants to know of it: is the grid seen, are the cells read, do the buttons and
lamps work, what can the clock tell apart. Plain values and small protocols; drivers and demo stand behind them.
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
    """The beginning of its exposure: another number, another picture."""
    cells: tuple[Sight, ...]
    """Nine, row by row."""
    found: str
    """By what the grid was found: "mat", "corners" or "none"."""
    corners: tuple[Point, ...] | None
    """Of the grid, clockwise from the top left, as fractions of the picture's width and height."""


class CameraView(Protocol):
    """A look through the camera. Whatever lies there is in the picture, also what is not to be shown."""

    @property
    def dropped(self) -> int:
        """So many pictures could not be read."""
        ...

    def seen(self) -> GridView | None:
        """None before the first picture."""
        ...

    def picture(self) -> bytes | None:
        """A JPEG of the newest picture, small enough for a phone."""
        ...

    def tap(self, corners: Sequence[Point] | None) -> None:
        """The grid is there, in fractions as in `GridView`; with None the mat is looked for again. Raises
        `GridNotFound` for corners between which no grid can be."""
        ...


@dataclass(frozen=True, slots=True)
class Button:
    down: bool = False
    presses: int = 0
    bounces: int = 0
    """Contacts that were no press of their own."""
    ago_ms: int | None = None
    """Since the last press."""
    lost: int = 0
    """Signals that never arrived."""
    wrong: str | None = None
    """Why it is left out, as the name of a `companion.core.button_faults.Fault`."""
    call_wrong: str | None = None
    """The same of the seat's other button, the one for calls."""


class Seats(Protocol):
    @property
    def gone(self) -> bool:
        """Nothing is heard of the buttons any more."""
        ...

    def buttons(self) -> Mapping[int, Button]:
        """By place; one whose button has never been heard of may be missing."""
        ...


class Lamps(Protocol):
    def lights(self) -> Sequence[str]:
        """What the lamp at each place shows now, as the value of a `companion.core.lamp.Lamp`, or "tried"."""
        ...

    def try_lamp(self, place: int, /) -> None:
        """It blinks for a moment, whatever the referee says."""
        ...


@dataclass(frozen=True, slots=True)
class ClockReport:
    offset_us: float | None
    """What has to be added to the camera's time to have the buttons'."""
    resolution_us: float
    """Two presses closer than this can't be put in order."""


class Clocks(Protocol):
    def report(self) -> ClockReport: ...


@dataclass(frozen=True, slots=True)
class Rig:
    """Whatever of it there is."""

    view: CameraView | None = None
    seats: Seats | None = None
    lamps: Lamps | None = None
    clocks: Clocks | None = None
