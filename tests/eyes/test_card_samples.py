"""How labelled cells become a deck: laid over each other, cut to the card's size, the gloss taken off."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from companion.core.cards import CARDS
from companion.core.mat import CELLS
from companion.eyes.deck.card_samples import RIM, Sample, cards_from_samples, cut_samples, deck_from_samples
from companion.eyes.deck.taught_deck import TAUGHT_MM, TaughtCard
from companion.eyes.grid.flat_picture import FINE_MM, SIDE_PX
from companion.eyes.grid.grid_from_mat import Found, grid_at_corners
from companion.eyes.image.arrays import Floats, floats
from companion.eyes.light.gloss_removal import without_gloss

from ..kinds import mostly_slow
from .decks import DECKS
from .lessons import faces

# Of the picture that is laid flat: one pixel is a millimetre.
SIDE = round(SIDE_PX * FINE_MM / TAUGHT_MM)
PAPER = 0.9
NAMES = tuple(CARDS)
Place = tuple[float, float, float]


@cache
def card_root(deck: str, name: tuple[str, str], wide: int, high: int) -> Floats:
    """The square root of what a card gives back, four pixels a millimetre."""
    small = cv2.resize(faces(deck)[name].picture, (wide * 4, high * 4), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / 255


def places_by_lot(seed: int, off: float = 3.0, turn: float = 2.0) -> list[Place]:
    """Where the cards of a lesson lie, from their cells' middles, and their turns; straight on the whole, as
    people lay them."""
    chance = np.random.default_rng(seed)
    lots = np.column_stack([chance.normal(0, off, (16, 2)).clip(-9, 9), chance.normal(0, turn, 16)])
    lots[:, 2] -= lots[:, 2].mean()
    return [(float(x), float(y), float(angle)) for x, y, angle in lots]


def lesson(
    deck: str, places: Sequence[Place], *, size: tuple[int, int] = (63, 88), light: float = 1.0
) -> list[Sample]:
    """Sixteen cards in two flat pictures of white paper, drawn exactly where they are said to lie."""
    samples: list[Sample] = []
    for half in (0, 8):
        root = np.full((SIDE, SIDE, 3), PAPER * light, np.float32)
        for cell, (name, place) in enumerate(zip(NAMES[half : half + 8], places[half : half + 8], strict=True)):
            _lay(root, card_root(deck, name, *size) * np.float32(light), cell, place)
        root += np.random.default_rng(half).normal(0, 0.005, root.shape).astype(np.float32)
        samples += _samples(root, half)
    return samples


def _lay(root: Floats, card: Floats, cell: int, place: Place) -> None:
    x, y = middle(cell)
    high, wide = card.shape[:2]
    c, s = np.cos(np.radians(place[2])) / 4, np.sin(np.radians(place[2])) / 4
    left, top = (wide - 1) / 2, (high - 1) / 2
    way = np.array([[c, -s, x + place[0] - c * left + s * top], [s, c, y + place[1] - s * left - c * top]])
    soft = cv2.GaussianBlur(card, (0, 0), 1.6)
    drawn = cv2.warpAffine(soft, way, (SIDE, SIDE), flags=cv2.INTER_LINEAR)
    cover = cv2.warpAffine(np.ones((high, wide), np.float32), way, (SIDE, SIDE), flags=cv2.INTER_LINEAR)
    root[:] = root * (1 - cover[..., None]) + drawn * cover[..., None]


def middle(cell: int) -> tuple[float, float]:
    """In the pixels of the flat picture."""
    x, y = CELLS[cell].centre
    left, top = CELLS[0].left - 30, CELLS[0].top - 30
    return x - left - 0.5, y - top - 0.5


def _samples(root: Floats, half: int) -> list[Sample]:
    smooth = cv2.GaussianBlur(root, (0, 0), 1.0)
    edges = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)).max(2)
    return [Sample(CARDS[name], root, edges, *middle(cell)) for cell, name in enumerate(NAMES[half : half + 8])]


def size_mm(cards: Sequence[TaughtCard]) -> tuple[float, float]:
    """With the rim that was cut off."""
    high, wide = cards[0].root.shape[:2]
    return wide * TAUGHT_MM + 2 * RIM, high * TAUGHT_MM + 2 * RIM


@pytest.mark.parametrize(("deck", "size"), [("harbour", (63, 88)), ("mirror", (56, 87)), ("night", (59, 81))])
def test_the_cards_size_is_found(deck: str, size: tuple[int, int]) -> None:
    """Poker, bridge and smaller cards, lying askew on white paper, are cut out to 2 mm."""
    cards = cards_from_samples(lesson(deck, places_by_lot(1), size=size), Found.MAT)
    assert len(cards) == 16
    assert size_mm(cards) == pytest.approx(size, abs=2)


@pytest.mark.parametrize("deck", mostly_slow(["harbour", "carnival", "mirror"]))
def test_cards_are_laid_over_each_other(deck: str) -> None:
    """However a card lay at the teaching, it is learnt as if it had lain straight in the middle, to 2.5 mm in
    all and in either half of it."""
    askew = cards_from_samples(lesson(deck, places_by_lot(2)), Found.MAT)
    straight = cards_from_samples(lesson(deck, [(0.0, 0.0, 0.0)] * 16), Found.MAT)
    for one, other in zip(askew, straight, strict=True):
        here, there = _inner(one.root), _inner(other.root)
        assert one.card == other.card
        for part in (slice(None), slice(None, 36), slice(36, None)):
            assert np.linalg.norm(cv2.phaseCorrelate(here[part], there[part])[0]) < 2.5


def _inner(root: Floats) -> Floats:
    """The middle of the card in grey."""
    left, top = (root.shape[1] - 48) // 2, (root.shape[0] - 72) // 2
    return np.asarray(root[top : top + 72, left : left + 48].mean(2), np.float32)


def test_the_lamp_is_taken_out_by_the_paper() -> None:
    """Taught on the mat by half the light the cards are as bright beside the paper as by all of it; without the
    mat nobody knows, and they are as they were seen."""
    places = places_by_lot(4)
    bright, dim = (cards_from_samples(lesson("harbour", places, light=light), Found.MAT) for light in (1.0, 0.5))
    for one, other in zip(bright, dim, strict=True):
        assert np.abs(one.root - other.root).mean() < 0.02
    seen = cards_from_samples(lesson("harbour", places, light=0.5), Found.CORNERS)
    for one, other in zip(seen, dim, strict=True):
        assert np.abs(one.root / (PAPER * 0.5) - other.root).mean() < 0.02


def test_whether_white_is_known_is_kept() -> None:
    """A deck that was taught on the mat knows its paper."""
    samples = lesson("paper", places_by_lot(5))
    for found in (Found.MAT, Found.CORNERS):
        deck = deck_from_samples("ours", samples, found)
        assert ("ours", found is Found.MAT) == (deck.name, deck.white_known)
        assert [CARDS[name] for name in NAMES] == [one.card for one in deck.cards]
        assert {deck.size_px[::-1]} == {one.root.shape[:2] for one in deck.cards}


def test_only_labelled_cells_are_samples() -> None:
    """A cell with no label is not looked at; the others are searched from their cells' middles."""
    picture = np.full((960, 1280, 3), 120, np.uint8)
    cards = [None, CARDS["ring", "pink"], *[None] * 5, CARDS["raft", "blue"], None]
    samples = cut_samples(picture, grid_at_corners([(300, 100), (1000, 100), (1000, 800), (300, 800)]), cards)
    assert [CARDS["ring", "pink"], CARDS["raft", "blue"]] == [one.card for one in samples]
    assert [middle(1), middle(7)] == [(one.x, one.y) for one in samples]
    assert {0.0} == {one.turn for one in samples}
    assert {(SIDE, SIDE, 3)} == {one.root.shape for one in samples}


