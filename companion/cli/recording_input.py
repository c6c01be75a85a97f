"""The recording that a command is given: a file, or - for standard input."""

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from companion.errors import InvalidEvent, JournalError
from companion.table.recording import LONGEST_LINE

# Windows editors put it before what they write.
BYTE_ORDER_MARK = "\ufeff".encode()


def is_dash(file: Path) -> bool:
    return str(file) == "-"


@contextmanager
def lines_in(file: Path) -> Generator[Iterator[bytes]]:
    """Of what makes no sense in it, it is said where that stands."""
    with _open(file) as recording:
        try:
            yield _lines(recording)
        except InvalidEvent as error:
            raise InvalidEvent(f"{'standard input' if is_dash(file) else file}, {error}") from None


@contextmanager
def _open(file: Path) -> Generator[BinaryIO]:
    if is_dash(file):
        if sys.stdin is None:
            raise JournalError("There is no standard input to read from; name a file.")
        yield sys.stdin.buffer
    else:
        with file.open("rb") as recording:
            yield recording


def _lines(recording: BinaryIO) -> Iterator[bytes]:
    """Never more of a line in memory than it takes to see that it is too long."""
    line = recording.readline(LONGEST_LINE + 1).removeprefix(BYTE_ORDER_MARK)
    if line.startswith(b"SQLite format 3"):
        raise InvalidEvent(
            "line 1: this is a journal and no recording; `companion journal export` makes one of it"
        )
    while line:
        yield line
        line = recording.readline(LONGEST_LINE + 1)
