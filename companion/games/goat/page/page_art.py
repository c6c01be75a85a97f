"""The printed deck's own boats, goats and signs as SVG, so that the page and the table show one world.

Everything stands once in the page as a definition and is only referred to from then on. A boat is drawn in colours
that the style sheet fills in (`--ground`, `--sea`, `--near`), so that four boats are enough for sixteen cards.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final

from markupsafe import Markup

from companion.games.goat.printed.boat_art import BOATS
from companion.games.goat.printed.goat_art import BATHER, CAPTAIN, CASTAWAY, RACER, Goat, head
from companion.games.goat.printed.printed_card import BACK, BACK_WAVES, CARD, CREAM, HORIZON, PANEL
from companion.games.goat.printed.suit_art import OUTLINE, SUITS, Suit, roundel
from companion.paper.shapes import (
    WHITE,
    Group,
    Ink,
    Path,
    Placement,
    Rgb,
    Shape,
    circle,
    place_at,
    polygon,
    rounded_box,
    smooth,
)

# No printer and no screen shows a difference of a twentieth of a millimetre on a card.
DIGITS: Final = 1
# Colours that occur nowhere else, each standing for what the style sheet knows.
_ANY: Final = Suit("any", (1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), lambda _colour, _detail: ())
_STANDS_FOR: Final[dict[Rgb, str]] = {
    _ANY.ground: "var(--ground)",
    _ANY.sky: "var(--sky)",
    _ANY.sea: "var(--sea)",
    _ANY.near: "var(--near)",
}
_WATER_AT: Final = place_at(0, HORIZON - 66.0)


def _goats() -> tuple[Goat, ...]:
    """One for each seat: the four of the deck, and two cousins of theirs."""
    night, dune = (74, 66, 80), (206, 160, 92)
    black = replace(BATHER, fur=night, muzzle=(176, 166, 176), beard=(236, 230, 226), horns=CASTAWAY.horns)
    sandy = replace(CASTAWAY, fur=dune, beard=(140, 96, 46), horns=BATHER.horns, beard_length=10, blaze=None)
    return (
        CAPTAIN,
        CASTAWAY,
        BATHER,
        RACER,
        replace(black, eyes=RACER.eyes, beard_length=9),
        replace(sandy, eyes=CAPTAIN.eyes),
    )


GOATS: Final = _goats()


def svg(shapes: tuple[Shape, ...]) -> Markup:
    return Markup("".join(_draw(shapes)))  # noqa: S704 - numbers and our own names, nothing that anybody typed


def _draw(shapes: tuple[Shape, ...]) -> Iterator[str]:
    for shape in shapes:
        if isinstance(shape, Path):
            yield f"<path {_ink(shape.ink)}d='{_course(shape)}'/>"
        elif isinstance(shape, Group):
            yield from _group(shape)
        else:
            raise TypeError("words are the page's, not the drawing's")


def _group(group: Group) -> Iterator[str]:
    named = _find_name(group)
    inside = (f"<use href='#{named}'/>",) if named else tuple(_draw(group.shapes))
    opened = f"<g{_write_transform(group.placed)}>"
    if group.clip is None:
        yield from (opened, *inside, "</g>")
        return
    course = _course(group.clip)
    name = f"c{sum(course.encode()) % 100_000}"
    yield from (opened, f"<clipPath id='{name}'><path d='{course}'/></clipPath>", f"<g clip-path='url(#{name})'>")
    yield from (*inside, "</g></g>")


def _find_name(group: Group) -> str | None:
    """A goat's head is drawn once, whoever wears what: what is worn follows it in the group."""
    return next((f"goat-{seat}" for seat, goat in enumerate(GOATS) if group.shapes == head(goat)), None)


def _write_transform(placed: Placement) -> str:
    if placed == Placement():
        return ""
    numbers = (placed.a, placed.b, placed.c, placed.d, placed.e, placed.f)
    return f" transform='matrix({' '.join(_number(value, 3) for value in numbers)})'"


def _ink(ink: Ink) -> str:
    fill = "" if ink.fill == OUTLINE else f"fill='{_colour(ink.fill)}' "
    return (
        fill if ink.line is None else f"{fill}stroke='{_colour(ink.line)}' stroke-width='{_number(ink.width, 2)}' "
    )


def _colour(colour: Rgb | None) -> str:
    if colour is None:
        return "none"
    return _STANDS_FOR.get(colour) or "#" + "".join(f"{part:02x}" for part in colour)


def _course(path: Path) -> str:
    parts = [f"M{_point(path.start)}"]
    parts += [("L" if len(step) == 1 else "C") + " ".join(_point(point) for point in step) for step in path.steps]
    return "".join(parts) + ("z" if path.closed else "")


def _point(point: tuple[float, float]) -> str:
    x, y = (_number(value, DIGITS) for value in point)
    return f"{x}{'' if y.startswith('-') else ' '}{y}"


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
    return "0" if text in ("-0", "") else text.replace("0.", ".", 1) if abs(value) < 1 else text


