"""Pictures without colours, from a camera in its night mode or stored in black and white: nothing is guessed."""

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from companion.core.reading import Bare, Shown, Sight
from companion.drawn.drawn_card import CardFace
from companion.drawn.painter import Scene
from companion.eyes.look import Eyes

from ..kinds import mostly_slow
from ..remembered import paint
from .decks import DECKS
from .looking import by_lot, eyes_of, grid_there, nine, placed

SMOOTH = CardFace(np.full((528, 378, 3), 176, np.uint8))
half_of_them = pytest.mark.parametrize(
    ("deck", "mat"), mostly_slow(((deck, number % 2 == 1) for number, deck in enumerate(DECKS)), 3)
)


def paler(picture: MatLike, share: float) -> MatLike:
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return cv2.addWeighted(picture, 1 - share, grey, share, 0)


def sights(on: Scene, share: float, eyes: Eyes) -> tuple[Sight, ...]:
    picture, truth = paint(on)
    return eyes.look(paler(picture, share), grid_there(on, truth)).sights


@pytest.mark.parametrize("share", mostly_slow([1.0, 0.8]))
@pytest.mark.parametrize("light", mostly_slow(["neutral", "dim", "arm"]))
@half_of_them
def test_a_card_without_its_colours_is_hidden(deck: str, mat: bool, light: str, share: float) -> None:  # noqa: FBT001
    """It is no card that anybody could tell, and no bare table, however grey."""
    on = placed(by_lot(deck, 71, mat=mat, light=light, filled=0), dict(list(nine(deck, 71).items())[2:]))
    seen = sights(on, share, eyes_of(deck, mat=mat))
    assert not any(isinstance(sight, Shown) for sight in seen)
    assert Bare() not in seen[2:]


@half_of_them
def test_a_little_paler_is_no_matter(deck: str, mat: bool) -> None:  # noqa: FBT001
    """Cameras differ in how much colour they make of the same card."""
    on = placed(by_lot(deck, 72, mat=mat, light="neutral", filled=0), nine(deck, 72))
    shown = [sight.card for sight in sights(on, 0.3, eyes_of(deck, mat=mat)) if isinstance(sight, Shown)]
    assert [face.name for face in nine(deck, 72).values()] == [(card.boat, card.colour) for card in shown]


@pytest.mark.parametrize("deck", ["harbour", "paper"])
def test_white_paper_is_bare_in_black_and_white_too(deck: str) -> None:
    """A mat with nothing on it has no colours to lose, and beside a grey card its cells are as smooth as ever."""
    on = by_lot(deck, 73, mat=True, light="neutral", filled=0)
    assert (Bare(),) * 9 == sights(on, 1.0, eyes_of(deck, mat=True))
    seen = sights(placed(on, {4: nine(deck, 73)[0]}), 1.0, eyes_of(deck, mat=True))
    assert {4} == {cell for cell, sight in enumerate(seen) if sight != Bare()}


def test_what_is_smooth_but_darker_is_not_bare_in_black_and_white() -> None:
    """A plain grey card may be any other with its print washed out, or a sleeve."""
    on = placed(by_lot("harbour", 74, mat=True, light="neutral", filled=0), {4: SMOOTH})
    seen = sights(on, 1.0, eyes_of("harbour", mat=True))
    assert {4} == {cell for cell, sight in enumerate(seen) if sight != Bare()}
