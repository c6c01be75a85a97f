"""Only ever the newest of the pictures that a source produces by itself, however slow the reader is."""

from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from threading import Condition

from cv2.typing import MatLike

from companion.units import Ns

Pictures = Generator[tuple[Ns, MatLike]]


def newest_only(pictures: Pictures) -> Pictures:
    """The newest picture each time one is asked for. A thread of its own reads them all; it ends with this
    generator."""
    frame = _TimedPicture()
    with ThreadPoolExecutor(1, "camera") as thread:
        fetching = thread.submit(frame.fill, pictures)
        fetching.add_done_callback(frame.end)
        try:
            while (one := frame.take()) is not None:
                yield one
            fetching.result()
        finally:
            frame.close()


@dataclass(eq=False)
class _TimedPicture:
    """Holds one picture, which a newer one replaces."""

    picture: tuple[Ns, MatLike] | None = None
    has_ended: bool = False
    is_closed: bool = False
    changed: Condition = field(default_factory=Condition)

    def fill(self, pictures: Pictures) -> None:
        with closing(pictures):
            for one in pictures:
                with self.changed:
                    if self.is_closed:
                        return
                    self.picture = one
                    self.changed.notify()

    def end(self, _fetching: Future[None]) -> None:
        with self.changed:
            self.has_ended = True
            self.changed.notify()

    def take(self) -> tuple[Ns, MatLike] | None:
        """Waits for a picture that was not taken yet; None if there will be no more."""
        with self.changed:
            self.changed.wait_for(lambda: self.picture is not None or self.has_ended)
            one, self.picture = self.picture, None
            return one

    def close(self) -> None:
        with self.changed:
            self.is_closed = True
