"""A table and its feed, for tests, and what a browser makes of the feed."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Gate
from typing import Any

from companion.journal import Journal
from companion.live.feed import Feed
from companion.table.live_table import Snapshot, Table

SOON = 20.0
S = 1_000_000_000
Event = dict[str, Any]


def game() -> Event:
    return {"t": 0, "type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0}


def card(second: float, cell: int, boat: str = "raft", colour: str = "pink") -> Event:
    return {"t": round(second * S), "type": "card", "cell": cell, "boat": boat, "colour": colour}


def pinks() -> list[Event]:
    """A row of three: a set."""
    return [card(cell + 1, cell, boat) for cell, boat in enumerate(("raft", "ring", "jetski"))]


def press(second: float, seat: int) -> Event:
    return {"t": round(second * S), "type": "press", "seat": seat}


def fix(turn: int) -> Event:
    return {"t": S, "type": "fix", "turn": turn}


@dataclass(frozen=True)
class Frame:
    id: int | None
    event: str
    data: Any


def frames(text: bytes) -> list[Frame]:
    """As the standard has a browser read it: what has no blank line behind it has not arrived."""
    found: list[Frame] = []
    for block in text.split(b"\n\n")[:-1]:
        said = dict(line.split(b": ", 1) for line in block.split(b"\n"))
        if b"data" in said:
            number = said.get(b"id")
            found.append(
                Frame(int(number) if number else None, said[b"event"].decode(), json.loads(said[b"data"]))
            )
    return found


def rulings(text: bytes) -> list[Any]:
    return [frame.data for frame in frames(text) if frame.event == "ruling"]


def states(text: bytes) -> list[Any]:
    return [frame.data for frame in frames(text) if frame.event == "state"]


@dataclass
class Camera:
    versions: tuple[int | None, ...] = (None,) * 9
    trouble: str | None = None

    def cutouts(self) -> tuple[int | None, ...]:
        return self.versions

    def words(self) -> str | None:
        return self.trouble


@dataclass
class Deck:
    """A table and its feed."""

    table: Table
    feed: Feed
    encoded: list[int]
    """The number of each snapshot that was turned into bytes."""

    def tell(self, *events: Event) -> int:
        answers = [self.table.tell(event) for event in events]
        number = [answer.result(SOON).number for answer in answers][-1]
        until(lambda: self.told >= number)
        return number

    @property
    def told(self) -> int:
        return states(self.missed(None))[0]["no"]

    def missed(self, last: int | None) -> bytes:
        return next(self.feed.stream(last))


def until(true: Callable[[], bool]) -> None:
    waits = Gate()
    for _ in range(2000):
        if true():
            return
        waits.wait(0.01)
    raise AssertionError("it never came true")


def news(snapshots: list[Snapshot]) -> list[Any]:
    """What was ruled, as JSON, without the secret."""
    said = [said.as_json() for snapshot in snapshots for said in snapshot.news]
    return json.loads(json.dumps([one for one in said if one["ruling"] != "set"]))


@contextmanager
def sailing(folder: Path, camera: Camera | None = None) -> Generator[Deck]:
    encoded: list[int] = []

    def beside(snapshot: Snapshot) -> dict[str, object]:
        encoded.append(snapshot.number)
        return {"deck": snapshot.number}

    with (
        Journal.open(folder / "journal.db") as journal,
        Table(journal, clock=lambda: 0) as table,
        Feed(table, camera, beside) as feed,
    ):
        yield Deck(table, feed, encoded)
