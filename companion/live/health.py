"""The state of the rig for the phones, as stable keys: buttons that are ignored, a nearly full disk, and the
host's place. The state of the camera comes from the feed itself.
"""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.rig.protocols import Button, Seats
from companion.threads.troubles import Trouble

# Ten times the journal of a long evening.
LOW_DISK: Final = 20_000_000
# The disk is checked less often than the feed asks (ten times a second): a slow disk would delay the feed.
DISK_S: Final = 5.0


def left_out(seats: Seats | None) -> str | None:
    """Which buttons do not work, if any: "gone", or the seats' numbers."""
    if seats is None:
        return None
    wrong = ", ".join(str(seat) for seat, one in seats.buttons().items() if one.wrong or one.call_wrong)
    return "gone" if seats.gone else wrong or None


class Health:
    """Collects the state of the rig for the feed."""

    def __init__(
        self,
        folder: Path,
        seats: Seats | None = None,
        host: Callable[[], int | None] = lambda: None,
        wrong: Callable[[], Sequence[Trouble]] = tuple[Trouble, ...],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`folder`: where the journal is kept. `host`: the place of the host's phone; None if there is no host, or
        it has no seat. `wrong`: the current troubles."""
        self._folder = folder
        self._seats = seats
        self._host = host
        self._wrong = wrong
        self._clock = clock
        self._disk: str | None = None
        self._disk_again = clock()

    def __call__(self) -> dict[str, object]:
        seats = self._seats
        buttons: Mapping[int, Button] = seats.buttons() if seats is not None else {}
        wrong = [one for seat, button in buttons.items() for one in _left_out(seat, button)]
        if seats is not None and seats.gone:
            wrong = [{"seat": None, "wrong": "gone"}]
        return {
            "buttons": wrong,
            "disk": self._of_disk(),
            "host": self._host(),
            "troubles": [{"key": trouble.key, "sentence": trouble.sentence} for trouble in self._wrong()],
        }

    def _of_disk(self) -> str | None:
        now = self._clock()
        if now >= self._disk_again:
            self._disk, self._disk_again = _wrong_with(self._folder), now + DISK_S
        return self._disk


def _left_out(seat: int, button: Button) -> list[dict[str, object]]:
    """Which of a seat's buttons are ignored."""
    grab: dict[str, object] = {"seat": seat, "wrong": button.wrong}
    call: dict[str, object] = {"seat": seat, "wrong": button.call_wrong, "button": "call"}
    return [one for one in (grab, call) if one["wrong"]]


def _wrong_with(folder: Path) -> str | None:
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return "gone"
    return None if free > LOW_DISK else "low"
