"""The journal's games, each judged again once.

Judging a game takes some milliseconds and a family plays hundreds, so what has been found is remembered. Whoever
asks waits only so long: then it is said how many games have been added up, and the rest come with the next asking.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import Final

from companion.errors import NoSuchGame
from companion.history.brief import Brief, brief_of
from companion.history.kept import KeptGame, kept_game
from companion.journal import Gap, Loss, Reader
from companion.journal.games import END
from companion.journal.gaps import lost_within

# A page may take so long before it shows what there is.
PATIENCE: Final = 0.4
# Somebody looks at a game and goes back and forth between its races.
OPEN: Final = 4


@dataclass(frozen=True, slots=True)
class Shelf:
    """What is known just now."""

    briefs: tuple[Brief, ...]
    """The newest game first."""
    waiting: int
    """So many older games have not been added up yet."""
    losses: tuple[Loss, ...] = ()
    """What damages have taken, the oldest game's first."""


class Archive:
    def __init__(self, journal: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._journal = journal
        self._clock = clock
        self._busy = Lock()
        self._numbers: list[int] = []
        self._newest = 0
        self._gaps: tuple[Gap, ...] = ()
        self._briefs: dict[int, tuple[int, Brief]] = {}
        """Each with the number up to which its game had been heard."""
        self._open: OrderedDict[tuple[int, int], KeptGame] = OrderedDict()

    def shelf(self, patience: float = PATIENCE) -> Shelf:
        """At least the newest game, and as many more as there is time for."""
        until = self._clock() + patience
        with self._reading() as reader:
            for number in reversed(self._numbers):
                if reader is not None and not self._is_current(number):
                    self._briefs[number] = self._last_of(number), brief_of(self._judged(reader, number))
                    if self._clock() > until:
                        break
            current = filter(self._is_current, reversed(self._numbers))
            known = tuple(self._briefs[number][1] for number in current)
            losses = reader.losses() if reader is not None and self._gaps else ()
            return Shelf(known, len(self._numbers) - len(known), losses)

    def game(self, number: int) -> KeptGame:
        """Raises `NoSuchGame`."""
        with self._reading() as reader:
            if reader is None or number not in self._numbers:
                raise NoSuchGame(f"No game in the journal begins with event {number}: look at the list of games.")
            return self._opened(reader, number)

    def neighbours(self, number: int) -> tuple[int | None, int | None]:
        """The game before that one, and the game after it."""
        with self._reading():
            place = self._numbers.index(number)
            before = self._numbers[place - 1] if place else None
            return before, self._numbers[place + 1] if place + 1 < len(self._numbers) else None

    def games(self) -> Iterator[KeptGame]:
        """All of them, the first one first, one at a time: for whoever writes them down."""
        with self._reading():
            numbers = tuple(self._numbers)
        for number in numbers:
            yield self.game(number)

    @contextmanager
    def _reading(self) -> Generator[Reader | None]:
        """One at a time: four phones that ask at once would each judge the same games. None before the first."""
        with self._busy:
            if not self._journal.exists():
                yield None
                return
            with Reader.open(self._journal) as reader:
                self._look(reader)
                yield reader

    def _look(self, reader: Reader) -> None:
        """What has come to the journal since."""
        last = reader.last
        if last < self._newest:
            # Another journal lies there now.
            self._numbers, self._newest = [], 0
            self._briefs.clear()
            self._open.clear()
        self._numbers += [entry.number for entry in reader.entries(self._newest) if entry.type == "game"]
        self._newest = max(last, self._newest)
        self._gaps = reader.gaps()

    def _last_of(self, number: int) -> int:
        following = next((other for other in self._numbers if other > number), None)
        return self._newest if following is None else following - 1

    def _is_current(self, number: int) -> bool:
        known = self._briefs.get(number)
        return known is not None and known[0] == self._last_of(number)

    def _opened(self, reader: Reader, number: int) -> KeptGame:
        key = (number, self._last_of(number))
        if key not in self._open:
            self._open[key] = self._judged(reader, number)
            while len(self._open) > OPEN:
                self._open.popitem(last=False)
        return self._open[key]

    def _judged(self, reader: Reader, number: int) -> KeptGame:
        last = self._last_of(number)
        entries = takewhile(lambda entry: entry.number <= last, reader.entries(number - 1))
        is_last = number == self._numbers[-1]
        lost = lost_within(self._gaps, number, END if is_last else last + 1)
        return kept_game(entries, closed=not is_last, lost=lost)
