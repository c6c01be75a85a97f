"""Every seat's lamp as it is meant to be now: as the game says, but for one that somebody tries out."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Final

from companion.core.lamps import Lamp
from companion.errors import SenselessEvent
from companion.table import Table

TRIED_S: Final = 2.0
TRIED: Final = "tried"


class LampBoard:
    def __init__(self, table: Table, lamps: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`lamps`: so many there are; fewer people may play."""
        self._table = table
        self._lamps = lamps
        self._clock = clock
        self._lock = Lock()
        self._tried: dict[int, float] = {}

    def lamps(self) -> tuple[Lamp, ...]:
        """One that is tried says so fast, to be told from any that the game has lit."""
        tried = self._tried_now()
        return tuple(Lamp.FAST if seat in tried else lamp for seat, lamp in enumerate(self._said()))

    def lights(self) -> tuple[str, ...]:
        tried = self._tried_now()
        return tuple(TRIED if seat in tried else lamp.value for seat, lamp in enumerate(self._said()))

    def try_lamp(self, seat: int) -> None:
        """Raises `SenselessEvent` where there is no such lamp."""
        if not 0 <= seat < self._lamps:
            raise SenselessEvent(f"There is no lamp at seat {seat + 1}.")
        with self._lock:
            self._tried[seat] = self._clock() + TRIED_S

    def _said(self) -> tuple[Lamp, ...]:
        game = self._table.snapshot.evening.game
        said = game.lamps() if game is not None else ()
        return (*said, *(Lamp.DARK,) * (self._lamps - len(said)))[: self._lamps]

    def _tried_now(self) -> set[int]:
        with self._lock:
            return {seat for seat, until in self._tried.items() if until > self._clock()}
