"""What is left of a picture without its cards: the bare table, whatever it is, or something that lies there."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from companion.core.mat import CELLS
from companion.core.reading import Bare, Hidden, Sight, Why
from companion.drawn.drawn_card import CardFace, DrawnCard, card_back
from companion.drawn.drawn_hand import Hand, Style
from companion.drawn.drawn_lot import scene_by_lot
from companion.drawn.drawn_surface import KINDS, Surface
from companion.drawn.painter import Pile, Scene
from companion.eyes.card.search import CardPlace
from companion.eyes.grid.flat_picture import COARSE_MM, flatten
from companion.eyes.grid.grid_from_mat import grid_at_corners
from companion.eyes.image.arrays import Bools
from companion.eyes.scene import tabletop
from companion.eyes.scene.background import Background

from ..kinds import mostly_slow
from ..remembered import paint
from .lessons import faces

SIZE_MM = (63.0, 88.0)
SHADOWS = ("neutral", "sun", "arm", "edge")
# How like a card an empty cell may look at most; and the least that anything is like any.
LIKE_NOTHING = 0.0
NOTHING: Bools = np.zeros((112, 112), np.bool_)


def scene(*, kind: str = "plain", light: str = "neutral", mat: bool = False, seed: int = 3) -> Scene:
    drawn = scene_by_lot(seed, (), light=light, mat=mat, filled=0, width=640, height=480)
    return replace(drawn, surface=Surface(kind, seed), beside=())


def laid(on: Scene, lying: dict[int, CardFace]) -> Scene:
    """Each a little off the middle of its cell."""
    piles: list[Pile] = [()] * 9
    for cell, face in lying.items():
        x, y = CELLS[cell].centre
        piles[cell] = (DrawnCard(face, x + 3, y - 2, 4 * cell),)
    return replace(on, piles=tuple(piles))


@cache
def foreign_face(seed: int) -> CardFace:
    """Some other game's card: a bold picture on a white card."""
    chance = np.random.default_rng(seed)
    picture = np.full((528, 378, 3), 242, np.uint8)
    ink = [int(part) for part in chance.integers(20, 160, 3)]
    cv2.rectangle(picture, (30, 30), (347, 497), ink, 20)
    cv2.ellipse(picture, (189, 264), (110, 160), 20, 0, 360, ink, -1)
    return CardFace(picture)


def table_of(
    on: Scene, known: Sequence[CardPlace] = (), picture: MatLike | None = None
) -> tuple[tabletop.Tabletop, Background]:
    drawn, truth = paint(on)
    flat = flatten(drawn if picture is None else picture, grid_at_corners(truth.corners).to_mm)
    table = tabletop.Tabletop(flat.coarse, known, SIZE_MM, on.mat)
    foreign = table.foreign()
    return table, Background(table, foreign & ~flat.dazzling, foreign & flat.dazzling, NOTHING, flat.is_dim)


def sights(on: Scene, known: Sequence[CardPlace] = ()) -> list[Sight]:
    """As they are where nothing there is like any card."""
    _, background = table_of(on, known)
    return [background.sight(cell, LIKE_NOTHING) for cell in range(9)]


@pytest.mark.parametrize("kind", mostly_slow(reversed(KINDS), 2))
def test_any_table_is_bare_in_any_shadow(kind: str) -> None:
    """Wood, checks, stripes and dots with hard shadows across them are nothing but table."""
    for light in SHADOWS:
        assert [Bare()] * 9 == sights(scene(kind=kind, light=light))


@pytest.mark.parametrize(
    "light", mostly_slow(["sun", "dim", "mixed", "neutral", "arm", "edge", "evening", "window"], 3)
)
def test_the_mat_is_bare_in_any_light(light: str) -> None:
    """White paper under a shadow or a warm lamp is bare."""
    assert [Bare()] * 9 == sights(scene(light=light, mat=True))


@pytest.mark.parametrize("light", mostly_slow(SHADOWS, 2))
def test_flowers_are_bare(light: str) -> None:
    """A cloth with large flowers, three to a cell's side, is a table as well."""
    cloth = DrawnCard(flowers(), 210, 148.5)
    assert [Bare()] * 9 == sights(replace(scene(light=light), beside=(cloth,)))


@cache
def flowers() -> CardFace:
    picture = np.full((840, 1200, 3), (225, 232, 236), np.uint8)
    for row, y in enumerate(range(0, 840, 60)):
        for x in range(30 * (row % 2), 1200, 60):
            for petal in range(5):
                way = np.array([np.cos(petal * 1.257), np.sin(petal * 1.257)]) * 14 + (x, y)
                cv2.circle(picture, (round(way[0]), round(way[1])), 9, (90, 60, 190), -1, cv2.LINE_AA)
            cv2.circle(picture, (x, y), 7, (60, 200, 230), -1, cv2.LINE_AA)
    return CardFace(picture, None, 600, 420, 1, gloss=0)


