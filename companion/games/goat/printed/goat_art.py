"""The four goats of the printable deck, each with a character of its own.

A head is drawn about the point between the eyes, some 30 mm wide from ear to ear and 40 mm high from horn
to beard; the scenes in `boats` put it on a body.
"""

from dataclasses import dataclass

from companion.core.mat import Rectangle
from companion.games.goat.printed.suit_art import OUTLINE
from companion.paper.shapes import (
    WHITE,
    Group,
    Ink,
    Rgb,
    Shape,
    circle,
    complete_symmetric,
    curve,
    ellipse,
    line,
    mirror,
    polygon,
    rounded_box,
    smooth,
)

Part = tuple[Shape, ...]

PEN = 0.9
THIN = 0.65
PINK_SKIN: Rgb = (236, 190, 178)
HORN: Rgb = (226, 208, 170)


def make_ink(fill: Rgb) -> Ink:
    return Ink(fill, OUTLINE, PEN)


def stroke(width: float = PEN, colour: Rgb = OUTLINE) -> Ink:
    return Ink(line=colour, width=width)


def both(*shapes: Shape) -> Part:
    """What is drawn for the right-hand side, and the same again for the left."""
    return Group(shapes, mirror(0)), *shapes


@dataclass(frozen=True, slots=True)
class Goat:
    fur: Rgb
    muzzle: Rgb
    beard: Rgb
    horns: Part
    ears: Part
    eyes: Part
    beard_length: float
    blaze: Rgb | None = None


def head(goat: Goat, *worn: Shape) -> Part:
    """From back to front; what is worn comes last."""
    face = complete_symmetric([(0, -9.4), (6.2, -7.6), (7.9, -2.4), (6.6, 4.2), (5.6, 9.4), (3, 13), (0, 13.8)])
    return (
        *goat.horns,
        *goat.ears,
        _beard(goat),
        smooth(face, make_ink(goat.fur)),
        *((_blaze(goat.blaze),) if goat.blaze else ()),
        *_muzzle(goat),
        *goat.eyes,
        *_forelock(goat),
        *worn,
    )


def _beard(goat: Goat) -> Shape:
    long = goat.beard_length
    tip = (0.8, 12 + long)
    points = [(-3.6, 11.0), (-3.2, 12 + long * 0.45), (-1.2, 12 + long * 0.8), tip]
    right = [(1.8, 12 + long * 0.72), (3.0, 12 + long * 0.42), (3.6, 11.0)]
    return smooth([*points, *right], make_ink(goat.beard))


def _blaze(colour: Rgb) -> Shape:
    return smooth(complete_symmetric([(0, -8.6), (1.9, -6), (1.5, 0), (2.6, 6)]), Ink(colour))


def _muzzle(goat: Goat) -> Part:
    nostrils = both(ellipse((1.7, 7.2), 0.75, 0.95, Ink(OUTLINE)))
    smile = both(curve([(0, 9.6), (1.3, 11.0), (3.2, 10.5), (4.0, 9.2)], stroke(THIN)))
    return (
        ellipse((0, 8.9), 4.9, 4.1, Ink(goat.muzzle)),
        *nostrils,
        line([(0, 8.6), (0, 9.9)], stroke(THIN)),
        *smile,
    )


def _forelock(goat: Goat) -> Part:
    points = [
        (-3.4, -8.2),
        (-1.6, -11.4),
        (0.2, -10.2),
        (2.2, -11.6),
        (3.2, -8.4),
        (1.2, -6.4),
        (0.2, -4.2),
        (-1.4, -6.6),
    ]
    return (smooth(points, make_ink(goat.beard)),)


def _drooping_ears(fur: Rgb) -> Part:
    outer = [(6.0, -5.0), (10.6, -4.8), (14.4, -1.2), (14.6, 2.4), (11.0, 1.6), (6.8, -1.4)]
    inner = [(8.4, -3.4), (11.0, -2.8), (13.2, 0.2), (10.6, -0.2)]
    return both(smooth(outer, make_ink(fur)), smooth(inner, Ink(PINK_SKIN)))


def _pricked_ears(fur: Rgb) -> Part:
    outer = [(5.6, -6.0), (10.4, -9.2), (15.4, -9.6), (13.8, -5.8), (9.6, -3.0), (6.6, -2.6)]
    inner = [(8.4, -6.0), (11.0, -7.8), (13.6, -8.2), (11.2, -5.4)]
    return both(smooth(outer, make_ink(fur)), smooth(inner, Ink(PINK_SKIN)))


def _curved_horns() -> Part:
    """Up and out like a lyre."""
    horn = [(1.8, -7.6), (3.0, -13.4), (6.2, -18.4), (11.2, -20.6), (9.4, -17.0), (8.0, -13.0), (6.6, -7.0)]
    rings = (
        curve([(2.4, -11.2), (4.6, -10.9), (7.0, -9.9)], stroke(THIN)),
        curve([(3.6, -14.4), (5.6, -13.8), (7.8, -12.6)], stroke(THIN)),
        curve([(5.7, -17.4), (7.0, -16.8), (8.7, -15.6)], stroke(THIN)),
    )
    return both(smooth(horn, make_ink(HORN)), *rings)


