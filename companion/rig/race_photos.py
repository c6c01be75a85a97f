"""The pictures just before and just after the first grab of every race, kept as files beside the journal.

When a button is pressed nobody knows yet what that press will turn out to be. So its two pictures are held until
it is ruled on, or until so many others have been pressed since that it never will be.

What is to be kept is written by a thread of its own: a slow disk never holds up the camera. What a full disk
refuses waits for room, the newest races longest; that is said once, and the game goes on.
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
# Six people who slap as fast as they can while a hand hides the grid for seconds.
HELD: Final = 64
# About 50 kB each: as much as a few evenings of pictures from a telephone.
KEPT_RACES: Final = 2000
# So many wait for the disk at most: the races of a quarter of an hour.
WAITING: Final = 64
# How soon a disk that has refused one is tried again.
RETRY_S: Final = 2.0
# One that can't be written for another reason than the disk's is let go after so many times.
TRIES: Final = 3
# To list thousands of files takes a card longer than to write one.
PRUNE_EVERY: Final = 64
_SUFFIX: Final = ".jpg"
_LOST: Final = "Photo finishes can't be kept: {why}. The game goes on; a few wait for the disk meanwhile."


@dataclass(slots=True)
class Held:
    before: bytes | None
    after: bytes | None = None
    game: int | None = None
    """In which it was a first grab."""


@dataclass(frozen=True, slots=True, eq=False)
class _Photo:
    name: str
    jpeg: bytes


class RacePhotos(Worker):
    def __init__(self, folder: Path, crew: Crew | None = None) -> None:
        super().__init__(
            PHOTOS,
            Policy.RESTART,
            crew=crew,
            sentence="Photo finishes are kept late or not at all at the moment; the game goes on.",
            is_vital=False,
        )
        self._folder = folder
        # Of the camera's thread.
        self._held: dict[Ns, Held] = {}
        self._open: list[Ns] = []
        """Presses after which no picture has come yet."""
        # Of all threads.
        self._changed = Condition()
        self._waiting: deque[_Photo] = deque(maxlen=WAITING)
        self._ends = False
        # Of its own.
        self._is_refused = False
        self._tries = 0
        """So often the one that has waited longest has been tried, and it ended neither well nor with the disk's
        refusal."""
        self._written = 0

    def press(self, t: Ns, before: bytes | None, after: bytes | None) -> None:
        while len(self._held) >= HELD:
            del self._held[next(iter(self._held))]
        self._held[t] = Held(before, after)
        if after is None:
            self._open = [*self._open[-HELD:], t]

    def add_after(self, t: Ns, picture: Callable[[], bytes | None]) -> None:
        """The picture taken then comes after all that were pressed before; it is made only if it is wanted."""
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
        """What waits is still written, unless the disk refuses it."""
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
        """What waits is nobody's fault who failed elsewhere; one that can't be written is not tried for ever."""
        if self._tries < TRIES:
            return
        self._tries = 0
        with self._changed, suppress(IndexError):
            self._waiting.popleft()

    def _wait_s(self) -> float | None:
        if self._is_down:
            # The end of the first good turn is the end of the trouble: it waits for no other race.
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
            # Whoever looks for it, be it after a pulled plug, finds all of it or nothing.
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
            # What the power has interrupted is nobody's any more.
            drafts = self._folder.glob(f"*{DRAFT}")
            for path in (*drafts, *sorted(self._folder.glob(f"*{_SUFFIX}"))[: -2 * KEPT_RACES]):
                path.unlink(missing_ok=True)
        self._written += 1


def _name(game: int, t: Ns, which: str) -> str:
    # So many figures that the names sort by age.
    return f"{game:010d}-{t:020d}-{which}{_SUFFIX}"
