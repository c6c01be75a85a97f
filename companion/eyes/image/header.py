"""How large a picture will be, read from its first bytes, before anything makes room for it.

A file of a few kilobytes may ask for gigabytes when it is decoded. And what only looks whole, because
decoders fill up with grey what is missing, is told from what is.
"""

import re
import struct
from dataclasses import dataclass
from typing import Final

from companion.errors import NotAPicture
from companion.eyes.image.png import SIGNATURE, chunks_of

CUT_SHORT: Final = "it is cut short; copy or take it again"
DAMAGED: Final = "it is damaged; copy or take it again"

# A marker within JPEG's coded data; a stuffed zero, restarts and fill bytes belong to the data.
_MARKER: Final = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WITHOUT_LENGTH: Final = frozenset({0x01, *range(0xD0, 0xD8)})
_ELSE: Final = {
    b"GIF8": "GIF",
    b"II*\x00": "TIFF",
    b"MM\x00*": "TIFF",
    b"%PDF": "PDF",
}


@dataclass(frozen=True, slots=True)
class Size:
    wide: int
    high: int


def size_in(data: bytes) -> Size:
    try:
        return _size_in(data)
    except (struct.error, IndexError):
        raise NotAPicture(CUT_SHORT) from None


def _size_in(data: bytes) -> Size:
    if not data:
        raise NotAPicture("it is empty; copy or take it again")
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(SIGNATURE):
        return _png(data)
    if data.startswith(b"BM"):
        return _bmp(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    other = "HEIC" if data[4:8] == b"ftyp" else _ELSE.get(data[:4])
    if other is not None:
        raise NotAPicture(f"it is a {other} file; save it as JPEG or PNG")
    raise NotAPicture("it is no picture; JPEG, PNG, WebP and BMP are read")


def _png(data: bytes) -> Size:
    first, *_ = chunks_of(data)
    if first.kind != b"IHDR":
        raise NotAPicture(DAMAGED)
    wide, high = struct.unpack_from(">II", first.content)
    return Size(wide, high)


def _jpeg(data: bytes) -> Size:
    """Walks from segment to segment to the end: a smaller picture may be packed into one of them."""
    size, place = None, 2
    while True:
        while data[place] == 0xFF and data[place + 1] == 0xFF:
            place += 1
        if data[place] != 0xFF:
            raise NotAPicture(DAMAGED)
        marker = data[place + 1]
        place += 2
        if marker == _END_OF_IMAGE:
            break
        if marker in _WITHOUT_LENGTH:
            continue
        (length,) = struct.unpack_from(">H", data, place)
        if marker in _FRAMES:
            size = _jpeg_frame(data, place)
        place += length
        if marker == _START_OF_SCAN:
            found = _MARKER.search(data, place)
            if found is None:
                raise NotAPicture(CUT_SHORT)
            place = found.start()
    if size is None:
        raise NotAPicture(DAMAGED)
    return size


def _jpeg_frame(data: bytes, place: int) -> Size:
    high, wide, inks = struct.unpack_from(">HHB", data, place + 3)
    if inks == 4:
        # Half of the programs write these inks inverted, and few say so.
        raise NotAPicture("its colours are inks for a printing press (CMYK); save it as an ordinary JPEG (RGB)")
    return Size(wide, high)


def _bmp(data: bytes) -> Size:
    (header,) = struct.unpack_from("<I", data, 14)
    wide, high = struct.unpack_from("<HH" if header == 12 else "<ii", data, 18)
    return Size(abs(wide), abs(high))


def _webp(data: bytes) -> Size:
    (length,) = struct.unpack_from("<I", data, 4)
    if length + 8 > len(data):
        raise NotAPicture(CUT_SHORT)
    kind = data[12:16]
    if kind == b"VP8X":
        wide, high = (int.from_bytes(data[place : place + 3], "little") + 1 for place in (24, 27))
    elif kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        wide, high = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8 ":
        wide, high = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    else:
        raise NotAPicture(DAMAGED)
    return Size(wide, high)
