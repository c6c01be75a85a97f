"""One game of the journal, judged again: the journal holds no results, the rules make them."""

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
    """A game with its result."""

    number: int
    """The number of its first event, by which the game is called."""
    newest: int
    """The number of its last event: it changes when a running game goes on."""
    begun: int
    """Wall-clock nanoseconds, for people."""
    ended: int
    """The same, for the event that ended it, or else the newest."""
    lasted: int
    """Nanoseconds on the table's clock until that event."""
    game: str
    seats: tuple[str, ...]
    record: GameRecord
    lost: int = 0
    """How many of its events a damaged journal has lost."""
    torn: bool = False
    """Whether it is incomplete: what comes after the damage can't be judged."""


def judge_game(entries: Iterable[Entry], *, closed: bool, lost: Sequence[Gap] = ()) -> JudgedGame:
    """Judges a game. `closed`: another game has begun since, so no more events will come. Of a running game only
    what the table has already ruled is told. `lost`: the gaps that damage has left in it."""
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
    # Events between the end of a game and the next one are the clearing of the table.
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
