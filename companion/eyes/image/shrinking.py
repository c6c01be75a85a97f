"""Pictures averaged down, and what becomes of their pixels."""

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.eyes.image.arrays import Floats


def shrink(picture: MatLike, by: int) -> MatLike:
    """A picture of which each pixel is the mean of `by` x `by`."""
    if by == 1:
        return picture
    return cv2.resize(picture, None, fx=1 / by, fy=1 / by, interpolation=cv2.INTER_AREA)


def map_to_whole(by: int) -> Floats:
    """From a shrunk picture's pixels to those of the whole one, whose middles are no multiples of each other."""
    return np.array([[by, 0, (by - 1) / 2], [0, by, (by - 1) / 2], [0, 0, 1]])
