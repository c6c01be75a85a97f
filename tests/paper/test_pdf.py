"""The PDF files: their structure, by the words of the format, and what a printer is asked for."""

import re
from pathlib import Path

import pytest

from companion.core.mat import Rectangle
from companion.games.goat.printed.printed_deck import write_deck
from companion.paper.pdf import PdfPage, to_pdf
from companion.paper.printed_mat import write_mat
from companion.paper.shapes import Group, Ink, Text, box, circle, line, place_at
from companion.paper.shapes import Path as Outline

SQUARE = Rectangle(10, 20, 30, 40)


def only(*shapes: Outline | Text | Group) -> bytes:
    return to_pdf([PdfPage(100, 200, shapes)], "one")


def test_the_table_at_the_end_says_where_each_object_begins() -> None:
    """Every entry points at the number it promises, and the last line but one at the table."""
    file = only(box(SQUARE, Ink((1, 2, 3))), Group((circle((0, 0), 5, Ink()),)))

    table = int(file.split(b"startxref\n")[1].split(b"\n")[0])
    entries = re.findall(rb"^(\d{10}) 00000 n $", file[table:], re.MULTILINE)

    assert file[table:].startswith(b"xref\n0 %d\n0000000000 65535 f \n" % (len(entries) + 1))
    assert b"/Size %d " % (len(entries) + 1) in file
    assert [b"%d 0 obj\n" % number for number in range(1, len(entries) + 1)] == [
        file[int(begin) :].split(b"<<")[0] for begin in entries
    ]


def test_a_stream_is_as_long_as_it_says() -> None:
    """A reader that trusts the length reads all of it."""
    file = only(box(SQUARE, Ink((1, 2, 3))), Group((line([(0, 0), (1, 1)], Ink()),)))

    said = [int(length) for length in re.findall(rb"/Length (\d+)", file)]
    true = [len(stream) for stream in re.findall(rb"\nstream\n(.*?)\nendstream", file, re.DOTALL)]

    assert 2 == len(said)
    assert said == true


def test_every_page_has_its_own_size() -> None:
    """In points: an A4 and an A3 page in one file."""
    file = to_pdf([PdfPage(210, 297, ()), PdfPage(420, 297, ())], "two")

    assert [b"595.276 841.890", b"1190.551 841.890"] == re.findall(rb"MediaBox \[0 0 ([0-9. ]+)\]", file)
    assert b"/Count 2" in file


def test_millimetres_from_the_top_become_points_from_the_bottom() -> None:
    """The page is turned over once; a square keeps its millimetres."""
    file = only(box(SQUARE, Ink((255, 0, 0), (0, 0, 255), 0.4)))

    assert b"2.834646 0 0 -2.834646 0 566.929 cm" in file
    assert b"1 0 0 rg\n0 0 1 RG 0.4 w\n10 20 m\n40 20 l\n40 60 l\n10 60 l\nh\nB" in file


def test_grey_is_printed_with_black_ink_alone() -> None:
    """The neutral patches are not mixed out of three colours."""
    file = only(box(SQUARE, Ink((128, 128, 128), (0, 0, 0), 1)), Text("a", (0, 0), 3))

    assert b"\n0.502 g\n0 G 1 w\n" in file
    assert b" rg" not in file


@pytest.mark.parametrize(
    ("ink", "operator"),
    [
        (Ink((1, 2, 3)), b"f"),
        (Ink(line=(1, 2, 3), width=1), b"S"),
        (Ink((1, 2, 3), (4, 5, 6), 1), b"B"),
        (Ink(), b"n"),
    ],
)
def test_each_ink_has_its_operator(ink: Ink, operator: bytes) -> None:
    """Filled, lined, both, or nothing at all."""
    assert b"l\nh\n" + operator + b"\nendstream" in only(box(SQUARE, ink))


def test_an_open_line_stays_open() -> None:
    """Nothing leads back to its beginning."""
    assert b"0 0 m\n1 1 l\nS" in only(line([(0, 0), (1, 1)], Ink(line=(0, 0, 0), width=1)))


def test_a_group_is_stored_once_however_often_it_is_placed() -> None:
    """Also over several pages; a different clip makes it another."""
    dot = circle((0, 0), 5, Ink((9, 9, 9)))
    placed = [Group((dot,), place_at(x, 0)) for x in (1, 2, 3)]
    clipped = Group((dot,), place_at(4, 0), clip=box(SQUARE, Ink()))

    file = to_pdf([PdfPage(10, 10, tuple(placed)), PdfPage(10, 10, (*placed, clipped))], "stamps")

    assert 2 == file.count(b"/Subtype /Form")
    assert 7 == file.count(b" Do Q")
    assert b"W n" in file


def test_a_group_within_a_group_is_placed_within_it() -> None:
    """Its matrix stands before its shapes; one that is not moved needs none."""
    dot = circle((0, 0), 5, Ink())

    file = only(Group((Group((dot,), place_at(3, 4)), Group((dot,)))))

    assert b"q 1 0 0 1 3 4 cm\n" in file
    assert b"\nq\n5 0 m" in file


def test_words_are_turned_over_and_escaped() -> None:
    """Brackets and backslashes are letters like others; an umlaut is one byte."""
    file = only(Group((Text("(a\\b) ä", (5, 6), 4, (255, 0, 0)),)))

    assert rb"BT 1 0 0 rg /F 4 Tf 1 0 0 -1 5 6 Tm (\(a\\b\) " + b"\xe4) Tj ET" in file
    assert b"/BaseFont /Helvetica /Encoding /WinAnsiEncoding" in file


def test_a_printer_is_asked_for_the_true_size() -> None:
    """And for both sides, turned about the long edge, where pages belong together."""
    assert b"/PrintScaling /None /Duplex /Simplex" in to_pdf([], "mat")
    assert b"/PrintScaling /None /Duplex /DuplexFlipLongEdge" in to_pdf([], "deck", both_sides=True)


def test_the_same_drawing_gives_the_same_bytes(tmp_path: Path) -> None:
    """No date, no chance."""
    for name in ("a", "b"):
        write_mat(tmp_path / f"{name}-mat.pdf", "a4")
        write_deck(tmp_path / f"{name}-deck.pdf", "a4")

    for kind in ("mat", "deck"):
        file = (tmp_path / f"a-{kind}.pdf").read_bytes()
        assert file == (tmp_path / f"b-{kind}.pdf").read_bytes()
        assert not re.search(rb"/ID|Date|\bD:", file)
