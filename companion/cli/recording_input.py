"""Reads the recording that is a command's argument: a file, or - for standard input."""

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from companion.errors import InvalidEvent, JournalError
from companion.table.recording import LONGEST_LINE

# Windows editors put a BOM at the beginning of a file.
BYTE_ORDER_MARK = "\ufeff".encode()


def is_dash(file: Path) -> bool:
    """Whether the argument is -, for standard input or output."""
    return str(file) == "-"


@contextmanager
def lines_in(file: Path) -> Generator[Iterator[bytes]]:
    """The recording's lines. Errors raised while they are read name the file and the line."""
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
    """The lines, each read only up to one byte beyond the limit, so that a huge line can't fill the memory."""
    line = recording.readline(LONGEST_LINE + 1).removeprefix(BYTE_ORDER_MARK)
    if line.startswith(b"SQLite format 3"):
        raise InvalidEvent(
            "line 1: this is a journal and no recording; `companion journal export` makes one of it"
        )
    while line:
        yield line
        line = recording.readline(LONGEST_LINE + 1)
