"""Whether a picture shows colours at all: one taken in night mode doesn't, nor one kept in black and white.

Then no card can be told from one of its boat's others, and one that is as grey as the table is taken for a shadow
on it: only what is smooth is surely bare.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from companion.core.mat import CELLS
from companion.eyes.image.arrays import Floats, floats, mean_of_channels
from companion.eyes.light.illumination import tint
from companion.eyes.scene import tabletop

# Of cards in light and shade, under lamps from candles to the sky, the middle one of a picture's has never less of
# its taught colours than 0.6; with four fifths of them taken out it has 0.45 at most (`companion bench
# thresholds`).
PALE: Final = 0.48
# Colours that differ by no more are noise; on an empty white table they differ by 0.012.
GREY: Final = 0.008
NEARLY_ALL: Final = 0.98
# On a quarter of its area a card's print, or that of the next one, differs from what is around it by 0.03 and more
# of its brightness; paper and plain cloth by 0.02 at most, a bold pattern by more (`companion bench thresholds`).
SMOOTH: Final = 0.022
A_QUARTER_LESS: Final = 0.75
AS_BRIGHT: Final = 0.08


def is_colourless(vivid: Sequence[float], coarse: Floats) -> bool:
    """`vivid`: how strong the colours of what may well be cards are."""
    return bool(np.median(vivid) < PALE) if vivid else _is_grey(coarse)


def _is_grey(coarse: Floats) -> bool:
    tints = tint(floats(cv2.blur(coarse, (3, 3)))).reshape(-1, 2)
    apart = np.linalg.norm(tints - np.median(tints, axis=0), axis=1)
    return float(np.quantile(apart, NEARLY_ALL)) < GREY


def smooth_cells(coarse: Floats, *, on_mat: bool) -> tuple[bool, ...]:
    """Those that are smooth, and as bright as the table around them: a sleeve is smooth too."""
    between = tabletop.places_between(on_mat=on_mat)
    light = np.log(np.maximum(mean_of_channels(coarse), 0.02))
    plain: list[bool] = []
    for cell in range(len(CELLS)):
        there, around = light[tabletop.inner_part(cell)], light[tabletop.whole_part(cell)]
        apart = float(np.median(there) - np.median(around[between[tabletop.whole_part(cell)]]))
        plain.append(tabletop.roughness(coarse, cell, A_QUARTER_LESS) < SMOOTH and abs(apart) < AS_BRIGHT)
    return tuple(plain)
