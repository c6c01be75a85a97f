"""The four boats with their goats, each 63 mm wide, with the water at `WATER`.

What tells them apart from afar is the outline alone: a bowl with oars, a row of logs under a mast, a circle, a
wedge in its own spray.
"""

import math

from companion.core.mat import Point, Rectangle
from companion.games.goat.printed.goat_art import (
    BATHER,
    CAPTAIN,
    CASTAWAY,
    PEN,
    RACER,
    THIN,
    Part,
    both,
    head,
    hoof,
    make_ink,
    stroke,
)
from companion.games.goat.printed.suit_art import OUTLINE, Suit
from companion.paper.shapes import (
    WHITE,
    Group,
    Ink,
    Path,
    Rgb,
    circle,
    complete_symmetric,
    curve,
    ellipse,
    line,
    place_at,
    polygon,
    rounded_box,
    smooth,
)

WATER = 66.0
MIDDLE = 31.5
WOOD: Rgb = (176, 124, 76)
PALE_WOOD: Rgb = (214, 172, 120)


def rowboat(suit: Suit) -> Part:
    hull = complete_symmetric([(0, 60.4), (16.5, 59.2), (23.9, 56.5), (21.1, 66), (14.5, 73)])
    rim = complete_symmetric([(0, 59.6), (16.5, 58.4), (24.5, 55.4), (24.1, 58.4), (16.5, 61.6), (0, 62.8)])
    strakes = (
        curve([(-22.1, 62), (-13.5, 65), (0, 66), (13.5, 65), (22.1, 62)], stroke(THIN)),
        curve([(-18.9, 67.4), (-11.5, 69.8), (0, 70.4), (11.5, 69.8), (18.9, 67.4)], stroke(THIN)),
    )
    scene = (
        *_jersey(suit),
        smooth(hull, make_ink(WOOD)),
        *strakes,
        smooth(rim, make_ink(PALE_WOOD)),
        *both(_oar()),
        Group(head(CAPTAIN, *_captains_cap(suit)), place_at(0.5, 34.5, turned=-4, size=1.02)),
    )
    return (Group(scene, place_at(MIDDLE, 0)),)


def _jersey(suit: Suit) -> Part:
    cut = complete_symmetric([(0, 42.5), (9.5, 45), (11.9, 62)])
    stripes = tuple(
        curve([(-11 - y / 10, 47.5 + y), (0, 49.5 + y), (11 + y / 10, 47.5 + y)], stroke(1.6, suit.sea))
        for y in (0, 4.4, 8.8)
    )
    return Group((smooth(cut, Ink(WHITE)), *stripes), clip=smooth(cut, Ink())), smooth(cut, stroke())


def _oar() -> Group:
    sleeve = smooth([(7.6, 46), (13.6, 49), (16.4, 53.4), (13.4, 56.2), (9.4, 53.6), (7, 51)], make_ink(WHITE))
    pole = polygon([(9.4, 50.2), (10.6, 48.8), (21.6, 64.6), (20.2, 65.6)], make_ink(PALE_WOOD))
    blade = smooth(
        [(19.4, 63.4), (22.2, 62.6), (25.6, 70.2), (25, 74), (22, 73.8), (19.6, 69)], make_ink(PALE_WOOD)
    )
    return Group((pole, blade, sleeve, hoof(12.6, 55)))


def _captains_cap(suit: Suit) -> Part:
    top = [(-9.4, -15), (-8, -19), (0, -21), (8, -19), (9.4, -15), (0, -12.6)]
    band = [(-8.2, -15.4), (0, -16.8), (8.2, -15.4), (7.4, -11.2), (0, -12.6), (-7.4, -11.2)]
    peak = [(-7.4, -11.4), (0, -13), (7.4, -11.4), (5.4, -9.2), (0, -8.4), (-5.4, -9.2)]
    badge = circle((0, -14.7), 1.3, Ink(WHITE))
    return (
        smooth(top, make_ink(WHITE)),
        polygon(band, make_ink(suit.sea)),
        smooth(peak, make_ink(OUTLINE)),
        badge,
    )


