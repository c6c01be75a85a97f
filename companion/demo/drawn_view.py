"""The camera above the drawn table: what is there becomes a picture, and the picture is read by the real eyes."""

from collections.abc import Callable, Iterable

import numpy as np

from companion.core.cards import Cell
from companion.core.observe import Event
from companion.drawn.painter import Painter, Scene
from companion.rig.picture_reader import PictureReader
from companion.rig.vision import Vision
from companion.table.live_table import Table
from companion.threads.troubles import Troubles
from companion.units import Ns


class Filmed:
    def __init__(
        self, lookout: Vision, table: Table, clock: Callable[[], Ns], troubles: Troubles | None = None
    ) -> None:
        """`clock`: of the drawn world. `troubles`: where it is told when no picture can be read."""
        self._lookout = lookout
        self._reader = PictureReader(table, lookout, troubles or Troubles(), clock)
        self._painter = Painter()
        self._shots = 0

    def see(self, scene: Scene, t: Ns) -> tuple[Event, ...]:
        picture = self._painter.picture(scene, self._shots)
        self._shots += 1
        events = self._reader.read(np.asarray(picture, np.uint8), t)
        if events is None:
            overdue = self._reader.overdue()
            return () if overdue is None else (overdue,)
        return events

    @property
    def known(self) -> Ns:
        return self._lookout.known

    @property
    def unread(self) -> tuple[Cell, ...]:
        return self._lookout.unread

    def forget(self) -> None:
        self._lookout.forget()

    def pressed(self, t: Ns) -> None:
        self._reader.pressed(t)

    def keep_races(self, game: int, presses: Iterable[Ns]) -> None:
        self._lookout.keep_races(game, presses)
