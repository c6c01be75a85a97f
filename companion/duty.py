"""What is done over and over beside the game, each on a thread of its own: the buttons are listened to, the camera
is looked through, the lamps are lit. None of these ends without a word.
"""

from abc import abstractmethod
from collections.abc import Callable
from threading import Event

from companion.errors import TableClosed
from companion.threaded import Threaded


class Duty(Threaded):
    """Begins with `with`, and ends with it or with the table."""

    def __init__(self, name: str, on_death: Callable[[BaseException], None]) -> None:
        """`on_death`: on this duty's thread, when it can't go on; nobody would notice otherwise."""
        super().__init__(name)
        self._on_death = on_death
        self._closing = Event()

    @abstractmethod
    def turn(self) -> None:
        """Once; ends soon when `self._closing` is set."""

    def close(self) -> None:
        self._closing.set()
        self._join()

    def _run(self) -> None:
        try:
            while not self._closing.is_set():
                self.turn()
        except TableClosed:
            return
        except BaseException as error:  # noqa: BLE001 - whatever it is, nobody must go on as if all were well
            self._on_death(error)
