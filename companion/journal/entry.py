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
_HELPING = 500


@dataclass(frozen=True, slots=True)
class Entry:
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
    row = (entry.number, entry.version, entry.t, entry.wall, entry.type, entry.event, entry.checksum)
    db.execute(_INSERT, row)


def read(db: Connection, path: Path, after: int, helping: int = _HELPING) -> Iterator[Entry]:
    """`helping`: so many are fetched at once."""
    for number, version, t, wall, kind, event, _crc in _sound_rows(db, path, after, helping):
        yield Entry(number, version, t, wall, kind.decode(), event.decode())


def verify(db: Connection, path: Path) -> tuple[int, list[tuple[int, int]]]:
    """Reads every event; the last one's number, and the first and the last of each span of numbers that are
    missing before it."""
    last = 0
    missing: list[tuple[int, int]] = []
    for number, *_ in _sound_rows(db, path, 0):
        if number != last + 1:
            missing.append((last + 1, number - 1))
        last = number
    return last, missing


def _sound_rows(db: Connection, path: Path, after: int, helping: int = _HELPING) -> Iterator[_Row]:
    """In helpings, so that a slow reader keeps no transaction open and the log behind the writer can't grow."""
    while rows := cast("list[_Row]", list(db.execute(_READ, (after, helping)))):
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
    """A text that the journal can take; it has no number yet."""

    t: int
    type: str
    event: str


def draft(event: str) -> Draft:
    _must_stand_on_one_line(event)
    try:
        found = parse(event)
    except InvalidEvent as error:
        raise _senseless(event, str(error)) from error
    return draft_of(event, found)


def draft_of(event: str, found: object) -> Draft:
    """`found`: what was found in the text by whoever has parsed it already."""
    _must_stand_on_one_line(event)
    _must_be_whole_characters(event, found)
    if not isinstance(found, dict):
        raise _senseless(event, "it must be a JSON object")
    said = cast("dict[str, Any]", found)
    t, kind = said.get("t"), said.get("type")
    if type(t) is not int or t not in _INT64:
        raise _senseless(event, 'its "t" must be an integer of nanoseconds that fits 64 bits')
    if not isinstance(kind, str):
        raise _senseless(event, 'its "type" must be a word')
    if kind == "game" and not _names_a_game(said):
        raise _senseless(event, 'a game must have its name as "game" and the names at its seats as "seats"')
    return Draft(t, kind, event)


def _must_stand_on_one_line(event: str) -> None:
    if "\n" in event or "\r" in event:
        raise _senseless(event, "it must stand on one line")


def _must_be_whole_characters(event: str, found: object) -> None:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise _senseless(event, "it holds half a character (a lone surrogate)") from error


def _names_a_game(said: dict[str, Any]) -> bool:
    seats = said.get("seats")
    return (
        isinstance(said.get("game"), str)
        and isinstance(seats, list)
        and all(isinstance(seat, str) for seat in cast("list[object]", seats))
    )


def _senseless(event: str, why: str) -> InvalidEvent:
    shown = event if len(event) <= 100 else event[:100] + "…"
    return InvalidEvent(f"The journal can't take the event {shown!a}: {why}.")
