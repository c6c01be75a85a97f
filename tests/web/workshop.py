"""A table with a rig to try things on: cells that show every way of being read, buttons and lamps, clocks."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from companion.core.cards import Card
from companion.core.mat import Point
from companion.core.reading import Bare, Hidden, Shown, Sight, Why
from companion.live.health import Health
from companion.rig.lamp_board import LampBoard
from companion.rig.protocols import Button, ClockReport, GridView, Rig

from .aboard import Aboard, Pictures, aboard

CELLS: tuple[Sight, ...] = (
    Shown(Card("raft", "pink"), 0.98),
    Bare(),
    *(Hidden(why) for why in Why),
)
PICTURE = np.asarray(cv2.imencode(".jpg", np.full((48, 64, 3), 90, np.uint8))[1], np.uint8).tobytes()


@dataclass
class Glass:
    """A look through no camera."""

    now: GridView | None = field(
        default_factory=lambda: GridView(7, CELLS, "none", ((0.25, 0.125), (0.75, 0.1), (0.75, 0.9), (0.25, 0.9)))
    )
    tapped: list[Sequence[Point] | None] = field(default_factory=list[Sequence[Point] | None])
    dropped: int = 0

    def seen(self) -> GridView | None:
        return self.now

    def picture(self) -> bytes | None:
        return PICTURE if self.now is not None else None

    def tap(self, corners: Sequence[Point] | None) -> None:
        self.tapped.append(corners)


@dataclass
class Switches:
    now: dict[int, Button] = field(default_factory=dict[int, Button])
    gone: bool = False

    def buttons(self) -> Mapping[int, Button]:
        return self.now


class Clocks:
    def report(self) -> ClockReport:
        return ClockReport(offset_us=-1234.0, resolution_us=37.5)


@dataclass
class Workshop:
    ship: Aboard
    glass: Glass
    switches: Switches


@contextmanager
def workshop(folder: Path) -> Generator[Workshop]:
    glass, switches = Glass(), Switches()
    with aboard(folder, camera=Pictures(), health=Health(folder, switches)) as ship:
        rig = Rig(glass, switches, LampBoard(ship.services.table, 3), Clocks())
        ship.services = replace(ship.services, rig=rig)
        ship.app.extensions["companion"] = ship.services
        yield Workshop(ship, glass, switches)
