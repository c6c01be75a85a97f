"""The PDF and the picture show the same."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.cards import CARDS, Card
from companion.core.mat import MAT
from companion.games.goat.printed.printed_card import CARD, back, front
from companion.games.goat.printed.printed_deck import back_picture, card_picture, write_deck
from companion.paper.pdf import PdfPage, to_pdf
from companion.paper.printed_mat import mat_picture, write_mat
from companion.paper.raster import Picture, rasterize
from companion.paper.shapes import (
    Group,
    Ink,
    Text,
    box,
    circle,
    line,
    mirror,
    place_at,
    rounded_box,
    smooth,
)

from ..kinds import mostly_slow
from .poppler import printed

FINE = 8
# OpenCV fills 0.04 mm too much all round; what lies 0.1 mm beside its place is far over this: see the last test.
ALIKE = 0.005


def differing(ours: Picture, theirs: Picture) -> float:
    """The share of pixels that differ by more than the edge of a shape may, averaged over 3 pixels."""
    height, width = min(ours.shape[0], theirs.shape[0]), min(ours.shape[1], theirs.shape[1])
    assert max(abs(a - b) for a, b in zip(ours.shape, theirs.shape, strict=True)) <= 1
    soft_ours = cv2.blur(ours[:height, :width], (3, 3)).astype(np.int16)
    soft_theirs = cv2.blur(theirs[:height, :width], (3, 3)).astype(np.int16)
    return float((np.abs(soft_ours - soft_theirs).max(axis=2) > 40).mean())


def test_every_shape_looks_the_same_printed_and_drawn(tmp_path: Path) -> None:
    """Fills, lines, curves, clips, turns, mirrors, and words whose capitals are as high."""
    red, thick = Ink((200, 30, 40)), Ink((250, 220, 60), (20, 30, 90), 1.2)
    blob = smooth([(0, -6), (5, 0), (2, 7), (-6, 3)], thick)
    inner = Group((blob, circle((5, 5), 3, red)), place_at(14, 12, turned=30, size=0.9))
    shapes = (
        box(MAT, Ink((240, 240, 240))),
        Group((inner, line([(0, 0), (20, 4), (9, 9)], thick)), place_at(10, 5)),
        Group((inner,), mirror(40), clip=circle((14, 12), 6, Ink())),
        rounded_box(CARD, 8, Ink(line=(0, 120, 60), width=0.5)),
    )
    path = tmp_path / "shapes.pdf"
    path.write_bytes(to_pdf([PdfPage(70, 90, shapes)], "shapes"))

    (page,) = printed(path, FINE)

    assert differing(rasterize(shapes, 70, 90, FINE), page) < ALIKE


def test_words_stand_in_the_same_place(tmp_path: Path) -> None:
    """The letters differ; their capitals' height and their baseline do not."""
    words = (Text("HHH", (5, 15), 10), Group((Text("HHH", (0, 5), 5),), place_at(5, 25, size=2)))
    path = tmp_path / "words.pdf"
    path.write_bytes(to_pdf([PdfPage(50, 40, words)], "words"))

    (page,) = printed(path, FINE)

    for seen in (page, rasterize(words, 50, 40, FINE)):
        for baseline in (15, 35):
            rows = np.flatnonzero(seen[(baseline - 12) * FINE : (baseline + 4) * FINE].min(axis=(1, 2)) < 100)
            top, bottom = (rows[[0, -1]] + (0, 1)) / FINE - 12
            assert (-7.2, 0.0) == pytest.approx((top, bottom), abs=0.5)
            assert 5.5 == pytest.approx(np.flatnonzero(seen.min(axis=(0, 2)) < 100)[0] / FINE, abs=0.8)


@pytest.mark.parametrize("card", mostly_slow(CARDS.values(), 4), ids=lambda card: f"{card.colour}-{card.boat}")
def test_every_card_is_printed_as_it_is_drawn(card: Card, tmp_path: Path) -> None:
    """What the companion's own picture of a card shows is what the family holds."""
    path = tmp_path / "card.pdf"
    path.write_bytes(to_pdf([PdfPage(CARD.width, CARD.height, (front(card.boat, card.colour),))], "card"))

    (page,) = printed(path, FINE)

    assert differing(card_picture(card.boat, card.colour, FINE), page) < ALIKE


def test_the_back_is_printed_as_it_is_drawn(tmp_path: Path) -> None:
    """So is the side that all of them share."""
    path = tmp_path / "back.pdf"
    path.write_bytes(to_pdf([PdfPage(CARD.width, CARD.height, (back(),))], "back"))

    (page,) = printed(path, FINE)

    assert differing(back_picture(FINE), page) < ALIKE


def test_the_mat_is_printed_as_it_is_drawn(tmp_path: Path) -> None:
    """Apart from the letters of the small print."""
    path = tmp_path / "mat.pdf"
    write_mat(path, "a3")

    (page,) = printed(path, 4)

    assert differing(mat_picture(4), page) < ALIKE


@pytest.mark.slow
def test_a_printer_finds_no_fault_with_the_whole_deck(tmp_path: Path) -> None:
    """All fourteen pages can be read by a stranger, and each has something on it."""
    path = tmp_path / "deck.pdf"
    write_deck(path, "letter")

    pages = printed(path, 1)

    assert 14 == len(pages)
    assert {(280, 216)} == {page.shape[:2] for page in pages}
    assert all(page.std() > 20 for page in pages)


def test_a_tenth_of_a_millimetre_would_be_seen() -> None:
    """The comparison that the others trust does tell a card from one that lies a little beside it."""
    card = front("ring", "pink")
    beside = rasterize([Group(card.shapes, place_at(0.1, 0))], CARD.width, CARD.height, FINE)

    assert differing(card_picture("ring", "pink", FINE), beside) > 2 * ALIKE
