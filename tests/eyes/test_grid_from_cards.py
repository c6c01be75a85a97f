"""The grid on a bare table, found from nine cards laid out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from companion.core.cards import Card
from companion.core.mat import CELL_SIDE, CELLS, GRID
from companion.drawn.drawn_camera import Lens
from companion.drawn.drawn_card import DrawnCard
from companion.drawn.drawn_lot import light_by_lot, sensor_by_lot
from companion.drawn.drawn_surface import Surface
from companion.drawn.painter import Pile, Scene
from companion.eyes.deck.card_samples import cut_samples, deck_from_samples
from companion.eyes.deck.taught_deck import TaughtDeck
from companion.eyes.grid.grid_from_cards import NoGrid, find_cards_grid
from companion.eyes.grid.grid_from_mat import Found, Grid, grid_at_corners

from ..kinds import mostly_slow
from ..remembered import paint
from .lessons import faces, laid_out

TOLERATED_MM = 12.0
LENS = Lens(above=720.0, tilt=6.0, tilt_towards=30.0, turn=3.0, bend=0.02)
WOOD, GINGHAM, PLAIN = Surface("wood", 4), Surface("gingham", 2), Surface("plain", 1)
NINE = range(9)


@cache
def deck_of(name: str) -> TaughtDeck:
    laid = laid_out(name, mat=False)
    samples = [
        sample
        for picture, labels in zip(laid.pictures, laid.labels.values(), strict=True)
        for sample in cut_samples(
            picture,
            grid_at_corners(labels["corners"]),
            [None if cell is None else Card(cell["boat"], cell["colour"]) for cell in labels["cells"]],
        )
    ]
    return deck_from_samples(name, samples, Found.CORNERS)


@dataclass(frozen=True)
class Table:
    picture: MatLike
    corners: Sequence[tuple[float, float]]


def messily(name: str, cells: Sequence[int] = NINE, seed: int = 1) -> tuple[Pile, ...]:
    """A card in each of these cells, up to 10 mm and 10 degrees off, some turned by a quarter or a half."""
    chance = np.random.default_rng(seed)
    printed = [faces(name)[key] for key in sorted(faces(name))]
    piles: list[Pile] = []
    for cell, number in zip(NINE, chance.permutation(len(printed)), strict=False):
        x, y = CELLS[cell].centre + chance.uniform(-10, 10, 2)
        turn = float(chance.choice([0, 0, 180, 90, 270]) + chance.uniform(-10, 10))
        piles.append((DrawnCard(printed[int(number)], float(x), float(y), turn),) if cell in cells else ())
    return tuple(piles)


def drawn(
    piles: tuple[Pile, ...] = ((),) * 9,
    *,
    beside: Pile = (),
    light: str = "neutral",
    surface: Surface = WOOD,
    lens: Lens = LENS,
) -> Table:
    lamps = light_by_lot(light, 5)
    scene = Scene(lamps, surface, mat=False, lens=lens, sensor=sensor_by_lot(lamps, 5), piles=piles, beside=beside)
    picture, truth = paint(scene)
    return Table(picture, truth.corners)


def astray_mm(found: Grid | NoGrid, table: Table, quarters: int = 0) -> float:
    """By how much the worst corner is wrong, if the grid's top is taken so many quarter turns further."""
    assert isinstance(found, Grid)
    there = cv2.perspectiveTransform(np.array([table.corners], np.float64), np.asarray(found.to_mm))[0]
    return float(np.linalg.norm(np.roll(GRID.corners, quarters, axis=0) - there, axis=1).max())


@pytest.mark.parametrize(
    ("name", "light", "surface"),
    mostly_slow(
        [
            ("harbour", "ceiling", GINGHAM),
            ("paper", "window", PLAIN),
            ("night", "evening", WOOD),
            ("mirror", "neutral", GINGHAM),
        ]
    ),
)
def test_the_grid_lies_where_nine_cards_do(name: str, light: str, surface: Surface) -> None:
    """Nine cards, each up to a centimetre off its place, show all four corners to twelve millimetres."""
    table = drawn(messily(name), light=light, surface=surface)
    found = find_cards_grid(table.picture, deck_of(name))
    assert isinstance(found, Grid)
    assert Found.CORNERS is found.found
    assert astray_mm(found, table) < TOLERATED_MM


@pytest.mark.parametrize("quarters", mostly_slow([1, 2, 3]))
def test_the_top_is_the_side_nearest_to_the_picture_s(quarters: int) -> None:
    """However the camera stands round the table, the grid is as upright in the picture as it can be."""
    table = drawn(messily("harbour"), lens=replace(LENS, turn=90.0 * quarters - 5))
    assert astray_mm(find_cards_grid(table.picture, deck_of("harbour")), table, quarters) < TOLERATED_MM


