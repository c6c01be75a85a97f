"""The chunks of a PNG file, so that tests can write files that no program would."""

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Chunk:
    kind: bytes
    content: bytes


def chunks_of(data: bytes) -> Iterator[Chunk]:
    """All of them, the last one too; `data` is a whole file."""
    place = len(SIGNATURE)
    while place < len(data):
        (length,) = struct.unpack_from(">I", data, place)
        yield Chunk(data[place + 4 : place + 8], data[place + 8 : place + 8 + length])
        place += 12 + length


def png_of(chunks: Iterable[Chunk]) -> bytes:
    """A file of these, each with its right checksum."""
    return SIGNATURE + b"".join(_packed(chunk) for chunk in chunks)


def _packed(chunk: Chunk) -> bytes:
    checksum = zlib.crc32(chunk.content, zlib.crc32(chunk.kind))
    return struct.pack(">I", len(chunk.content)) + chunk.kind + chunk.content + struct.pack(">I", checksum)
