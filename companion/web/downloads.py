"""Expensive downloads: only a few at once, so that they never slow down a running game."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from typing import BinaryIO, Final

from flask import Response

from companion.errors import RateLimited

# Each download holds one of the server's threads until it is through, also when the phone is slow.
AT_ONCE: Final = 2
AGAIN_IN_S: Final = 5
_CHUNK: Final = 1 << 16


class Downloads:
    """Limits how many downloads run at once."""

    def __init__(self) -> None:
        self._places = BoundedSemaphore(AT_ONCE)

    @contextmanager
    def place(self) -> Generator[Callable[[], None]]:
        """Yields the function that frees the place. The place is freed by itself only if no answer is made. Raises
        `RateLimited` if none is free."""
        if not self._places.acquire(blocking=False):
            raise RateLimited("Others are downloading already; try again in a moment.", AGAIN_IN_S)
        left = [self._places.release]

        def leave() -> None:
            if left:
                left.pop()()

        try:
            yield leave
        except BaseException:
            leave()
            raise

    def csv(self, name: str, rows: Callable[[], Iterable[str]]) -> Response:
        with self.place() as leave:
            answer = Response(_encode(rows()), mimetype="text/csv")
            answer.call_on_close(leave)
            return to_keep(answer, f"{name}.csv")

    def file(self, mimetype: str, write: Callable[[BinaryIO], object]) -> Response:
        """Through a file: several large downloads at once would not fit into the memory of a Pi."""
        with self.place() as leave, ExitStack() as undo:
            undo.callback(leave)
            out = undo.enter_context(TemporaryFile())
            write(out)
            answer = Response(_pieces(out), mimetype=mimetype)
            answer.content_length = out.tell()
            out.seek(0)
            answer.call_on_close(undo.pop_all().close)
        return answer


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_CHUNK):
        yield piece


def to_keep(answer: Response, name: str) -> Response:
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def add_date(name: str, ending: str) -> str:
    return f"{name}-{date.today():%Y-%m-%d}.{ending}"  # noqa: DTZ011 - the day on the family's own calendar


def _encode(rows: Iterable[str]) -> Iterator[bytes]:
    # Excel needs the BOM to recognise UTF-8.
    piece = bytearray(b"\xef\xbb\xbf")
    for row in rows:
        piece += row.encode()
        if len(piece) >= _CHUNK:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)
