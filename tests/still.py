"""A camera that shows the same table for ever."""

from collections.abc import Callable
from threading import Event

from hardware.camera.frames import Frame, Pixels


class Still:
    def __init__(self, pixels: Pixels, clock: Callable[[], int]) -> None:
        self._pixels = pixels
        self._clock = clock

    def frame(self, timeout_s: float) -> Frame | None:
        Event().wait(min(timeout_s, 0.02))
        return Frame(self._clock(), self._pixels)
