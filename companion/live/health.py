"""What a phone has to know of the rig besides the game, as stable names: buttons that are left out, a disk that
runs full, and whose phone is the host's. What the camera says of itself is the feed's own.
"""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol

from companion.rig import Button, Seats

# What the camera says of the table, not of itself: it works, and sees that something is in its way.
IN_THE_WAY: Final = frozenset({"hand", "moving", "glare", "unknown_card"})
# The journal of a long evening is a tenth of it.
LOW_DISK: Final = 20_000_000


class Words(Protocol):
    def words(self) -> str | None: ...


def failing(camera: Words | None) -> str | None:
    """Why the camera sees nothing, if it does not."""
    words = camera.words() if camera is not None else None
    return None if words in IN_THE_WAY else words


def left_out(seats: Seats | None) -> str | None:
    """Which buttons nothing is heard of, if any: "gone", or the seats' numbers."""
    if seats is None:
        return None
    wrong = ", ".join(str(seat) for seat, one in seats.buttons().items() if one.wrong or one.call_wrong)
    return "gone" if seats.gone else wrong or None


class Health:
    def __init__(
        self, folder: Path, seats: Seats | None = None, host: Callable[[], int | None] = lambda: None
    ) -> None:
        """`folder`: where the journal is kept. `host`: the seat at which the host's phone is."""
        self._folder = folder
        self._seats = seats
        self._host = host

    def __call__(self) -> dict[str, object]:
        seats = self._seats
        buttons: Mapping[int, Button] = seats.buttons() if seats is not None else {}
        wrong = [one for seat, button in buttons.items() for one in _left_out(seat, button)]
        if seats is not None and seats.gone:
            wrong = [{"seat": None, "wrong": "gone"}]
        return {
            "buttons": wrong,
            "disk": _wrong_with(self._folder),
            "host": self._host(),
        }


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
