"""Reads each picture, for the rig's camera and the demo's alike. A picture that fails is dropped and counted.

`UNREAD` failures in a row are reported as a trouble, and the game goes on as if there were no camera: a race that
waits for a look at the grid is judged by the grid as it was last known.
"""

import logging
from collections.abc import Callable
from typing import Final, Protocol

from companion.core.observe import Event
from companion.errors import NoDeckYet
from companion.rig.picture_events import nothing
from companion.table.live_table import Table
from companion.threads.troubles import EYES, Troubles
from companion.units import SECOND
from hardware.camera.frames import Pixels

_log: Final = logging.getLogger(__name__)

# Timeout of a race that waits for a camera from which no pictures come.
BLIND: Final = 2 * SECOND
# A single unreadable picture may be a camera flash; this many in a row are a trouble.
UNREAD: Final = 10


class Reads(Protocol):
    """Reads pictures; `companion.rig.vision.Vision` is one."""

    def see(self, pixels: Pixels, t: int, beat: Callable[[], None]) -> tuple[Event, ...]:
        """The events that the picture proves. `beat`: the worker's heartbeat, called once the picture has been
        read, before any state is changed. Raises `NoDeckYet`."""
        ...

    def drop(self) -> None:
        """Counts a picture that could not be read."""
        ...

    def pressed(self, t: int) -> None: ...

    def ask_grid(self) -> None: ...

    def forget(self) -> None: ...


class PictureReader:
    """Reads pictures and counts failures. Not thread-safe: used by the camera's thread only."""

    def __init__(self, table: Table, vision: Reads, troubles: Troubles, clock: Callable[[], int]) -> None:
        """`clock`: the table's time, the same as that of the presses."""
        self._table = table
        self._vision = vision
        self._troubles = troubles
        self._clock = clock
        self._looked = clock()
        """When the newest picture was read."""
        self._unread = 0
        """Pictures in a row that could not be read."""
        self.is_blind = False
        """Whether nothing has been read for so long that races no longer wait for the camera."""

    @property
    def is_failing(self) -> bool:
        """Whether "pictures can't be read" is on the board of troubles."""
        return self._unread >= UNREAD

    def read(self, pixels: Pixels, t: int, beat: Callable[[], None] = nothing) -> tuple[Event, ...] | None:
        """The events that the picture taken at `t` proves; None if it could not be read. Raises `NoDeckYet`."""
        if self.is_blind:
            self._vision.forget()
        try:
            events = self._vision.see(pixels, t, beat)
        except NoDeckYet:
            # The deck's loader reports a missing deck.
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, one picture must not end the evening
            beat()
            self._drop(error)
            return None
        if self.is_failing:
            self._troubles.clear(EYES)
        self.is_blind, self._unread, self._looked = False, 0, self._clock()
        return events

    def _drop(self, error: Exception) -> None:
        """Counts the failure and forgets what was seen: the next readable picture tells the whole grid."""
        self._vision.drop()
        self._vision.ask_grid()
        self._unread += 1
        if self._unread in {1, UNREAD}:
            _log.warning("A picture could not be read.", exc_info=error)
        if self.is_failing:
            self._troubles.raise_trouble(
                EYES, "The camera's pictures can't be read any more: play goes on by the buttons."
            )

    def overdue(self) -> Event | None:
        """The event that ends a race's wait for the camera after the timeout; None while it is not due."""
        if self._clock() - self._looked < BLIND:
            return None
        self.is_blind = True
        game = self._table.snapshot.evening.game
        waits = game.waits_for if game is not None else None
        if waits is None or self._clock() - waits < BLIND:
            return None
        return {"type": "seen", "t": waits}

    def pressed(self, t: int) -> None:
        """A button was pressed at `t`: the pictures around that time may be wanted."""
        try:
            self._vision.pressed(t)
        except Exception:  # noqa: BLE001 - a photo of a race is not worth the race
            _log.exception("The pictures around a press could not be kept.")