BLACK = CardFace(np.full((528, 378, 3), 30, np.uint8))


@pytest.mark.parametrize("light", mostly_slow(SHADOWS, 2))
def test_large_fruits_are_bare_beside_cards(light: str) -> None:
    """None of the fruits is seen often, but the cards that lie between them are far more strange. One face down is
    not bare there either."""
    cloth = replace(scene(light=light), beside=(DrawnCard(fruits(40), 210, 148.5),))
    on = laid(cloth, {0: BLACK, 5: BLACK, 7: card_back(1)})
    known = [CardPlace(0, *CELLS[cell].centre, 0.0, 1.0) for cell in (0, 5)]
    assert {1, 2, 3, 4, 6, 8} == {cell for cell, sight in enumerate(sights(on, known)) if sight == Bare()}


@pytest.mark.parametrize("light", mostly_slow(SHADOWS, 2))
def test_a_cloth_full_of_fruits_is_as_strange_at_its_corners(light: str) -> None:
    """So strange, but no more, are most of its cells, whatever lies in the others."""
    cloth = replace(scene(light=light), beside=(DrawnCard(fruits(110), 210, 148.5),))
    told = sights(laid(cloth, {0: BLACK, 5: BLACK, 7: card_back(1)}))
    assert all(told[cell] == Hidden(Why.UNKNOWN_CARD) for cell in (0, 5, 7))
    assert sum(sight == Bare() for sight in told) >= 4


