"""Stores the summaries of finished games, so that a restart need not judge the games of years again.

One line each: a checksum, the game's key, its summary and the rows of its own tables. The file is only a cache: a
damaged line is skipped, and all are made again when the rules or the statistics change
(`code_version`).
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final
from zlib import crc32

from companion.history.game_summary import GameSummary
from companion.history.summarize import StoredGame, code_version, summary_from_json, summary_to_json

_HEAD: Final = b"summaries of the journal beside this, %b\n"
# How many outdated lines (of games that have gone on since) are tolerated before the file is rewritten. Chosen by
# hand.
_MAX_OUTDATED: Final = 200


class SummaryFile:
    """The file `journal.db.summaries`. Only one thread at a time may add; any thread may read."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0

    def load(self) -> Iterator[tuple[str, GameSummary]]:
        """The stored summaries, each with its game's key. Raises `OSError`."""
        head = _HEAD % code_version().encode()
        with suppress(FileNotFoundError), self._file.open("rb") as file:
            if file.readline() == head:
                self._end = file.tell()
                yield from self._read(file)
        if not self._end or self._is_stale():
            self._places.clear()
            self._file.write_bytes(head)
            self._end = len(head)

    def add(self, key: str, stored: StoredGame) -> None:
        """Appends one game. Raises `OSError`."""
        parts = json.dumps(key), summary_to_json(stored.summary), json.dumps(stored.rows, ensure_ascii=False)
        content = "\t".join(parts).encode()
        line = b"%08x\t%b\n" % (crc32(content), content)
        with self._file.open("r+b") as file:
            # Overwrite the partial line that a power cut may have left.
            file.seek(self._end)
            file.write(line)
        self._places[key] = self._end, len(line)
        self._end += len(line)

    def rows(self, key: str) -> Mapping[str, str] | None:
        """The rows of the game's own tables; None if they are missing or damaged."""
        place = self._places.get(key)
        if place is None:
            return None
        try:
            with self._file.open("rb") as file:
                file.seek(place[0])
                parts = _parts(file.read(place[1]))
        except OSError:
            return None
        return None if parts is None or json.loads(parts[0]) != key else json.loads(parts[2])

    def _read(self, file: BinaryIO) -> Iterator[tuple[str, GameSummary]]:
        for line in file:
            parts = _parts(line)
            if parts is not None:
                key: str = json.loads(parts[0])
                self._places[key] = self._end, len(line)
                yield key, summary_from_json(parts[1])
            if line.endswith(b"\n"):
                self._end += len(line)
        file.seek(0)
        self._lines = sum(1 for _ in file) - 1

    _lines = 0

    def _is_stale(self) -> bool:
        return self._lines - len(self._places) > _MAX_OUTDATED


def _parts(line: bytes) -> list[str] | None:
    checksum, _, content = line.rstrip(b"\n").partition(b"\t")
    if checksum != b"%08x" % crc32(content):
        return None
    parts = content.decode().split("\t")
    return parts if len(parts) == 3 else None
