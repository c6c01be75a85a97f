"""The grid on a bare table, found from nine cards laid out: three by three, each about in its cell's middle.

First at which scale the picture shows cards that lie like that. Then how the camera is tilted, by the cards' own
shapes. Only then, by their places, where the grid lies in that plane: each is a centimetre off, but all nine
together are a few millimetres.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import numpy as np
from cv2.typing import MatLike

from companion.core.mat import CELL_SIDE, CELLS
from companion.core.reading import Hidden, Shown, Sight, Why
from companion.eyes.card.search import CardPlace
from companion.eyes.deck.taught_deck import TaughtDeck
from companion.eyes.grid.card_leveller import CardPlane, Leveller, rotation_matrix
from companion.eyes.grid.grid_from_mat import Found, Grid
from companion.eyes.grid.whole_picture_search import WholePictureSearch
from companion.eyes.image.arrays import Floats
from companion.eyes.look import Eyes

# The whole grid is in the picture, and fills at least two fifths of its shorter side. A step of a tenth leaves a
# card 5 % larger or smaller than it is searched, which costs it a tenth of its likeness.
SCALES: Final = tuple(1.0 / 1.1**step for step in range(10))
TURNS: Final = np.arange(-45.0, 45.0, 7.5)
# All figures here were chosen by hand; no command measures them.
# How far a card may be off its place, counted from the card in the middle: people lay cards up to a centimetre
# off, and scale and tilt are not yet known.
ASTRAY_MM: Final = 32.0
ASTRAY_COSTS: Final = 0.3
# So many of the nine must be found at first: one or two may lie in a hard shadow, and are found later, once it is
# known where they must lie.
ENOUGH: Final = 7
# A place this like a taught card is a card, even if its colour can't be told. On gingham some bare places reach
# 0.66.
CARD: Final = 0.6
ROUNDS: Final = 4
# Which way the next grid lies, and its cells that are beside this one.
BESIDE: Final = {(1, 0): {2, 5, 8}, (-1, 0): {0, 3, 6}, (0, 1): {6, 7, 8}, (0, -1): {0, 1, 2}}


class NoGrid(Enum):
    """Why no grid is found, in words for the family."""

    NOWHERE = "no cards of the deck can be made out that lie three by three"
    TOO_FEW = "some cards lie three by three, but not all nine can be made out"
    TOO_MANY = "there is another line of cards beside the nine"


@dataclass(frozen=True, slots=True, eq=False)
class _CardLayout:
    """Cards that lie as on a grid, in millimetres from the picture's corner, with the cell of each."""

    cards: tuple[CardPlace, ...]
    cells: tuple[int, ...]
    px_per_mm: float
    worth: float


def find_cards_grid(picture: MatLike, deck: TaughtDeck) -> Grid | NoGrid:
    """The grid whose top is the side nearest to the picture's; cards may lie any way up."""
    search = WholePictureSearch(deck)
    scales = [share * min(picture.shape[:2]) / (3 * CELL_SIDE) for share in SCALES]
    best = max(
        (_find_layout(search.find_cards(picture, scale), scale) for scale in scales), key=lambda laid: laid.worth
    )
    return _fit_grid(picture, deck, best) if len(best.cells) >= ENOUGH else NoGrid.NOWHERE


def _fit_grid(picture: MatLike, deck: TaughtDeck, laid: _CardLayout) -> Grid | NoGrid:
    eyes, leveller = Eyes(deck), Leveller(deck)
    level = _centre(_plane_of_layout(laid), laid.cells, scaled=True)
    level = _centre(leveller.level(picture, level, ROUNDS), laid.cells)
    cards = _find_cards(eyes, picture, level.to_mm)
    if len(cards) < ENOUGH:
        return NoGrid.NOWHERE
    level = leveller.level(picture, CardPlane(level.to_mm, tuple(cards.values())), ROUNDS)
    to_mm = _centre(level, tuple(cards)).to_mm
    if len(_find_cards(eyes, picture, to_mm)) < len(CELLS):
        return NoGrid.TOO_FEW
    return NoGrid.TOO_MANY if _has_another_line(eyes, picture, to_mm) else Grid(Found.CORNERS, to_mm)