def _group_of(name: str, inside: str) -> str:
    return f"<g id='{name}'>{inside}</g>"


def _swell(level: float, high: float, long: float, colour: Rgb) -> Shape:
    left, right, bottom = PANEL.left - long, PANEL.right + long, PANEL.bottom + 2
    count = int((right - left) / (long / 2))
    crests = [(left + step * long / 2, level + (high if step % 2 else -high)) for step in range(count + 1)]
    return smooth([(left, bottom), *crests, (right, bottom)], Ink(colour, WHITE, 0.9))


@cache
def cards() -> Markup:
    """What a card is put together from: `paper`, `under-<colour>`, a boat, `over`, `sign-<colour>`; and `back`."""
    panel = rounded_box(PANEL, 3, Ink(_ANY.ground))
    clip = f"<clipPath id='panel'>{svg((replace(panel, ink=Ink(OUTLINE)),))}</clipPath>"
    sheet = rounded_box(replace(CARD), 3.5, Ink(WHITE))
    parts = [
        clip,
        _group_of("paper", svg((sheet, panel))),
        _group_of("swell", svg((_swell(HORIZON - 3, 1, 9, _ANY.sea),))),
        _group_of("near", svg((_swell(HORIZON + 8.4, 1.1, 10, _ANY.near),))),
        *(_group_of(boat, svg((Group(draw(_ANY), _WATER_AT),))) for boat, draw in BOATS.items()),
        *(_group_of(f"sign-{name}", svg((roundel(suit, 0, 0, 13),))) for name, suit in SUITS.items()),
        *(_pattern(suit) for suit in SUITS.values()),
        _group_of("back", _back()),
        _stacks(),
    ]
    return Markup("".join(parts))  # noqa: S704 - as above


def _pattern(suit: Suit) -> str:
    sign = suit.sign(suit.sky, suit.ground)
    twice = (Group(sign, place_at(4, 6, size=0.36)), Group(sign, place_at(11.5, 18, size=0.36)))
    tile = "width='15' height='24' patternUnits='userSpaceOnUse'"
    return f"<pattern id='sky-{suit.colour}' {tile}>{svg(twice)}</pattern>"


def _back() -> str:
    """Less of it than is printed: on the page a back is as big as a thumbnail."""
    window = replace(PANEL, left=13, top=14, width=37, height=60)
    goat = Group(head(CAPTAIN), place_at(CARD.centre[0], 42, size=0.88))
    shapes = (
        rounded_box(CARD, 3.5, Ink(BACK)),
        rounded_box(PANEL, 3, Ink(line=BACK_WAVES, width=2)),
        rounded_box(window, 9, Ink(CREAM, OUTLINE, 1.4)),
        goat,
    )
    return svg(shapes)


def _stacks() -> str:
    """What piles and decks are stacked from, a card at a time: no stack ever shows more than lies there."""
    berth = "<rect x='1.5' y='1.5' width='60' height='85' rx='4' class='berth'/>"
    lid = polygon([(4, 0), (56, 0), (50, -8), (10, -8)], Ink(BACK, OUTLINE, 1))
    goat = polygon([(22, -2.4), (38, -2.4), (36.4, -5.8), (23.6, -5.8)], Ink(CREAM))
    return "".join(
        (
            _group_of("edge", svg((rounded_box(CARD, 3.5, Ink(WHITE, OUTLINE, 0.7)),))),
            _group_of("berth", berth),
            "<rect id='edge-light' x='4' width='52' height='1.3' fill='#f6ecd8'/>",
            "<rect id='edge-dark' x='4' width='52' height='1.3' fill='#85796a'/>",
            _group_of("lid", svg((lid, goat))),
        )
    )


@cache
def goats() -> Markup:
    """A head for each seat, about the point between its eyes; and the lifebuoy that they are after."""
    heads = "".join(_group_of(f"goat-{seat}", "".join(_draw(head(goat)))) for seat, goat in enumerate(GOATS))
    return Markup(heads + _group_of("lifebuoy", _lifebuoy()))  # noqa: S704 - as above


def _lifebuoy() -> str:
    """About (0, 0), 27 in radius; its stripes and its hole take what colours the style sheet gives them."""
    stripes = "".join(f"<path class='stripe' d='{_course(_sector(turn))}'/>" for turn in (45, 135, 225, 315))
    outer, inner = _course(circle((0, 0), 27, Ink())), _course(circle((0, 0), 17, Ink()))
    return (
        f"<path class='ring' d='{outer}'/>{stripes}"
        f"<path class='hole' d='{inner}'/><path class='rim' d='{outer}{inner}'/>"
    )


def _sector(middle: float) -> Path:
    turns = [math.radians(middle + step) for step in range(-18, 19, 6)]
    outer = [(27 * math.cos(turn), 27 * math.sin(turn)) for turn in turns]
    inner = [(17 * math.cos(turn), 17 * math.sin(turn)) for turn in reversed(turns)]
    return polygon([*outer, *inner], Ink())
