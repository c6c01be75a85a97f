"""Games to look back on: told to a journal as a table would have, and read again."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from companion.games.goat.history import Story, make_story
from companion.games.goat.rules import Record
from companion.history.archive import Archive
from companion.history.game_summary import GameSummary
from companion.journal import Journal
from companion.table.evening import Evening

from ..games.goat.rules.play import Event, card, fix, game, lift, press, seen

GOLDEN = Path(__file__).parents[1] / "games" / "goat" / "golden"
EVENINGS = sorted(path for path in GOLDEN.rglob("*.jsonl") if not path.name.endswith(".rulings.jsonl"))
HOUR = 3600 * 1_000_000_000
DAY = 24 * HOUR
WALL = 1_794_000_000_000_000_000
XML = "{http://www.w3.org/2000/svg}"


def lines_of(evening: Path) -> list[Event]:
    return [json.loads(line) for line in evening.read_text(encoding="utf-8").splitlines()]


def rulings_of(evening: Path) -> list[Any]:
    text = evening.with_suffix(".rulings.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def golden(name: str) -> Story:
    [record] = records_of(GOLDEN / f"{name}.jsonl")
    return make_story(record)


@cache
def records_of(evening: Path) -> tuple[Record, ...]:
    """Each game of the recording, closed."""
    return tuple(closed(lines_of(evening)))


def closed(events: Iterable[Event]) -> list[Record]:
    evening, games = Evening(), list[Record]()
    for event in events:
        after = evening.hear(event)
        games += [after.past] if isinstance(after.past, Record) and after.past is not evening.past else []
        evening = after
    assert isinstance(evening.game, Record)
    return [*games, evening.game.closed()]


def told(events: Iterable[Event]) -> Story:
    return make_story(closed(events)[-1])


def row(t: float, colour: str = "pink") -> list[Event]:
    """Three cards that are a set, a second apart."""
    return [card(t + cell, cell, boat, colour) for cell, boat in enumerate(("raft", "ring", "jetski"))]


def raced(t: float, *presses: tuple[float, int]) -> list[Event]:
    """A set that comes to be two seconds after t, grabbed so many seconds later, and taken up."""
    slaps = [press(t + 2 + after, seat) for after, seat in presses]
    return [*row(t), *slaps, lift(t + 9, 0, 1, 2)]


def won_game(seats: Sequence[str] = ("Ada", "Ben"), winner: int = 1, quick: float = 0.4) -> list[Event]:
    """One race. The host corrects the decks before it, so that the quickest seat wins; the others press later, a
    tenth of a second apart; at last the camera has seen it all."""
    others = [seat for seat in range(len(seats)) if seat != winner]
    decks = [57 // len(others) if seat in others else 0 for seat in range(len(seats))]
    decks[others[0]] += 57 - sum(decks)
    slaps = [press(3 + quick + 0.1 * place, seat) for place, seat in enumerate([winner, *others])]
    return [{**game(len(seats)), "seats": list(seats)}, *row(1), fix(3.1, decks=decks), *slaps, seen(9)]


def later(events: Iterable[Event], by: int) -> list[Event]:
    moved = [{**event, "t": event["t"] + by} for event in events]
    return [{**event, "from": event["from"] + by} if "from" in event else event for event in moved]


class Book:
    """A journal that is written game after game, with a clock on the wall."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        self.wall = WALL
        self._t = 0

    def add(self, *games: Sequence[Event], pause: int = HOUR // 6) -> None:
        """Each game, and then the pause."""
        with Journal.open(self.path, wall=lambda: self.wall) as journal:
            for events in games:
                journal.append([json.dumps(event) for event in later(events, self._t)])
                self.wall += len(events) * 1_000_000_000
                self._t += events[-1]["t"] + 1_000_000_000
                self.wall += pause

    def summaries(self) -> tuple[GameSummary, ...]:
        """The newest first."""
        return Archive(self.path).list_games(float("inf")).summaries
