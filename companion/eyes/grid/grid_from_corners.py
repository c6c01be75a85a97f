"""The grid's four corners as somebody has tapped or typed them: clockwise from the top left, in pixels.

Corners that can't be a square seen by a camera are refused, for what is read through them would be nonsense.
"""

import math
from collections.abc import Sequence
from typing import Final, cast

from cv2.typing import MatLike

from companion.core.mat import Point
from companion.errors import GridNotFound
from companion.eyes.grid.grid_from_mat import Grid, grid_at_corners

ORDER: Final = "top left, top right, bottom right, bottom left"
# A camera that stands a little too near cuts off the grid's corners but not yet the cards.
OUTSIDE: Final = 0.1
FARTHEST: Final = 1e6
# In a smaller grid no print can be seen.
SMALLEST_SIDE: Final = 100.0


def parse_corners(value: object) -> tuple[Point, ...]:
    """From what JSON holds."""
    points = [_parse_point(one) for one in cast("list[object]", value)] if isinstance(value, list) else []
    if len(points) != 4:
        raise GridNotFound(f"the corners must be four, {ORDER}, each two numbers, x and y in pixels")
    return _check_square(points)


def grid_from_corners(corners: Sequence[Point], picture: MatLike) -> Grid:
    high, wide = picture.shape[:2]
    for x, y in corners:
        if not (-OUTSIDE <= x / wide <= 1 + OUTSIDE and -OUTSIDE <= y / high <= 1 + OUTSIDE):
            raise GridNotFound(
                f"the corner {x:g},{y:g} lies outside of the picture, which is {wide} x {high} pixels"
            )
    return grid_at_corners(corners)


def _parse_point(value: object) -> Point:
    if isinstance(value, list):
        match cast("list[object]", value):
            case [int() | float() as x, int() | float() as y] if _is_in_reach(x) and _is_in_reach(y):
                return float(x), float(y)
            case _:
                pass
    raise GridNotFound("a corner must be two numbers, x and y in pixels")


def _is_in_reach(pixels: float) -> bool:
    return not isinstance(pixels, bool) and abs(pixels) < FARTHEST


def _check_square(points: Sequence[Point]) -> tuple[Point, ...]:
    bends = [_bend(points[place - 1], points[place], points[(place + 1) % 4]) for place in range(4)]
    if all(bend < 0 for bend in bends):
        raise GridNotFound(f"the corners go round the wrong way; the order is {ORDER}, as the picture shows them")
    if any(bend <= 0 for bend in bends):
        raise GridNotFound(f"the corners are no square as a camera can see it; the order is {ORDER}")
    shortest = min(math.dist(points[place - 1], points[place]) for place in range(4))
    if shortest < SMALLEST_SIDE:
        raise GridNotFound(
            f"the corners are too close together; a side of the grid takes {SMALLEST_SIDE:.0f} pixels"
        )
    return tuple(points)


def _bend(before: Point, here: Point, after: Point) -> float:
    """Positive where the way turns clockwise, as it is seen."""
    return (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0])
