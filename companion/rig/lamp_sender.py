"""The lamp worker thread: polls the newest snapshot and switches the lamps that have changed.

Where a game wants some lamps lit all at once after a random wait (`sudden_light`), the worker lights them and
tells the table when that was. A lamp that can't be switched is reported once and left alone.
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

# Update interval: the steps of a breathing lamp are then too small to see.
EVERY_S: Final = 0.04
# Bounds of the random wait: long enough to get the hand back to the button, too varied to guess.
SUDDEN_AFTER_S: Final = (1.5, 4.0)


class LampSwitches(Protocol):
    """A driver for the lamps; `hardware.gpio.gpio_lamps` has the real one."""

    @property
    def trouble(self) -> str | None:
        """Why no lamp can be switched at all, in words; after that all lamps must be set again."""
        ...

    def shine(self, place: int, brightness: float, /) -> None:
        """Sets one lamp's brightness (0 to 1). Raises `OSError` if that lamp can't be switched."""
        ...


class LampSource(Protocol):
    """Says what the lamps should show; `companion.rig.lamp_board.LampBoard` is one."""

    def lamps(self) -> Sequence[Lamp]:
        """What the lamp at each place should show now."""
        ...


class LampSender(Worker):
    """The worker thread that switches the lamps."""

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
        """`clock`: the table's time."""
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
        """After an error it is unknown what the lamps show, so all are set again."""
        self._shone.clear()
        self._dead.clear()
        for seat in range(len(self._board.lamps())):
            self._shine(seat, 0.0)

    def step(self) -> None:
        """Switches every lamp to what it should show now."""
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
            # The table could not note the light: try again after another wait.
            self._light_at = None
            for seat in light.seats:
                self._shine(game.seating.place_of(seat), 1.0)
            try:
                self._table.tell({"type": light.event, "t": self._now()}).result()
            except (JournalError, InvalidEvent, TableBusy) as error:
                _log.warning("%s", error)

    def _shine(self, place: int, brightness: float) -> None:
        # A heartbeat for each lamp: switching the one before may have taken long.
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
            # The thread hangs and may still be switching lamps: leave them alone.
            return
        for place in self._shone:
            self._shine(place, 0.0)
