"""The board of what is wrong at this moment, from any thread: the page, /healthz and the log read it.

A trouble stands on the board until whoever put it there takes it down. Each is logged once when it comes and once
when it goes, however often it is told in between.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

from companion.logs.log_lines import NOTICE

_log: Final = logging.getLogger(__name__)

# What can be wrong. The page has a sentence for each in every language of the people at the table.
TABLE: Final = "table"
"""The table's own thread: nothing is judged any more."""
RULES: Final = "rules"
"""The rules have failed over an event, which is left out."""
FEED: Final = "feed"
"""The live updates: they reach the phones late or not at all."""
LIVE: Final = "live"
"""The live pages' writer."""
BUTTONS: Final = "buttons"
"""The button worker thread."""
LAMPS: Final = "lamps"
"""The lamp worker thread."""
CAMERA: Final = "camera"
"""The camera worker thread."""
EYES: Final = "eyes"
"""The camera works, but its pictures can't be read."""
DECK: Final = "deck"
"""The taught deck can't be read, so nothing is seen."""
JOURNAL: Final = "journal"
"""What is told can't be written down, so it is refused."""
DAMAGED: Final = "damaged"
"""Events of earlier games are lost: the journal was damaged and has been recovered."""
PHOTOS: Final = "photos"
"""Photo finishes can't be kept."""
PHONES: Final = "phones"
"""Which phone is whose can't be kept: after a restart everybody pairs anew."""
DISK: Final = "disk"
"""The disk is nearly full."""
WEB: Final = "web"
"""The page's requests: some are not answered."""
MISREAD: Final = "misread"
"""Pictures that were misread, kept for a report."""
TELLING: Final = "telling"
"""The worker thread that writes the console's output."""
HISTORY: Final = "history"
"""The statistics of earlier games are not up to date."""
DEMO: Final = "demo"
"""The demo's drawn people and cards."""
_RIG: Final = frozenset({BUTTONS, LAMPS, CAMERA, EYES, DECK})
_KEPT: Final = frozenset({JOURNAL, DAMAGED, PHOTOS, PHONES, DISK})
# Troubles that people must know of although everything works.
REMARKS: Final = frozenset({DAMAGED})
KEYS: Final = _RIG | _KEPT | {TABLE, RULES, FEED, LIVE, WEB, MISREAD, TELLING, HISTORY, DEMO}


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong now."""

    key: str
    """One of the constants above. Stable: the page finds its translation by it."""
    sentence: str
    """In English: what is wrong, where, what to do."""


class Troubles:
    """
    >>> board = Troubles()
    >>> board.raise_trouble("photos", "No room for photo finishes: free some space.")
    >>> [trouble.key for trouble in board.current()]
    ['photos']
    >>> board.clear("photos")
    """

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        """`on_change` is called after each change, on the thread that made it."""
        self._lock = Lock()
        self._current: dict[str, Trouble] = {}
        self._on_change = on_change

    def raise_trouble(self, key: str, sentence: str) -> None:
        """Puts a trouble on the board, or replaces the sentence of one that is there."""
        with self._lock:
            before = self._current.get(key)
            self._current[key] = Trouble(key, sentence)
        if before is None or before.sentence != sentence:
            _log.warning("%s", sentence, extra={"trouble": key})
            self._on_change()

    def clear(self, key: str) -> None:
        """Takes a trouble off the board; does nothing if it is not there."""
        with self._lock:
            before = self._current.pop(key, None)
        if before is not None:
            _log.log(NOTICE, "This is over: %s", before.sentence, extra={"trouble": key})
            self._on_change()

    def current(self) -> tuple[Trouble, ...]:
        """The troubles on the board, the oldest first."""
        with self._lock:
            return tuple(self._current.values())

    def find(self, key: str) -> Trouble | None:
        with self._lock:
            return self._current.get(key)
