"""What is printed, as little as possible of what the lamp makes of it.

A slope of light is taken out by a blur, its strength by the energy around: a card in the shade looks like one in
the sun. What is left of a lamp's colour is judged elsewhere.
"""

from typing import Final

import cv2
import numpy as np

from companion.eyes.image.arrays import Floats, floats, power

# Light that changes over more than so many millimetres is the lamp's doing, what changes over less is printed.
SLOPE_MM: Final = 12.0
AROUND_MM: Final = 16.0
# Added to the strength, so that noise and JPEG aren't amplified into a pattern where nothing is printed. By hand.
FAINT: Final = 0.02


def print_pattern(root: Floats, mm: float) -> Floats:
    printed = root - cv2.GaussianBlur(root, (0, 0), SLOPE_MM / mm)
    around = cv2.GaussianBlur(power(printed), (0, 0), AROUND_MM / mm)
    strength = floats(np.sqrt(around) + FAINT)
    return floats(cv2.divide(printed, cv2.merge([strength] * 3)))
