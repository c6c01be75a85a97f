"""Which way round a card lies, where its picture looks almost the same at several turns."""

from dataclasses import replace

import pytest

from companion.core.mat import CELLS
from companion.core.reading import Bare, Shown
from companion.drawn.drawn_card import DrawnCard
from companion.drawn.drawn_lot import scene_by_lot
from companion.drawn.drawn_surface import Surface
from companion.drawn.painter import Pile, Scene

from ..kinds import mostly_slow
from .lessons import faces
from .looking import Looked, looked

COLOURS = ("blue", "orange", "pink", "yellow")
# Gingham of a few colours, some of them a card's own.
GINGHAM = Surface("gingham", 3)


def small(deck: str, seed: int, light: str) -> Scene:
    ours = tuple(faces(deck).values())
    drawn = scene_by_lot(seed, ours, light=light, mat=False, filled=0, width=640, height=480)
    return replace(drawn, surface=GINGHAM)


def rings(deck: str) -> tuple[Pile, ...]:
    """All nine, turned by more and more."""
    piles: list[Pile] = []
    for number, cell in enumerate(CELLS):
        x, y = cell.centre
        face = faces(deck)["ring", COLOURS[number % 4]]
        piles.append((DrawnCard(face, x + number - 5, y - 4, 90.0 * number - 4 * (number % 3)),))
    return tuple(piles)


def off(one: Looked) -> list[float]:
    """By how much each card that is shown is turned otherwise than it lies; half a turn off it may be, of some
    decks' rings nobody could tell."""
    turned = [
        (sight.pose.turn - there.turn) % 180
        for sight, there in zip(one.seen.sights, one.truth.cells, strict=True)
        if isinstance(sight, Shown) and sight.pose is not None and there is not None
    ]
    return [min(turn, 180 - turn) for turn in turned]


@pytest.mark.parametrize(("seed", "light"), mostly_slow([(7001, "window"), (7003, "arm"), (7007, "arm")]))
def test_a_ring_is_read_at_any_turn(seed: int, light: str) -> None:
    """On a cloth that shows at a card's rim the search takes it for one of another colour, and that one may fit
    better across."""
    one = looked("chalk", replace(small("chalk", seed, light), piles=rings("chalk")))

    assert [] == one.wrong
    assert 9 == sum(turn < 4 for turn in off(one))


@pytest.mark.slow
def test_a_ring_is_not_laid_a_quarter_turn_off() -> None:
    """Across it would be still more like, if it weren't for the cloth that lies there instead of the card."""
    x, y = CELLS[5].centre
    ring = DrawnCard(faces("harbour")["ring", "pink"], x - 1, y - 3.9, -1)
    one = looked("harbour", replace(small("harbour", 7005, "window"), piles=((),) * 5 + ((ring,),) + ((),) * 3))

    assert [True] == [turn < 4 for turn in off(one)]


@pytest.mark.slow
def test_a_ring_on_gingham_is_never_bare() -> None:
    """Nor in a dim room."""
    ours = tuple(faces("chalk").values())
    one = looked("chalk", replace(scene_by_lot(5004, ours, light="dim", mat=False), surface=Surface("gingham", 1)))

    assert ("ring", "blue") == one.truth.names[5]
    assert not isinstance(one.seen.sights[5], Bare)
