"""The lamps' thin sender: one thread that looks at the newest snapshot and switches what has changed.

Where a game wants some lamps lit all at once after a wait that nobody can guess (`sudden_light`), it lights them
and tells the table when that was. A lamp that can't be switched is reported once and left alone.
"""

import logging
from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import Final, Protocol

from companion.core.game_record import GameRecord
from companion.core.lamp import Lamp
from companion.errors import InvalidEvent, JournalError, RigTrouble, TableBusy
from companion.table.live_table import Table
from companion.threads.troubles import LAMPS
from companion.threads.worker import Crew, Policy, Worker
from companion.units import SECOND

_log: Final = logging.getLogger(__name__)

# Breathing in smaller steps than the eye sees.
EVERY_S: Final = 0.04
# Long enough to get the hand back to the button, and nobody knows how long.
SUDDEN_AFTER_S: Final = (1.5, 4.0)


class LampSwitches(Protocol):
    """`hardware.gpio.gpio_lamps` has real ones."""

    @property
    def trouble(self) -> str | None:
        """Why none of them does as it is told, in words; then all are to be lit anew."""
        ...

    def shine(self, place: int, brightness: float, /) -> None:
        """Raises `OSError` if that lamp can't be switched."""
        ...


class LampSource(Protocol):
    """`companion.rig.lamp_board.LampBoard` is one."""

    def lamps(self) -> Sequence[Lamp]:
        """What the lamp at each place is to say now."""
        ...


class LampSender(Worker):
    def __init__(  # noqa: PLR0913 - all that it stands between
        self,
        table: Table,
        lamps: LampSwitches,
        board: LampSource,
        *,
        clock: Callable[[], int],
        wait_s: Callable[[], float] = lambda: SystemRandom().uniform(*SUDDEN_AFTER_S),
        crew: Crew | None = None,
    ) -> None:
        """`clock`: the table's."""
        super().__init__(
            LAMPS,
            Policy.RESTART,
            crew=crew,
            sentence="The lamps don't follow the game at the moment; it goes on without them, and the pages show "
            "whose turn it is.",
            is_vital=False,
        )
        self._table = table
        self._lamps = lamps
        self._board = board
        self._now = clock
        self._wait_s = wait_s
        self._shone: dict[int, float] = {}
        self._dead: set[int] = set()
        self._light_at: int | None = None

    def turn(self) -> None:
        self.step()
        self._closing.wait(EVERY_S)

    def recover(self) -> None:
        """What they show now nobody knows."""
        self._shone.clear()
        self._dead.clear()
        for seat in range(len(self._board.lamps())):
            self._shine(seat, 0.0)

    def step(self) -> None:
        """All lamps as they are to be now."""
        if self._lamps.trouble is not None:
            raise RigTrouble(self._lamps.trouble)
        game, now = self._table.snapshot.evening.game, self._now()
        for place, lamp in enumerate(self._board.lamps()):
            self._shine(place, lamp.brightness(now))
        if game is not None:
            self._light(game, now)

    def _light(self, game: GameRecord, now: int) -> None:
        light = game.sudden_light
        if light is None:
            self._light_at = None
        elif self._light_at is None:
            self._light_at = now + round(self._wait_s() * SECOND)
        elif now >= self._light_at:
            # A light that can't be written down is lit again, after another wait.
            self._light_at = None
            for seat in light.seats:
                self._shine(game.seating.place_of(seat), 1.0)
            try:
                self._table.tell({"type": light.event, "t": self._now()}).result()
            except (JournalError, InvalidEvent, TableBusy) as error:
                _log.warning("%s", error)

    def _shine(self, place: int, brightness: float) -> None:
        # Switching the one before may have taken long.
        self.beat()
        if self._shone.get(place) == brightness or place in self._dead:
            return
        try:
            self._lamps.shine(place, brightness)
        except OSError as error:
            self._dead.add(place)
            words = "The lamp at seat %d can't be switched (%s): look at its wires; the game goes on."
            _log.warning(words, place + 1, error)
        self._shone[place] = brightness

    def close(self) -> None:
        super().close()
        if self.is_left_behind:
            # Nobody knows what it still does.
            return
        for place in self._shone:
            self._shine(place, 0.0)
