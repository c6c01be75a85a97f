"""One game as the journal keeps it, judged again: nothing in the journal says who won, the rules do."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, cast

from companion.core.game_record import GameRecord
from companion.errors import InvalidEvent, JournalError
from companion.journal import Entry, Gap
from companion.table.evening import Evening


@dataclass(frozen=True, slots=True)
class JudgedGame:
    number: int
    """Of its first event: the game is called by it."""
    newest: int
    """Of its last event: a running game that has gone on has another."""
    begun: int
    """Wall-clock nanoseconds, for people."""
    ended: int
    """The same, of the event that ended it, or of its newest."""
    lasted: int
    """Nanoseconds on the table's clock, to the same event."""
    game: str
    seats: tuple[str, ...]
    record: GameRecord
    lost: int = 0
    """So many of its events a damage has taken."""
    torn: bool = False
    """It is known up to there only: what came after rests on what is lost."""


def judge_game(entries: Iterable[Entry], *, closed: bool, lost: Sequence[Gap] = ()) -> JudgedGame:
    """`closed`: another game has begun since, so that nothing more will be heard of this one. Of a running game
    nothing is told that the table has not ruled yet. `lost`: what a damage has taken of it."""
    evening, ended, first, last = Evening(), None, None, None
    gap = next((gap for gap in lost if not gap.goes_on), None)
    known = entries if gap is None else takewhile(lambda entry: entry.number < gap.first, entries)
    for last in known:
        first = first or last
        evening = _hear(evening, last)
        over = evening.game is not None and evening.game.over
        ended = (ended or last) if over else None
    if first is None or last is None or evening.game is None:
        raise JournalError("The journal names a game that is not in it: check it with a backup.")
    begun = cast("dict[str, Any]", json.loads(first.event))
    # What came after the end of a game, until the next one, was the table being cleared.
    torn = gap is not None and ended is None
    return JudgedGame(
        first.number,
        last.number,
        first.wall,
        (ended or last).wall,
        (ended or last).t - first.t,
        begun["game"],
        tuple(begun["seats"]),
        evening.game.closed() if closed or torn else evening.game,
        sum(each.count for each in lost if ended is None or each.first < ended.number),
        torn,
    )


def _hear(evening: Evening, entry: Entry) -> Evening:
    try:
        return evening.hear(json.loads(entry.event))
    except InvalidEvent as error:
        raise JournalError(
            f"Event {entry.number} of the journal cannot be understood: {error}. "
            "Was it written by another version?"
        ) from error
