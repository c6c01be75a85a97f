"""The memory that a camera's process and ours share."""

from collections.abc import Iterator

import numpy as np
import pytest

from hardware.camera.frame_slots import MOST_PIXELS, SLOTS, SlotReader, SlotWriter
from hardware.camera.frames import Pixels
from hardware.faults import CameraTrouble


@pytest.fixture
def reading() -> Iterator[SlotReader]:
    reading = SlotReader()
    yield reading
    reading.close()


def plain(value: int, high: int, wide: int, channels: int = 3) -> Pixels:
    return np.full((high, wide, channels), value, np.uint8)


def test_a_picture_is_taken_as_it_was_put(reading: SlotReader) -> None:
    """Without the fourth channel that some cameras give."""
    place = SlotWriter(reading.memory).put(plain(7, 3, 5, channels=4))
    pixels = reading.take(place)
    assert pixels is not None
    assert (pixels == plain(7, 3, 5)).all()


def test_one_that_was_written_over_is_not_taken(reading: SlotReader) -> None:
    """By then there is a newer one."""
    writing = SlotWriter(reading.memory)
    first, *others = [writing.put(plain(value, 4, 4)) for value in range(SLOTS + 1)]
    assert reading.take(first) is None
    assert all(reading.take(other) is not None for other in others)


def test_a_larger_one_leaves_the_others_as_they_were(reading: SlotReader) -> None:
    """Who is just reading one reads nothing of the new one; the smaller ones after it are as whole."""
    writing = SlotWriter(reading.memory)
    sizes = ((4, 4), (40, 40), (4, 4), (90, 90))
    places = [writing.put(plain(value, *size)) for value, size in enumerate(sizes)]
    for value, (place, size) in enumerate(zip(places, sizes, strict=True)):
        pixels = reading.take(place)
        assert pixels is not None
        assert (pixels == plain(value, *size)).all()


def test_growing_takes_no_more_than_twice_the_memory(reading: SlotReader) -> None:
    """However often the pictures grow by a little."""
    writing = SlotWriter(reading.memory)
    newest = [writing.put(plain(1, side, side)) for side in range(10, 200)][-1]
    assert newest.start + newest.size < 4 * SLOTS * newest.size


def test_there_is_an_end_to_it(reading: SlotReader) -> None:
    """It is said, and nothing is written."""
    writing = SlotWriter(reading.memory)
    too_many: Pixels = np.broadcast_to(np.uint8(0), (1, MOST_PIXELS + 1, 3))
    with pytest.raises(CameraTrouble, match=f"{MOST_PIXELS + 1} x 1 pixels"):
        writing.put(too_many)
    assert writing.put(plain(1, 2, 2)).number
