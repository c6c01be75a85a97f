"""What every place's lamp should show now: what the game says, except for a lamp that somebody tries out."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Final

from companion.core.lamp import Lamp
from companion.errors import InvalidEvent
from companion.table.live_table import Table

TRIED_S: Final = 2.0
TRIED: Final = "tried"


class LampBoard:
    """What each lamp should show: from the game, or blinking while somebody tries it out."""

    def __init__(self, table: Table, lamps: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`lamps`: how many lamps there are; fewer people may play."""
        self._table = table
        self._lamps = lamps
        self._clock = clock
        self._lock = Lock()
        self._tried: dict[int, float] = {}

    def lamps(self) -> tuple[Lamp, ...]:
        """What each lamp should show. A lamp that is tried out blinks fast, unlike any that the game lights."""
        tried = self._tried_now()
        return tuple(Lamp.FAST if place in tried else lamp for place, lamp in enumerate(self._said()))

    def lights(self) -> tuple[str, ...]:
        tried = self._tried_now()
        return tuple(TRIED if place in tried else lamp.value for place, lamp in enumerate(self._said()))

    def try_lamp(self, place: int) -> None:
        """Lets the lamp blink for a moment. Raises `InvalidEvent` if there is no such lamp."""
        if not 0 <= place < self._lamps:
            raise InvalidEvent(f"There is no lamp at seat {place + 1}.")
        with self._lock:
            self._tried[place] = self._clock() + TRIED_S

    def _said(self) -> tuple[Lamp, ...]:
        game = self._table.snapshot.evening.game
        if game is None:
            return (Lamp.DARK,) * self._lamps
        said, seats = game.lamps(), map(game.seating.seat_at, range(self._lamps))
        return tuple(Lamp.DARK if seat is None else said[seat] for seat in seats)

    def _tried_now(self) -> set[int]:
        with self._lock:
            return {place for place, until in self._tried.items() if until > self._clock()}