@pytest.mark.slow
@pytest.mark.parametrize(("above", "tilt", "towards"), mostly_slow([(880.0, 10.0, 290.0), (580.0, 2.0, 200.0)]))
def test_height_and_tilt_need_not_be_known(above: float, tilt: float, towards: float) -> None:
    """A camera near the table, or far from it and tilted, makes no difference."""
    lens = replace(LENS, above=above, tilt=tilt, tilt_towards=towards)
    table = drawn(messily("carnival", seed=2), lens=lens)
    assert astray_mm(find_cards_grid(table.picture, deck_of("carnival")), table) < TOLERATED_MM


@pytest.mark.slow
def test_the_plane_is_known_better_than_the_cards_lie() -> None:
    """Cards that lie exactly in their cells' middles show the corners to four millimetres, however tilted."""
    straight = tuple(
        tuple(replace(card, x=cell.centre[0], y=cell.centre[1]) for card in pile)
        for pile, cell in zip(messily("harbour"), CELLS, strict=True)
    )
    table = drawn(straight, lens=replace(LENS, tilt=10.0))
    assert astray_mm(find_cards_grid(table.picture, deck_of("harbour")), table) < 4


@pytest.mark.parametrize("wide", mostly_slow([640, 2560]))
def test_a_picture_may_be_of_any_size(wide: int) -> None:
    """Half as many pixels each way, or twice as many, are as good."""
    lens = replace(LENS, width=wide, height=wide * 3 // 4)
    table = drawn(messily("harbour"), lens=lens)
    assert astray_mm(find_cards_grid(table.picture, deck_of("harbour")), table) < TOLERATED_MM


@pytest.mark.slow
@pytest.mark.parametrize("missing", mostly_slow([4, 8]))
def test_eight_cards_are_no_grid(missing: int) -> None:
    """A place left empty, in the middle or at a corner, is said instead of guessed."""
    for surface in (WOOD, GINGHAM):
        table = drawn(messily("mirror", [cell for cell in NINE if cell != missing]), surface=surface)
        assert NoGrid.TOO_FEW is find_cards_grid(table.picture, deck_of("mirror"))


@pytest.mark.parametrize("surface", mostly_slow([GINGHAM, WOOD, PLAIN]))
def test_an_empty_table_is_no_grid(surface: Surface) -> None:
    """Nothing printed on the table passes for cards."""
    assert NoGrid.NOWHERE is find_cards_grid(drawn(surface=surface).picture, deck_of("paper"))


def test_another_deck_s_cards_are_no_grid() -> None:
    """Nine cards that were never taught are none of the nine."""
    assert NoGrid.NOWHERE is find_cards_grid(drawn(messily("night")).picture, deck_of("harbour"))


@pytest.mark.slow
def test_a_heap_is_no_grid() -> None:
    """Cards thrown on the table are not taken for laid out."""
    chance = np.random.default_rng(3)
    heap = tuple(
        DrawnCard(
            face, float(chance.normal(210, 45)), float(chance.normal(148, 45)), float(chance.uniform(0, 360))
        )
        for face in faces("harbour").values()
    )
    assert NoGrid.NOWHERE is find_cards_grid(drawn(beside=heap).picture, deck_of("harbour"))


def in_rows(rows: int, columns: int, apart: float) -> Pile:
    """Cards side by side around the middle of the table."""
    x, y = GRID.centre
    printed = tuple(faces("harbour").values())
    return tuple(
        DrawnCard(
            printed[row * columns + column],
            x + (column - (columns - 1) / 2) * apart,
            y + (row - (rows - 1) / 2) * CELL_SIDE,
        )
        for row in range(rows)
        for column in range(columns)
    )


@pytest.mark.slow
def test_two_rows_of_five_are_no_grid() -> None:
    """Enough cards, but not three by three."""
    table = drawn(beside=in_rows(2, 5, 74.0))
    assert NoGrid.NOWHERE is find_cards_grid(table.picture, deck_of("harbour"))


def test_four_rows_of_three_might_be_two_grids() -> None:
    """With a fourth line of three nobody knows which three are meant."""
    lens = replace(LENS, above=850.0, tilt=2.0)
    table = drawn(beside=in_rows(3, 4, CELL_SIDE), lens=lens)
    assert NoGrid.TOO_MANY is find_cards_grid(table.picture, deck_of("harbour"))


def test_a_tiny_picture_is_no_grid() -> None:
    """A picture smaller than a card would have to be is not searched."""
    assert NoGrid.NOWHERE is find_cards_grid(np.zeros((8, 8, 3), np.uint8), deck_of("harbour"))
