"""A picture laid flat: nothing is lost by leaving out first what is not to be laid flat."""

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from companion.core.mat import CELLS
from companion.eyes.card.search import REACH
from companion.eyes.deck.card_samples import HIGHEST, WIDEST
from companion.eyes.grid.flat_picture import (
    ALL,
    BURNT_CODE,
    COARSE_MM,
    FINE_MM,
    LEFT_MM,
    LIGHT_OF_CODE,
    TOP_MM,
    flatten,
    part_around,
    warp_flat,
)
from companion.eyes.grid.grid_from_mat import grid_at_corners

CORNERS = [(300.0, 200.0), (900.0, 210.0), (950.0, 760.0), (320.0, 750.0)]


def room(wide: int, high: int) -> MatLike:
    """Soft shapes, and nothing burnt."""
    noise = np.random.default_rng(wide).integers(0, 241, (high // 16, wide // 16, 3), np.uint8)
    return cv2.resize(noise, (wide, high), interpolation=cv2.INTER_LINEAR)


@pytest.mark.parametrize("wide", [1280, 1283, 1920])
@pytest.mark.parametrize("right", [-0.3, 0.0, 0.3], ids=["left", "middle", "right"])
def test_it_is_as_if_the_whole_picture_were_laid_flat(wide: int, right: float) -> None:
    """Also where the grid is partly out of the picture, and whatever it is averaged down by."""
    high = wide * 3 // 4
    picture = room(wide, high)
    corners = (0.3, 0.2), (0.7, 0.22), (0.75, 0.8), (0.25, 0.78)
    grid = grid_at_corners([((x + right) * wide, y * high) for x, y in corners])
    flat, whole = flatten(picture, grid.to_mm), warp_flat(picture, grid.to_mm, FINE_MM)
    assert picture.max() < BURNT_CODE
    assert np.abs(flat.code.plain.astype(int) - whole.astype(int)).max() <= 1


def test_a_horizon_across_the_table_is_no_error() -> None:
    """Corners that were tapped senselessly make a table without an end."""
    picture = room(1280, 960)
    grid = grid_at_corners([(100.0, 500.0), (1100.0, 480.0), (700.0, 520.0), (600.0, 520.0)])
    assert flatten(picture, grid.to_mm).coarse.shape == (112, 112, 3)


@pytest.mark.parametrize("cells", [[0], [4], [8], [1, 5], [*range(9)]], ids=str)
def test_what_is_burnt_beside_a_cell_is_found_without_the_rest(cells: list[int]) -> None:
    """Where cards are looked for in some cells only, as much of it is burnt as in the whole picture."""
    picture = room(1280, 960)
    for row, column in np.ndindex(12, 16):
        picture[80 * row : 80 * row + 20, 80 * column : 80 * column + 20] = 255
    code = flatten(
        picture, grid_at_corners([(300.0, 200.0), (900.0, 210.0), (950.0, 760.0), (320.0, 750.0)]).to_mm
    ).code
    part = part_around(cells)
    here, whole = code.clear(part), code.clear(ALL)
    assert (here[part] == whole[part]).mean() > 0.999
    assert 0.1 < whole[part].mean() < 0.99


def test_the_threads_of_a_cloth_are_no_noise() -> None:
    """A coarse cloth is as uneven as noise; but where something is darker than such noise, it is a cloth."""
    threads = np.random.default_rng(5).integers(40, 110, (240, 320, 3), np.uint8)
    cloth = cv2.resize(threads, (1280, 960), interpolation=cv2.INTER_NEAREST)
    to_mm = grid_at_corners(CORNERS).to_mm
    assert flatten(cloth, to_mm).noise.min() > 0.06
    cloth[300:400, 500:620] = 20
    assert flatten(cloth, to_mm).noise == pytest.approx(3 * LIGHT_OF_CODE[20], rel=0.1)


def test_what_is_burnt_has_no_noise() -> None:
    """However much of a picture it is, the noise is that of the rest."""
    chance = np.random.default_rng(4)
    noisy = np.clip(60 + chance.normal(0, 12, (960, 1280, 3)), 0, 255).astype(np.uint8)
    to_mm = grid_at_corners(CORNERS).to_mm
    burnt = noisy.copy()
    burnt[:, 560:] = 255
    assert flatten(burnt, to_mm).noise == pytest.approx(flatten(noisy, to_mm).noise, rel=0.2)
    burnt[:] = 255
    assert not flatten(burnt, to_mm).noise.any()


@pytest.mark.parametrize("cell", range(9))
def test_all_that_a_card_in_a_cell_may_cover_is_in_its_part(cell: int) -> None:
    """The largest that can be taught, as far from the middle as it is looked for, at any turn."""
    far = REACH * COARSE_MM + np.hypot(WIDEST, HIGHEST) / 2
    (x, y), (down, across) = CELLS[cell].centre, part_around([cell])
    for along, middle, begin in ((across, x, LEFT_MM), (down, y, TOP_MM)):
        first, last = (middle - far - begin) / COARSE_MM, (middle + far - begin) / COARSE_MM
        assert along.start <= max(first, 0)
        assert along.stop >= min(last, ALL[0].stop)
