"""A folder of pictures or a video, played in a loop and in real time as if it were a live camera.
A missing or unreadable recording is reported like an absent camera.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import numpy as np
from cv2.typing import MatLike

from companion.errors import CompanionError
from companion.footage.footage_source import Footage
from companion.units import SECOND
from hardware.camera.frames import Frame
from hardware.faults import NoCamera


@dataclass(slots=True)
class PlayedCamera:
    """Plays a recording as a `companion.rig.camera_worker.FrameSource`."""

    find: Callable[[], Footage]
    clock: Callable[[], int] = time.monotonic_ns
    rest: Callable[[float], None] = time.sleep
    _pictures: Iterator[tuple[int, MatLike]] | None = None
    _next: tuple[int, MatLike] | None = None
    _ahead: int = 0

    def frame(self, timeout_s: float) -> Frame | None:
        try:
            t, pixels = self._coming()
        except (CompanionError, OSError) as error:
            raise NoCamera(str(error)) from error
        wait_s = (t + self._ahead - self.clock()) / SECOND
        if wait_s > timeout_s:
            self.rest(timeout_s)
            return None
        self.rest(max(0.0, wait_s))
        self._next = None
        return Frame(t + self._ahead, np.asarray(pixels, np.uint8))

    def _coming(self) -> tuple[int, MatLike]:
        if self._next is None and self._pictures is not None:
            self._next = next(self._pictures, None)
        if self._next is None:
            # The recording has ended: start again from its beginning.
            self._pictures = iter(self.find())
            self._next = next(self._pictures)
            self._ahead = self.clock() - self._next[0]
        return self._next

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pictures = None
