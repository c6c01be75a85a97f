"""The deck on its sheets."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.cards import BOATS, CARDS, COLOURS
from companion.core.mat import CELL_SIDE
from companion.games.goat.printed.printed_card import BACK, CARD, front
from companion.games.goat.printed.printed_deck import (
    DeckPaper,
    back_picture,
    card_picture,
    deck,
    sheets,
    write_deck,
)
from companion.games.goat.printed.suit_art import SUITS
from companion.paper.pdf import PdfPage
from companion.paper.raster import Picture, rasterize
from companion.paper.shapes import Group, Rgb
from companion.paper.sheet import A4, LETTER

from ..kinds import mostly_slow

FINE = 2
FRONTS = {front(card.boat, card.colour): card for card in CARDS.values()}
Marked = NDArray[np.bool_]
PAPERS: list[DeckPaper] = ["a4", "letter"]


def printed(page: PdfPage) -> Picture:
    return rasterize(page.shapes, page.width, page.height, FINE)


def is_colour(seen: Picture, colour: Rgb) -> Marked:
    return np.asarray((np.abs(seen.astype(int) - colour[::-1]) < 6).all(axis=2))


def panels(seen: Picture) -> Marked:
    colours = [colour for suit in SUITS.values() for colour in (suit.ground, suit.near)]
    return np.any([is_colour(seen, colour) for colour in colours], axis=0)


def test_sixty_cards_in_all_sixteen_kinds() -> None:
    """As many of each boat as of each colour: fifteen."""
    cards = deck()

    assert 60 == len(cards)
    assert set(CARDS.values()) == set(cards)
    assert Counter({4: 12, 3: 4}) == Counter(Counter(cards).values())
    assert dict.fromkeys(BOATS, 15) == Counter(card.boat for card in cards)
    assert dict.fromkeys(COLOURS, 15) == Counter(card.colour for card in cards)


def test_a_card_fits_its_cell_of_the_mat() -> None:
    """Poker size; a picture of it is as large as it should be."""
    assert (63, 88) == (CARD.width, CARD.height)
    assert CELL_SIDE > CARD.height
    assert (352, 252, 3) == card_picture("raft", "pink", 4).shape == back_picture(4).shape


def test_the_border_is_bare_paper() -> None:
    """White all round, for the camera to measure the light by."""
    seen = card_picture("jetski", "orange", 8)
    seen[27:-27, 27:-27] = 255

    assert 255 == seen.min()


@pytest.mark.parametrize("paper", PAPERS)
def test_every_card_of_the_deck_is_on_a_sheet(paper: DeckPaper) -> None:
    """Six on the first, whose last row says how to print, and nine on each of the others."""
    fronts = sheets(paper)[::2]

    groups = [[shape for shape in page.shapes if isinstance(shape, Group)] for page in fronts]
    drawn = [[group.shapes[0] for group in page if group.shapes[0] in FRONTS] for page in groups]

    assert {{"a4": A4, "letter": LETTER}[paper]} == {(page.width, page.height) for page in sheets(paper)}
    assert [6, 9, 9, 9, 9, 9, 9] == [len(page) for page in drawn]
    assert Counter(deck()) == Counter(FRONTS[shape] for page in drawn for shape in page)


@pytest.mark.slow
@pytest.mark.parametrize("paper", mostly_slow(PAPERS))
def test_a_back_lies_behind_every_front(paper: DeckPaper) -> None:
    """Turned over along the long edge, and a millimetre beyond the outermost cards on every side."""
    for number in (0, 2):
        front_page, back_page = sheets(paper)[number : number + 2]
        fronts = np.argwhere(panels(printed(front_page))) / FINE
        backs = np.argwhere(is_colour(printed(back_page)[:, ::-1], BACK)) / FINE
        border = 3.5
        assert fronts.min(axis=0) - border - 1 == pytest.approx(backs.min(axis=0), abs=0.6)
        assert fronts.max(axis=0) + border + 1 == pytest.approx(backs.max(axis=0), abs=0.6)


@pytest.mark.parametrize("paper", mostly_slow(PAPERS))
def test_crop_marks_stand_outside_of_the_cards(paper: DeckPaper) -> None:
    """Four above, four below and four on either side, in line with the cuts; none of them touches a card."""
    page = sheets(paper)[2]
    seen = rasterize(page.shapes, page.width, page.height, 10)[:, :, 0] < 128
    top, left = round((page.height - 264) / 2 * 10), round((page.width - 189) / 2 * 10)

    for row in (top - 35, top + 2640 + 35):
        assert [left + 630 * column for column in range(4)] == pytest.approx(starts(seen[row]), abs=3)
    for column in (left - 35, left + 1890 + 35):
        assert [top + 880 * row for row in range(4)] == pytest.approx(starts(seen[:, column]), abs=3)
    assert not seen[top - 12 : top + 20, left - 12 : left + 1890 + 12].any()


def starts(dark: Marked) -> list[int]:
    return np.flatnonzero(dark[1:] & ~dark[:-1]).tolist()


@pytest.mark.parametrize("paper", PAPERS)
def test_the_file_is_small_and_complete(paper: DeckPaper, tmp_path: Path) -> None:
    """Fourteen pages, each kind of card stored once, asked for on both sides."""
    path = tmp_path / "deck.pdf"

    write_deck(path, paper)

    file = path.read_bytes()
    assert b"/Count 14 " in file
    assert 17 == file.count(b"/Subtype /Form /BBox") - rulers(file)
    assert b"/DuplexFlipLongEdge" in file
    assert len(file) < 600_000


def rulers(file: bytes) -> int:
    """A ruler is a group like a card; there is one."""
    return file.count(b"0 0 m\n100 0 l")
