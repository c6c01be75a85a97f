"""Pictures to measure on that need no camera: our own printable deck on drawn tables, in every kind of light."""

import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from companion.bench.labelled_picture import BURNT, COVERED, LabelledPicture, Lies, Other
from companion.bench.measured_game import measured_deck
from companion.core.cards import Card
from companion.core.mat import CELLS
from companion.drawn.drawn_card import DrawnCard as Laid
from companion.drawn.drawn_card import card_back
from companion.drawn.drawn_film import SEATS
from companion.drawn.drawn_hand import FINGERS, SKINS, SLEEVES, Hand, Style
from companion.drawn.drawn_lot import LIGHTS, pile_by_lot, scene_by_lot
from companion.drawn.painter import Pile, Scene, Truth, paint

LESSON: Final = 900


def lesson(_deck: str, mat: bool) -> tuple[LabelledPicture, ...]:  # noqa: FBT001 (a table is one or the other)
    """Eight cards in the first eight cells, then the other eight, laid as neatly as people do."""
    chance = np.random.default_rng(LESSON)
    told: list[LabelledPicture] = []
    faces = measured_deck().faces()
    for half in (faces[:8], faces[8:]):
        scene = scene_by_lot(LESSON, half, light="neutral", mat=mat, filled=0)
        piles: list[Pile] = [()] * 9
        for cell, face in enumerate(half):
            x, y = (float(at + chance.normal(0, 3)) for at in CELLS[cell].centre)
            piles[cell] = (Laid(face, x, y, float(chance.normal(0, 2))),)
        told.append(_paint_labelled(f"lesson {len(told)}", "neutral", replace(scene, piles=tuple(piles))))
    return tuple(told)


def pictures(of_each: int) -> Iterator[LabelledPicture]:
    """So many of each kind, alternately on the mat and on a bare table."""
    for kind in KINDS:
        for number in range(of_each):
            yield picture_of(kind, number)


def picture_of(kind: str, number: int) -> LabelledPicture:
    return _paint_labelled(f"{kind} {number}", kind, scene_of(kind, number))


def scene_of(kind: str, number: int) -> Scene:
    seed = zlib.crc32(f"{kind} {number}".encode()) % 100_000
    return KINDS[kind](kind, seed, (number + list(KINDS).index(kind)) % 2 == 0)


def _make_lit_scene(kind: str, seed: int, mat: bool) -> Scene:  # noqa: FBT001
    return scene_by_lot(seed, measured_deck().faces(), light=kind, mat=mat)


def _empty(_kind: str, seed: int, mat: bool) -> Scene:  # noqa: FBT001
    return scene_by_lot(seed, measured_deck().faces(), mat=mat, filled=0)


def _face_down(_kind: str, seed: int, mat: bool) -> Scene:  # noqa: FBT001
    """Cards face down: our own backs, or another deck's."""
    chance = np.random.default_rng(seed)
    back = measured_deck().back() if chance.random() < 0.5 else card_back(seed)
    piles = tuple(pile_by_lot(cell, [back] if chance.random() < 0.6 else [], seed) for cell in range(9))
    return replace(_empty("", seed, mat), piles=piles)


def _hand(_kind: str, seed: int, mat: bool) -> Scene:  # noqa: FBT001
    """Somebody reaches over a table with a few cards."""
    chance = np.random.default_rng(seed)
    seat = SEATS[str(chance.choice(list(SEATS)))]
    x, y = CELLS[int(chance.integers(9))].centre
    style = Style(
        str(chance.choice(list(SKINS))), str(chance.choice(list(SLEEVES))), left=bool(chance.random() < 0.5)
    )
    arm = math.degrees(math.atan2(seat[1] - y, seat[0] - x))
    hand = Hand(style, (x, y), float(chance.uniform(5, 50)), arm, str(chance.choice(list(FINGERS))))
    return replace(scene_by_lot(seed, measured_deck().faces(), mat=mat, filled=0.5), hands=(hand,))


KINDS: Final[dict[str, Callable[[str, int, bool], Scene]]] = {
    **dict.fromkeys(LIGHTS, _make_lit_scene),
    "empty": _empty,
    "face down": _face_down,
    "hand": _hand,
}


def _paint_labelled(name: str, kind: str, scene: Scene) -> LabelledPicture:
    picture, truth = paint(scene)
    cells = tuple(_lies(card) for card in truth.cells)
    return LabelledPicture(
        name, kind, measured_deck().name, scene.mat, picture, truth.corners, cells, _apart(truth)
    )


def _lies(card: Laid | None) -> Lies:
    if card is None:
        return None
    return Other.FACE_DOWN if card.face.name is None else Card(*card.face.name)


def _apart(truth: Truth) -> frozenset[int]:
    shares = zip(truth.hidden, truth.card_hidden, truth.burnt, strict=True)
    return frozenset(
        cell
        for cell, (hidden, card_hidden, burnt) in enumerate(shares)
        if max(hidden, card_hidden) > COVERED or burnt > BURNT
    )