def _rolled_horns() -> Part:
    """Round like a snail's house, as an old ram wears them."""
    return both(
        circle((9.0, -7.8), 6.6, make_ink(HORN)),
        curve(
            [(2.6, -8.6), (4.6, -13.0), (9.4, -12.9), (12.4, -9.0), (10.8, -5.0), (7.4, -5.4), (7.2, -8.4)],
            stroke(THIN),
        ),
        line([(6.0, -13.7), (7.2, -11.9)], stroke(THIN)),
        line([(12.4, -13.4), (11.4, -11.6)], stroke(THIN)),
        line([(15.4, -9.2), (13.0, -8.6)], stroke(THIN)),
    )


def _budding_horns() -> Part:
    return both(smooth([(1.8, -7.6), (2.4, -11.4), (4.4, -14.0), (5.8, -11.4), (6.0, -7.0)], make_ink(HORN)))


def _swept_horns() -> Part:
    """Straight and backwards, and the left one has met a rock."""
    right = [(1.6, -7.8), (3.2, -14.0), (6.4, -21.8), (7.2, -14.0), (6.4, -7.0)]
    left = [(-1.6, -7.8), (-2, -13), (-3.4, -15.4), (-4.4, -13.2), (-6.4, -14.8), (-6.6, -7.0)]
    rings = both(curve([(2.4, -10.6), (4.6, -10.2), (7.0, -9.8)], stroke(THIN)))
    return (
        smooth(right, make_ink(HORN)),
        polygon(left, make_ink(HORN)),
        *rings,
        curve([(3.2, -13.6), (5.0, -13.2), (7.2, -13.2)], stroke(THIN)),
        polygon([(-7, -10.9), (-2, -11.9), (-1.8, -9.7), (-6.8, -8.7)], Ink(PINK_SKIN, OUTLINE, THIN)),
    )


def _round_eyes() -> Part:
    """A goat's pupils lie down."""
    return both(
        ellipse((3.7, -1.6), 2.7, 2.9, Ink(WHITE, OUTLINE, THIN)),
        rounded_box(Rectangle.around((3.4, -1.2), 3.6, 2.4), 1.1, Ink(OUTLINE)),
        circle((4.3, -1.9), 0.55, Ink(WHITE)),
    )


def _old_eyes() -> Part:
    """Under brows that have seen the seven seas, and wonder still."""
    brow = smooth(
        [(1.4, -5.4), (3.6, -7.6), (6.4, -6.8), (8.4, -3.4), (5.8, -5.0), (3.6, -5.5)], Ink(WHITE, OUTLINE, 0.4)
    )
    return *_round_eyes(), *both(brow)


def _merry_eyes() -> Part:
    """Closed with laughing."""
    return both(
        curve([(1.8, -0.6), (2.7, -2.4), (4.6, -2.4), (5.5, -0.6)], stroke(1.0)),
        circle((5.4, 3.4), 1.5, Ink(PINK_SKIN)),
    )


def _sunglasses() -> Part:
    glass = smooth([(0.9, -3.6), (4.6, -4.0), (7.4, -3.2), (6.6, 0.6), (3.6, 1.4), (1.2, -0.4)], Ink(OUTLINE))
    return (
        *both(glass, line([(2.6, -2.4), (3.9, -0.6)], stroke(0.6, WHITE))),
        line([(-1.4, -2.8), (1.4, -2.8)], stroke(1.3)),
    )


WHITE_FUR: Rgb = (250, 246, 236)
BROWN_FUR: Rgb = (166, 128, 98)
GREY_FUR: Rgb = (116, 116, 124)
CAPTAIN = Goat(
    fur=WHITE_FUR,
    muzzle=(238, 224, 206),
    beard=WHITE_FUR,
    horns=_rolled_horns(),
    ears=_drooping_ears(WHITE_FUR),
    eyes=_old_eyes(),
    beard_length=11,
)
CASTAWAY = Goat(
    fur=BROWN_FUR,
    muzzle=(226, 204, 180),
    beard=(110, 80, 60),
    horns=_curved_horns(),
    ears=_drooping_ears(BROWN_FUR),
    eyes=_merry_eyes(),
    beard_length=7,
    blaze=(240, 228, 210),
)
BATHER = Goat(
    fur=GREY_FUR,
    muzzle=(214, 212, 214),
    beard=(74, 72, 80),
    horns=_budding_horns(),
    ears=_pricked_ears(GREY_FUR),
    eyes=_sunglasses(),
    beard_length=4.2,
)
RACER = Goat(
    fur=WHITE_FUR,
    muzzle=(232, 214, 204),
    beard=(58, 50, 60),
    horns=_swept_horns(),
    ears=_pricked_ears(WHITE_FUR),
    eyes=_round_eyes(),
    beard_length=5.6,
)


def hoof(x: float, y: float) -> Shape:
    horn = rounded_box(Rectangle.around((x, y), 5.6, 4.4), 1.6, make_ink((62, 54, 66)))
    return Group((horn, line([(x, y + 0.4), (x, y + 2.2)], stroke(THIN, (200, 196, 200)))))
