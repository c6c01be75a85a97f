"""A window cut out of a picture, turned as the card in it."""

import math

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.eyes.arrays import Floats, floats


def cut(  # noqa: PLR0913, PLR0917 - a place is three numbers
    picture: MatLike, x: float, y: float, turn: float, size: tuple[int, int], step: float = 1.0
) -> Floats:
    """A window of that size around (x, y), turned with the card."""
    wide, high = size
    c, s = math.cos(math.radians(turn)) * step, math.sin(math.radians(turn)) * step
    place = np.array(
        [
            [c, -s, x - c * (wide - 1) / 2 + s * (high - 1) / 2],
            [s, c, y - s * (wide - 1) / 2 - c * (high - 1) / 2],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return floats(cv2.warpAffine(picture, place, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))
