"""The journal's games, each judged again once.

Judging a game takes some milliseconds and a family plays hundreds, so what has been found is remembered, and a
worker does it beside the game. Whoever asks waits only so long: then it is said how many games have been added up,
and the rest come with the next asking. Nobody waits for a lock that another may hold for long.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import Final

from companion.errors import JournalBusy, JournalError, NoSuchGame, RateLimited
from companion.history.brief import Brief
from companion.history.game_index import Index, Span, index_of
from companion.history.kept_game import KeptGame, kept_game
from companion.history.past import Past
from companion.history.summaries import Summaries
from companion.history.summary import Summary, summary_of
from companion.journal import Entry, Loss, Reader

_log: Final = logging.getLogger(__name__)

# A page may take so long before it shows what there is; less where a worker brings the rest.
PATIENCE: Final = 0.4
HELPED_PATIENCE: Final = 0.05
# And so long where it is about one game; somebody else's may be a very long one.
GAME_PATIENCE: Final = 0.5
AGAIN_IN_S: Final = 2
# Somebody looks at a game and goes back and forth between its races.
OPEN: Final = 4
SUMMARIES: Final = ".summaries"


@dataclass(frozen=True, slots=True)
class KnownGames:
    """What is known just now."""

    briefs: tuple[Brief, ...]
    """The newest game first."""
    waiting: int
    """So many older games have not been added up yet."""
    past: Past
    """What those that have been come to."""
    losses: tuple[Loss, ...] = ()
    """What damages have taken, the oldest game's first."""
    unreadable: int = 0
    """So many games can't be read at the moment."""


