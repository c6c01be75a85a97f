"""Shapes as pictures."""

import numpy as np
import pytest

from companion.core.mat import Rectangle
from companion.paper.raster import Picture, rasterize
from companion.paper.shapes import BLACK, WHITE, Group, Ink, Text, box, circle, line, mirror, place_at

RED = (250, 10, 20)
INKED = Ink(BLACK)


def darkness(seen: Picture) -> float:
    """In pixels."""
    return float((255 - seen[:, :, 0].astype(float)).sum() / 255)


@pytest.mark.parametrize("pixels_per_mm", [0.5, 1, 60 / 63, 4, 16, 40])
def test_an_area_weighs_what_it_measures(pixels_per_mm: float) -> None:
    """However coarse the picture; edges count by the share that they cover."""
    seen = rasterize([box(Rectangle(3.3, 4.7, 10.4, 5.2), INKED)], 20, 20, pixels_per_mm)

    assert 10.4 * 5.2 == pytest.approx(darkness(seen) / pixels_per_mm**2, rel=0.03)


def test_a_shape_lies_where_it_is_said_to() -> None:
    """To a tenth of a pixel, at one pixel a millimetre."""
    seen = 255.0 - rasterize([circle((12.3, 7.6), 4, INKED)], 30, 20, 1)[:, :, 0]
    y, x = np.indices(seen.shape) + 0.5

    assert (12.3, 7.6) == pytest.approx(((x * seen).sum() / seen.sum(), (y * seen).sum() / seen.sum()), abs=0.1)


@pytest.mark.parametrize("width", [0.4, 1.0])
def test_a_thin_line_keeps_its_weight(width: float) -> None:
    """A line of less than a pixel grows faint and not thick."""
    seen = rasterize([line([(5, 10.2), (35, 10.2)], Ink(line=BLACK, width=width))], 40, 20, 1)

    assert 30 * width == pytest.approx(darkness(seen), rel=0.25)


def test_colours_come_in_opencvs_order() -> None:
    """Blue, green, red."""
    seen = rasterize([box(Rectangle(0, 0, 5, 5), Ink(RED))], 4, 4, 1)

    assert [20, 10, 250] == seen[2, 2].tolist()


def test_the_paper_is_white() -> None:
    """And as large as was asked for, to the nearest pixel; even of next to nothing there is one."""
    assert (88, 63, 3) == rasterize([], 63, 88, 1).shape
    assert (84, 60, 3) == rasterize([], 63, 88, 60 / 63).shape
    assert [[list(WHITE)]] == rasterize([], 0.1, 0.1, 1).tolist()


def test_a_clip_shows_only_what_lies_within() -> None:
    """What was there before stays outside of it; the clip is moved with its group."""
    below = box(Rectangle(0, 0, 20, 20), Ink(RED))
    clipped = Group(
        (box(Rectangle(-9, 0, 20, 20), INKED),), place_at(10, 0), clip=box(Rectangle(-4, 0, 8, 20), Ink())
    )

    seen = rasterize([below, clipped], 20, 20, 1)

    assert [RED[::-1], BLACK, BLACK, RED[::-1]] == [tuple(seen[10, x].tolist()) for x in (4, 7, 12, 15)]


def test_a_clip_beside_the_picture_shows_nothing() -> None:
    """It is no error to place something outside."""
    everywhere = box(Rectangle(-90, -90, 200, 200), INKED)

    for x, y in ((-50, 0), (50, 0), (0, -50), (0, 50)):
        clip = box(Rectangle(x, y, 20, 20), Ink())
        assert 255 == rasterize([Group((everywhere,), clip=clip)], 20, 20, 2).min()


def test_a_mirrored_group_is_the_picture_turned_over() -> None:
    """Left and right change places, nothing else."""
    shape = line([(2, 2), (6, 9), (3, 14)], Ink(line=BLACK, width=2))

    plain, turned = rasterize([shape], 20, 20, 4), rasterize([Group((shape,), mirror(10))], 20, 20, 4)

    assert np.abs(plain[:, ::-1].astype(int) - turned).max() < 60


def test_words_begin_at_their_point() -> None:
    """Nothing of them lies left of it or, for capitals, below."""
    seen = rasterize([Text("HELLO", (10, 20), 8)], 60, 30, 4)[:, :, 0] < 128
    rows, columns = np.flatnonzero(seen.any(axis=1)) / 4, np.flatnonzero(seen.any(axis=0)) / 4

    assert 20 == pytest.approx(rows[-1], abs=0.6)
    assert 8 * 0.718 == pytest.approx(rows[-1] - rows[0], abs=0.7)
    assert 10 <= columns[0] < 12
