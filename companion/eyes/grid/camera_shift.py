"""How far the camera or the table was pushed, where no mat says it: by what is to be seen on the table itself."""

from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.eyes.image.arrays import Floats

# All figures here were chosen by hand, not measured.
POINTS: Final = 150
APART_PX: Final = 12
# At least so many points, and this share of all, must have moved as one: a hand has points too.
ENOUGH: Final = 20
TOGETHER: Final = 0.4


def find_shift(before: MatLike, now: MatLike) -> Floats | None:
    """Maps the pixels of the picture before to those of now; None if too little of it can be made out."""
    earlier, later = cv2.cvtColor(before, cv2.COLOR_BGR2GRAY), cv2.cvtColor(now, cv2.COLOR_BGR2GRAY)
    corners = cv2.goodFeaturesToTrack(earlier, POINTS, 0.01, APART_PX)
    # OpenCV gives None where there is nothing, whatever its types say.
    if np.ndim(corners) == 0 or len(corners) < ENOUGH:
        return None
    there, found, _ = cv2.calcOpticalFlowPyrLK(earlier, later, corners, np.empty(0))
    kept = found.ravel() > 0
    if kept.sum() < ENOUGH:
        return None
    moved, agreeing = cv2.estimateAffinePartial2D(corners[kept], there[kept], ransacReprojThreshold=1.5)
    if np.ndim(moved) == 0 or agreeing.sum() < max(ENOUGH, TOGETHER * len(corners)):
        return None
    return np.vstack([moved, [0, 0, 1]])
