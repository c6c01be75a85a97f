"""One event as the journal keeps it, and what a text must be to become one.

The text itself is kept to the last character: it is what the table will be rebuilt from. So whatever could come
back different (a number JSON doesn't know, half a character, the same key twice) is refused at the door.
"""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from companion.core.strict_json import parse
from companion.errors import InvalidEvent, JournalDamaged
from companion.journal.connection import Connection

VOCABULARY = 1
_Row = tuple[int, int, int, int, bytes, bytes, int]
_INT64 = range(-(2**63), 2**63)
_INSERT = "INSERT INTO event (number, version, t, wall, type, event, crc) VALUES (?, ?, ?, ?, ?, ?, ?)"
# Texts come as bytes: where a page is damaged they may be no UTF-8, and the checksum is to find that out.
_READ = (
    "SELECT number, version, t, wall, CAST(type AS BLOB), CAST(event AS BLOB), crc FROM event"
    " WHERE number > ? ORDER BY number LIMIT ?"
)
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """One stored event. `t` is the event's own time, `wall` the wall clock's when it was stored (nanoseconds)."""

    number: int
    version: int
    t: int
    wall: int
    type: str
    event: str

    @property
    def checksum(self) -> int:
        return checksum((self.number, self.version, self.t, self.wall), self.type.encode(), self.event.encode())


def checksum(numbers: tuple[int, int, int, int], kind: bytes, event: bytes) -> int:
    return zlib.crc32(b"%d %d %d %d %b %b" % (*numbers, kind, event))


def insert(db: Connection, entry: Entry) -> None:
    """Write one entry; the caller has begun the transaction."""
    row = (entry.number, entry.version, entry.t, entry.wall, entry.type, entry.event, entry.checksum)
    db.execute(_INSERT, row)


def read_entries(db: Connection, path: Path, after: int, batch: int = _BATCH) -> Iterator[Entry]:
    """The entries after that number, `batch` at a time; JournalDamaged at the first whose checksum is wrong."""
    for number, version, t, wall, kind, event, _crc in _read_checked_rows(db, path, after, batch):
        yield Entry(number, version, t, wall, kind.decode(), event.decode())


def verify(db: Connection, path: Path) -> tuple[int, list[tuple[int, int]]]:
    """Check every event; return the last one's number and the missing spans (first, last) before it."""
    last = 0
    missing: list[tuple[int, int]] = []
    for number, *_ in _read_checked_rows(db, path, 0):
        if number != last + 1:
            missing.append((last + 1, number - 1))
        last = number
    return last, missing


def _read_checked_rows(db: Connection, path: Path, after: int, batch: int = _BATCH) -> Iterator[_Row]:
    """In batches: a slow reader must not keep a transaction open, or the log could not be shortened meanwhile."""
    while rows := cast("list[_Row]", list(db.execute(_READ, (after, batch)))):
        for row in rows:
            number, version, t, wall, kind, event, crc = row
            if checksum((number, version, t, wall), kind, event) != crc:
                raise JournalDamaged(
                    f"Event {number} in {path} can't be read any more: start the companion anew, "
                    "it sets the file aside and recovers everything else."
                )
            yield row
        after = rows[-1][0]


@dataclass(frozen=True, slots=True)
class Draft:
    """A checked event that has no number yet."""

    t: int
    type: str
    event: str


def parse_draft(event: str) -> Draft:
    """
    >>> parse_draft('{"t": 5, "type": "undo"}')
    Draft(t=5, type='undo', event='{"t": 5, "type": "undo"}')
    """
    _check_one_line(event)
    try:
        found = parse(event)
    except InvalidEvent as error:
        raise _refusal(event, str(error)) from error
    return make_draft(event, found)


def make_draft(event: str, found: object) -> Draft:
    """The same for a text that has been parsed already: `found` is what it holds. InvalidEvent if it can't be
    kept."""
    _check_one_line(event)
    _check_surrogates(event, found)
    if not isinstance(found, dict):
        raise _refusal(event, "it must be a JSON object")
    said = cast("dict[str, Any]", found)
    t, kind = said.get("t"), said.get("type")
    if type(t) is not int or t not in _INT64:
        raise _refusal(event, 'its "t" must be an integer of nanoseconds that fits 64 bits')
    if not isinstance(kind, str):
        raise _refusal(event, 'its "type" must be a word')
    if kind == "game" and not _names_a_game(said):
        raise _refusal(event, 'a game must have its name as "game" and the names at its seats as "seats"')
    return Draft(t, kind, event)


def _check_one_line(event: str) -> None:
    if "\n" in event or "\r" in event:
        raise _refusal(event, "it must stand on one line")


def _check_surrogates(event: str, found: object) -> None:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise _refusal(event, "it holds half a character (a lone surrogate)") from error


def _names_a_game(said: dict[str, Any]) -> bool:
    seats = said.get("seats")
    return (
        isinstance(said.get("game"), str)
        and isinstance(seats, list)
        and all(isinstance(seat, str) for seat in cast("list[object]", seats))
    )


def _refusal(event: str, why: str) -> InvalidEvent:
    shown = event if len(event) <= 100 else event[:100] + "…"
    return InvalidEvent(f"The journal can't take the event {shown!a}: {why}.")