def raft(suit: Suit) -> Part:
    mast = polygon([(42.6, 10.5), (44.6, 10.5), (45.2, 65), (42.2, 65)], make_ink(WOOD))
    return mast, *_sail(suit), *_castaway(), *_logs()


def _sail(suit: Suit) -> Part:
    cloth = [(45.2, 16.5), (50.6, 27), (55.6, 40), (58, 54.5), (52, 56), (45.4, 55.4)]
    flag = [
        (43, 10.4),
        (39, 9.4),
        (35, 11),
        (30.4, 9.8),
        (32.4, 13),
        (31, 16.2),
        (36, 16.8),
        (40, 15.6),
        (43, 16.4),
    ]
    patch = polygon([(47.6, 43.4), (53, 42.4), (54, 48.4), (48.4, 49.4)], Ink(suit.sea, OUTLINE, THIN))
    seam = curve([(45.4, 34.6), (49, 35.6), (53.6, 34.8)], stroke(THIN))
    return polygon(cloth, make_ink(WHITE)), seam, patch, smooth(flag, make_ink(suit.sea))


def _castaway() -> Part:
    """Waves to whoever picks up the card."""
    body = [(15.4, 50), (19, 44), (27, 43.6), (31.6, 50), (33.6, 60), (30.6, 65.4), (16.6, 65.4), (13.4, 60)]
    belly = ellipse((23.6, 57), 6, 7, Ink(CASTAWAY.muzzle))
    waving = smooth(
        [(29, 47.4), (34.4, 46.6), (36.4, 41.4), (40, 42.4), (38.6, 49.8), (31.6, 53.4)], make_ink(CASTAWAY.fur)
    )
    hand = hoof(38.4, 40.6)
    resting = smooth(
        [(16.4, 48), (12.4, 54), (12.8, 60), (16.2, 60), (16.6, 55), (19.4, 51)], make_ink(CASTAWAY.fur)
    )
    feet = (hoof(18, 63.4), hoof(29.4, 63.4))
    return (
        waving,
        hand,
        smooth(body, make_ink(CASTAWAY.fur)),
        belly,
        resting,
        *feet,
        Group(head(CASTAWAY), place_at(24.2, 36.6, turned=5)),
    )


def _logs() -> Part:
    logs: list[Path] = []
    for number in range(6):
        end = (9.6 + number * 8.76, 70)
        logs += [
            circle(end, 4.7, make_ink(PALE_WOOD)),
            circle(end, 2.5, stroke(THIN)),
            circle(end, 0.7, Ink(OUTLINE)),
        ]
    rope = rounded_box(Rectangle(4.8, 64.4, 53.4, 3), 1.5, make_ink(WOOD))
    return *logs, rope


def ring(suit: Suit) -> Part:
    centre: Point = (MIDDLE, 57.4)
    stripes = tuple(_sector(centre, turn, suit.sea) for turn in range(0, 360, 45))
    outlines = circle(centre, 23.4, stroke()), circle(centre, 11.4, Ink(suit.near, OUTLINE, PEN))
    return (
        circle(centre, 23.4, Ink(WHITE)),
        *stripes,
        *outlines,
        *_bather(),
        Group(head(BATHER), place_at(MIDDLE, 37.5, turned=-7, size=1.06)),
        *_lemonade(),
    )


def _sector(centre: Point, middle: float, colour: Rgb) -> Path:
    turns = [math.radians(middle + step) for step in range(-8, 9, 2)]
    outer = [(centre[0] + 23.4 * math.cos(turn), centre[1] + 23.4 * math.sin(turn)) for turn in turns]
    inner = [(centre[0] + 11 * math.cos(turn), centre[1] + 11 * math.sin(turn)) for turn in reversed(turns)]
    return polygon([*outer, *inner], Ink(colour, OUTLINE, THIN))


