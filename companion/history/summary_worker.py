"""The worker that adds up earlier games beside the one that is being played."""

import time
from typing import Final

from companion.errors import TableClosed
from companion.history.archive import Archive
from companion.threads.troubles import HISTORY
from companion.threads.worker import Crew, Policy, Worker

# How soon a game that has ended is added up, if nobody asks before.
LOOK_S: Final = 2.0
# How soon those that have been added up are seen in what all come to, while there are many more.
OFTEN_S: Final = 10.0


class SummaryWorker(Worker):
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
            self._archive.load()
            self._has_loaded = True
            self._archive.work_out()
        begin = time.monotonic()
        # A game of very many events takes minutes, and whoever looks at one may be at it for as long.
        with self.resting():
            more = self._archive.add_one(self._live)
        if not more or begin > self._due:
            self._archive.work_out()
            self._due = time.monotonic() + OFTEN_S
        # Who plays comes first: it rests for as long as it has worked.
        with self.resting():
            self._closing.wait(time.monotonic() - begin if more else LOOK_S)

    def _live(self) -> None:
        self.beat()
        if self._closing.is_set():
            raise TableClosed("The program ends; the game is added up the next time.")
