"""What the lamps show follows what the referee rules; one that is tried blinks meanwhile."""

from pathlib import Path

import pytest

from companion.core.lamp import Lamp
from companion.errors import InvalidEvent
from companion.rig.lamp_board import TRIED, TRIED_S, LampBoard
from companion.web.rig_page import LIGHT

from ..live.sailing import card, game, sailing


def test_before_a_game_all_are_dark(tmp_path: Path) -> None:
    """As many as there are."""
    with sailing(tmp_path) as deck:
        assert ("dark",) * 3 == LampBoard(deck.table, 3).lights()


def test_the_lamps_follow_the_referee(tmp_path: Path) -> None:
    """Whose turn it is breathes; a lamp at which nobody sits stays dark."""
    with sailing(tmp_path) as deck:
        board = LampBoard(deck.table, 3)
        deck.tell(game())
        assert ("breathing", "dark", "dark") == board.lights()
        deck.tell(card(1, 4))
        assert ("dark", "breathing", "dark") == board.lights()


def test_an_empty_place_is_dark_and_whoever_sits_beyond_it_has_their_own_lamp(tmp_path: Path) -> None:
    """The game counts seats, the lamps stand at places; trying one means the place."""
    with sailing(tmp_path) as deck:
        board = LampBoard(deck.table, 3)
        deck.tell({**game(), "places": [0, 2], "starter": 1})
        assert ("dark", "dark", "breathing") == board.lights()
        board.try_lamp(1)
        assert ("dark", TRIED, "breathing") == board.lights()


def test_a_lamp_that_is_tried_blinks_for_a_while(tmp_path: Path) -> None:
    """Whatever the referee says; then it is as before."""
    now = [10.0]
    with sailing(tmp_path) as deck:
        board = LampBoard(deck.table, 2, lambda: now[0])
        deck.tell(game())
        board.try_lamp(1)
        assert ("breathing", TRIED) == board.lights()
        now[0] += TRIED_S
        assert ("breathing", "dark") == board.lights()
        for seat in (-1, 2):
            with pytest.raises(InvalidEvent, match="no lamp"):
                board.try_lamp(seat)


def test_every_light_has_its_words() -> None:
    """The builder's page can say each."""
    assert {TRIED, *(lamp.value for lamp in Lamp)} == set(LIGHT)
