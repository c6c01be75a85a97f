"""One game as the journal keeps it, judged again: nothing in the journal says who won, the rules do."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from companion.core.evening import Evening
from companion.core.games.game import GameRecord
from companion.errors import JournalError, SenselessEvent
from companion.journal import Entry


@dataclass(frozen=True, slots=True)
class KeptGame:
    number: int
    """Of its first event: the game is called by it."""
    newest: int
    """Of its last event: a running game that has gone on has another."""
    begun: int
    """Wall-clock nanoseconds, for people."""
    ended: int
    """The same, of the event that ended it, or of its newest."""
    game: str
    seats: tuple[str, ...]
    starter: int | None
    record: GameRecord


def kept_game(entries: Iterable[Entry], *, closed: bool) -> KeptGame:
    """`closed`: another game has begun since, so that nothing more will be heard of this one. Of a running game
    nothing is told that the table has not ruled yet."""
    evening, ended, first, last = Evening(), None, None, None
    for last in entries:
        first = first or last
        evening = _heard(evening, last)
        over = evening.game is not None and evening.game.over
        ended = (ended or last.wall) if over else None
    if first is None or last is None or evening.game is None:
        raise JournalError("The journal names a game that is not in it: check it with a backup.")
    said = cast("dict[str, Any]", json.loads(first.event))
    return KeptGame(
        first.number,
        last.number,
        first.wall,
        ended or last.wall,
        said["game"],
        tuple(said["seats"]),
        said.get("starter"),
        evening.game.closed() if closed else evening.game,
    )


def _heard(evening: Evening, entry: Entry) -> Evening:
    try:
        return evening.hear(json.loads(entry.event))
    except SenselessEvent as error:
        raise JournalError(
            f"Event {entry.number} of the journal cannot be understood: {error}. "
            "Was it written by another version?"
        ) from error
