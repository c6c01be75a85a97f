"""The games in the journal, and what a damage has taken of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Final, cast

from companion.core.names import shown_names
from companion.journal.connection import Connection, query_value
from companion.journal.entry import read_entries
from companion.journal.gaps import Gap, find_break, find_gaps_within, read_gaps

END: Final = 2**63 - 1
_GAMES = "SELECT number FROM event WHERE type = 'game' ORDER BY number"
# From the end: the game that is being played began not long ago.
_LAST_GAME = "SELECT number FROM event WHERE type = 'game' AND number < ? ORDER BY number DESC LIMIT 1"
_NEXT_GAME = "SELECT number FROM event WHERE type = 'game' AND number > ? ORDER BY number LIMIT 1"
_COUNT = "SELECT count(*) FROM event WHERE number >= ? AND number < ?"
_BEFORE = "SELECT wall FROM event WHERE number < ? ORDER BY number DESC LIMIT 1"
_AFTER = "SELECT wall FROM event WHERE number > ? ORDER BY number LIMIT 1"


@dataclass(frozen=True, slots=True)
class JournalGame:
    """One game of an evening, as its first event names it."""

    number: int
    wall: int
    game: str
    seats: tuple[str, ...]
    entries: int
    lost: tuple[Gap, ...] = ()
    """Lost events of this game, or of a later game whose first event is lost as well."""
    end: int = END
    """The number with which the next game begins."""

    @property
    def torn(self) -> Gap | None:
        """The gap that ends what is known of this game: all that came after it rests on lost events."""
        return find_break(self.lost, self.number, self.end)


@dataclass(frozen=True, slots=True)
class Loss:
    """What is lost in one place, and where that was. Times are wall-clock nanoseconds."""

    gap: Gap
    game: JournalGame | None
    """The last one that had begun, as far as is known."""
    after: int | None = None
    """When the last event before the gap was stored."""
    before: int | None = None
    """When the first event after the gap was stored."""

    def __str__(self) -> str:
        game = self.game
        of = (
            f" of the game of {_day_and_time(game.wall)} ({', '.join(shown_names(game.seats))})"
            if game is not None
            else ""
        )
        times = [
            f"{word} {_time(wall)}" for word, wall in (("after", self.after), ("before", self.before)) if wall
        ]
        return f"{self.gap}{of}{', ' if times else ''}{' and '.join(times)}"


def list_games(db: Connection, path: Path) -> list[JournalGame]:
    """Every game of the journal, oldest first."""
    begun = [number for (number,) in cast("list[tuple[int]]", list(db.execute(_GAMES)))]
    gaps = read_gaps(db)
    return [_read_game(db, path, number, end, gaps) for number, end in pairwise([*begun, END])]


def find_last_game(db: Connection, before: int = END) -> int:
    """The number with which the newest game before that event begins; 0 if there is none."""
    return query_value(db, _LAST_GAME, before) or 0


def list_losses(db: Connection, path: Path, since: int = 0) -> tuple[Loss, ...]:
    """Those that were found at that wall-clock time or later."""
    gaps = read_gaps(db)
    return tuple(_read_loss(db, path, gap, gaps) for gap in gaps if gap.found >= since)


def _read_loss(db: Connection, path: Path, gap: Gap, gaps: Sequence[Gap]) -> Loss:
    number = find_last_game(db, gap.first)
    game = _read_game(db, path, number, query_value(db, _NEXT_GAME, number) or END, gaps) if number else None
    return Loss(gap, game, query_value(db, _BEFORE, gap.first), query_value(db, _AFTER, gap.last))


def _read_game(db: Connection, path: Path, number: int, end: int, gaps: Sequence[Gap]) -> JournalGame:
    entry = next(read_entries(db, path, number - 1, batch=1))
    entries: int = query_value(db, _COUNT, number, end)
    said = json.loads(entry.event)
    lost = find_gaps_within(gaps, number, end)
    return JournalGame(number, entry.wall, said["game"], tuple(said["seats"]), entries, lost, end)


def _day_and_time(wall: int) -> str:
    return f"{datetime.fromtimestamp(wall / 1e9).astimezone():%Y-%m-%d %H:%M}"


def _time(wall: int) -> str:
    return f"{datetime.fromtimestamp(wall / 1e9).astimezone():%H:%M:%S}"
