"""A recording: the bare events as JSON Lines, nothing added, so that it can be replayed anywhere."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import BinaryIO

from companion.errors import NoSuchGame, SenselessEvent
from companion.journal.entry import VOCABULARY, Entry, facts
from companion.journal.reader import Reader
from companion.journal.writer import Journal


def export_lines(reader: Reader, out: BinaryIO, *, game: int | None = None) -> int:
    """How many events were written: of the game that begins with that event, or all."""
    written = 0
    for entry in reader.entries() if game is None else _of_game(reader, game):
        out.write(entry.event.encode() + b"\n")
        written += 1
    return written


def import_lines(journal: Journal, recording: Iterable[bytes], *, version: int = VOCABULARY) -> tuple[Entry, ...]:
    """All of them, or none and an error that names the line."""
    return journal.append([*_events(recording)], version=version)


def _of_game(reader: Reader, number: int) -> Iterator[Entry]:
    entries = reader.entries(number - 1)
    first = next(entries, None)
    if first is None or first.number != number or first.type != "game":
        raise NoSuchGame(f"No game in the journal begins with event {number}: look at the list of games.")
    yield first
    yield from takewhile(lambda entry: entry.type != "game", entries)


def _events(recording: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(recording, 1):
        try:
            event = line.decode().rstrip("\r\n")
            if event.strip():
                facts(event)
                yield event
        except UnicodeDecodeError as error:
            raise SenselessEvent(f"Line {number} of the recording is no UTF-8 text.") from error
        except SenselessEvent as error:
            raise SenselessEvent(f"Line {number} of the recording: {error}") from error
