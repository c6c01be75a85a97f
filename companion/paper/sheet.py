"""What every printed sheet needs: its size, a ruler that shows whether the printer has scaled it, small print."""

from collections.abc import Sequence
from typing import Literal

from companion.core.mat import Point
from companion.paper.shapes import BLACK, Group, Ink, Rgb, Shape, Text, line, place_at

DeckPaper = Literal["a4", "letter"]
Size = tuple[float, float]
A3: Size = (420.0, 297.0)
A4: Size = (210.0, 297.0)
LETTER: Size = (215.9, 279.4)

RULER = 100
HAIR: Rgb = (150, 150, 150)
SMALL_PRINT = 3.4


def ruler(begin: Point, *, upright: bool = False) -> Group:
    """Its ticks stand 10 mm apart; it is there to be held against a real one."""
    pen = Ink(line=BLACK, width=0.25)
    ticks: list[Shape] = [line([(0, 0), (RULER, 0)], pen)]
    ticks += [line([(mm, 0), (mm, -3.2 if mm % 50 == 0 else -1.8)], pen) for mm in range(0, RULER + 1, 10)]
    return Group(tuple(ticks), place_at(*begin, turned=90 if upright else 0))


def small_print(lines: Sequence[str], begin: Point) -> tuple[Text, ...]:
    x, y = begin
    return tuple(Text(words, (x, y + row * SMALL_PRINT * 1.35), SMALL_PRINT) for row, words in enumerate(lines))


def dashes(begin: Point, end: Point) -> Group:
    """Where the scissors go: 2 mm of line, 2 mm of paper; upright or level."""
    (left, top), (right, bottom) = begin, end
    pen = Ink(line=HAIR, width=0.25)
    if left == right:
        pairs = [((left, y), (left, min(y + 2, bottom))) for y in _every_4_mm(top, bottom)]
    else:
        pairs = [((x, top), (min(x + 2, right), top)) for x in _every_4_mm(left, right)]
    return Group(tuple(line(pair, pen) for pair in pairs))


def _every_4_mm(begin: float, end: float) -> list[float]:
    return [begin + 4 * step for step in range(int((end - begin) / 4) + 1)]
