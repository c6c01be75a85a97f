"""The mat on paper: in one piece, or in several for the printers that people have at home."""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path as File
from typing import Literal

import cv2

from companion.core.mat import (
    CELLS,
    GRID,
    MARKER_BITS,
    MARKER_SIDE,
    MARKERS,
    MAT,
    PATCHES,
    Marker,
    Point,
    Rectangle,
)
from companion.files import write_whole
from companion.paper.pdf import PdfPage, to_pdf
from companion.paper.raster import Picture, rasterize
from companion.paper.shapes import BLACK, WHITE, Group, Ink, Shape, Text, box, line, place_at
from companion.paper.sheet import A3, A4, HAIR, LETTER, RULER, Size, dashes, ruler, small_print

MatPaper = Literal["a3", "a4", "letter"]

THIN = Ink(line=HAIR, width=0.4)
HAIRLINE = Ink(line=HAIR, width=0.2)
# The upright seam runs through the middle cells, away from all that is measured; the other between patches and
# markers.
SEAM_X, SEAM_Y = 210.0, 214.0
# How far a sheet is printed beyond its seam, so that a crooked cut does not show.
BEYOND = 3.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page as it lies on the mat; everything is measured on the mat, not on the page."""

    corner: Point
    size: Size
    shown: Rectangle
    cuts: tuple[tuple[Point, Point], ...] = ()
    """What is cut off, before this sheet is laid over its neighbours."""
    meets: tuple[tuple[Point, Point], ...] = ()
    """Where a neighbour's cut edge comes to lie on this one."""
    notes: tuple[str, ...] = ()
    notes_at: Point = (0.0, 0.0)
    ruler_at: Point | None = None


def mat_picture(pixels_per_mm: float) -> Picture:
    """The mat as a perfect camera straight above would see it."""
    return rasterize(mat_shapes(), MAT.width, MAT.height, pixels_per_mm)


def write_mat(path: File, paper: MatPaper) -> None:
    """Write the mat as a PDF of as many sheets as that paper needs."""
    write_whole(path, to_pdf([make_page(sheet) for sheet in SHEETS[paper]], "The mat of the table companion"))


def mat_shapes() -> tuple[Shape, ...]:
    """Everything printed on the mat, in its millimetres."""
    shapes: list[Shape] = [box(cell, THIN) for cell in CELLS]
    for patch in PATCHES:
        grey = round(255 * patch.white)
        shapes.append(box(patch.area, Ink((grey, grey, grey))))
        if patch.white == 1:
            shapes.append(box(patch.area, HAIRLINE))
    for marker in MARKERS:
        shapes += _draw_marker(marker)
    top = MAT.centre[1] - RULER / 2
    for x in (60.0, 360.0):
        shapes += [ruler((x, top), upright=True), Text(f"{RULER} mm", (x - 5.5, top + RULER + 4.5), 3)]
    return *shapes, *small_print(("Print at 100 %, on matt paper.", "Both rulers: exactly 100 mm."), (16, 80))


