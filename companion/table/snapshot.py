"""The table's state at one instant, as an immutable value."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from companion.core.game_record import Ruling
from companion.table.evening import Evening
from companion.units import Ns

_encode: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table's state at one instant. Immutable, and durable: all of it is on disk."""

    number: int
    """The journal's number of the newest event in it; a phone sends it back as what it `saw`."""
    evening: Evening
    news: tuple[Ruling, ...] = ()
    """The rulings that its newest event brought."""
    kind: str = ""
    """The type of the newest event."""

    @property
    def state(self) -> dict[str, object] | None:
        return self.evening.game.state() if self.evening.game is not None else None

    @property
    def race_photos(self) -> tuple[Ns, ...]:
        """The times of the presses whose pictures are worth keeping, by the rulings."""
        played = self.evening.played
        if played is None:
            return ()
        return tuple(t for ruling in self.news if (t := played.camera.race_photo(ruling)) is not None)

    @property
    def digest(self) -> str:
        """A hash of the state: the same for the same evening, on every machine and after every restart."""
        game = self.evening.game
        rulings = [said.as_json() for _, said in game.rulings()] if game is not None else []
        return sha256(_encode([self.number, self.state, rulings]).encode()).hexdigest()


def news(before: Evening, after: Evening) -> tuple[Ruling, ...]:
    if after.game is None:
        return ()
    if before.game is None or after.begun != before.begun:
        return tuple(said for _, said in after.game.rulings())
    return tuple(said for _, said in after.game.news(before.game))
