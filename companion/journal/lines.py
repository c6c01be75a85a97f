"""A recording: the bare events as JSON Lines, nothing added, so that it can be replayed anywhere."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import BinaryIO

from companion.errors import NoSuchGame, SenselessEvent
from companion.journal.entry import VOCABULARY, Draft, Entry, draft_of
from companion.journal.reader import Reader
from companion.journal.writer import Journal
from companion.recording import Line


def export_lines(reader: Reader, out: BinaryIO, *, game: int | None = None) -> int:
    """How many events were written: of the game that begins with that event, or all."""
    written = 0
    for entry in reader.entries() if game is None else _of_game(reader, game):
        out.write(entry.event.encode() + b"\n")
        written += 1
    return written


def import_lines(journal: Journal, recording: Iterable[Line], *, version: int = VOCABULARY) -> tuple[Entry, ...]:
    """All of them, or none and an error that names the line."""
    return journal.enter([_draft(line) for line in recording], version=version)


def _of_game(reader: Reader, number: int) -> Iterator[Entry]:
    entries = reader.entries(number - 1)
    first = next(entries, None)
    if first is None or first.number != number or first.type != "game":
        raise NoSuchGame(f"No game in the journal begins with event {number}: look at the list of games.")
    yield first
    yield from takewhile(lambda entry: entry.type != "game", entries)


def _draft(line: Line) -> Draft:
    try:
        return draft_of(line.text, line.event)
    except SenselessEvent as error:
        raise SenselessEvent(f"Line {line.number} of the recording: {error}") from error
