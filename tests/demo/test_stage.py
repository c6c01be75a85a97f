"""The cards, as they truly lie."""

from collections import Counter
from random import Random

from companion.core.cards import CARDS
from companion.demo.camera_eyes import bare_table
from companion.games.goat.cast.stage import APART_MM, APART_TURN, REACHES, SITTING, GoatStage, kind_of, whole_deck
from companion.games.goat.cast.supplied_deck import goat_faces

S = 1_000_000_000
PINK_RAFT = CARDS["raft", "pink"]


def a_stage(seats: int = 4) -> GoatStage:
    chance = Random(1)
    stage = GoatStage(chance, bare_table(chance), goat_faces())
    stage.deal(seats)
    return stage


def lay(stage: GoatStage, seat: int, cell: int, now: int) -> None:
    card = stage.bring_card(seat, cell, now)
    stage.put_down(seat, cell, card, now)


def test_sixty_cards_are_dealt_evenly() -> None:
    """However many play, each has as many cards, all sixty are dealt, and nothing lies on the grid."""
    for seats in range(2, 7):
        stage = a_stage(seats)
        assert [60 // seats] * seats == [len(deck) for deck in stage.decks]
        assert Counter(whole_deck()) == Counter(kind for deck in stage.decks for kind in deck)
        assert (0,) * 9 == stage.heights
        assert seats <= len(SITTING)


def test_a_hand_is_over_the_table_while_it_lays() -> None:
    """Before the card lands a hand holds it, when it has gone nobody's hand is there, and the card lies on top."""
    stage = a_stage()
    kind, lands = stage.decks[1][0], 10 * S
    card = stage.bring_card(1, 4, lands)
    comes = stage.comes()
    assert comes is not None
    assert abs(comes - (lands - REACHES)) < 1000
    held = stage.scene(lands - S // 10).hands
    assert [kind] == [kind_of(one.face) for one in held[0].holds]
    assert stage.moves(lands)
    stage.put_down(1, 4, card, lands)
    assert kind == stage.tops[4]
    assert 14 == len(stage.decks[1])
    assert not stage.moves(lands + 2 * S)
    assert () == stage.scene(lands + 2 * S).hands


def test_a_pile_goes_under_the_deck_as_it_lay() -> None:
    """Whoever takes a pile has its cards as the last ones of the deck, the lowest first."""
    stage = a_stage()
    pile = [stage.decks[seat][0] for seat in (0, 1, 2)]
    for seat in (0, 1, 2):
        lay(stage, seat, 5, seat * S)
    assert (20 * S,) == stage.reach_for(3, [5], 20 * S)
    stage.pick_up_pile(3, 5, 20 * S)
    assert pile == stage.decks[3][-3:]
    assert 0 == stage.heights[5]
    assert 20 * S == stage.moved


def test_a_misplayed_card_goes_back_alone() -> None:
    """Only the top card goes back, under the deck it came from."""
    stage = a_stage()
    lay(stage, 0, 5, S)
    below = stage.tops[5]
    wrong = stage.decks[1][0]
    lay(stage, 1, 5, 2 * S)
    stage.take_back_top(1, 5, 3 * S)
    assert below == stage.tops[5]
    assert wrong == stage.decks[1][-1]


def test_a_card_on_its_own_kind_lies_clearly_elsewhere() -> None:
    """Two alike in one pile never lie so that the eyes could take them for one."""
    stage = a_stage()
    for _ in range(40):
        stage.rearrange([[PINK_RAFT] * 3, *([[]] * 8)], [15, 14, 14, 14], 0)
        for one, other in ((0, 1), (1, 2), (0, 2)):
            a, b = stage.piles[0][one], stage.piles[0][other]
            turned = abs((a.turn - b.turn + 90) % 180 - 90)
            apart = ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5
            assert turned > APART_TURN or apart > APART_MM


def test_the_cards_are_put_as_somebody_says() -> None:
    """What is named lies there, what nobody has seen is any card, what lay there before stays as it lay."""
    stage = a_stage()
    lay(stage, 0, 5, S)
    kind, lain = stage.tops[5], stage.piles[5]
    stage.rearrange([[None, PINK_RAFT], *([[]] * 4), [kind], *([[]] * 3)], [15, 14, 14, 14], 2 * S)
    assert PINK_RAFT == stage.tops[0]
    assert (2, 0, 0, 0, 0, 1, 0, 0, 0) == stage.heights
    assert lain == stage.piles[5]
    assert [15, 14, 14, 14] == [len(deck) for deck in stage.decks]
