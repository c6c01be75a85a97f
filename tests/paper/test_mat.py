"""The mat, whole and in pieces."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.mat import CELLS, GRID, MARKERS, MAT, PATCHES, Rectangle
from companion.paper.printed_mat import SEAM_X, SEAM_Y, SHEETS, MatPaper, Sheet, make_page, mat_picture, write_mat
from companion.paper.raster import Picture, rasterize

from ..kinds import mostly_slow

FINE = 4


def cut_out(seen: Picture, area: Rectangle, inwards: float = 1.0) -> Picture:
    left, top = round((area.left + inwards) * FINE), round((area.top + inwards) * FINE)
    return seen[top : round((area.bottom - inwards) * FINE), left : round((area.right - inwards) * FINE)]


def printed(sheet: Sheet) -> Picture:
    whole = make_page(sheet)
    return rasterize(whole.shapes, whole.width, whole.height, FINE)


def joined(paper: MatPaper) -> Picture:
    """The sheets cut at the seams and laid on each other, the last at the bottom."""
    table = np.full((round(MAT.height * FINE), round(MAT.width * FINE), 3), 255, np.uint8)
    for sheet in reversed(SHEETS[paper]):
        x, y = sheet.corner
        right = SEAM_X if sheet.shown.right < MAT.right else MAT.right
        bottom = SEAM_Y if sheet.shown.bottom < MAT.bottom else MAT.bottom
        left, top = max(x, 0), max(y, 0)
        seen = printed(sheet)[round((top - y) * FINE) : round((bottom - y) * FINE)]
        seen = seen[:, round((left - x) * FINE) : round((right - x) * FINE)]
        begin_y, begin_x = round(top * FINE), round(left * FINE)
        room = table[begin_y : begin_y + seen.shape[0], begin_x : begin_x + seen.shape[1]]
        room[:] = seen[: room.shape[0], : room.shape[1]]
    return table


def test_the_markers_are_found_where_they_are_promised() -> None:
    """By OpenCV's own detector, each the right way up and to a quarter of a millimetre."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))

    squares, numbers, _ = detector.detectMarkers(mat_picture(FINE))

    found = {int(number): np.asarray(square)[0] for number, square in zip(numbers.ravel(), squares, strict=True)}
    assert {0, 1, 2, 3} == set(found)
    for marker in MARKERS:
        expected = np.array(marker.square.corners) * FINE - 0.5
        assert np.abs(expected - found[marker.number]).max() < 0.25 * FINE


def test_the_markers_have_a_white_zone_about_them() -> None:
    """At least one of their squares wide, on all sides."""
    seen = mat_picture(FINE)
    for marker in MARKERS:
        wide = Rectangle.around(marker.square.centre, 48, 48)
        zone = cut_out(seen, wide, 0).copy()
        zone[5 * FINE : -5 * FINE, 5 * FINE : -5 * FINE] = 255
        assert 255 == zone.min()


def test_the_patches_are_white_grey_and_black() -> None:
    """Without any colour, to the last pixel."""
    seen = mat_picture(FINE)

    assert [{255}, {128}, {0}] == [set(cut_out(seen, patch.area).ravel().tolist()) for patch in PATCHES]


def test_the_cells_are_bare_and_their_outlines_thin() -> None:
    """Nothing within; grey, and no wider than a millimetre, about it."""
    seen = mat_picture(FINE)
    for cell in CELLS:
        assert 255 == cut_out(seen, cell).min()
    line = seen[round((GRID.top + 40) * FINE), round((GRID.left - 3) * FINE) : round((GRID.left + 3) * FINE), 0]
    assert 130 < line.min() < 230
    assert (line < 250).sum() <= FINE


def test_the_rulers_are_a_hundred_millimetres_long() -> None:
    """From the first tick to the last, in the picture."""
    seen = mat_picture(FINE)
    for x in (61, 361):
        rows = np.flatnonzero(seen[round(95 * FINE) : round(199.5 * FINE), x * FINE, 0] < 220) / FINE
        assert 100 == pytest.approx(rows[-1] - rows[0], abs=0.3)


@pytest.mark.parametrize("paper", mostly_slow(["a4", "letter", "a3"]))
def test_joined_sheets_make_the_whole_mat(paper: MatPaper) -> None:
    """Cut at the seams and laid on each other they show the same, but for seams and small print."""
    whole, table = mat_picture(FINE), joined(paper)
    told = np.abs(whole.astype(int) - table).max(axis=2) > 60
    for seam in (slice(None), round((SEAM_X - 2) * FINE)), (round((SEAM_Y - 2) * FINE), slice(None)):
        wide = tuple(slice(place, place + 4 * FINE) if isinstance(place, int) else place for place in seam)
        told[wide] = False
    # The small print at the sides; A3 has none to spare.
    told[round(209 * FINE) : round(233 * FINE), : round(72 * FINE)] = False
    told[round(209 * FINE) : round(233 * FINE), round(350 * FINE) :] = False

    assert 0 == told.sum()


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_home_printers_reach_all_that_matters(paper: MatPaper) -> None:
    """Within 6 mm of a page's edge there are only the pale lines that end there anyway."""
    for sheet in SHEETS[paper]:
        seen = printed(sheet)
        seen[6 * FINE : -6 * FINE, 6 * FINE : -6 * FINE] = 255
        assert seen.min() > 130


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_sheet_says_what_is_to_be_done_with_it(paper: MatPaper) -> None:
    """Its number, and a ruler of its own."""
    for number, sheet in enumerate(SHEETS[paper], 1):
        assert sheet.notes[0].startswith(f"Sheet {number} of {len(SHEETS[paper])}")
        assert sheet.ruler_at or (sheet.shown.top == 0 and sheet.shown.bottom > 203)


@pytest.mark.parametrize(("paper", "pages"), [("a3", 1), ("a4", 2), ("letter", 4)])
def test_the_file_has_the_pages_it_needs(paper: MatPaper, pages: int, tmp_path: Path) -> None:
    """One for A3, two for A4, four for letter; small enough for any mail."""
    path = tmp_path / "mat.pdf"

    write_mat(path, paper)

    file = path.read_bytes()
    assert b"/Count %d " % pages in file
    assert len(file) < 50_000