def test_the_same_lesson_gives_the_same_deck() -> None:
    """Nothing is left to chance."""
    one, other = (deck_from_samples("ours", lesson("harbour", places_by_lot(6)), Found.MAT) for _ in range(2))
    for here, there in zip(one.cards, other.cards, strict=True):
        assert here.card == there.card
        assert np.array_equal(here.root, there.root)


# Gloss: what a lamp adds to a satin card, differently to each.


def glossed(root: Floats, level: float, across: float = 0.0, down: float = 0.0) -> Floats:
    """With so much light more in the middle, and so much more from one side to the other."""
    high, wide = root.shape[:2]
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, wide), np.linspace(-0.5, 0.5, high))
    return np.sqrt(root**2 + np.maximum(level + across * x + down * y, 0)[..., None]).astype(np.float32)


def cards_of(deck: str) -> tuple[TaughtCard, ...]:
    return tuple(
        TaughtCard(
            CARDS[name], floats(cv2.resize(card_root(deck, name, 61, 86), (61, 86), interpolation=cv2.INTER_AREA))
        )
        for name in NAMES
    )


def off(cards: Sequence[TaughtCard], others: Sequence[TaughtCard]) -> list[float]:
    """By how much light a card is off in the mean."""
    return [float(np.abs(one.root**2 - other.root**2).mean()) for one, other in zip(cards, others, strict=True)]


@pytest.mark.parametrize("deck", ["harbour", "carnival", "night"])
def test_gloss_is_taken_off(deck: str) -> None:
    """Of two cards of one colour, taught with different gloss, the paler loses two thirds of it at least."""
    matt = cards_of(deck)
    chance = np.random.default_rng(8)
    satin = tuple(
        one
        if one.card.boat == "raft"
        else TaughtCard(one.card, glossed(one.root, 0.15, *chance.uniform(-0.1, 0.1, 2)))
        for one in matt
    )
    before, after = off(satin, matt), off(without_gloss(satin), matt)
    for one, was, now in zip(matt, before, after, strict=True):
        assert now <= (0.0 if one.card.boat == "raft" else was / 3)


@pytest.mark.parametrize("deck", DECKS)
def test_matt_cards_stay_as_they_are(deck: str) -> None:
    """Where nothing shines next to nothing is taken off: other boats are no gloss."""
    matt = cards_of(deck)
    assert max(off(without_gloss(matt), matt)) < 0.02


def test_a_colour_by_itself_keeps_its_gloss() -> None:
    """With no other card of its colour nothing tells the gloss from the ink."""
    alone = cards_of("harbour")[:1]
    (still,) = without_gloss(alone)
    assert np.array_equal(alone[0].root, still.root)


def test_what_is_without_gloss_is_in_the_same_order() -> None:
    """Cards come out as they went in, none of them darker than black."""
    satin = tuple(TaughtCard(one.card, glossed(one.root, 0.1)) for one in reversed(cards_of("night")))
    matt = without_gloss(satin)
    assert [one.card for one in satin] == [one.card for one in matt]
    assert min(float(one.root.min()) for one in matt) > 0
    assert all(one.root.dtype == np.float32 for one in matt)
