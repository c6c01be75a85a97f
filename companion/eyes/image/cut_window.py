"""Windows cut out of a picture, turned as the cards in it."""

import math
from functools import cache

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.eyes.image.arrays import Floats, floats


def cut_window(  # noqa: PLR0913, PLR0917 - a place is three numbers
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


def cut_windows(picture: Floats, at: Floats, size: tuple[int, int]) -> Floats:
    """Many of them, each x, y and turn, below each other: in less than half the time of one after the other."""
    across, down = _pixel_offsets(size)
    x, y, turns = at.astype(np.float32).T[..., None]
    turns = np.radians(turns)
    c, s = np.cos(turns), np.sin(turns)
    columns, rows = x + c * across - s * down, y + s * across + c * down
    maps = (columns.reshape(-1, size[0]), rows.reshape(-1, size[0]))
    windows = cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return floats(windows).reshape(len(at), size[1], size[0], -1)


@cache
def _pixel_offsets(size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Of a window, from its middle."""
    wide, high = size
    down, across = np.mgrid[:high, :wide].astype(np.float32)
    return (across - (wide - 1) / 2).ravel(), (down - (high - 1) / 2).ravel()
