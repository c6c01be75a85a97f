"""What the contract has settled since, in the words that decide; each held by a small evening."""

from typing import Any

import pytest

from .play import MS, Event, card, fix, game, heard, judged, lift, only, pinks, press, sprint

RAFT = {"boat": "raft", "colour": "pink"}
ROW = {"0": RAFT, "1": RAFT, "2": {"boat": "ring", "colour": "blue"}}


def of(rulings: list[Event], *kinds: str) -> list[tuple[Any, ...]]:
    """The rulings of these kinds, each as its name, its time in milliseconds and whose it is."""
    return [(r["ruling"], r["t"] // MS, r.get("seat", r.get("seats"))) for r in only(rulings, *kinds)]


def test_the_grid_is_known_up_to_its_game() -> None:
    """A press of the game's own instant waits for nothing, one a moment later does."""
    at_once, later = (heard([game(t=10), press(10 + after, 1)]).game for after in (0, 1e-9 * 1000))

    assert at_once is not None
    assert later is not None
    assert at_once.waits_for is None
    assert later.waits_for is not None


def test_a_press_that_has_come_to_a_dead_heat_before_its_time_is_judged_by_its_deck_then() -> None:
    """On a coarse clock the first jumper ends the sprint before a third press has come: it wins with its deck as
    it is now, for nothing that it lays once the piles are owed counts."""
    begin = game(3, resolution_us=1_000_000)
    table = fix(0, tops=ROW, piles=[1, 1, 28, *[0] * 6], decks=[10, 10, 10])
    one_left = fix(0, tops=ROW, piles=[1, 1, 37, *[0] * 6], decks=[10, 10, 1], turn=1)
    events = [card(1, 3, "raft", "blue"), card(2, 4, "raft", "yellow"), card(3, 5, "raft", "orange")]
    race = [press(4, 0), press(4.5, 1), press(4.9, 2), sprint(4.6), press(4.65, 0)]

    full, bare = (judged(begin, what, *events, *race) for what in (table, one_left))
    assert of(full, "dead_heat", "safe", "slowest", "win") == [
        ("dead_heat", 4500, [0, 1, 2]),
        ("safe", 4650, 1),
        ("safe", 4650, 2),
        ("slowest", 4650, 0),
    ]
    assert of(bare, "win") == [("win", 4650, [2])]


@pytest.mark.parametrize(("since", "ruled"), [(1.5, "placed"), (4.5, "misplay")])
def test_what_an_overboard_emptied_since_was_full_too(since: float, ruled: str) -> None:
    """All payments since the false grab count, whatever they were for."""
    kinds = ["rowboat yellow", "raft pink", "ring blue", "jetski orange", "rowboat pink"]
    kinds += ["raft yellow", "raft orange", "ring yellow", "jetski pink"]
    tops = {str(cell): dict(zip(("boat", "colour"), kind.split(), strict=True)) for cell, kind in enumerate(kinds)}
    table = fix(0, tops=tops, piles=[1] * 8 + [32], decks=[2, 9, 9])
    events: list[Event] = [
        *(card(1, 0, "rowboat", "yellow"), press(2, 1), lift(3, 1)),
        *({"t": 4_000_000_000, "type": "accuse", "seat": 1, "target": 0}, lift(4.2, 2)),
    ]
    rulings = judged(game(3), table, *events, card(6, 5, "raft", "blue", since=since))

    assert of(rulings, "took") == [("took", 3000, 1), ("took", 4200, 0)]
    assert [said for said, t, _ in of(rulings, "placed", "misplay") if t == 6000] == [ruled]


def test_only_what_lies_there_is_said_of_a_jump_told_twice() -> None:
    """The next press of the jumper is late after all."""
    race = [*pinks(), press(4, 0), press(4.00002, 1), sprint(6)]
    jumps = [press(6.05, 1), press(6.05, 1)]

    assert of(judged(game(), *race, *jumps), "late", "slowest") == [("slowest", 6050, 1)]
    assert of(judged(game(), *race, *jumps, press(7, 1)), "late") == [("late", 7000, 1)]


def test_a_named_turn_that_comes_back_is_ruled() -> None:
    """Nobody but the seat that has it has cards."""
    alone = fix(1, tops={"8": RAFT}, piles=[*[0] * 8, 50], decks=[10, 0, 0])

    assert of(judged(game(3), alone, fix(2, turn=2)), "turn") == [("turn", 0, 0), ("turn", 2000, 0)]
    assert of(judged(game(3), alone, fix(2, turn=0)), "turn") == [("turn", 0, 0)]


@pytest.mark.parametrize(("after", "ruled"), [(0.5, []), (0.500001, [("void", 3500, 1)])])
def test_the_own_false_grab_comes_before_a_misplay_that_invites(after: float, ruled: list[Any]) -> None:
    """Within half a second such a press is ignored, not void."""
    events = [*pinks()[:2], press(3, 1), card(3.2, 2, "jetski"), press(3 + after, 1)]

    assert of(judged(game(), *events), "misplay") == [("misplay", 3200, 0)]
    assert of(judged(game(), *events), "void") == ruled


@pytest.mark.parametrize(("after", "ruled"), [(0.5, []), (0.500001, [("void", 5500, 0)])])
def test_grabbing_again_with_no_pile_left_is_one_slap_too(after: float, ruled: list[Any]) -> None:
    """Its penalty was void, and still the next half second is the same slap."""
    early = [press(2.2, 2), card(3, 2, "jetski", since=2.5), lift(3.5, 0)]
    again = [press(4, 0), press(4.6, 0), press(4.61, 1)]
    nothing = fix(4.8, tops={"0": None, "1": None, "2": None}, piles=[0] * 9, decks=[20, 20, 20])
    rulings = judged(game(3), *pinks(), press(4, 0), nothing, press(5, 0), press(5 + after, 0))

    assert of(rulings, "void", "false_grab") == [("void", 5000, 0), *ruled]
    assert of(judged(game(3), *pinks()[:2], *early, *again), "took") == [("took", 3500, 2)]


def test_good_through_one_card_outweighs_void_through_another() -> None:
    """One hand's card is misplayed where it would make a set, another one's makes one."""
    hands = [press(2.5, 2), card(3, 2, "jetski", since=2.4, seat=1), card(4, 2, "rowboat", since=2.4)]

    rulings = judged(game(3), *pinks()[:2], *hands)
    assert of(rulings, "misplay", "placed", "safe", "void")[2:] == [
        ("misplay", 3000, 1),
        ("placed", 4000, 2),
        ("safe", 2500, 2),
    ]
    assert of(judged(game(3), *pinks()[:2], *hands[:2]), "void") == [("void", 2500, 2)]


def test_each_exposure_takes_the_earliest_call_that_no_other_has() -> None:
    """The first of two early calls is the first exposure's, the second the next one's; a third fits nobody."""
    table = fix(0, tops={"8": {"boat": "ring", "colour": "blue"}}, piles=[*[0] * 8, 28], decks=[2, 30])
    calls: list[Event] = [{"t": round(t * 1000) * MS, "type": "call", "seat": 0} for t in (1, 1.2, 1.4)]
    back = {"t": 2300 * MS, "type": "foul", "seat": 0, "reason": "peeked", "cell": 0}
    first, second = card(2, 0, "jetski", "orange"), card(3, 1, "jetski", "orange")
    rulings = judged(game(), table, *calls, first, back, fix(2.5, turn=0), second)

    assert of(rulings, "called", "no_effect") == [
        ("no_effect", 1400, 0),
        ("called", 2000, 0),
        ("called", 3000, 0),
    ]


def test_a_top_that_nobody_knows_is_adrift_unless_it_is_hidden() -> None:
    """Whatever the camera sees there, it is not what the referee knows."""
    foul = {"t": 3000 * MS, "type": "foul", "seat": 0, "reason": "peeked", "cell": 0}
    again = fix(4, piles=[3, *[0] * 8], decks=[27, 30])
    table = [game(), card(1, 0), fix(2, piles=[3, *[0] * 8], decks=[27, 30]), foul, again]
    seen = ({"hidden": True}, RAFT, None)
    looks = [{"t": 5000 * MS, "type": "grid", "cells": [what, *[None] * 8]} for what in seen]

    adrift = [of(judged(*table, look), "adrift") for look in looks]
    assert [bool(ruled) for ruled in adrift] == [False, True, True]


def test_a_wrong_lift_leaves_the_misplayed_card_on_its_pile() -> None:
    """It counts for nothing there; one that is lifted from an otherwise empty cell is no pile of the report."""
    misplays = [press(1.5, 0), card(2, 0, "ring", "blue"), card(2.5, 4, "ring", "blue")]
    wrong = judged(game(), card(1, 0), *misplays, lift(3, 0, 4, 5))
    right = judged(game(), card(1, 0), *misplays, lift(3, 0, 4))

    assert only(wrong, "wrong_lift")[0]["cells"] == [0, 5]
    assert only(right, "took")[0]["cells"] == [0]