def _find_cards(eyes: Eyes, picture: MatLike, to_mm: Floats) -> dict[int, CardPlace]:
    """The card in each cell in which one is found."""
    seen = eyes.look(picture, Grid(Found.CORNERS, to_mm))
    return {
        cell: one.place
        for cell, (one, sight) in enumerate(zip(seen.candidates, seen.sights, strict=True))
        if one is not None and _is_card(one.place, sight)
    }


def _is_card(place: CardPlace, sight: Sight) -> bool:
    """Whether a card lies there; its colour doesn't matter here, so it may be one that can't be told."""
    if isinstance(sight, Hidden):
        return sight.why in {Why.GLARE, Why.DARK} and place.likeness >= CARD
    return isinstance(sight, Shown)


def _has_another_line(eyes: Eyes, picture: MatLike, to_mm: Floats) -> bool:
    """Whether another line of three cards lies beside the nine, so that the grid might as well be there."""
    for (right, down), line in BESIDE.items():
        moved = np.array([[1, 0, -right * CELL_SIDE], [0, 1, -down * CELL_SIDE], [0, 0, 1]])
        if line <= _find_cards(eyes, picture, moved @ to_mm).keys():
            return True
    return False


def _find_layout(cards: Sequence[CardPlace], px_per_mm: float) -> _CardLayout:
    """The best nine, if one is in the middle and the others lie around it."""
    best = _CardLayout((), (), px_per_mm, 0.0)
    if len(cards) < ENOUGH:
        return best
    for turn in TURNS:
        worth = _score_cells(cards, float(turn))
        by_middle = worth.max(1).sum(1)
        middle = int(by_middle.argmax())
        if by_middle[middle] > best.worth:
            cells = np.flatnonzero(worth[middle].max(0) > 0).tolist()
            others = [cards[int(other)] for other in worth[middle].argmax(0)[cells]]
            best = _CardLayout(tuple(others), tuple(cells), px_per_mm, float(by_middle[middle]))
    return best


def _score_cells(cards: Sequence[CardPlace], turn: float) -> Floats:
    """If the grid is turned like that: the card in its middle x any card x the cell in which that would be."""
    along = np.array([(card.x_mm, card.y_mm) for card in cards]) @ rotation_matrix(turn)
    steps = (along[None] - along[:, None]) / CELL_SIDE
    whole = np.round(steps)
    off = np.abs(steps - whole).max(2) * CELL_SIDE
    middles, others = np.nonzero((np.abs(whole).max(2) <= 1) & (off < ASTRAY_MM))
    like = np.array([card.likeness for card in cards])[others]
    cells = (whole[middles, others] @ (1, 3) + 4).astype(np.int64)
    worth = np.zeros((len(cards), len(cards), len(CELLS)))
    worth[middles, others, cells] = like - ASTRAY_COSTS * (off[middles, others] / CELL_SIDE * 2) ** 2
    return worth


def _plane_of_layout(laid: _CardLayout) -> CardPlane:
    """The layout with the map from pixels to its millimetres; a pixel's place is its middle."""
    mm = 1 / laid.px_per_mm
    return CardPlane(np.array([[mm, 0, mm / 2], [0, mm, mm / 2], [0, 0, 1]]), laid.cards)


def _centre(level: CardPlane, cells: Sequence[int], *, scaled: bool = False) -> CardPlane:
    """Moved and turned so that the cards lie about in their cells' middles; `scaled`: their distances say the
    scale, as long as the cards' own size has not yet said it better."""
    here = np.array([(place.x_mm, place.y_mm) for place in level.places])
    there = np.array([CELLS[cell].centre for cell in cells])
    from_here, from_there = here - here.mean(0), there - there.mean(0)
    along = float((from_here * from_there).sum())
    across = float((from_here[:, 0] * from_there[:, 1] - from_here[:, 1] * from_there[:, 0]).sum())
    turn = float(np.degrees(np.arctan2(across, along)))
    scale = np.hypot(along, across) / float((from_here**2).sum()) if scaled else 1.0
    way = np.eye(3)
    way[:2, :2] = scale * rotation_matrix(turn)
    way[:2, 2] = there.mean(0) - way[:2, :2] @ here.mean(0)
    places = [
        replace(place, x_mm=float(x), y_mm=float(y), turn=(place.turn + turn) % 360)
        for place, (x, y) in zip(level.places, here @ way[:2, :2].T + way[:2, 2], strict=True)
    ]
    return CardPlane(way @ level.to_mm, tuple(places))
