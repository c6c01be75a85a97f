"""Recorded pictures as if a camera gave them now."""

import numpy as np
from cv2.typing import MatLike

from companion.played import Played

SECOND = 1_000_000_000


class Clock:
    def __init__(self) -> None:
        self.now = 5 * SECOND

    def __call__(self) -> int:
        return self.now

    def rest(self, seconds: float) -> None:
        self.now += round(seconds * SECOND)


def test_each_when_it_is_due_and_from_the_beginning_again() -> None:
    """With times of now; who waits too short gets none yet."""
    picture: MatLike = np.zeros((2, 2, 3), np.uint8)
    clock = Clock()
    played = Played([(7, picture), (7 + SECOND, picture)], clock, clock.rest)
    with played as camera:
        times = [frame.t_ns if (frame := camera.frame(0.6)) else None for _ in range(4)]
    begun = 5 * SECOND
    assert [begun, None, begun + SECOND, begun + SECOND] == times
