"""What both cameras share, the one at a rig and the one above the drawn table: each picture is read, and one that
can't be ends nothing.

It is dropped and counted, so many in a row are a trouble, and the game goes on as if there were no camera: a race
that waits for a look at the grid is judged by the grid as it was last known.
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

# So long a race waits for a camera that has fallen silent.
BLIND: Final = 2 * SECOND
# A picture that can't be read is one flash of a bulb; so many in a row are a trouble.
UNREAD: Final = 10


class Reads(Protocol):
    """`companion.rig.vision.Vision` does."""

    def see(self, pixels: Pixels, t: int, beat: Callable[[], None]) -> tuple[Event, ...]:
        """`beat` is called once the picture has been read, before anything else is changed. Raises `NoDeckYet`."""
        ...

    def drop(self) -> None:
        """A picture could not be read."""
        ...

    def pressed(self, t: int) -> None: ...

    def ask_grid(self) -> None: ...

    def forget(self) -> None: ...


class PictureReader:
    """Of one thread."""

    def __init__(self, table: Table, vision: Reads, troubles: Troubles, clock: Callable[[], int]) -> None:
        """`clock`: of the table, by which people press."""
        self._table = table
        self._vision = vision
        self._troubles = troubles
        self._clock = clock
        self._looked = clock()
        """When the newest picture was read."""
        self._unread = 0
        """Pictures in a row that could not be read."""
        self.is_blind = False
        """Whether nothing has been read for so long that nobody waits for it."""

    @property
    def is_failing(self) -> bool:
        """Whether people have been told that its pictures can't be read."""
        return self._unread >= UNREAD

    def read(self, pixels: Pixels, t: int, beat: Callable[[], None] = nothing) -> tuple[Event, ...] | None:
        """What the picture of that time proves; None where it could not be read. Raises `NoDeckYet`."""
        if self.is_blind:
            self._vision.forget()
        try:
            events = self._vision.see(pixels, t, beat)
        except NoDeckYet:
            # Whoever looks for the deck tells of it.
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
        """What can't be read shows nothing; what lies there then is told as a whole by the next that can."""
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
        """Where no picture could be read: what the table is told of one that a race has waited for long enough."""
        if self._clock() - self._looked < BLIND:
            return None
        self.is_blind = True
        game = self._table.snapshot.evening.game
        waits = game.waits_for if game is not None else None
        if waits is None or self._clock() - waits < BLIND:
            return None
        return {"type": "seen", "t": waits}

    def pressed(self, t: int) -> None:
        """A button was pressed then: the pictures around it may be wanted."""
        try:
            self._vision.pressed(t)
        except Exception:  # noqa: BLE001 - a photo of a race is not worth the race
            _log.exception("The pictures around a press could not be kept.")
