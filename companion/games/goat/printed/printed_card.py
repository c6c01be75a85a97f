"""A card of the printable deck: goat and boat between sky and sea, and the back that all of them share."""

import math
from functools import cache

from companion.core.mat import Point, Rectangle
from companion.games.goat.printed.boat_art import BOATS, WATER
from companion.games.goat.printed.goat_art import CAPTAIN, head
from companion.games.goat.printed.suit_art import OUTLINE, SUITS, Suit, roundel
from companion.paper.shapes import (
    WHITE,
    Group,
    Ink,
    Path,
    Rgb,
    Shape,
    box,
    curve,
    place_at,
    rounded_box,
    smooth,
)

# Poker size, so that the sleeves of every shop fit.
CARD = Rectangle(0, 0, 63, 88)
CORNER = 3.5
PANEL = Rectangle.around(CARD.centre, 56, 81)
HORIZON = 68.6

BACK: Rgb = (18, 92, 88)
BACK_WAVES: Rgb = (44, 124, 116)
CREAM: Rgb = (246, 238, 220)


@cache
def front(boat: str, colour: str) -> Group:
    """The border is bare paper: it costs no ink, and it tells a camera what white is just here."""
    suit = SUITS[colour]
    panel = rounded_box(PANEL, 3, Ink(suit.ground))
    inside = (
        panel,
        *_pattern(suit),
        _swell(HORIZON - 3, 1, 9, suit.sea),
        Group(BOATS[boat](suit), place_at(0, HORIZON - WATER)),
        _swell(HORIZON + 8.4, 1.1, 10, suit.near),
    )
    return Group((Group(inside, clip=panel), roundel(suit, 12.8, 12.8, 7.8)))


def _swell(level: float, high: float, long: float, colour: Rgb) -> Shape:
    left, right, bottom = PANEL.left - long, PANEL.right + long, PANEL.bottom + 2
    count = int((right - left) / (long / 2))
    crests = [(left + step * long / 2, level + (high if step % 2 else -high)) for step in range(count + 1)]
    return smooth([(left, bottom), *crests, (right, bottom)], Ink(colour, WHITE, 0.9))


def _pattern(suit: Suit) -> tuple[Shape, ...]:
    places = [(column * 15 + row % 2 * 7.5, row * 12) for row in range(5) for column in range(4)]
    sign = suit.sign(suit.sky, suit.ground)
    return tuple(Group(sign, place_at(PANEL.left + 4 + x, PANEL.top + 6 + y, size=0.36)) for x, y in places)


@cache
def back() -> Group:
    """The same both ways up, so that nobody knows a card by how it lies, and green, so that it is of no colour.

    Its edge is plain: two cards may touch on the sheet, and a cut that misses by a millimetre shows nothing.
    """
    frame = Rectangle.around(CARD.centre, 53, 78)
    window = Rectangle.around(CARD.centre, 40, 65)
    half = (_looking_out(window), Group((_looking_out(window),), place_at(CARD.width, CARD.height, turned=180)))
    return Group(
        (
            box(CARD, Ink(BACK)),
            Group(tuple(_ripples(frame)), clip=rounded_box(frame, 3, Ink())),
            rounded_box(frame, 3, Ink(line=CREAM, width=0.8)),
            rounded_box(window, 9, Ink(CREAM)),
            *half,
            rounded_box(window, 9, Ink(line=OUTLINE, width=1.4)),
            curve(_divide(window), Ink(line=OUTLINE, width=1.4)),
        )
    )


def _ripples(frame: Rectangle) -> list[Shape]:
    x, y = frame.centre
    ink = Ink(line=BACK_WAVES, width=1.1)
    wave = [(x + step * 3.2, 1.2 * math.sin(step * math.pi / 2)) for step in range(-10, 11)]
    return [curve([(across, y + row * 4.6 + up) for across, up in wave], ink) for row in range(-9, 10)]


def _divide(window: Rectangle) -> list[Point]:
    """A wave through the middle that turns into itself."""
    x, y = window.centre
    return [(x + step * window.width / 8, y + 1.8 * math.sin(step * math.pi / 2)) for step in range(-4, 5)]


def _looking_out(window: Rectangle) -> Shape:
    x, _ = window.centre
    above = curve(_divide(window), Ink())
    upper = Path(above.start, (*above.steps, ((window.right, window.top),), ((window.left, window.top),)), Ink())
    goat = Group(head(CAPTAIN), place_at(x, 28.4, size=0.88))
    return Group((goat,), clip=upper)
