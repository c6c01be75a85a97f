"""The pictures just before and just after the first grab of every race, kept as files beside the journal.

When a button is pressed nobody knows yet what that press will turn out to be. So its two pictures are held until
it is ruled on, or until so many others have been pressed since that it never will be.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.core.games.goat.cards import Ns

WHICH: Final = ("before", "after")
# Six people who slap as fast as they can while a hand hides the grid for seconds.
HELD: Final = 64
# About 50 kB each: as much as a few evenings of pictures from a telephone.
KEPT_RACES: Final = 2000
_SUFFIX: Final = ".jpg"


@dataclass(slots=True)
class Held:
    before: bytes | None
    after: bytes | None = None
    game: int | None = None
    """In which it was a first grab."""


class Finishes:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[Ns, Held] = {}
        self._open: list[Ns] = []
        """Presses after which no picture has come yet."""

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
                self._write(press, held)

    def keep(self, game: int, t: Ns) -> None:
        held = self._held.get(t)
        if held is not None:
            held.game = game
            self._write(t, held)

    def find(self, game: int, t: Ns, which: str) -> bytes | None:
        if which not in WHICH:
            return None
        path = self._path(game, t, which)
        return path.read_bytes() if path.is_file() else None

    def _write(self, t: Ns, held: Held) -> None:
        if held.game is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        for which, jpeg in zip(WHICH, (held.before, held.after), strict=True):
            if jpeg is not None:
                # Whoever looks for it, be it after a pulled plug, finds all of it or nothing.
                draft = self._folder / "draft"
                draft.write_bytes(jpeg)
                draft.replace(self._path(held.game, t, which))
        for path in sorted(self._folder.glob(f"*{_SUFFIX}"))[: -2 * KEPT_RACES]:
            path.unlink(missing_ok=True)

    def _path(self, game: int, t: Ns, which: str) -> Path:
        # So many figures that the names sort by age.
        return self._folder / f"{game:010d}-{t:020d}-{which}{_SUFFIX}"
