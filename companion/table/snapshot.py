"""The table at one instant, as everybody may hold on to it."""

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
    """The table at one instant. Nothing in it ever changes; all of it is on disk."""

    number: int
    """The journal's number of the newest event in it: what a phone says it saw."""
    evening: Evening
    news: tuple[Ruling, ...] = ()
    """What was ruled when its newest event was heard."""
    kind: str = ""
    """The type of that event."""

    @property
    def state(self) -> dict[str, object] | None:
        return self.evening.game.state() if self.evening.game is not None else None

    @property
    def race_photos(self) -> tuple[Ns, ...]:
        """The instants of presses whose pictures are worth keeping, by what was ruled."""
        played = self.evening.played
        if played is None:
            return ()
        return tuple(t for ruling in self.news if (t := played.camera.race_photo(ruling)) is not None)

    @property
    def digest(self) -> str:
        """The same for the same evening, on every machine and after every restart."""
        game = self.evening.game
        rulings = [said.as_json() for _, said in game.rulings()] if game is not None else []
        return sha256(_encode([self.number, self.state, rulings]).encode()).hexdigest()


def news(before: Evening, after: Evening) -> tuple[Ruling, ...]:
    if after.game is None:
        return ()
    if before.game is None or after.begun != before.begun:
        return tuple(said for _, said in after.game.rulings())
    return tuple(said for _, said in after.game.news(before.game))
