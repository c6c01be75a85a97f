"""The deck that is played with, loaded at the start; loading is retried until it succeeds.

A deck that is missing, damaged or of a later version is no reason to end an evening: people play on without a
camera, the page says what is wrong, and when the deck is there it is used.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.errors import CompanionError
from companion.eyes.deck.deck_file import read_deck
from companion.eyes.deck.deck_shelf import find_deck
from companion.eyes.look import Eyes
from companion.files import why_not
from companion.threads.troubles import DECK, Troubles

# Retry interval for a deck that can't be read.
RETRY_S: Final = 5.0
PLAY_ON: Final = "Until then the camera reads no cards, and people say on the page what lies there."


class DeckInPlay:
    """Loads the deck, with retries while that fails."""

    def __init__(
        self, deck: str, models: Path, troubles: Troubles, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`deck`: its name or its file; `models`: the folder with the decks people have taught."""
        self._deck = deck
        self._models = models
        self._troubles = troubles
        self._clock = clock
        self._again = clock()

    def eyes(self) -> Eyes | None:
        """The eyes that know the deck; None while it can't be read. Cheap enough to call at every picture."""
        if self._clock() < self._again:
            return None
        self._again = self._clock() + RETRY_S
        try:
            eyes = Eyes(read_deck(find_deck(self._deck, self._models)))
        except CompanionError as error:
            self._troubles.raise_trouble(DECK, f"{error} {PLAY_ON}")
        except OSError as error:
            why = why_not(error, Path(error.filename or self._models))
            self._troubles.raise_trouble(DECK, f"The deck {self._deck} can't be read: {why}. {PLAY_ON}")
        else:
            eyes.warm_up()
            self._troubles.clear(DECK)
            return eyes
        return None
