"""A drawing in millimetres, x to the right and y down: outlines, words, and groups of them.

An outline is made of straight steps and Bézier curves, because both a PDF and a polygon filler understand
these; circles, boxes and soft outlines through given points are put together from them here.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.mat import Point, Rectangle

Rgb = tuple[int, int, int]
Step = tuple[Point] | tuple[Point, Point, Point]
"""Straight to a point, or by two handles to a point."""

WHITE: Rgb = (255, 255, 255)
BLACK: Rgb = (0, 0, 0)

# The handle that makes four Bézier curves a circle to within 0.03 % of its radius.
QUARTER = 4 / 3 * (math.sqrt(2) - 1)


@dataclass(frozen=True, slots=True)
class Ink:
    """The filling of an outline and the line along it; the line's ends and corners are round."""

    fill: Rgb | None = None
    line: Rgb | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Path:
    start: Point
    steps: tuple[Step, ...]
    ink: Ink
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Text:
    """Helvetica from the left end of its baseline; `size` is the height of a line."""

    words: str
    at: Point
    size: float
    colour: Rgb = BLACK


@dataclass(frozen=True, slots=True)
class Placement:
    """(x, y) goes to (a x + c y + e, b x + d y + f), in the order in which a PDF writes the six."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def within(self, outer: "Placement") -> "Placement":
        """This placement followed by the outer one."""
        return Placement(
            outer.a * self.a + outer.c * self.b,
            outer.b * self.a + outer.d * self.b,
            outer.a * self.c + outer.c * self.d,
            outer.b * self.c + outer.d * self.d,
            outer.a * self.e + outer.c * self.f + outer.e,
            outer.b * self.e + outer.d * self.f + outer.f,
        )


@dataclass(frozen=True, slots=True)
class Group:
    shapes: tuple["Shape", ...]
    placed: Placement = Placement()
    clip: Path | None = None


Shape = Path | Text | Group


def place_at(x: float, y: float, *, turned: float = 0.0, size: float = 1.0) -> Placement:
    """A placement that enlarges, turns clockwise by degrees, and then moves to (x, y).

    >>> place_at(10, 20).e
    10
    """
    cosine, sine = size * math.cos(math.radians(turned)), size * math.sin(math.radians(turned))
    return Placement(cosine, sine, -sine, cosine, x, y)


def mirror(axis: float) -> Placement:
    """A placement that exchanges left and right about the upright line at x = axis."""
    return Placement(a=-1.0, e=2 * axis)


def complete_symmetric(half: Sequence[Point]) -> list[Point]:
    """The whole outline from its right-hand half, mirrored about the upright line at x = 0."""
    return [*half, *((-x, y) for x, y in reversed(half) if x != 0)]


def polygon(points: Sequence[Point], ink: Ink) -> Path:
    return Path(points[0], tuple((point,) for point in points[1:]), ink)


def line(points: Sequence[Point], ink: Ink) -> Path:
    return Path(points[0], tuple((point,) for point in points[1:]), ink, closed=False)


def smooth(points: Sequence[Point], ink: Ink) -> Path:
    """A closed outline that passes smoothly through all the points (Catmull-Rom)."""
    ring = [points[-1], *points, points[0], points[1]]
    return Path(points[0], tuple(_smooth_steps(ring)), ink)


def curve(points: Sequence[Point], ink: Ink) -> Path:
    """An open line that passes smoothly through all the points."""
    row = [points[0], *points, points[-1]]
    return Path(points[0], tuple(_smooth_steps(row)), ink, closed=False)


def _smooth_steps(points: Sequence[Point]) -> list[Step]:
    steps: list[Step] = []
    for before, here, there, after in zip(points, points[1:], points[2:], points[3:], strict=False):
        leaving = (here[0] + (there[0] - before[0]) / 6, here[1] + (there[1] - before[1]) / 6)
        arriving = (there[0] - (after[0] - here[0]) / 6, there[1] - (after[1] - here[1]) / 6)
        steps.append((leaving, arriving, there))
    return steps


def ellipse(centre: Point, across: float, down: float, ink: Ink) -> Path:
    """By its two radii."""
    x, y = centre
    dx, dy = across * QUARTER, down * QUARTER
    right, bottom, left, top = (x + across, y), (x, y + down), (x - across, y), (x, y - down)
    steps: tuple[Step, ...] = (
        ((x + across, y + dy), (x + dx, y + down), bottom),
        ((x - dx, y + down), (x - across, y + dy), left),
        ((x - across, y - dy), (x - dx, y - down), top),
        ((x + dx, y - down), (x + across, y - dy), right),
    )
    return Path(right, steps, ink)


def circle(centre: Point, radius: float, ink: Ink) -> Path:
    return ellipse(centre, radius, radius, ink)


def box(area: Rectangle, ink: Ink) -> Path:
    return polygon(area.corners, ink)


def rounded_box(area: Rectangle, radius: float, ink: Ink) -> Path:
    left, top, right, bottom = area.left, area.top, area.right, area.bottom
    far, near = radius, radius * (1 - QUARTER)
    steps: tuple[Step, ...] = (
        ((right - far, top),),
        ((right - near, top), (right, top + near), (right, top + far)),
        ((right, bottom - far),),
        ((right, bottom - near), (right - near, bottom), (right - far, bottom)),
        ((left + far, bottom),),
        ((left + near, bottom), (left, bottom - near), (left, bottom - far)),
        ((left, top + far),),
        ((left, top + near), (left + near, top), (left + far, top)),
    )
    return Path((left + far, top), steps, ink)