@cache
def fruits(many: int) -> CardFace:
    picture = np.full((840, 1200, 3), (225, 232, 236), np.uint8)
    chance = np.random.default_rng(many)
    for number in range(many):
        middle = int(chance.integers(30, 1170)), int(chance.integers(30, 810))
        hue = np.full((1, 1, 3), (number * 180 // 7 % 180, 255, 255), np.uint8)
        ink: list[int] = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0].tolist()
        cv2.circle(picture, middle, 26, ink, -1, cv2.LINE_AA)
    return CardFace(picture, None, 600, 420, 1, gloss=0)


@pytest.mark.parametrize(
    ("foreign", "like", "is_dim", "sight"),
    [
        (0.0, 0.5, False, Bare()),
        (0.0, 0.27, True, Hidden(Why.DARK)),
        (0.0, 0.2, True, Bare()),
        (0.06, 0.0, True, Hidden(Why.DARK)),
        (0.06, 0.0, False, Bare()),
    ],
)
def test_in_dim_light_less_is_bare(
    foreign: float,
    like: float,
    is_dim: bool,  # noqa: FBT001
    sight: Sight,
) -> None:
    """A white card may then be as little foreign as the noise, and not much like itself."""
    table, _ = table_of(scene())
    there = np.random.default_rng(1).random(NOTHING.shape) < foreign
    assert sight == Background(table, there, NOTHING, NOTHING, is_dim).sight(4, like)


@pytest.mark.parametrize(("like", "sight"), [(0.0, Bare()), (0.2, Hidden(Why.DARK))])
def test_in_dim_light_what_is_far_less_strange_than_cards_is_bare(like: float, sight: Sight) -> None:
    """Black cards on a light table are seen to lie there in any noise."""
    known = [CardPlace(0, *CELLS[cell].centre, 0.0, 1.0) for cell in (0, 5)]
    table, _ = table_of(laid(scene(), {0: BLACK, 5: BLACK}), known)
    noise = np.random.default_rng(1).random(NOTHING.shape) < 0.06
    assert sight == Background(table, noise, NOTHING, NOTHING, is_dim=True).sight(4, like)


@pytest.mark.parametrize("mat", [True, False], ids=["mat", "table"])
@pytest.mark.parametrize("seed", mostly_slow(range(2)))
def test_backs_are_not_bare(seed: int, mat: bool) -> None:  # noqa: FBT001
    """A card face down is seen to lie there, and the cells beside it are as bare as before."""
    on = laid(scene(kind="wood", mat=mat, seed=seed), dict.fromkeys((0, 4, 7), card_back(seed)))
    assert {0, 4, 7} == {cell for cell, sight in enumerate(sights(on)) if sight != Bare()}


@pytest.mark.parametrize("mat", [True, False], ids=["mat", "table"])
@pytest.mark.parametrize("kind", mostly_slow(["gingham", "plain"]))
@pytest.mark.parametrize("seed", mostly_slow(range(2)))
def test_nine_backs_are_not_the_table(seed: int, kind: str, mat: bool) -> None:  # noqa: FBT001
    """Where every cell has a card face down, what is seen most often is still not bare."""
    on = laid(scene(kind=kind, mat=mat, seed=seed), dict.fromkeys(range(9), card_back(seed)))
    assert Bare() not in sights(on)


@pytest.mark.parametrize("mat", [True, False], ids=["mat", "table"])
@pytest.mark.parametrize("light", mostly_slow(["neutral", "evening", "arm"]))
def test_other_games_cards_are_not_bare(light: str, mat: bool) -> None:  # noqa: FBT001
    """Cards that nobody has taught are no table, white as the paper they lie on."""
    on = laid(scene(kind="wood", light=light, mat=mat), {cell: foreign_face(cell) for cell in (1, 3, 8)})
    assert {1, 3, 8} == {cell for cell, sight in enumerate(sights(on)) if sight != Bare()}


@pytest.mark.parametrize(("cell", "arm"), [(5, 0), (7, 90), (3, 180)])
@pytest.mark.parametrize("skin", mostly_slow(["pale", "light", "olive"]))
def test_a_hand_is_not_bare(skin: str, cell: int, arm: float) -> None:
    """Where a hand reaches into a cell at the mat's edge, that cell isn't bare, and those beyond are."""
    hand = Hand(Style(skin, "navy"), CELLS[cell].centre, 15, arm)
    on = replace(scene(kind="wood", mat=True), hands=(hand,))
    hidden, seen = paint(on)[1].hidden, sights(on)
    assert hidden[cell] > 0.3
    assert Bare() != seen[cell]
    assert [Bare()] * 3 == [seen[beyond] for beyond in (0, 1, 2)]


def test_what_it_is_is_said() -> None:
    """A hand where it is, an unknown card where it is not, and glare where the picture is burnt white."""
    on = laid(scene(), {4: card_back(1)})
    table, background = table_of(on)
    foreign = table.foreign()
    assert Hidden(Why.UNKNOWN_CARD) == background.sight(4, LIKE_NOTHING)
    assert Hidden(Why.HAND) == replace(background, hands=foreign).sight(4, LIKE_NOTHING)
    dazzled = replace(background, foreign=NOTHING, dazzling=foreign)
    assert Hidden(Why.GLARE) == dazzled.sight(4, LIKE_NOTHING)


def test_what_is_like_a_card_is_not_called_bare() -> None:
    """The more it is like a card, the less of it may be foreign."""
    _, background = table_of(scene(kind="wood"))
    assert Bare() == background.sight(4, 0.3)
    assert Bare() != background.sight(4, 0.7)


def test_a_known_card_is_no_part_of_the_table() -> None:
    """Cards that lie in every cell don't make the next one of their colour a table."""
    back = card_back(2)
    on = laid(scene(kind="plain"), dict.fromkeys(range(9), back))
    known = [CardPlace(0, CELLS[cell].centre[0] + 3, CELLS[cell].centre[1] - 2, 4 * cell, 1) for cell in range(8)]
    assert Bare() != sights(on, known)[8]


def test_a_taught_card_that_was_overlooked_is_not_bare() -> None:
    """A white card with a thin frame, on white paper: nearly all of it is as the table, but it is so like a card
    that it isn't called bare."""
    ours = list(faces("paper").values())
    _, background = table_of(laid(scene(mat=True), {4: ours[2]}))
    assert {4} == {cell for cell in range(9) if background.sight(cell, 0.5) != Bare()}


def test_a_card_covers_its_own_outline() -> None:
    """A card at any turn covers its area and the rim around it, wherever it lies."""
    x, y = CELLS[4].centre
    for turn in (0.0, 30.0, 90.0, 200.0):
        area = float(tabletop.area_covered([CardPlace(0, x, y, turn, 1)], SIZE_MM, beside=0).sum()) * COARSE_MM**2
        assert area == pytest.approx(SIZE_MM[0] * SIZE_MM[1], rel=0.12)
        wider = tabletop.area_covered([CardPlace(0, x, y, turn, 1)], SIZE_MM, beside=6)
        assert float(wider.sum()) * COARSE_MM**2 == pytest.approx(75 * 100, rel=0.12)
    assert not tabletop.area_covered([], SIZE_MM).any()


def test_the_same_picture_gives_the_same_table() -> None:
    """Nothing is left to chance."""
    on = laid(scene(kind="gingham", light="sun"), {4: card_back(1)})
    assert sights(on) == sights(on)
