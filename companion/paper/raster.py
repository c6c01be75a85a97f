"""Shapes as a picture: what a camera straight above a perfect print would see."""

import math
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.paper.shapes import WHITE, Group, Path, Placement, Rgb, Shape, Text

Picture = NDArray[np.uint8]
"""Rows of pixels in OpenCV's order: blue, green, red."""

# Drawn at least this fine and then averaged down: a line of 0.4 mm keeps its weight in a picture of 1 pixel a mm.
FINEST = 12.0
# OpenCV takes coordinates in 1/16 of a pixel.
SUBPIXEL = 4
# OpenCV fills every pixel that an outline so much as touches: measured, half a pixel more on each side. A fill can
# bear that, a line cannot. Its own thick lines are worse, up to two pixels thicker than asked for.
OVERDRAW = 0.45
# The longest curve of a card spans a few centimetres; so many straight pieces leave it within 0.03 mm.
PIECES = 16
# Helvetica's capitals are this share of its size.
CAPITALS = 0.718
# OpenCV's own at scale 1, in pixels.
DRAWN_CAPITALS = 20

_ALONG = np.arange(1, PIECES + 1)[:, None] / PIECES
_BERNSTEIN = np.hstack(
    [(1 - _ALONG) ** 3, 3 * _ALONG * (1 - _ALONG) ** 2, 3 * _ALONG**2 * (1 - _ALONG), _ALONG**3],
)


def rasterize(shapes: Iterable[Shape], width: float, height: float, pixels_per_mm: float) -> Picture:
    """Draw the shapes on white paper of so many millimetres."""
    across, down = max(1, round(width * pixels_per_mm)), max(1, round(height * pixels_per_mm))
    finer = max(2, math.ceil(FINEST / pixels_per_mm))
    canvas = np.full((down * finer, across * finer, 3), WHITE, np.uint8)
    scale = pixels_per_mm * finer
    for shape in shapes:
        _draw(canvas, shape, Placement(a=scale, d=scale))
    return np.asarray(cv2.resize(canvas, (across, down), interpolation=cv2.INTER_AREA), np.uint8)


def _draw(canvas: Picture, shape: Shape, placed: Placement) -> None:
    if isinstance(shape, Path):
        _draw_path(canvas, shape, placed)
    elif isinstance(shape, Text):
        _draw_text(canvas, shape, placed)
    else:
        _draw_group(canvas, shape, placed)


def _draw_group(canvas: Picture, group: Group, placed: Placement) -> None:
    inner = group.placed.within(placed)
    if group.clip is None:
        for shape in group.shapes:
            _draw(canvas, shape, inner)
    else:
        _draw_clipped(canvas, group.shapes, group.clip, inner)


def _draw_clipped(canvas: Picture, shapes: Iterable[Shape], clip: Path, placed: Placement) -> None:
    """Draw on a copy of the area around the clip, then copy back the pixels inside the clip."""
    points = _to_pixels(clip, placed)
    left, top = (max(0, math.floor(least)) for least in points.min(axis=0))
    right, bottom = (max(0, math.ceil(most) + 1) for most in points.max(axis=0))
    under = canvas[top:bottom, left:right]
    if under.size == 0:
        return
    drawn, shown = under.copy(), np.zeros(under.shape[:2], np.uint8)
    moved = placed.within(Placement(e=-left, f=-top))
    for shape in shapes:
        _draw(drawn, shape, moved)
    cv2.fillPoly(shown, [_to_subpixels(points - (left, top))], 255, shift=SUBPIXEL)
    np.copyto(under, drawn, where=(shown > 0)[:, :, None])


def _draw_path(canvas: Picture, path: Path, placed: Placement) -> None:
    points, ink = _to_pixels(path, placed), path.ink
    if ink.fill is not None:
        cv2.fillPoly(canvas, [_to_subpixels(points)], _to_bgr(ink.fill), shift=SUBPIXEL)
    if ink.line is not None:
        ends = np.concatenate([points, points[:1]]) if path.closed else points
        _draw_line(canvas, ends, max(0.1, ink.width * _scale_of(placed) / 2 - OVERDRAW), _to_bgr(ink.line))


def _draw_line(canvas: Picture, points: NDArray[np.float64], half: float, colour: tuple[int, int, int]) -> None:
    """A straight bar for each piece, a disc for each joint."""
    along = np.diff(points, axis=0)
    long = np.linalg.norm(along, axis=1, keepdims=True)
    aside = half * along[:, ::-1] * (1, -1) / np.maximum(long, 1e-9)
    bars = np.stack([points[:-1] + aside, points[1:] + aside, points[1:] - aside, points[:-1] - aside], axis=1)
    for bar in _to_subpixels(bars):
        cv2.fillConvexPoly(canvas, bar, colour, shift=SUBPIXEL)
    for x, y in _to_subpixels(points).tolist():
        cv2.circle(canvas, (x, y), round(half * 2**SUBPIXEL), colour, cv2.FILLED, shift=SUBPIXEL)


def _to_pixels(path: Path, placed: Placement) -> NDArray[np.float64]:
    pieces = [np.array([path.start], float)]
    for step in path.steps:
        pieces.append(np.array([step[0]]) if len(step) == 1 else _BERNSTEIN @ np.array([pieces[-1][-1], *step]))
    millimetres = np.concatenate(pieces)
    return millimetres @ np.array([[placed.a, placed.b], [placed.c, placed.d]]) + (placed.e, placed.f)


def _to_subpixels(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """In OpenCV's fixed-point coordinates, in which a whole number is the middle of a pixel."""
    return np.round((points - 0.5) * 2**SUBPIXEL).astype(np.int32)


def _scale_of(placed: Placement) -> float:
    return math.sqrt(abs(placed.a * placed.d - placed.b * placed.c))


def _draw_text(canvas: Picture, text: Text, placed: Placement) -> None:
    """In OpenCV's own letters, which only go from left to right; their capitals are as high as Helvetica's."""
    x, y = text.at
    size = text.size * _scale_of(placed)
    where = (round(placed.a * x + placed.e), round(placed.d * y + placed.f))
    enlarged, thick = size * CAPITALS / DRAWN_CAPITALS, max(1, round(size * 0.1))
    cv2.putText(
        canvas, text.words, where, cv2.FONT_HERSHEY_SIMPLEX, enlarged, _to_bgr(text.colour), thick, cv2.LINE_AA
    )


def _to_bgr(colour: Rgb) -> tuple[int, int, int]:
    red, green, blue = colour
    return blue, green, red
