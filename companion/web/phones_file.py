"""Where the paired phones are kept, beside the journal: a restart parts nobody from their seat.

A disk that is full, or gone, costs that and nothing else: the phone is paired, it is said once that it can't be
kept, and as soon as there is room again it is.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final

from companion.files import why_not, write_whole
from companion.threads.troubles import PHONES, Troubles
from companion.web.paired_phones import Phones, UptimeClock, read_phones

# With as many phones as are remembered it is a hundredth of that.
LARGEST: Final = 1_000_000
# How soon what was refused is written again.
AGAIN_S: Final = 10.0
# A wall clock is set by more than that, or not at all.
SET_BY_S: Final = 60.0
_LOST: Final = "Which phone is whose can't be kept, so after a restart everybody pairs anew: {why}."


class PhonesFile:
    def __init__(self, path: Path | None, clock: UptimeClock, troubles: Troubles) -> None:
        self._path = path
        self._clock = clock
        self._troubles = troubles
        # A card reader that stalls holds up whoever pairs, and nobody who only asks who they are.
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
        """Whether it has to be written although nobody was paired: because it was refused a while ago, or because
        the wall clock that stands in it has been set since."""
        if self._refused_at is not None:
            return self._clock.seconds() - self._refused_at >= AGAIN_S
        return abs(self._wall_ahead() - self._ahead) > SET_BY_S

    def write(self, text: Callable[[], str]) -> None:
        """`text`: asked for when it is written; of two who come at once the later one never writes the older."""
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
