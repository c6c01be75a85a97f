"""What a phone has to know of the rig besides the game, as stable names: buttons that are left out, a disk that
runs full, and whose phone is the host's. What the camera says of itself is the feed's own.
"""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.rig.protocols import Button, Seats
from companion.threads.troubles import Trouble

# The journal of a long evening is a tenth of it.
LOW_DISK: Final = 20_000_000
# The feed asks ten times a second; a disk does not run full as fast, and one that is slow would hold it up.
DISK_S: Final = 5.0


def left_out(seats: Seats | None) -> str | None:
    """Which buttons nothing is heard of, if any: "gone", or the seats' numbers."""
    if seats is None:
        return None
    wrong = ", ".join(str(seat) for seat, one in seats.buttons().items() if one.wrong or one.call_wrong)
    return "gone" if seats.gone else wrong or None


class Health:
    def __init__(
        self,
        folder: Path,
        seats: Seats | None = None,
        host: Callable[[], int | None] = lambda: None,
        wrong: Callable[[], Sequence[Trouble]] = tuple[Trouble, ...],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`folder`: where the journal is kept. `host`: at which place of the table the host's phone is; None where
        nobody is host, and where the host has no seat. `wrong`: what stands on the board."""
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
    """Which of a seat's buttons."""
    grab: dict[str, object] = {"seat": seat, "wrong": button.wrong}
    call: dict[str, object] = {"seat": seat, "wrong": button.call_wrong, "button": "call"}
    return [one for one in (grab, call) if one["wrong"]]


def _wrong_with(folder: Path) -> str | None:
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return "gone"
    return None if free > LOW_DISK else "low"
