"""A closed pipe is no error: a reader of a command's output, such as `head`, may stop early."""

from collections.abc import Generator
from contextlib import contextmanager


class ReaderGone(Exception):
    """Replaces `BrokenPipeError`, which click would treat as a failure and exit with 1."""


@contextmanager
def reader_may_go() -> Generator[None]:
    """Raises `ReaderGone` if the reader of the output closes the pipe."""
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error
