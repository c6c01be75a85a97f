"""The games of the journal, each judged once and cached.

Judging a game takes some milliseconds and a family plays hundreds, so each game's summary is kept, and a
background worker makes them during the game. A page waits for a limited time: then it says how many games are
missing, and the next request continues. No thread waits for a lock that another may hold for long.
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
from companion.history.game_index import GameIndex, GameSpan, update_index
from companion.history.game_summary import GameSummary
from companion.history.judged_game import JudgedGame, judge_game
from companion.history.summarize import StoredGame, summarize
from companion.history.summary_file import SummaryFile
from companion.history.totals import Totals
from companion.journal import Entry, Loss, Reader

_log: Final = logging.getLogger(__name__)

# How long a page may judge games before it is shown with those that are done, in seconds; shorter if there is a
# worker. All three timeouts were chosen by hand: half a second is felt by somebody who taps a link.
PATIENCE: Final = 0.4
PATIENCE_BESIDE_WORKER: Final = 0.05
# The timeout for a page about one game: another request may be judging a very long one.
GAME_PATIENCE: Final = 0.5
RETRY_S: Final = 2
# The size of the cache of judged games: people switch between the pages of one game.
CACHED_GAMES: Final = 4
SUMMARIES: Final = ".summaries"


@dataclass(frozen=True, slots=True)
class KnownGames:
    """The games that are known at the moment."""

    summaries: tuple[GameSummary, ...]
    """The newest game first."""
    waiting: int
    """How many older games are not judged yet."""
    totals: Totals
    """The totals of those that are."""
    losses: tuple[Loss, ...] = ()
    """What damage to the journal has lost, the oldest game first."""
    unreadable: int = 0
    """How many games can't be read at the moment."""


