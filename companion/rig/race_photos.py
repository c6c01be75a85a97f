"""The pictures just before and just after the first grab of every race, kept as files beside the journal.

When a button is pressed it is not known yet whether that press was a first grab. So its two pictures are buffered
until there is a ruling, or until `HELD` later presses have pushed them out.

A worker thread writes the files: a slow disk never holds up the camera. While the disk is full the queue waits for
room and drops the oldest races first; the trouble is reported once, and the game goes on.
"""

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Condition
from typing import Final

from companion.files import DRAFT, why_not, write_whole
from companion.threads.troubles import PHOTOS
from companion.threads.worker import Crew, Policy, Worker
from companion.units import Ns

_log: Final = logging.getLogger(__name__)

WHICH: Final = ("before", "after")
# Size of the buffer: enough for six people who slap as fast as they can while a hand hides the grid for seconds.
HELD: Final = 64
# About 50 kB each: as much as a few evenings of pictures from a telephone.
KEPT_RACES: Final = 2000
# Length of the queue for the disk: the races of a quarter of an hour.
WAITING: Final = 64
# Retry interval after the disk has refused a file.
RETRY_S: Final = 2.0
# A photo that fails for another reason than the disk is dropped after this many tries.
TRIES: Final = 3
# On an SD card, listing thousands of files takes longer than writing one, so old ones are deleted rarely.
PRUNE_EVERY: Final = 64
_SUFFIX: Final = ".jpg"
_LOST: Final = "Photo finishes can't be kept: {why}. The game goes on; a few wait for the disk meanwhile."


@dataclass(slots=True)
class Held:
    """A buffered press: its pictures before and after."""

    before: bytes | None
    after: bytes | None = None
    game: int | None = None
    """The game in which the press was a first grab; None while that is unknown."""


@dataclass(frozen=True, slots=True, eq=False)
class _Photo:
    name: str
    jpeg: bytes


class RacePhotos(Worker):
    """The buffer of pictures around presses, and the worker thread that writes those of races to disk."""

    def __init__(self, folder: Path, crew: Crew | None = None) -> None:
        super().__init__(
            PHOTOS,
            Policy.RESTART,
            crew=crew,
            sentence="Photo finishes are kept late or not at all at the moment; the game goes on.",
            is_vital=False,
        )
        self._folder = folder
        # Used by the camera's thread only.
        self._held: dict[Ns, Held] = {}
        self._open: list[Ns] = []
        """Presses after which no picture has come yet."""
        # Shared by all threads, under this condition's lock.
        self._changed = Condition()
        self._waiting: deque[_Photo] = deque(maxlen=WAITING)
        self._ends = False
        # Used by the worker thread only.
        self._is_refused = False
        self._tries = 0
        """How often the oldest photo in the queue has failed for another reason than the disk."""
        self._written = 0

    def press(self, t: Ns, before: bytes | None, after: bytes | None) -> None:
        while len(self._held) >= HELD:
            del self._held[next(iter(self._held))]
        self._held[t] = Held(before, after)
        if after is None:
            self._open = [*self._open[-HELD:], t]

    def add_after(self, t: Ns, picture: Callable[[], bytes | None]) -> None:
        """Offers the picture taken at `t` as the "after" photo of all earlier presses that have none yet.
        `picture` is called only if there are such presses."""
        due = [press for press in self._open if press < t]
        if not due:
            return
        self._open = [press for press in self._open if press >= t]
        jpeg = picture()
        for press in due:
            held = self._held.get(press)
            if held is not None:
                held.after = jpeg
                self._put(press, held, "after", jpeg)

    def keep(self, game: int, t: Ns) -> None:
        held = self._held.get(t)
        if held is not None and held.game is None:
            held.game = game
            self._put(t, held, "before", held.before)
            self._put(t, held, "after", held.after)

    def find(self, game: int, t: Ns, which: str) -> bytes | None:
        if which not in WHICH:
            return None
        name = _name(game, t, which)
        with self._changed:
            waiting = next((photo.jpeg for photo in self._waiting if photo.name == name), None)
        return waiting or self._read(self._folder / name)

    def _read(self, path: Path) -> bytes | None:
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("A photo finish can't be read: %s.", why_not(error, path))
            return None

    def close(self) -> None:
        """Writes what is still in the queue, unless the disk refuses it."""
        with self._changed:
            self._ends = True
            self._changed.notify_all()
        self._join(self._crew.left_to_close_s())
        super().close()

    def turn(self) -> None:
        with self.resting(), self._changed:
            self._changed.wait_for(self._is_due, self._wait_s())
            if self._ends and (self._is_refused or not self._waiting):
                self._closing.set()
            photo = self._waiting[0] if self._waiting and not self._closing.is_set() else None
        if photo is not None:
            self._write(photo)

    def recover(self) -> None:
        """Drops the oldest photo in the queue after `TRIES` failures, so that it is not retried for ever. Errors
        elsewhere drop nothing."""
        if self._tries < TRIES:
            return
        self._tries = 0
        with self._changed, suppress(IndexError):
            self._waiting.popleft()

    def _wait_s(self) -> float | None:
        if self._is_down:
            # The trouble is cleared at the end of the first good turn: end this turn without waiting for a race.
            return 0.0
        return RETRY_S if self._is_refused else None

    def _is_due(self) -> bool:
        return self._ends or (bool(self._waiting) and not self._is_refused)

    def _put(self, t: Ns, held: Held, which: str, jpeg: bytes | None) -> None:
        if held.game is not None and jpeg is not None:
            with self._changed:
                self._waiting.append(_Photo(_name(held.game, t, which), jpeg))
                self._changed.notify_all()

    def _write(self, photo: _Photo) -> None:
        self._tries += 1
        try:
            self._folder.mkdir(exist_ok=True)
            # Atomic: after a power cut there is the whole file or none.
            write_whole(self._folder / photo.name, photo.jpeg)
            self._prune()
        except OSError as error:
            self.beat()
            self._is_refused, self._tries = True, 0
            self._troubles.raise_trouble(PHOTOS, _LOST.format(why=why_not(error, self._folder)))
            return
        self.beat()
        self._is_refused, self._tries = False, 0
        self._troubles.clear(PHOTOS)
        with self._changed, suppress(ValueError):
            self._waiting.remove(photo)

    def _prune(self) -> None:
        if self._written % PRUNE_EVERY == 0:
            # Temporary files left by a power cut.
            drafts = self._folder.glob(f"*{DRAFT}")
            for path in (*drafts, *sorted(self._folder.glob(f"*{_SUFFIX}"))[: -2 * KEPT_RACES]):
                path.unlink(missing_ok=True)
        self._written += 1


def _name(game: int, t: Ns, which: str) -> str:
    # Padded with zeros, so that the names sort by age.
    return f"{game:010d}-{t:020d}-{which}{_SUFFIX}"
