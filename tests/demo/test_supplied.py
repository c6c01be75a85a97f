"""The deck that comes with the program is what its own drawing teaches."""

from pathlib import Path

import numpy as np
import pytest

from companion.core.reading import Bare, Shown
from companion.drawn.drawn_lot import scene_by_lot
from companion.drawn.painter import paint
from companion.eyes.deck.deck_file import read_deck
from companion.eyes.grid.grid_from_mat import find_mat
from companion.eyes.look import Eyes
from companion.games.goat.cast.supplied_deck import goat_faces, goats

SUPPLIED = Path(__file__).parents[2] / "models" / "goats.deck"


@pytest.mark.slow
def test_it_is_what_the_drawing_teaches() -> None:
    """When the cards are drawn otherwise, the file must be written anew (see
    companion/games/goat/cast/supplied_deck.py)."""
    written, drawn = read_deck(SUPPLIED), goats()
    assert drawn.white_known == written.white_known
    assert [one.card for one in drawn.cards] == [one.card for one in written.cards]
    for one, other in zip(drawn.cards, written.cards, strict=True):
        assert np.abs(one.root - other.root).max() < 0.01


def test_it_reads_the_drawn_cards() -> None:
    scene = scene_by_lot(5, goat_faces(), light="ceiling", mat=True, width=640, height=480)
    picture, truth = paint(scene)
    grid = find_mat(picture)
    assert grid is not None
    read = [
        (sight.card.boat, sight.card.colour)
        if isinstance(sight, Shown)
        else None
        if isinstance(sight, Bare)
        else sight
        for sight in Eyes(read_deck(SUPPLIED)).look(picture, grid).sights
    ]
    assert list(truth.names) == read
