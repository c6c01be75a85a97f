"""Cells that are empty by themselves, without any card to compare them with."""

import numpy as np
import pytest

from companion.eyes.scene.empty_cells import find_empty_cells

from ..kinds import mostly_slow
from ..remembered import paint
from .decks import DECKS
from .lessons import laid_out
from .looking import by_lot, grid_there, mat_in, nine, placed


@pytest.mark.parametrize("deck", mostly_slow(DECKS, 2))
def test_on_paper_each_empty_cell_is_found(deck: str) -> None:
    """And no card is taken for one, be it as white as the mat."""
    for picture in laid_out(deck, mat=True).pictures:
        assert (False,) * 8 + (True,) == find_empty_cells(picture, mat_in(picture))


@pytest.mark.parametrize("light", mostly_slow(["neutral", "dim", "evening", "arm", "glare", "window"], 2))
@pytest.mark.parametrize(
    ("deck", "mat"), mostly_slow(((deck, number % 2 == 1) for number, deck in enumerate(DECKS)), 3)
)
def test_no_card_is_an_empty_cell(deck: str, mat: bool, light: str) -> None:  # noqa: FBT001
    """In shadow, in a dim room, by a mirrored lamp, on cloth and on wood."""
    on = placed(by_lot(deck, 81, mat=mat, light=light, filled=0), nine(deck, 81))
    picture, truth = paint(on)
    assert not any(find_empty_cells(picture, grid_there(on, truth)))


def test_what_is_burnt_white_is_not_called_empty() -> None:
    """Nobody knows whether it is paper or a card."""
    on = by_lot("paper", 82, mat=True, light="neutral", filled=0)
    picture, truth = paint(on)
    grid = grid_there(on, truth)
    assert all(find_empty_cells(picture, grid))
    assert not any(find_empty_cells(np.full_like(picture, 255), grid))