class Archive:
    """All games of a journal, for any number of threads.

    >>> archive = Archive(Path("journal.db"))
    >>> [game.winner_names for game in archive.list_games().summaries]
    """

    def __init__(self, journal: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._journal = journal
        self._clock = clock
        self._judging = Lock()
        """Without it, four phones that ask at once would each judge the same games."""
        self._index = GameIndex()
        self._summaries: dict[str, GameSummary] = {}
        self._unreadable: set[str] = set()
        self._file = SummaryFile(journal.with_name(journal.name + SUMMARIES))
        self._is_file_usable = False
        self._has_worker = False
        self._totals = Totals()
        self._cache_lock = Lock()
        self._cache: OrderedDict[str, JudgedGame] = OrderedDict()

    def load_summaries(self) -> None:
        """Loads the summaries that an earlier run has stored. Called by the worker; from then on new ones are
        stored too, if the disk has room, and the worker computes the totals, so that no page has to."""
        self._has_worker = True
        with suppress(OSError):
            for key, summary in self._file.load():
                self._summaries[key] = summary
            self._is_file_usable = True

    def list_games(self, patience: float | None = None) -> KnownGames:
        """At least the newest game, unless another thread is judging, and as many more as the time allows."""
        if patience is None:
            patience = PATIENCE_BESIDE_WORKER if self._has_worker else PATIENCE
        until = self._clock() + patience
        index = self._update_index()
        missing = [span for span in reversed(index.spans) if not self._is_known(span)]
        with self._open_reader(missing, patience) as reader:
            for span in missing if reader is not None else ():
                self._summarize(reader, span)
                if self._clock() > until:
                    break
        known, totals = self._known(index), self._totals
        if not self._has_worker and totals.summaries != known:
            totals = self._totals = Totals(known)
        unreadable = sum(span.key in self._unreadable for span in index.spans) if self._unreadable else 0
        waiting = len(index.spans) - min(len(known), len(totals.summaries)) - unreadable
        return KnownGames(known, waiting, totals, index.losses, unreadable)

    def update_totals(self) -> None:
        """Computes the totals, if games were added since."""
        known = self._known(self._update_index())
        if self._totals.summaries != known:
            totals = Totals(known)
            totals.compute()
            self._totals = totals

    def _known(self, index: GameIndex) -> tuple[GameSummary, ...]:
        known = (self._summaries.get(span.key) for span in reversed(index.spans))
        return tuple(summary for summary in known if summary is not None)

    def summarize_next(self, heartbeat: Callable[[], None]) -> bool:
        """Judges the newest game that is missing; False where none is. `heartbeat` is called for each event."""
        missing = next((span for span in reversed(self._update_index().spans) if not self._is_known(span)), None)
        if missing is None:
            return False
        with self._open_reader([missing], float("inf")) as reader:
            self._summarize(reader, missing, heartbeat)
        return True

    def load_game(self, number: int) -> JudgedGame:
        """Judges that game, or takes it from the cache. Raises `NoSuchGame`, and `RateLimited` while another
        thread judges a long game."""
        span = self._span(number)
        with self._cache_lock:
            if span.key in self._cache:
                self._cache.move_to_end(span.key)
                return self._cache[span.key]
        with self._open_reader([span], GAME_PATIENCE) as reader:
            if reader is None:
                raise RateLimited("Another game is being added up; try again in a moment.", RETRY_S)
            game = _judge(reader, span)
        with self._cache_lock:
            self._cache[span.key] = game
            while len(self._cache) > CACHED_GAMES:
                self._cache.popitem(last=False)
        return game

    def neighbours(self, number: int) -> tuple[int | None, int | None]:
        """The numbers of the games before and after that one."""
        index = self._update_index()
        place = index.places[number]
        before = index.spans[place - 1].number if place else None
        return before, index.spans[place + 1].number if place + 1 < len(index.spans) else None

    def all_summaries(self) -> Iterator[GameSummary]:
        """All summaries, the first game first, without a time limit."""
        for span in self._update_index().spans:
            if not self._is_known(span):
                with self._open_reader([span], float("inf")) as reader:
                    self._summarize(reader, span)
            summary = self._summaries.get(span.key)
            if summary is not None:
                yield summary

    def own_rows(self, table: str) -> Iterator[str]:
        """The rows of that table from all games, the first game first, without a time limit."""
        for span in self._update_index().spans:
            rows = self._file.rows(span.key)
            if rows is None:
                with self._open_reader([span], float("inf")) as reader:
                    stored = self._summarize(reader, span)
                rows = stored.rows if stored is not None else None
            yield rows.get(table, "") if rows is not None else ""

    def _update_index(self) -> GameIndex:
        """The index with the newest events. If two threads update it at once, both get the same."""
        if not self._journal.exists():
            return GameIndex()
        with Reader.open(self._journal) as reader:
            mark = reader.newest
            if mark != self._index.mark:
                self._index = update_index(reader, mark, self._index)
        return self._index

    def _span(self, number: int) -> GameSpan:
        span = self._update_index().span(number)
        if span is None:
            raise NoSuchGame(f"No game in the journal begins with event {number}: look at the list of games.")
        return span

    def _is_known(self, span: GameSpan) -> bool:
        return span.key in self._summaries or span.key in self._unreadable

    @contextmanager
    def _open_reader(self, spans: Iterable[GameSpan], patience: float) -> Generator[Reader | None]:
        """A reader for the one thread that may judge. None after a timeout, or if there is no span."""
        forever = patience == float("inf")
        if not spans or not self._judging.acquire(timeout=-1 if forever else max(0.0, patience)):
            yield None
            return
        try:
            with Reader.open(self._journal) as reader:
                yield reader
        finally:
            self._judging.release()

    def _summarize(
        self, reader: Reader | None, span: GameSpan, heartbeat: Callable[[], None] = lambda: None
    ) -> StoredGame | None:
        """The game's summary; None if it can't be read: the next start repairs the journal."""
        assert reader is not None
        try:
            stored = summarize(_judge(reader, span, heartbeat))
        except JournalBusy:
            raise
        except JournalError as error:
            _log.warning("Game %d is left out of the history: %s", span.number, error)
            self._unreadable.add(span.key)
            return None
        self._summaries[span.key] = stored.summary
        if self._is_file_usable and span.is_closed:
            try:
                self._file.add(span.key, stored)
            except OSError:
                # Probably a full disk: the next start adds to the file what is missing.
                self._is_file_usable = False
        return stored


def _judge(reader: Reader, span: GameSpan, heartbeat: Callable[[], None] = lambda: None) -> JudgedGame:
    def entries() -> Iterator[Entry]:
        for entry in takewhile(lambda entry: entry.number <= span.last, reader.entries(span.number - 1)):
            heartbeat()
            yield entry

    return judge_game(entries(), closed=span.is_closed, lost=span.lost)