def _draw_marker(marker: Marker) -> list[Shape]:
    """Its white squares in rows and again in columns: no seam is left where two of them touch."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    bits = cv2.aruco.generateImageMarker(dictionary, marker.number, MARKER_BITS)
    side, left, top = MARKER_SIDE / MARKER_BITS, marker.square.left, marker.square.top
    shapes: list[Shape] = [box(marker.square, Ink(BLACK))]
    for place in range(MARKER_BITS):
        for begin, long in _white_runs([int(bit) for bit in bits[place]]):
            shapes.append(box(Rectangle(left + begin * side, top + place * side, long * side, side), Ink(WHITE)))
        for begin, long in _white_runs([int(bit) for bit in bits[:, place]]):
            shapes.append(box(Rectangle(left + place * side, top + begin * side, side, long * side), Ink(WHITE)))
    return shapes


def _white_runs(bits: list[int]) -> list[tuple[int, int]]:
    runs = [(bit, [place for place, _ in run]) for bit, run in groupby(enumerate(bits), lambda each: each[1])]
    return [(places[0], len(places)) for bit, places in runs if bit]


def make_page(sheet: Sheet) -> PdfPage:
    """The part of the mat that this sheet shows, with its cutting lines, notes and ruler."""
    x, y = sheet.corner
    whole = (
        Group(mat_shapes(), clip=box(sheet.shown, Ink())),
        *(dashes(*cut) for cut in sheet.cuts),
        *(line(edge, HAIRLINE) for edge in sheet.meets),
        *((ruler(sheet.ruler_at),) if sheet.ruler_at else ()),
        *small_print(sheet.notes, sheet.notes_at),
    )
    return PdfPage(*sheet.size, (Group(whole, place_at(-x, -y)),))


def _area(left: float, top: float, right: float, bottom: float) -> Rectangle:
    return Rectangle(left, top, right - left, bottom - top)


def _upright(top: float, bottom: float) -> tuple[Point, Point]:
    return (SEAM_X, top), (SEAM_X, bottom)


def _level(left: float, right: float) -> tuple[Point, Point]:
    return (left, SEAM_Y), (right, SEAM_Y)


OVER_X, UNDER_X = SEAM_X + BEYOND, SEAM_X - BEYOND
OVER_Y, UNDER_Y = SEAM_Y + BEYOND, SEAM_Y - BEYOND
# Beyond the outermost lines of the grid there is room for the marks only.
MARKS_TOP, MARKS_BOTTOM = GRID.top - 5, GRID.bottom + 5

IN_ONE = (Sheet((0, 0), A3, MAT),)
ON_TWO_A4 = (
    Sheet(
        (8, 0),
        A4,
        _area(0, 0, OVER_X, MAT.bottom),
        cuts=(_upright(0, MAT.bottom),),
        notes=(
            "Sheet 1 of 2. Cut along the",
            "dashes, lay this edge on the",
            "line of sheet 2 so that the",
            "grid meets, and glue.",
        ),
        notes_at=(16, 214),
    ),
    Sheet(
        (202, 0),
        A4,
        _area(UNDER_X, 0, MAT.right, MAT.bottom),
        meets=(_upright(MARKS_TOP, MARKS_BOTTOM),),
        notes=(
            "Sheet 2 of 2. Sheet 1 lies on",
            "top, up to the thin line.",
            "Then the cells in the middle",
            "are 92 mm wide too.",
        ),
        notes_at=(357, 214),
    ),
)
ON_FOUR_LETTERS = (
    Sheet(
        (4, 0),
        LETTER,
        _area(0, 0, OVER_X, OVER_Y),
        cuts=(_upright(0, SEAM_Y), _level(0, SEAM_X)),
        notes=(
            "Sheet 1 of 4, top left. Cut along both lines of dashes, lay it on sheet 2",
            "so that the grid meets at the thin line, and glue.",
        ),
        notes_at=(16, 230),
    ),
    Sheet(
        (200, 0),
        LETTER,
        _area(UNDER_X, 0, MAT.right, OVER_Y),
        cuts=(_level(200, MAT.right),),
        meets=(_upright(MARKS_TOP, SEAM_Y),),
        notes=("Sheet 2 of 4, top right. Cut along the dashes;", "sheet 1 lies on top, up to the thin line."),
        notes_at=(216, 230),
    ),
    Sheet(
        (4, 196),
        LETTER,
        _area(0, UNDER_Y, OVER_X, MAT.bottom),
        cuts=(_upright(196, 196 + LETTER[1]),),
        meets=(_level(10.5, OVER_X),),
        notes=(
            "Sheet 3 of 4, bottom left. Cut along the dashes, lay it on sheet 4 so that the",
            "grid meets, and glue; then lay sheets 1 and 2 on top, up to the thin line.",
            "The white below the grid may be cut off. This ruler is 100 mm long:",
        ),
        notes_at=(16, 310),
        ruler_at=(16, 330),
    ),
    Sheet(
        (200, 196),
        LETTER,
        _area(UNDER_X, UNDER_Y, MAT.right, MAT.bottom),
        meets=(_upright(UNDER_Y, MARKS_BOTTOM), _level(UNDER_X, MAT.right - 10.5)),
        notes=(
            "Sheet 4 of 4, bottom right. All the others lie on top, up to the thin lines;",
            "then every cell is 92 mm wide and high.",
            "This ruler is 100 mm long:",
        ),
        notes_at=(216, 310),
        ruler_at=(216, 330),
    ),
)
SHEETS: dict[MatPaper, tuple[Sheet, ...]] = {"a3": IN_ONE, "a4": ON_TWO_A4, "letter": ON_FOUR_LETTERS}
