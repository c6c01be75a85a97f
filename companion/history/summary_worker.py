"""The worker that judges earlier games in the background."""

import time
from typing import Final

from companion.errors import TableClosed
from companion.history.archive import Archive
from companion.threads.troubles import HISTORY
from companion.threads.worker import Crew, Policy, Worker

# How often the worker looks for games that have ended, if nobody opens the page before. Chosen by hand.
POLL_S: Final = 2.0
# How often the totals are computed while there are still many games to judge. Chosen by hand.
TOTALS_S: Final = 10.0


class SummaryWorker(Worker):
    """Judges the games that have no summary yet, one in each turn."""

    def __init__(self, archive: Archive, crew: Crew | None = None) -> None:
        super().__init__(
            HISTORY,
            Policy.RESTART,
            crew=crew,
            sentence="Earlier games are not added up at the moment; play goes on.",
            is_vital=False,
        )
        self._archive = archive
        self._has_loaded = False
        self._due = 0.0

    def turn(self) -> None:
        if not self._has_loaded:
            self._archive.load_summaries()
            self._has_loaded = True
            self._archive.update_totals()
        begin = time.monotonic()
        # No heartbeat is due meanwhile: a game with very many events takes minutes, and so may waiting for the
        # lock while a page judges one.
        with self.resting():
            more = self._archive.summarize_next(self._beat_or_stop)
        if not more or begin > self._due:
            self._archive.update_totals()
            self._due = time.monotonic() + TOTALS_S
        # The running game has priority: this thread sleeps for as long as it has worked.
        with self.resting():
            self._closing.wait(time.monotonic() - begin if more else POLL_S)

    def _beat_or_stop(self) -> None:
        self.beat()
        if self._closing.is_set():
            raise TableClosed("The program ends; the game is added up the next time.")