def _bather() -> Part:
    """Lies in the ring, elbows and feet over its edge."""
    fur = make_ink(BATHER.fur)
    trunk = [(23, 52), (31.5, 47), (40, 52), (41, 62), (36, 67.6), (27, 67.6), (22, 62)]
    arm = smooth([(6.4, -8), (11.6, -5.4), (17.8, -2.6), (17, 1.8), (12, 1.2), (6, -2)], fur)
    leg = smooth([(2.4, 5), (7, 5.4), (11, 10.4), (10, 14), (6, 13.6), (2, 9.6)], fur)
    return (
        smooth(trunk, fur),
        ellipse((MIDDLE, 58.4), 6, 6.4, Ink(BATHER.muzzle)),
        Group(both(leg, hoof(8.4, 13.8), arm, hoof(18.2, -0.4)), place_at(MIDDLE, 57)),
    )


def _lemonade() -> Part:
    glass = polygon([(47, 45.6), (54, 45.6), (52.8, 55.6), (48.2, 55.6)], make_ink(WHITE))
    drink = polygon([(47.8, 49), (53.2, 49), (52.5, 55), (48.5, 55)], Ink((176, 214, 150)))
    straw = line([(50.8, 53), (53, 42), (56, 40.6)], stroke(1.1))
    return glass, drink, straw, hoof(50.4, 56.4)


def jetski(suit: Suit) -> Part:
    return (
        *_spray(),
        *_scarf(suit),
        Group((*_machine(suit), *_rider(suit)), place_at(MIDDLE, 60, turned=-5)),
        Group(head(RACER), place_at(34, 31, turned=9)),
    )


def _spray() -> Part:
    """The only white cloud among the four: the jetski can be told by it from across the room."""
    tail = [(17, 71), (9.5, 69), (5, 62), (3.4, 53), (8, 57.4), (9.4, 51.6), (13, 56), (16.6, 52), (18, 62)]
    drops = tuple(
        circle(spot, radius, Ink(WHITE, OUTLINE, THIN)) for spot, radius in (((6.4, 49), 1.5), ((12.6, 50.4), 1.2))
    )
    return smooth(tail, make_ink(WHITE)), *drops


def _scarf(suit: Suit) -> Part:
    upper = [(29, 44), (22, 40.4), (16, 42.2), (8.4, 38), (8.8, 43), (15.6, 46.8), (22, 45), (29, 48)]
    return (smooth(upper, make_ink(suit.sea)),)


def _machine(suit: Suit) -> Part:
    top = [(-22, 0), (-20, -2.4), (-6, -1), (8, -2.6), (16, -5.4), (26.4, -6.6)]
    keel = [(25, -1), (19.6, 5.4), (11, 10), (-4, 11), (-19, 9.4), (-22, 5)]
    flash = [(-21, 3), (-6, 4.6), (8, 3.4), (22.8, -2), (18.8, 3.4), (8, 7), (-6, 7.6), (-20.4, 6.4)]
    cowl = [(5, -2.2), (7, -10), (10, -13.6), (13.4, -13.6), (15, -9.6), (20, -6.2)]
    seat = [(-18, -2), (-15.6, -6.6), (2, -6.4), (6.4, -2)]
    return (
        polygon(cowl, make_ink(WHITE)),
        smooth(seat, make_ink((62, 54, 66))),
        smooth([*top, *keel], make_ink(WHITE)),
        smooth(flash, Ink(suit.sea)),
        line([(10.4, -13.4), (7, -16.4)], stroke(1.8)),
    )


def _rider(suit: Suit) -> Part:
    fur = make_ink(RACER.fur)
    trunk = [(-13, -5.4), (-12.4, -12), (-7, -18), (1.4, -19), (4.6, -14), (2, -7), (-2, -4.4)]
    vest = [(-11.6, -9), (-10.4, -14), (-6, -18), (1.4, -19), (4.6, -14), (2.4, -8)]
    leg = [(-10, -8.6), (-3, -9.6), (3, -7.6), (4.4, -2), (3, 1.4), (-0.4, 1), (-1, -3.4), (-8, -3.4)]
    arm = [(-3.4, -15.4), (1, -13), (6, -15.4), (7.8, -12.6), (1.6, -8.8), (-4, -11)]
    return (
        smooth(trunk, fur),
        smooth(vest, make_ink(suit.sea)),
        smooth(leg, fur),
        hoof(2.2, 1.8),
        smooth(arm, fur),
        hoof(7.4, -14.6),
    )


BOATS = {"rowboat": rowboat, "raft": raft, "ring": ring, "jetski": jetski}
