"""Why no grid is found in a picture: too dark, something on the lens, out of focus; or the mat is just not there.

Only asked once the grid has long been lost, so it need not be quick, and it need not be right about pictures that
can be read.
"""

from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

# Shrunk so far, a sensor's noise is gone and a room is still a room.
ROOM: Final = (32, 24)
# In this light the eyes find nothing; lamps that are on make a table ten times as bright.
DARK: Final = 12.0
# A finger, a cap or a cloth in front of the lens is of one colour all over; any table has edges.
PLAIN: Final = 6.0
# How steep edges are against the whole contrast: 0.55 and more in focus, 0.3 where markers are just lost.
SHARP: Final = 0.3
WIDE: Final = 320


def plight(picture: MatLike) -> str:
    """One of "dark", "covered", "blur" and "lost"."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    room = cv2.resize(grey, ROOM, interpolation=cv2.INTER_AREA)
    if float(np.mean(room)) < DARK:
        return "dark"
    contrast = float(np.std(room))
    if contrast < PLAIN:
        return "covered"
    return "blur" if _steepest(grey) < SHARP * contrast else "lost"


def _steepest(grey: MatLike) -> float:
    """How much the picture bends from one pixel to the next where it bends most; noise is smoothed away before."""
    high, wide = grey.shape[:2]
    small = cv2.resize(grey, (WIDE, round(high * WIDE / wide)), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (3, 3), 0.8)
    return float(np.percentile(np.abs(cv2.Laplacian(small, cv2.CV_32F)), 98))
