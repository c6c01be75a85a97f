"""The file of the paired phones, beside the journal: pairings survive a restart.

If the disk is full or gone, the phone is paired all the same; this is logged once, and the write is retried until
there is room again.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final

from companion.files import why_not, write_whole
from companion.threads.troubles import PHONES, Troubles
from companion.web.paired_phones import Phones, UptimeClock, read_phones

# A hundred times the size of a full file.
LARGEST: Final = 1_000_000
# The retry interval after a failed write.
AGAIN_S: Final = 10.0
# A smaller change of the wall clock is drift, a larger one means that somebody has set it.
SET_BY_S: Final = 60.0
_LOST: Final = "Which phone is whose can't be kept, so after a restart everybody pairs anew: {why}."


class PhonesFile:
    """Reads and writes the file of the paired phones."""

    def __init__(self, path: Path | None, clock: UptimeClock, troubles: Troubles) -> None:
        self._path = path
        self._clock = clock
        self._troubles = troubles
        # Its own lock: a stalled SD card delays only those who pair, not those who ask who they are.
        self._writing = Lock()
        self._ahead = self._wall_ahead()
        self._refused_at: float | None = None

    def read(self) -> Phones:
        if self._path is None or not self._path.is_file():
            return Phones()
        try:
            with self._path.open("rb") as file:
                return read_phones(file.read(LARGEST), self._clock)
        except OSError:
            return Phones()

    def is_due(self) -> bool:
        """Whether to write without a new pairing: to retry a failed write, or because the wall clock was set since
        the last one."""
        if self._refused_at is not None:
            return self._clock.seconds() - self._refused_at >= AGAIN_S
        return abs(self._wall_ahead() - self._ahead) > SET_BY_S

    def write(self, text: Callable[[], str]) -> None:
        """`text` is called inside the lock, so of two concurrent writes the second never stores older data."""
        self._ahead = self._wall_ahead()
        if self._path is None:
            return
        with self._writing:
            try:
                write_whole(self._path, text().encode(), mode=0o600)
            except OSError as error:
                self._refused_at = self._clock.seconds()
                self._troubles.raise_trouble(PHONES, _LOST.format(why=why_not(error, self._path.parent)))
            else:
                self._refused_at = None
                self._troubles.clear(PHONES)

    def _wall_ahead(self) -> float:
        return self._clock.wall() - self._clock.seconds()
