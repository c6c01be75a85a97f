"""The deck that comes with the program: our own cards, taught from drawn pictures as a family teaches theirs.

`python -m companion.games.goat.cast.supplied_deck models/goats.deck` writes it anew, when the cards are drawn
otherwise.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Final

from companion.core.cards import CARDS
from companion.core.cards import Card as Kind
from companion.core.mat import CELLS
from companion.drawn.drawn_card import CardFace, DrawnCard
from companion.drawn.drawn_lot import scene_by_lot
from companion.drawn.painter import Pile, paint
from companion.eyes.deck.card_samples import Sample, cut_samples, deck_from_samples
from companion.eyes.deck.deck_file import write_deck
from companion.eyes.deck.taught_deck import TaughtDeck
from companion.eyes.grid.grid_from_mat import Found, find_mat
from companion.games.goat.cast.goat_cast import DECK_NAME
from companion.games.goat.printed.printed_deck import back_picture, card_picture

# Six pixels a millimetre are more than any camera above a table sees.
FINE: Final = 6
WIDE, HIGH = 1920, 1440
SEED: Final = 900


def goat_faces() -> tuple[CardFace, ...]:
    """The sixteen kinds."""
    return tuple(_face(boat, colour) for boat, colour in CARDS)


def face_chores() -> tuple[Callable[[], object], ...]:
    """To draw them one by one, so that nobody waits for them afterwards."""
    return tuple(partial(_face, boat, colour) for boat, colour in CARDS)


def goat_back() -> CardFace:
    return CardFace(back_picture(FINE))


@cache
def _face(boat: str, colour: str) -> CardFace:
    return CardFace(card_picture(boat, colour, FINE), (boat, colour))


def goats() -> TaughtDeck:
    faces, kinds = goat_faces(), tuple(CARDS.values())
    samples = [*_make_samples(faces[:8], kinds[:8]), *_make_samples(faces[8:], kinds[8:])]
    return deck_from_samples(DECK_NAME, samples, Found.MAT)


def _make_samples(faces: tuple[CardFace, ...], kinds: tuple[Kind, ...]) -> list[Sample]:
    """Eight cards in the first eight cells of the mat, by daylight."""
    piles: list[Pile] = [(DrawnCard(face, *cell.centre, 0.0),) for face, cell in zip(faces, CELLS, strict=False)]
    bare = scene_by_lot(SEED, faces, light="neutral", mat=True, filled=0, width=WIDE, height=HIGH)
    picture, _ = paint(replace(bare, piles=(*piles, ())))
    grid = find_mat(picture)
    assert grid is not None
    return cut_samples(picture, grid, [*kinds, None])


if __name__ == "__main__":
    write_deck(goats(), Path(sys.argv[1]))
