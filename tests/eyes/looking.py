"""Drawn pictures of the made-up decks, what the eyes make of them, and the truth beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from cv2.typing import MatLike

from companion.core.cards import CARDS
from companion.core.mat import CELLS
from companion.core.reading import Hidden, Shown, Why
from companion.drawn.drawn_card import CardFace, DrawnCard
from companion.drawn.drawn_lot import scene_by_lot, surface_by_lot
from companion.drawn.drawn_surface import Surface
from companion.drawn.painter import Pile, Scene, Truth
from companion.eyes.deck.card_samples import cut_samples, deck_from_samples
from companion.eyes.deck.taught_deck import TaughtDeck
from companion.eyes.grid.grid_from_mat import Found, Grid, find_mat, grid_at_corners
from companion.eyes.look import Eyes, LookResult

from ..remembered import paint
from .decks import DECKS
from .lessons import Name, faces, laid_out


@dataclass(frozen=True, eq=False)
class Looked:
    scene: Scene
    truth: Truth
    seen: LookResult

    @property
    def shown(self) -> tuple[Name | None, ...]:
        return tuple(
            (sight.card.boat, sight.card.colour) if isinstance(sight, Shown) else None
            for sight in self.seen.sights
        )

    @property
    def wrong(self) -> list[tuple[int, Name | None, Name | None]]:
        """Cards that are shown where there is another, or none."""
        return [
            (cell, there, shown)
            for cell, (there, shown) in enumerate(zip(self.truth.names, self.shown, strict=True))
            if shown is not None and shown != there
        ]

    @property
    def right(self) -> int:
        return sum(name is not None for name in self.shown) - len(self.wrong)

    @property
    def lying(self) -> int:
        return sum(name is not None for name in self.truth.names)

    def whys(self) -> dict[int, Why]:
        return {cell: sight.why for cell, sight in enumerate(self.seen.sights) if isinstance(sight, Hidden)}


@cache
def deck_of(name: str, *, mat: bool) -> TaughtDeck:
    laid = laid_out(name, mat=mat)
    samples = [
        sample
        for picture, label in zip(laid.pictures, laid.labels.values(), strict=True)
        for sample in cut_samples(
            picture,
            grid_at_corners(label["corners"]) if "corners" in label else mat_in(picture),
            [card and CARDS[card["boat"], card["colour"]] for card in label["cells"]],
        )
    ]
    return deck_from_samples(name, samples, Found.MAT if mat else Found.CORNERS)


@cache
def eyes_of(name: str, *, mat: bool) -> Eyes:
    return Eyes(deck_of(name, mat=mat))


def mat_in(picture: MatLike) -> Grid:
    grid = find_mat(picture)
    assert grid is not None
    return grid


def grid_there(scene: Scene, truth: Truth) -> Grid:
    """Where the grid really is, where it is not the matter how it is found."""
    return replace(grid_at_corners(truth.corners), found=Found.MAT if scene.mat else Found.CORNERS)


def looked(deck: str, scene: Scene, eyes: Eyes | None = None, *, find: bool = True) -> Looked:
    picture, truth = paint(scene)
    grid = mat_in(picture) if scene.mat and find else grid_there(scene, truth)
    return Looked(scene, truth, (eyes or eyes_of(deck, mat=scene.mat)).look(picture, grid))


# Drawing a new one takes longer than all that is done with it, so these are few, the lessons' own among them.
TABLES = (surface_by_lot(900), Surface("gingham", 4), Surface("wood", 3))


def by_lot(  # noqa: PLR0913 (what is drawn by lot may be fixed one by one)
    deck: str, seed: int, *, mat: bool, light: str = "ceiling", filled: float = 0.75, mess: float = 4.0
) -> Scene:
    ours, number = tuple(faces(deck).values()), 1000 * list(DECKS).index(deck) + seed
    # Markers want more pixels than cards do.
    wide, high = (1280, 960) if mat else (640, 480)
    drawn = scene_by_lot(number, ours, light=light, mat=mat, filled=filled, mess=mess, width=wide, height=high)
    return replace(drawn, surface=TABLES[0] if mat else TABLES[seed % len(TABLES)])


def placed(on: Scene, lying: dict[int, CardFace], turns: Sequence[float] = (0.0,) * 9) -> Scene:
    piles: list[Pile] = [()] * 9
    for cell, face in lying.items():
        x, y = CELLS[cell].centre
        piles[cell] = (DrawnCard(face, x + 2, y - 3, turns[cell]),)
    return replace(on, piles=tuple(piles))


def nine(deck: str, seed: int) -> dict[int, CardFace]:
    order = np.random.default_rng(seed).permutation(16)[:9]
    ours = tuple(faces(deck).values())
    return {cell: ours[number] for cell, number in enumerate(order)}