class Archive:
    def __init__(self, journal: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._journal = journal
        self._clock = clock
        self._judging = Lock()
        """Four phones that ask at once would each judge the same games."""
        self._index = Index()
        self._briefs: dict[str, Brief] = {}
        self._unreadable: set[str] = set()
        self._summaries = Summaries(journal.with_name(journal.name + SUMMARIES))
        self._is_kept = False
        self._is_helped = False
        self._past = Past()
        self._opening = Lock()
        self._open: OrderedDict[str, KeptGame] = OrderedDict()

    def load(self) -> None:
        """What an earlier run has found. From then on a worker helps: what is found is kept, as far as there is
        room, and nobody who looks has to work out what all games come to."""
        self._is_helped = True
        with suppress(OSError):
            for key, brief in self._summaries.load():
                self._briefs[key] = brief
            self._is_kept = True

    def shelf(self, patience: float | None = None) -> KnownGames:
        """At least the newest game, if nobody else is at it, and as many more as there is time for."""
        if patience is None:
            patience = HELPED_PATIENCE if self._is_helped else PATIENCE
        until = self._clock() + patience
        index = self._look()
        missing = [span for span in reversed(index.spans) if not self._is_known(span)]
        with self._reading(missing, patience) as reader:
            for span in missing if reader is not None else ():
                self._add(reader, span)
                if self._clock() > until:
                    break
        known, past = self._known(index), self._past
        if not self._is_helped and past.briefs != known:
            past = self._past = Past(known)
        unreadable = sum(span.key in self._unreadable for span in index.spans) if self._unreadable else 0
        waiting = len(index.spans) - min(len(known), len(past.briefs)) - unreadable
        return KnownGames(known, waiting, past, index.losses, unreadable)

    def work_out(self) -> None:
        """What all games come to."""
        known = self._known(self._look())
        if self._past.briefs != known:
            past = Past(known)
            past.work_out()
            self._past = past

    def _known(self, index: Index) -> tuple[Brief, ...]:
        found = (self._briefs.get(span.key) for span in reversed(index.spans))
        return tuple(brief for brief in found if brief is not None)

    def add_one(self, sign_of_life: Callable[[], None]) -> bool:
        """Judges the newest game that is missing; False where none is. `sign_of_life` is called meanwhile."""
        missing = next((span for span in reversed(self._look().spans) if not self._is_known(span)), None)
        if missing is None:
            return False
        with self._reading([missing], float("inf")) as reader:
            self._add(reader, missing, sign_of_life)
        return True

    def game(self, number: int) -> KeptGame:
        """Raises `NoSuchGame`."""
        span = self._span(number)
        with self._opening:
            if span.key in self._open:
                self._open.move_to_end(span.key)
                return self._open[span.key]
        with self._reading([span], GAME_PATIENCE) as reader:
            if reader is None:
                raise RateLimited("Another game is being added up; try again in a moment.", AGAIN_IN_S)
            kept = _judged(reader, span)
        with self._opening:
            self._open[span.key] = kept
            while len(self._open) > OPEN:
                self._open.popitem(last=False)
        return kept

    def neighbours(self, number: int) -> tuple[int | None, int | None]:
        """The game before that one, and the game after it."""
        index = self._look()
        place = index.places[number]
        before = index.spans[place - 1].number if place else None
        return before, index.spans[place + 1].number if place + 1 < len(index.spans) else None

    def briefs(self) -> Iterator[Brief]:
        """All of them, the first game's first, however long it takes."""
        for span in self._look().spans:
            if not self._is_known(span):
                with self._reading([span], float("inf")) as reader:
                    self._add(reader, span)
            brief = self._briefs.get(span.key)
            if brief is not None:
                yield brief

    def own_rows(self, table: str) -> Iterator[str]:
        """What each game has added to that table of its own, the first game's first."""
        for span in self._look().spans:
            rows = self._summaries.rows(span.key)
            if rows is None:
                with self._reading([span], float("inf")) as reader:
                    summary = self._add(reader, span)
                rows = summary.rows if summary is not None else None
            yield rows.get(table, "") if rows is not None else ""

    def _look(self) -> Index:
        """What has come to the journal since. Two threads may look at once; both see the truth."""
        if not self._journal.exists():
            return Index()
        with Reader.open(self._journal) as reader:
            mark = reader.newest
            if mark != self._index.mark:
                self._index = index_of(reader, mark, self._index)
        return self._index

    def _span(self, number: int) -> Span:
        span = self._look().span(number)
        if span is None:
            raise NoSuchGame(f"No game in the journal begins with event {number}: look at the list of games.")
        return span

    def _is_known(self, span: Span) -> bool:
        return span.key in self._briefs or span.key in self._unreadable

    @contextmanager
    def _reading(self, spans: Iterable[Span], patience: float) -> Generator[Reader | None]:
        """None where somebody else is at it for too long, or there is nothing to be done."""
        forever = patience == float("inf")
        if not spans or not self._judging.acquire(timeout=-1 if forever else max(0.0, patience)):
            yield None
            return
        try:
            with Reader.open(self._journal) as reader:
                yield reader
        finally:
            self._judging.release()

    def _add(
        self, reader: Reader | None, span: Span, sign_of_life: Callable[[], None] = lambda: None
    ) -> Summary | None:
        """None of a game that can't be read: at the next start what is damaged is healed."""
        assert reader is not None
        try:
            summary = summary_of(_judged(reader, span, sign_of_life))
        except JournalBusy:
            raise
        except JournalError as error:
            _log.warning("Game %d is left out of the history: %s", span.number, error)
            self._unreadable.add(span.key)
            return None
        self._briefs[span.key] = summary.brief
        if self._is_kept and span.is_closed:
            try:
                self._summaries.add(span.key, summary)
            except OSError:
                # A full disk for one: what is missing there is found again the next time.
                self._is_kept = False
        return summary


def _judged(reader: Reader, span: Span, sign_of_life: Callable[[], None] = lambda: None) -> KeptGame:
    def entries() -> Iterator[Entry]:
        for entry in takewhile(lambda entry: entry.number <= span.last, reader.entries(span.number - 1)):
            sign_of_life()
            yield entry

    return kept_game(entries(), closed=span.is_closed, lost=span.lost)
