"""The chunks of a PNG file. Each carries a checksum, so that what is cut short or damaged is known before it
is decoded; and each says whether a picture can do without it, so that what programs add can be left out.
"""

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from companion.errors import NotAPicture

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Chunk:
    kind: bytes
    content: bytes

    @property
    def critical(self) -> bool:
        return self.kind[:1].isupper()


def chunks_of(data: bytes) -> Iterator[Chunk]:
    """All of them, the last one too; `data` begins with the signature."""
    place = len(SIGNATURE)
    kind = b""
    while kind != b"IEND":
        if place + 12 > len(data):
            raise NotAPicture("it is cut short; copy or take it again")
        (length,) = struct.unpack_from(">I", data, place)
        kind, content = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        if place + 12 + length > len(data):
            raise NotAPicture("it is cut short; copy or take it again")
        (checksum,) = struct.unpack_from(">I", data, place + 8 + length)
        if zlib.crc32(content, zlib.crc32(kind)) != checksum:
            raise NotAPicture("it is damaged; copy or take it again")
        yield Chunk(kind, content)
        place += 12 + length


def png_of(chunks: Iterable[Chunk]) -> bytes:
    return SIGNATURE + b"".join(_packed(chunk) for chunk in chunks)


def _packed(chunk: Chunk) -> bytes:
    checksum = zlib.crc32(chunk.content, zlib.crc32(chunk.kind))
    return struct.pack(">I", len(chunk.content)) + chunk.kind + chunk.content + struct.pack(">I", checksum)
