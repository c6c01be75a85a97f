"""Recorded pictures as if a camera gave them now."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from cv2.typing import MatLike

from companion.footage.open_footage import open_footage
from companion.rig.played_camera import PlayedCamera
from companion.units import SECOND
from hardware.faults import NoCamera

from ..said import no_remark


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
    played = PlayedCamera(lambda: [(7, picture), (7 + SECOND, picture)], clock, clock.rest)
    with played as camera:
        times = [frame.t_ns if (frame := camera.frame(0.6)) else None for _ in range(4)]
    begun = 5 * SECOND
    assert [begun, None, begun + SECOND, begun + SECOND] == times


def test_pictures_that_are_not_there_are_a_camera_that_is_not_there(tmp_path: Path) -> None:
    """Be it that the folder or its list is missing, or that something else was named: the game goes on."""
    (tmp_path / "film.mp4").write_text("no film")
    (tmp_path / "senseless").mkdir()
    (tmp_path / "senseless/frames.json").write_text("{")
    for name in ("nothing", "film.mp4", "senseless", "."):
        with (
            PlayedCamera(partial(open_footage, str(tmp_path / name), no_remark)) as camera,
            pytest.raises(NoCamera),
        ):
            camera.frame(1.0)
