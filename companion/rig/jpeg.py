"""Packing a picture as a JPEG of limited width."""

import cv2
import numpy as np
from cv2.typing import MatLike


def jpeg(pixels: MatLike, *, widest_px: int, quality: int) -> bytes:
    """The picture as a JPEG, shrunk to `widest_px` if it is wider."""
    high, wide = pixels.shape[:2]
    if wide > widest_px:
        pixels = cv2.resize(pixels, (widest_px, round(high * widest_px / wide)), interpolation=cv2.INTER_AREA)
    _, packed = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, quality))
    return np.asarray(packed, np.uint8).tobytes()
