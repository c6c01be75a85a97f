"""Reads events and gaps straight out of the pages of a damaged journal.

SQLite finds a row only by way of the pages above it; one lost page can hide thousands of sound ones. Here every
page that looks like a leaf is read for itself, in the file and in the log beside it, and trusted only where a
row's own checksum holds. The formats are those of sqlite.org/fileformat2.html, for the one page size we use.
"""

import io
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, NamedTuple

from companion.journal.entry import Entry, checksum
from companion.journal.gaps import Gap, make_gap
from companion.journal.schema import PAGE

_LEAF = 0x0D
_FILE_HEADER = 100
_LOG_HEADER, _FRAME_HEADER = 32, 24
_FRAME = _FRAME_HEADER + PAGE
_OVERFLOW = PAGE - 4
_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_FIRST_TEXT = 13
_MOST_COLUMNS = 7
_Columns = list[bytes | int]


class WalFrame(NamedTuple):
    """One page as the log has it."""

    page: int
    content: bytes


def read_frames(log: Path) -> Iterator[WalFrame]:
    """Every whole frame of the write-ahead log, sound or not; none if there is no log."""
    with _open_or_empty(log) as file:
        file.seek(_LOG_HEADER)
        while len(frame := file.read(_FRAME)) == _FRAME:
            yield WalFrame(int.from_bytes(frame[:4]), frame[_FRAME_HEADER:])


def salvage(path: Path, log: Path) -> Iterator[Entry | Gap]:
    """Every event and gap whose checksum is right, in no order; some come twice, or in an older state."""
    with ExitStack() as open_files:
        file, logged = (open_files.enter_context(_open_or_empty(each)) for each in (path, log))
        source = _PageSource(file, logged, {frame.page: place for place, frame in enumerate(read_frames(log))})
        number = 0
        while page := source.read_from_file(number := number + 1):
            yield from _read_leaf(page, _FILE_HEADER if number == 1 else 0, source)
        for frame in read_frames(log):
            yield from _read_leaf(frame.content, 0, source)


def read_events(frame: WalFrame) -> Iterator[Entry]:
    """The events that lie wholly within one page."""
    for row in _read_leaf(frame.content, 0, _PageSource(io.BytesIO(), io.BytesIO(), {})):
        if isinstance(row, Entry):
            yield row


class _PageSource(NamedTuple):
    """The pages of a journal. `newest` says which frame of the log has the newest state of a page."""

    file: BinaryIO
    log: BinaryIO
    newest: dict[int, int]

    def read_from_file(self, number: int) -> bytes:
        self.file.seek((number - 1) * PAGE)
        return self.file.read(PAGE)

    def read_page(self, number: int) -> bytes:
        place = self.newest.get(number)
        if place is None:
            return self.read_from_file(number)
        self.log.seek(_LOG_HEADER + place * _FRAME + _FRAME_HEADER)
        return self.log.read(PAGE)

    def read_overflow(self, number: int, length: int) -> bytes:
        """What of a long text didn't fit its leaf: a chain of pages, each beginning with the next one's number."""
        found = bytearray()
        while number and len(found) < length and (page := self.read_page(number)):
            found += page[4:]
            number = int.from_bytes(page[:4])
        return bytes(found[:length])


def _open_or_empty(path: Path) -> BinaryIO:
    return path.open("rb") if path.exists() else io.BytesIO()


def _read_leaf(page: bytes, header: int, source: _PageSource) -> Iterator[Entry | Gap]:
    if page[header : header + 1] != bytes([_LEAF]):
        return
    cells = int.from_bytes(page[header + 3 : header + 5])
    for place in range(header + 8, min(header + 8 + 2 * cells, PAGE), 2):
        try:
            row = _read_cell(page, int.from_bytes(page[place : place + 2]), source)
        except (IndexError, KeyError):
            continue  # garbage: it leads out of the page, or names a kind of column that doesn't exist
        if row is not None:
            yield row


def _read_cell(page: bytes, place: int, source: _PageSource) -> Entry | Gap | None:
    length, place = _read_varint(page, place)
    number, place = _read_varint(page, place)
    local = _bytes_on_leaf(length)
    row = page[place : place + local]
    if local < length:
        place += local
        row += source.read_overflow(int.from_bytes(page[place : place + 4]), length - local)
    return _read_record(number, row)


def _bytes_on_leaf(length: int) -> int:
    """How much of a row stays on its leaf; the numbers are SQLite's."""
    if length <= PAGE - 35:
        return length
    least = (PAGE - 12) * 32 // 255 - 23
    some = least + (length - least) % _OVERFLOW
    return some if some <= PAGE - 35 else least


def _read_record(number: int, row: bytes) -> Entry | Gap | None:
    end, place = _read_varint(row, 0)
    kinds: list[int] = []
    while place < end and len(kinds) < _MOST_COLUMNS:
        kind, place = _read_varint(row, place)
        kinds.append(kind)
    columns: _Columns = []
    place = end
    for kind in kinds:
        column, place = _read_column(row, kind, place)
        columns.append(column)
    return _check_record(number, columns)


def _check_record(number: int, columns: _Columns) -> Entry | Gap | None:
    match columns:
        case [_, int(last), int(found), int(goes_on), int(crc)]:
            return make_gap(number, last, found, goes_on, crc)
        case [_, int(version), int(t), int(wall), bytes(kind), bytes(event), int(crc)]:
            sound = checksum((number, version, t, wall), kind, event) == crc
            return Entry(number, version, t, wall, kind.decode(), event.decode()) if sound else None
        case _:
            return None


def _read_column(row: bytes, kind: int, place: int) -> tuple[bytes | int, int]:
    if kind >= _FIRST_TEXT:
        end = place + (kind - _FIRST_TEXT) // 2
        return row[place:end], end
    if kind in (0, 8, 9):  # NULL (the number stands elsewhere), and the integers 0 and 1, take no room
        return int(kind == 9), place
    end = place + _INTEGER_BYTES[kind]
    return int.from_bytes(row[place:end], signed=True), end


def _read_varint(data: bytes, place: int) -> tuple[int, int]:
    found = 0
    for step in range(8):
        byte = data[place + step]
        found = found << 7 | byte & 0x7F
        if byte < 0x80:
            return found, place + step + 1
    return found << 8 | data[place + 8], place + 9
