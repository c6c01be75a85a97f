"""Memory that a camera's process and ours share: pictures of any size, each whole or not at all.

How large a camera's pictures are shows when they come, and a webcam may be asked for another size while it runs.
So the slots are made for the first picture. Where a larger one comes, larger ones are put behind those: whoever
still reads an older one finds it as it was. In the other process a picture is found by its place.
"""

import mmap
import os
from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.camera.frames import Pixels
from hardware.faults import CameraTrouble

# While one is taken out the next ones need a place: a tenth of a second at thirty a second.
SLOTS: Final = 4
# Before each picture its number, which tells whether it was written over while it was taken out.
HEAD: Final = 64
# As large as of any camera that is made for a Pi. With these the slots and the few pictures that whoever looks
# keeps take half of a Pi's gigabyte.
MOST_PIXELS: Final = 4096 * 3072


@dataclass(frozen=True, slots=True)
class Slot:
    number: int
    start: int
    high: int
    wide: int

    @property
    def size(self) -> int:
        return HEAD + self.high * self.wide * 3


class SlotWriter:
    """In the camera's process."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._map: mmap.mmap | None = None
        self._room = 0
        self._begin = 0
        self._number = 0

    def put(self, pixels: Pixels) -> Slot:
        """Raises `CameraTrouble` for a picture that is too large."""
        self._number += 1
        high, wide = pixels.shape[:2]
        if high * wide > MOST_PIXELS:
            raise CameraTrouble(
                f"The camera gives pictures of {wide} x {high} pixels, for which there is no memory: at most "
                f"{MOST_PIXELS // 1_000_000} million are read, and 1280 x 960 are enough. Set it to less, or take "
                "another one."
            )
        size = HEAD + high * wide * 3
        shared = self._map if self._map is not None and size <= self._room else self._grow(size)
        place = Slot(self._number, self._begin + self._number % SLOTS * self._room, high, wide)
        np.frombuffer(shared, np.int64, 1, place.start)[0] = place.number
        np.frombuffer(shared, np.uint8, high * wide * 3, place.start + HEAD).reshape(high, wide, 3)[:] = pixels[
            ..., :3
        ]
        return place

    def _grow(self, size: int) -> mmap.mmap:
        """At least to twice the room, so that all that is left behind is no more than what is used."""
        self._begin += SLOTS * self._room
        self._room = -(-max(size, 2 * self._room) // HEAD) * HEAD
        os.ftruncate(self._memory, self._begin + SLOTS * self._room)
        self._map = mmap.mmap(self._memory, 0)
        return self._map


class SlotReader:
    """In ours."""

    def __init__(self) -> None:
        self.memory: Final = os.memfd_create("pictures")
        self._map: mmap.mmap | None = None

    def take(self, place: Slot) -> Pixels | None:
        """None if it was written over meanwhile."""
        if self._map is None or place.start + place.size > len(self._map):
            self._map = mmap.mmap(self.memory, 0)
        there = np.frombuffer(self._map, np.uint8, place.size - HEAD, place.start + HEAD)
        pixels = there.reshape(place.high, place.wide, 3).copy()
        number = int(np.frombuffer(self._map, np.int64, 1, place.start)[0])
        return pixels if number == place.number else None

    def close(self) -> None:
        self._map = None
        os.close(self.memory)
