"""The drawn table with its mat, and what spoils a camera's picture of it."""

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from companion.drawn.drawn_lot import scene_by_lot
from hardware.camera.frames import Pixels

from .remembered import paint


def drawn_mat(*, mat: bool = True) -> Pixels:
    pixels, _ = paint(scene_by_lot(4, (), light="neutral", mat=mat, filled=0))
    return np.asarray(pixels, np.uint8)


def _dark(mat: Pixels) -> Pixels:
    return mat // 60


def _covered(mat: Pixels) -> Pixels:
    return np.full_like(mat, 128)


def _blur(mat: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(mat, (0, 0), 14), np.uint8)


def _lost(_: Pixels) -> Pixels:
    return drawn_mat(mat=False)


# By the names under which the page knows them.
SPOILS: Final[dict[str, Callable[[Pixels], Pixels]]] = {
    "dark": _dark,
    "covered": _covered,
    "blur": _blur,
    "lost": _lost,
}
