"""Any camera that the system lists, for example a webcam."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
from cv2.typing import MatLike

from companion.errors import NoFootage
from companion.footage.latest_frame import Pictures, newest_only
from companion.footage.quiet_decoders import quiet_decoders
from companion.units import Ns

WIDE, HIGH = 1280, 960


@dataclass(frozen=True, slots=True)
class Webcam:
    """The pictures of a camera, by its number or device."""

    device: int | str

    def __iter__(self) -> Iterator[tuple[Ns, MatLike]]:
        return newest_only(_grab(self.device))


def _grab(device: int | str) -> Pictures:
    quiet_decoders()
    camera = cv2.VideoCapture(device)
    try:
        if not camera.isOpened():
            raise NoFootage(f"{device}: there is no such camera, or another program has it; is it plugged in?")
        # The camera chooses the nearest size that it has.
        camera.set(cv2.CAP_PROP_FRAME_WIDTH, WIDE)
        camera.set(cv2.CAP_PROP_FRAME_HEIGHT, HIGH)
        while camera.grab():
            t = time.monotonic_ns()
            is_whole, picture = camera.retrieve()
            if is_whole:
                yield t, picture
        raise NoFootage(f"{device}: the camera gives no more pictures; is it still plugged in?")
    finally:
        camera.release()
