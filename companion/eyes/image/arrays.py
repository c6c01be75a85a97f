"""What the arrays of the eyes are called, and what is asked of them where numpy takes too long for small ones."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating[Any]]
Whole = NDArray[np.int64]
Bools = NDArray[np.bool_]
Bits = NDArray[np.uint16]
Bytes = NDArray[np.uint8]


def floats(values: ArrayLike) -> Floats:
    """What OpenCV gave, known to be of single precision."""
    return np.asarray(values, np.float32)


def product(indices: str, *arrays: Floats) -> Floats:
    """Einstein's sum."""
    return np.asarray(np.einsum(indices, *arrays))


def inverse(map_: Floats) -> Floats:
    """Of a map of the plane, nothing but zeros if it has none; numpy's own takes six times as long."""
    return np.asarray(cv2.invert(map_)[1], np.float64)


def quantile(values: Floats, share: float) -> Floats:
    """Along the last axis. numpy's own takes two to eight times as long for as few numbers as there are here."""
    at = share * (values.shape[-1] - 1)
    below = int(at)
    # With one place to part at it is quicker than with two, and what is next is the least of the rest.
    parted = np.partition(values, below, axis=-1)
    low = parted[..., below]
    if at == below:
        return np.asarray(low)
    return np.asarray(low + (at - below) * (parted[..., below + 1 :].min(-1) - low))


def median(values: Floats) -> Floats:
    """Along the last axis."""
    return quantile(values, 0.5)


def in_blocks(pictures: Floats, side: int) -> Floats:
    """Of pictures x down x across x channels: pictures x blocks x numbers, so many pixels each way to a block.
    What is over is left away around them."""
    many, high, wide, channels = pictures.shape
    down, across = high // side, wide // side
    top, left = (high - down * side) // 2, (wide - across * side) // 2
    inner = pictures[:, top : top + down * side, left : left + across * side]
    blocks = inner.reshape(many, down, side, across, side, channels).transpose(0, 1, 3, 2, 4, 5)
    return blocks.reshape(many, down * across, -1)


def mean_of_channels(picture: Floats) -> Floats:
    """numpy's own takes forty times as long over threes."""
    return floats(cv2.transform(picture, np.full((1, 3), 1 / 3)))


def power(picture: Floats) -> Floats:
    """The square of each pixel, of all channels together."""
    return floats(cv2.transform(cv2.multiply(picture, picture), np.ones((1, 3))))


def over_channels(more: Callable[[MatLike, MatLike], MatLike], picture: MatLike) -> MatLike:
    """The most, the least or the sum of the three; numpy takes 2 ms for what is 0.1 ms here."""
    blue, green, red = cv2.split(picture)
    return more(more(blue, green), red)
