"""The printable deck on sheets of nine: fronts and backs in turn, to be printed on both sides and cut apart.

Cards touch, so that one cut frees two of them. The first sheet holds only six: where the last row would be it
says how to print, and shows with a ruler whether the printer kept to it, before the other sheets are wasted.
"""

from itertools import pairwise
from pathlib import Path as File

from companion.core.cards import BOATS, COLOURS, Card
from companion.core.mat import Point, Rectangle
from companion.files import write_whole
from companion.games.goat.printed.printed_card import BACK, CARD, CORNER, back, front
from companion.games.goat.rules.events import ALL_CARDS
from companion.paper.pdf import PdfPage, to_pdf
from companion.paper.raster import Picture, rasterize
from companion.paper.shapes import BLACK, QUARTER, Group, Ink, Path, Shape, box, line, place_at
from companion.paper.sheet import A4, HAIR, LETTER, DeckPaper, Size, ruler, small_print

SIZES: dict[DeckPaper, Size] = {"a4": A4, "letter": LETTER}

ACROSS, DOWN = 3, 3
ON_A_SHEET, ON_THE_FIRST = 9, 6
BLEED = 1.0
NOTES = (
    "Print this sheet first, at 100 %, on both sides, turned over along the long edge.",
    "The ruler is 100 mm long, and the backs lie behind the fronts? Then print the others.",
    "Cut along the marks and round the corners.",
)


def card_picture(boat: str, colour: str, pixels_per_mm: float) -> Picture:
    return rasterize([front(boat, colour)], CARD.width, CARD.height, pixels_per_mm)


def back_picture(pixels_per_mm: float) -> Picture:
    return rasterize([back()], CARD.width, CARD.height, pixels_per_mm)


def deck() -> tuple[Card, ...]:
    """Four of a kind, but three where boat and colour have the same number: so 15 of each boat and each colour."""
    kinds = [(place, other) for place in range(len(BOATS)) for other in range(len(COLOURS))]
    return tuple(Card(BOATS[boat], COLOURS[colour]) for boat, colour in kinds for _ in range(3 + (boat != colour)))


def write_deck(path: File, paper: DeckPaper) -> None:
    write_whole(path, to_pdf(sheets(paper), "The goats' deck of the table companion", both_sides=True))


def sheets(paper: DeckPaper) -> tuple[PdfPage, ...]:
    cards = deck()
    begins = [0, *range(ON_THE_FIRST, ALL_CARDS, ON_A_SHEET), ALL_CARDS]
    return tuple(page for begin, end in pairwise(begins) for page in _sheet(cards[begin:end], SIZES[paper]))


def _sheet(cards: tuple[Card, ...], size: Size) -> tuple[PdfPage, PdfPage]:
    """The back of a card lies behind it when the sheet is turned over like the page of a book."""
    left, top = (size[0] - ACROSS * CARD.width) / 2, (size[1] - DOWN * CARD.height) / 2
    fronts: list[Shape] = []
    rows = -(-len(cards) // ACROSS)
    behind = Rectangle(left - BLEED, top - BLEED, ACROSS * CARD.width + 2 * BLEED, rows * CARD.height + 2 * BLEED)
    backs: list[Shape] = [box(behind, Ink(BACK))]
    for place, card in enumerate(cards):
        x, y = left + place % ACROSS * CARD.width, top + place // ACROSS * CARD.height
        fronts += [Group((front(card.boat, card.colour), *_corners()), place_at(x, y))]
        backs += [Group((back(),), place_at(size[0] - x - CARD.width, y))]
    fronts += _crop_marks((left, top), rows)
    if rows < DOWN:
        below = top + rows * CARD.height
        fronts += [*small_print(NOTES, (left, below + 20)), ruler((left, below + 46))]
    return PdfPage(*size, tuple(fronts)), PdfPage(*size, tuple(backs))


def _corners() -> list[Path]:
    """Hairlines for whoever rounds the corners."""
    arcs: list[Path] = []
    for x, inward in ((0.0, 1), (CARD.width, -1)):
        for y, downward in ((0.0, 1), (CARD.height, -1)):
            across, down = CORNER * inward, CORNER * downward
            handles = (x, y + down * (1 - QUARTER)), (x + across * (1 - QUARTER), y)
            arcs.append(
                Path((x, y + down), ((*handles, (x + across, y)),), Ink(line=HAIR, width=0.1), closed=False)
            )
    return arcs


def _crop_marks(begin: Point, rows: int) -> list[Shape]:
    left, top = begin
    right, bottom = left + ACROSS * CARD.width, top + rows * CARD.height
    pen = Ink(line=BLACK, width=0.2)
    marks: list[Shape] = []
    for column in range(ACROSS + 1):
        x = left + column * CARD.width
        marks += [line([(x, y + 1.5 * away), (x, y + 5.5 * away)], pen) for y, away in ((top, -1), (bottom, 1))]
    for row in range(rows + 1):
        y = top + row * CARD.height
        marks += [line([(x + 1.5 * away, y), (x + 5.5 * away, y)], pen) for x, away in ((left, -1), (right, 1))]
    return marks
