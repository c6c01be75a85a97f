"""The little language of the drawings."""

import math

import pytest

from companion.core.mat import Point, Rectangle
from companion.paper.shapes import (
    Ink,
    Path,
    Placement,
    circle,
    complete_symmetric,
    curve,
    ellipse,
    mirror,
    place_at,
    rounded_box,
    smooth,
)

NO_INK = Ink()
ZIGZAG = [(0.0, 0.0), (3.0, 5.0), (7.0, 1.0), (9.0, 6.0)]


def along(path: Path) -> list[Point]:
    """Twenty points on each step."""
    points = [path.start]
    for step in path.steps:
        begin = points[-1]
        handles = (begin, step[0], step[0], step[0]) if len(step) == 1 else (begin, *step)
        for part in range(1, 21):
            t = part / 20
            shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            points.append(
                (
                    sum(share * x for share, (x, _) in zip(shares, handles, strict=True)),
                    sum(share * y for share, (_, y) in zip(shares, handles, strict=True)),
                )
            )
    return points


def applied(placed: Placement, point: Point) -> Point:
    x, y = point
    return placed.a * x + placed.c * y + placed.e, placed.b * x + placed.d * y + placed.f


def test_a_circle_is_round() -> None:
    """To within 0.03 % of its radius, and closed."""
    far = [math.dist(point, (3, 4)) for point in along(circle((3, 4), 10, NO_INK))]

    assert 10 == pytest.approx(min(far), rel=3e-4)
    assert 10 == pytest.approx(max(far), rel=3e-4)


def test_an_ellipse_has_two_radii() -> None:
    """It reaches as far to the sides and up and down as it says."""
    points = along(ellipse((1, 2), 6, 3, NO_INK))

    assert (-5, 7) == pytest.approx((min(x for x, _ in points), max(x for x, _ in points)), abs=0.01)
    assert (-1, 5) == pytest.approx((min(y for _, y in points), max(y for _, y in points)), abs=0.01)


def test_a_soft_outline_passes_through_its_points() -> None:
    """And comes back to the first."""
    path = smooth(ZIGZAG, NO_INK)

    assert ZIGZAG == [path.start, *(step[-1] for step in path.steps[:-1])]
    assert path.start == path.steps[-1][-1]


def test_a_bow_begins_and_ends_where_it_is_told() -> None:
    """It passes through all its points and stays open."""
    path = curve(ZIGZAG, NO_INK)

    assert ZIGZAG == [path.start, *(step[-1] for step in path.steps)]
    assert not path.closed


def test_a_rounded_box_keeps_to_its_corners() -> None:
    """No point of it lies outside the box, or further from a corner's centre than the radius."""
    points = along(rounded_box(Rectangle(0, 0, 20, 30), 4, NO_INK))

    assert (0, 20, 0, 30) == pytest.approx(
        (*(f(x for x, _ in points) for f in (min, max)), *(f(y for _, y in points) for f in (min, max)))
    )
    corner = [math.dist((x, y), (4, 4)) for x, y in points if x < 4 and y < 4]
    assert [4] * len(corner) == pytest.approx(corner, rel=3e-4)


def test_half_an_outline_makes_a_whole_one() -> None:
    """Points on the axis are not doubled."""
    assert [(0, 0), (2, 1), (1, 3), (-1, 3), (-2, 1)] == complete_symmetric([(0, 0), (2, 1), (1, 3)])


def test_a_placement_within_another_is_first_one_and_then_the_other() -> None:
    """Turned, enlarged and mirrored in whatever order."""
    inner, outer, point = place_at(3, 4, turned=30, size=2), mirror(5), (1.5, -2.5)

    assert applied(outer, applied(inner, point)) == pytest.approx(applied(inner.within(outer), point))
    assert applied(inner, applied(outer, point)) == pytest.approx(applied(outer.within(inner), point))


def test_turning_is_clockwise() -> None:
    """As seen by whoever looks at the page, whose y goes down."""
    assert (0, 1) == pytest.approx(applied(place_at(0, 0, turned=90), (1, 0)))
