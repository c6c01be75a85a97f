"""A recording: the bare events as JSON Lines, nothing added, so that it can be replayed anywhere."""

import json
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import BinaryIO

from companion.errors import InvalidEvent, NoSuchGame
from companion.journal.entry import VOCABULARY, Draft, Entry, make_draft
from companion.journal.game_list import END, JournalGame
from companion.journal.reader import Reader
from companion.journal.writer import Journal
from companion.table.evening import Evening
from companion.table.recording import RecordedLine


@dataclass(frozen=True, slots=True)
class Exported:
    events: int
    left_out: tuple[JournalGame, ...] = ()
    """Games that lost their end: in a recording no other game can follow them, so they were left out."""


def export_lines(reader: Reader, out: BinaryIO, *, game: int | None = None) -> Exported:
    """Write the game that begins with event `game`, or all games, as JSON Lines that can be replayed.

    Of a game that has lost events, only what comes before the loss is written.
    """
    is_torn = any(not gap.goes_on for gap in reader.gaps())
    found = reader.games() if is_torn else []
    torn = {each.number: each for each in found if each.torn is not None}
    if game is not None:
        return Exported(_write(_up_to_gap(_read_game(reader, game), torn.get(game)), out))
    left_out = [each for each in torn.values() if not _is_over(_up_to_gap(_read_game(reader, each.number), each))]
    entries = _without_torn_ends(reader.entries(), torn.values(), left_out) if is_torn else reader.entries()
    return Exported(_write(entries, out), tuple(left_out))


def _write(entries: Iterable[Entry], out: BinaryIO) -> int:
    written = 0
    for entry in entries:
        out.write(entry.event.encode() + b"\n")
        written += 1
    return written


def _up_to_gap(entries: Iterable[Entry], game: JournalGame | None) -> Iterator[Entry]:
    """The entries before the game's first gap."""
    gap = game.torn if game is not None else None
    yield from entries if gap is None else takewhile(lambda entry: entry.number < gap.first, entries)


def _without_torn_ends(
    entries: Iterable[Entry], torn: Iterable[JournalGame], left_out: Container[JournalGame]
) -> Iterator[Entry]:
    until = {game.number: game.torn.first for game in torn if game.torn is not None and game not in left_out}
    until |= {game.number: 0 for game in torn if game in left_out}
    # Without its beginning nothing of a game can be told.
    end = 0
    for entry in entries:
        if entry.type == "game":
            end = until.get(entry.number, END)
        if entry.number < end:
            yield entry


def _is_over(entries: Iterable[Entry]) -> bool:
    evening = Evening()
    for entry in entries:
        try:
            evening = evening.hear(json.loads(entry.event))
        except InvalidEvent:
            return False
    return evening.game is not None and evening.game.over


def import_lines(
    journal: Journal, recording: Iterable[RecordedLine], *, version: int = VOCABULARY
) -> tuple[Entry, ...]:
    """Store a recording's events in the journal: all of them, or none and an error that names the line."""
    return journal.enter([_make_line_draft(line) for line in recording], version=version)


def _read_game(reader: Reader, number: int) -> Iterator[Entry]:
    entries = reader.entries(number - 1)
    first = next(entries, None)
    if first is None or first.number != number or first.type != "game":
        raise NoSuchGame(f"No game in the journal begins with event {number}: look at the list of games.")
    yield first
    yield from takewhile(lambda entry: entry.type != "game", entries)


def _make_line_draft(line: RecordedLine) -> Draft:
    try:
        return make_draft(line.text, line.event)
    except InvalidEvent as error:
        raise InvalidEvent(f"Line {line.number} of the recording: {error}") from error
