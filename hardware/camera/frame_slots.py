"""Shared memory between the camera's process and ours: each picture arrives whole or not at all.

The size of the pictures is known only when the first one arrives, and a webcam may change it while it runs. So the
slots are made for the first picture. For a larger one, larger slots are added behind the old ones, which stay as
they are for a reader. The other process is told each picture's offset.
"""

import mmap
import os
from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.camera.frames import Pixels
from hardware.faults import CameraTrouble

# While one picture is copied out the next ones need room: a tenth of a second at thirty a second.
SLOTS: Final = 4
# Each slot begins with its picture's number: it tells whether the slot was overwritten while it was copied.
HEAD: Final = 64
# The largest camera made for a Pi. With such pictures the slots, and the few that readers keep, take half of a
# Pi's gigabyte.
MOST_PIXELS: Final = 4096 * 3072


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a picture lies in the shared memory."""

    number: int
    start: int
    high: int
    wide: int

    @property
    def size(self) -> int:
        return HEAD + self.high * self.wide * 3


class SlotWriter:
    """Writes pictures, in the camera's process."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._map: mmap.mmap | None = None
        self._room = 0
        self._begin = 0
        self._number = 0

    def put(self, pixels: Pixels) -> Slot:
        """Writes a picture. Raises `CameraTrouble` if it is too large."""
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
        """At least doubles the room, so that all old slots together are no larger than the new ones."""
        self._begin += SLOTS * self._room
        self._room = -(-max(size, 2 * self._room) // HEAD) * HEAD
        os.ftruncate(self._memory, self._begin + SLOTS * self._room)
        self._map = mmap.mmap(self._memory, 0)
        return self._map


class SlotReader:
    """Reads pictures, in our process."""

    def __init__(self) -> None:
        self.memory: Final = os.memfd_create("pictures")
        self._map: mmap.mmap | None = None

    def take(self, place: Slot) -> Pixels | None:
        """A copy of the picture; None if it was overwritten meanwhile."""
        if self._map is None or place.start + place.size > len(self._map):
            self._map = mmap.mmap(self.memory, 0)
        there = np.frombuffer(self._map, np.uint8, place.size - HEAD, place.start + HEAD)
        pixels = there.reshape(place.high, place.wide, 3).copy()
        number = int(np.frombuffer(self._map, np.int64, 1, place.start)[0])
        return pixels if number == place.number else None

    def close(self) -> None:
        self._map = None
        os.close(self.memory)
