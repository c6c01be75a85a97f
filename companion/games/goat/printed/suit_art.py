"""The four colours of the printable deck: what they are printed in, and the sign that says so without colour.

A warm lamp takes the blue away, and half the colour-blind lose red against green; so the grounds also differ in
lightness, from yellow over pink and orange down to blue, and each has a sign of its own and that sign's pattern
in the sky.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from companion.paper.shapes import (
    WHITE,
    Group,
    Ink,
    Rgb,
    Shape,
    circle,
    complete_symmetric,
    curve,
    place_at,
    polygon,
    smooth,
)

OUTLINE: Rgb = (36, 28, 44)
Sign = Callable[[Rgb, Rgb], tuple[Shape, ...]]
"""Draws the sign about (0, 0), as big as a circle of radius 10, in one colour and its details in another."""


@dataclass(frozen=True, slots=True)
class Suit:
    colour: str
    ground: Rgb
    sky: Rgb
    """The pattern in the sky, a shade off the ground."""
    sea: Rgb
    near: Rgb
    """The water before the boat."""
    sign: Sign


def _sun(colour: Rgb, _detail: Rgb) -> tuple[Shape, ...]:
    rays: list[Shape] = []
    for ray in range(8):
        turn = math.tau * ray / 8
        feet = [(6.6 * math.cos(turn + side), 6.6 * math.sin(turn + side)) for side in (-0.33, 0.33)]
        rays.append(polygon([*feet, (11.2 * math.cos(turn), 11.2 * math.sin(turn))], Ink(colour)))
    return *rays, circle((0, 0), 5.3, Ink(colour))


def _flower(colour: Rgb, detail: Rgb) -> tuple[Shape, ...]:
    petals: list[Shape] = []
    for petal in range(5):
        turn = math.tau * petal / 5
        petals.append(circle((5.9 * math.sin(turn), -5.9 * math.cos(turn)), 4.3, Ink(colour)))
    return *petals, circle((0, 0), 4, Ink(colour)), circle((0, 0), 2.9, Ink(detail))


def _drop(colour: Rgb, detail: Rgb) -> tuple[Shape, ...]:
    drop = complete_symmetric([(0, -10.5), (2.4, -5.2), (6, 0.4), (6.6, 4.6), (4.2, 8.6), (0, 10)])
    shine = curve([(-3.6, 3.6), (-3.2, 5.6), (-1.6, 6.9)], Ink(line=detail, width=1.6))
    return smooth(drop, Ink(colour)), shine


def _leaf(colour: Rgb, detail: Rgb) -> tuple[Shape, ...]:
    blade = [(8.8, -8.8), (7.6, 0.2), (2.8, 5.6), (-4.6, 6.4), (-6.4, 4.6), (-5.6, -2.8), (-0.2, -7.6)]
    vein = Ink(line=detail, width=1.3)
    veins: list[Shape] = [
        curve([(-5.0, 5.0), (0.6, -0.6), (5.8, -5.8)], vein),
        *(curve([(x, -x), (x - 0.4, -x - 4)], vein) for x in (-1.4, 2.2)),
        *(curve([(x, -x), (x + 4, -x + 0.4)], vein) for x in (-1.4, 2.2)),
    ]
    stalk = curve([(-5.2, 5.2), (-7.6, 7.4), (-9.0, 9.2)], Ink(line=colour, width=2))
    return smooth(blade, Ink(colour)), stalk, *veins


SUITS = {
    suit.colour: suit
    for suit in (
        Suit("yellow", (255, 232, 50), (255, 244, 146), (228, 182, 16), (243, 207, 30), _sun),
        Suit("pink", (244, 150, 204), (249, 185, 221), (198, 82, 152), (222, 116, 181), _flower),
        Suit("blue", (30, 74, 158), (52, 98, 184), (16, 44, 104), (22, 58, 130), _drop),
        Suit("orange", (222, 88, 8), (235, 118, 44), (158, 48, 2), (188, 64, 4), _leaf),
    )
}


def roundel(suit: Suit, x: float, y: float, radius: float) -> Shape:
    """The sign as it stands in the corner: dark on white, the two that no lamp can bring together."""
    disc = circle((0, 0), 13, Ink(WHITE, OUTLINE, 1.3))
    return Group((disc, *suit.sign(OUTLINE, WHITE)), place_at(x, y, size=radius / 13))
