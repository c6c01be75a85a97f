"""Why no grid is found in a picture: too dark, something on the lens, out of focus; or the mat is just not there.
And whether a cell is as sharp as it was.

The first is only asked once the grid has long been lost, so it need not be quick, and it need not be right about
pictures that can be read.
"""

from enum import Enum, auto
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.eyes.image.arrays import Floats, floats, mean_of_channels

# All figures here were chosen by hand, with the figures that their comments name as observed then; no command
# measures them.
# Shrunk to this size, a picture has no sensor noise left, but still its large bright and dark areas.
ROOM: Final = (32, 24)
# Below this mean code the eyes find nothing; a lamp makes a table ten times as bright.
DARK: Final = 12.0
# A finger, a cap or a cloth in front of the lens is of one colour all over; any table has edges.
PLAIN: Final = 6.0
# How steep edges are against the whole contrast: 0.55 and more in focus, 0.3 where markers are just lost.
SHARP: Final = 0.3
WIDE: Final = 320

# A cell's finest lines, and those a little coarser, in pixels of the coarse picture; its rim is left out.
FINE: Final = 1.0
COARSER: Final = 3.0
RIM: Final = 2
# The lines of an empty cell are weaker than this.
PRINTED: Final = 0.008
# The coarser lines of the same print correlate by at least ALIKE, however blurred one is. It is blurred if of the
# energy of its finest lines, relative to the coarser ones, less than LEFT remains.
ALIKE: Final = 0.85
LEFT: Final = 0.64
# Less noise is no blur: the finest lines that remain must also agree with those before by more than FEWER times
# what the coarser ones do; to count as sharper, by more than MORE times.
FEWER: Final = 1.08
MORE: Final = 1.15


class Focus(Enum):
    """Of one picture of a cell against another."""

    BLURRED = auto()
    ALIKE = auto()
    SHARPER = auto()
    OTHER = auto()
    """Something else is to be seen, or nothing is printed there."""


def why_no_grid(picture: MatLike) -> str:
    """One of "dark", "covered", "blur" and "lost"."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    room = cv2.resize(grey, ROOM, interpolation=cv2.INTER_AREA)
    if float(np.mean(room)) < DARK:
        return "dark"
    contrast = float(np.std(room))
    if contrast < PLAIN:
        return "covered"
    return "blur" if _edge_sharpness(grey) < SHARP * contrast else "lost"


def _edge_sharpness(grey: MatLike) -> float:
    """How much the picture bends from one pixel to the next where it bends most; noise is smoothed away before."""
    high, wide = grey.shape[:2]
    small = cv2.resize(grey, (WIDE, round(high * WIDE / wide)), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (3, 3), 0.8)
    return float(np.percentile(np.abs(cv2.Laplacian(small, cv2.CV_32F)), 98))


def compare_focus(now: Floats, before: Floats) -> Focus:
    (fine, coarse), (fine_before, coarse_before) = _fine_and_coarse_lines(now), _fine_and_coarse_lines(before)
    power, power_before = float((coarse * coarse).mean()), float((coarse_before * coarse_before).mean())
    common = float((coarse * coarse_before).mean())
    if min(power, power_before) < PRINTED**2 or common < ALIKE * (power * power_before) ** 0.5:
        return Focus.OTHER
    energy, energy_before = float((fine * fine).mean()), float((fine_before * fine_before).mean())
    shared = float((fine * fine_before).mean())
    left = (energy / power) / (energy_before / power_before)
    if left < LEFT and shared / energy > FEWER * common / power:
        return Focus.BLURRED
    return Focus.SHARPER if shared / energy_before > MORE * common / power_before else Focus.ALIKE


def _fine_and_coarse_lines(cell: Floats) -> tuple[Floats, Floats]:
    grey = mean_of_channels(cell)
    soft, softer = (floats(cv2.GaussianBlur(grey, (0, 0), wide)) for wide in (FINE, COARSER))
    inner = slice(RIM, -RIM)
    return (grey - soft)[inner, inner], (soft - softer)[inner, inner]
