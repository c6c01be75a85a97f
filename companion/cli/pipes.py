"""Whoever reads what a command prints hangs up when that is enough, as `head` does. Nothing has failed then."""

from collections.abc import Generator
from contextlib import contextmanager


class ReaderGone(Exception):
    """As a `BrokenPipeError` click would take it for a failure, and end the program with 1 by itself."""


@contextmanager
def reader_may_go() -> Generator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error
