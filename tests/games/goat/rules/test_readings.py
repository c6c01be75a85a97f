"""Where the rulebook and the vocabulary leave a choice: what was chosen, each held by a test."""

from typing import Any

import pytest

from companion.games.goat.rules.events import GameBegun, SeenUntil
from companion.games.goat.rules.facts import LaterFacts, make_fact
from companion.games.goat.rules.referee import rule
from companion.games.goat.rules.state import initial_state

from .play import (
    MS,
    Event,
    S,
    at,
    card,
    fix,
    game,
    heard,
    judged,
    lift,
    names,
    only,
    pinks,
    press,
    seen,
    sprint,
    state_of,
)

RAFT = {"boat": "raft", "colour": "pink"}


def of(rulings: list[Event], *kinds: str) -> list[tuple[Any, ...]]:
    """The rulings of these kinds, each as its name, its time in milliseconds and whose it is."""
    return [(r["ruling"], r["t"] // MS, r.get("seat", r.get("seats"))) for r in only(rulings, *kinds)]


def full(**more: Any) -> Event:
    """A full grid without a set."""
    kinds = ["rowboat yellow", "raft pink", "ring blue", "jetski orange", "rowboat pink"]
    kinds += ["raft yellow", "raft orange", "ring yellow", "jetski pink"]
    tops = {str(cell): dict(zip(("boat", "colour"), kind.split(), strict=True)) for cell, kind in enumerate(kinds)}
    return fix(0, tops=tops, piles=[1] * 9, **({"decks": [25, 26]} | more))


# A card that turns out to have been laid before a false grab


def test_a_card_counts_before_a_false_grab_that_is_paid_already() -> None:
    """It is placed for the seat whose turn it was then, and the turn stays where the payment has put it."""
    events = [game(3), card(1, 0), press(3, 2), lift(4, 0), card(5, 4, "ring", "blue", since=2)]

    assert of(judged(*events), "placed", "turn", "took") == [
        ("turn", 0, 0),
        ("placed", 1000, 0),
        ("turn", 1000, 1),
        ("took", 4000, 2),
        ("turn", 4000, 0),
        ("placed", 5000, 1),
    ]


def test_the_second_card_under_the_same_hand_is_the_next_seats() -> None:
    """Two cards that were both laid before the false grab were laid in turn."""
    events = [game(3), card(1, 0), press(3, 0), lift(4, 0), card(5, 4, since=2), card(6, 5, since=2.5)]

    assert of(judged(*events), "placed") == [("placed", 1000, 0), ("placed", 5000, 1), ("placed", 6000, 2)]


def test_what_the_false_grab_emptied_was_full_when_the_card_was_laid() -> None:
    """On a full grid it was rightly laid on a pile, though the payment has made a free cell since."""
    events = [game(), full(), press(3, 1), lift(4, 8), card(5, 0, "raft", "blue", since=2)]

    assert names(only(judged(*events), "placed", "misplay")) == ["placed"]


def test_an_emptied_cell_is_free_to_whoever_lays_after_the_payment() -> None:
    """A card whose hand came after the false grab has to go there."""
    events = [game(), full(), press(3, 1), lift(4, 8), card(5, 0, "raft", "blue", since=3.5)]

    assert names(only(judged(*events), "placed", "misplay")) == ["misplay"]


def test_a_card_before_one_false_grab_but_after_another_is_laid_too_early() -> None:
    """The older debt was owed when it was laid."""
    events = [game(3), card(1, 0), card(2, 8, "ring", "blue"), press(3, 0), press(4, 1), card(5, 4, since=3.5)]

    assert only(judged(*events), "misplay")[0]["reason"] == "pick_up_first"


def test_a_seat_that_has_no_card_any_more_laid_none_before() -> None:
    """It has laid its last one since the payment, so the card is the next one's."""
    table = fix(0, tops={"8": {"boat": "ring", "colour": "blue"}}, piles=[*[0] * 8, 19], decks=[20, 1, 20])
    events = [
        game(3),
        table,
        card(1, 0, "jetski", "orange"),
        press(3, 0),
        lift(4, 0),
        card(5, 1, "rowboat", "yellow"),
    ]

    assert of(judged(*events, card(6, 4, since=2)), "placed")[-2:] == [("placed", 5000, 1), ("placed", 6000, 2)]


def test_both_ends_of_a_cards_interval_belong_to_it() -> None:
    """A false grab at the very instant since when the card can have lain there comes after it."""
    paid = [game(3), card(1, 0), press(3, 2), lift(4, 0), card(5, 4, "ring", "blue", since=3)]
    owed = [game(3), card(1, 0), press(3, 2), card(5, 4, "ring", "blue", since=3)]

    assert of(judged(*paid), "placed", "turn")[-1] == ("placed", 5000, 1)
    assert of(judged(*owed), "placed", "misplay")[-1] == ("placed", 5000, 1)


def test_what_part_of_the_debts_has_emptied_was_full_too() -> None:
    """Two false grabs, one of them paid: the grid was full to a card laid before both, not to one between them."""
    before, between = (
        [
            game(3),
            full(decks=[17, 17, 17]),
            press(3, 1),
            press(4, 0),
            lift(5, 8),
            card(6, 0, "raft", "blue", since=t),
        ]
        for t in (2, 3.5)
    )

    assert names(only(judged(*before), "placed", "misplay")) == ["placed"]
    assert names(only(judged(*between), "placed", "misplay")) == ["misplay"]


def test_a_card_is_not_put_before_a_payment_that_was_for_something_else_too() -> None:
    """Where an `overboard` was paid with it, play simply goes on."""
    accuse = {"t": 4 * S, "type": "accuse", "seat": 1, "target": 0}
    table = fix(
        0, tops={"7": RAFT, "8": {"boat": "ring", "colour": "blue"}}, piles=[*[0] * 7, 1, 27], decks=[2, 30]
    )
    events = [game(), table, card(1, 0, "jetski", "orange"), press(3, 1), accuse, lift(5, 7), lift(6, 0)]

    assert of(judged(*events, card(7, 4, since=2)), "placed", "turn")[-2:] == [
        ("placed", 7000, 0),
        ("turn", 7000, 1),
    ]


def test_an_overboard_that_is_paid_is_forgotten() -> None:
    """What was owed before has nothing to do with the next false grab and the card that was laid before it."""
    accuse = {"t": 2 * S, "type": "accuse", "seat": 1, "target": 0}
    table = fix(0, tops={"8": {"boat": "ring", "colour": "blue"}}, piles=[*[0] * 8, 18], decks=[2, 20, 20])
    called = [game(3), table, card(1, 0, "jetski", "orange"), accuse, lift(3, 0), card(4, 1, "rowboat", "yellow")]
    events = [*called, press(7, 0), lift(7.5, 1), card(8, 4, since=6)]

    assert of(judged(*events), "placed", "misplay")[-1] == ("placed", 8000, 2)


# Races


def test_a_held_seat_pressing_again_is_one_slap() -> None:
    """While its lifebuoy depends on a dead heat to come, its second press is nothing."""
    events = [game(3, resolution_us=600_000), *pinks(), press(4, 0), press(4.3, 0), press(4.5, 1), press(4.9, 2)]

    assert of(judged(*events), "safe", "false_grab", "slowest", "dead_heat") == [("dead_heat", 4500, [0, 1, 2])]


def test_seats_safe_well_before_the_last_lifebuoy_stay_out_of_the_heat() -> None:
    """Only presses within the resolution of the one that would take the last lifebuoy are in it."""
    events = [game(3), *pinks(), press(4, 2), press(4.5, 0), press(4.50005, 1)]

    assert of(judged(*events), "safe", "dead_heat") == [("safe", 4000, 2), ("dead_heat", 4500, [0, 1])]


def test_just_beyond_the_resolution_is_no_dead_heat() -> None:
    """50 us are a dead heat, 51 are an order."""
    close, apart = (judged(game(), *pinks(), press(4, 1), press(4 + gap, 0)) for gap in (50e-6, 51e-6))

    assert names(only(close, "dead_heat", "slowest")) == ["dead_heat"]
    assert of(apart, "safe", "slowest") == [("safe", 4000, 1), ("slowest", 4000, 0)]


@pytest.mark.parametrize(("after", "ruled"), [(0.5, []), (0.500001, [("false_grab", 4500, 0)])])
def test_half_a_second_is_the_same_slap(after: float, ruled: list[Any]) -> None:
    """A safe seat's press is its own slap up to and including 500 ms."""
    events = [game(3), *pinks(), press(4, 0), press(4 + after, 0)]

    assert of(judged(*events), "false_grab") == ruled


def test_a_false_grab_is_one_slap_for_half_a_second_too() -> None:
    """At 500 ms still the same, after that another debt."""
    events = [game(3), card(1, 0), card(2, 8, "ring", "blue"), press(4, 0), press(4.5, 0), press(4.500001, 0)]

    assert of(judged(*events), "false_grab") == [("false_grab", 4000, 0), ("false_grab", 4500, 0)]


def test_a_grab_within_half_a_second_of_a_false_one_is_good_where_a_set_has_come() -> None:
    """The same slap is only ignored on a grid without a set."""
    overlooked = fix(3, tops={"2": RAFT}, piles=[1, 1, 1, *[0] * 6], decks=[19, 19, 19])
    events = [game(3), *pinks()[:2], press(2.9, 0), overlooked, press(3.2, 0)]

    assert of(judged(*events), "false_grab", "safe") == [("false_grab", 2900, 0), ("safe", 3200, 0)]


def test_a_penalty_paid_in_mid_race_passes_the_turn() -> None:
    """All that is owed is paid, so play goes on to the payer's left; who is safe stays safe."""
    events = [game(3), *pinks(), card(3.5, 8, "ring", "blue"), press(4, 2), press(5, 2), lift(6, 8)]
    table = heard([*events, seen(9)])

    assert of(judged(*events), "took", "turn")[-2:] == [("took", 6000, 2), ("turn", 6000, 0)]
    assert (state_of(table)["phase"], state_of(table)["safe"]) == ("race", [2])


def test_when_all_piles_of_the_set_are_gone_the_slowest_takes_none() -> None:
    """The safe ones' penalties took them; the debt is paid with nothing, and play goes on at the left."""
    again = [press(t, 0) for t in (4, 5, 6, 7)]
    lifts = [lift(t + 0.5, cell) for cell, t in enumerate((5, 6, 7))]
    rulings = judged(game(3), *pinks(), *again, *lifts, press(9, 1))

    assert [{k: v for k, v in r.items() if k != "t"} for r in rulings if r["t"] == 9 * S] == [
        {"ruling": "safe", "seat": 1, "place": 2, "reaction_us": 6_000_000},
        {"ruling": "slowest", "seat": 2, "choices": [], "cards": []},
        {"ruling": "took", "seat": 2, "cells": [], "cards": 0},
        {"ruling": "turn", "seat": 0},
    ]


def test_a_press_in_the_interval_of_ones_own_last_card_but_after_a_set_wins_nothing_yet() -> None:
    """Where a set lay already the grab is judged at its instant, and then the card was still in the hand."""
    bare = fix(0, tops={"0": RAFT, "1": RAFT, "2": RAFT}, piles=[28, 1, 1, *[0] * 6], decks=[1, 29])
    rulings = judged(game(), bare, press(2, 0), card(3, 4, "ring", "blue", since=1))

    assert names(only(rulings, "safe", "win")) == ["safe"]


def test_two_resolutions_from_first_to_last_are_one_heat() -> None:
    """Each of the outer ones is exactly a resolution from the press that would take the last lifebuoy."""
    rulings = judged(game(3), *pinks(), press(4, 0), press(4.00005, 1), press(4.0001, 2))

    assert of(rulings, "safe", "dead_heat") == [("dead_heat", 4000, [0, 1, 2])]


def test_one_seat_pressing_twice_is_no_dead_heat() -> None:
    """Its second press is its own slap, not the last seat's."""
    rulings = judged(game(3), *pinks(), press(4, 0), press(4.00002, 1), press(4.00004, 1))

    assert of(rulings, "safe", "dead_heat", "slowest") == [
        ("safe", 4000, 0),
        ("safe", 4000, 1),
        ("slowest", 4000, 2),
    ]


def test_a_card_that_counted_excuses_no_slap() -> None:
    """The newest card made a set, a payment broke it: only a card that does not count makes a grab void."""
    colours = ("yellow", "blue", "orange")
    rafts = [card(1 + n / 10, 6 + n, "raft", colour) for n, colour in enumerate(colours)]
    row = [card(2 + n / 10, n, boat, "pink") for n, boat in enumerate(("ring", "jetski", "rowboat"))]
    race = [press(3, 0), press(4, 0), lift(5, 2), press(6, 1), lift(7, 6, 7, 8), press(8, 0)]

    assert of(judged(game(3), *rafts, *row, *race), "void", "false_grab", "took") == [
        ("false_grab", 4000, 0),
        ("took", 5000, 0),
        ("took", 7000, 2),
        ("false_grab", 8000, 0),
    ]


def test_reactions_and_decks_are_whole_numbers() -> None:
    """What is left of a microsecond is dropped."""
    late = {"t": 3_400_001_999, "type": "press", "seat": 1}

    assert [str(r["reaction_us"]) for r in only(judged(game(), *pinks(), late), "safe")] == ["400001"]
    assert str(state_of(heard([game()]))["decks"]) == "[30, 30]"


def test_grabs_under_one_hand_can_be_a_dead_heat() -> None:
    """The clock tells them apart no better for having waited."""
    hidden = [*pinks()[:2], press(2.5, 1), press(2.50004, 0), press(2.50008, 2), card(3, 2, "jetski", since=2.2)]
    apart = [*pinks()[:2], press(2.5, 1), press(2.6, 0), press(2.7, 2), card(3, 2, "jetski", since=2.2)]

    assert of(judged(game(3), *hidden), "safe", "dead_heat") == [("dead_heat", 2500, [0, 1, 2])]
    assert of(judged(game(3), *apart), "safe", "slowest", "late") == [
        ("safe", 2500, 1),
        ("safe", 2600, 0),
        ("slowest", 2600, 2),
        ("late", 2700, 2),
    ]


def test_each_doubtful_press_waits_for_its_own_card() -> None:
    """The earlier press is good only through the later card, and is judged after it."""
    events = [game(3), *pinks()[:2], press(2.1, 0), press(2.4, 1), card(3, 2, "jetski", since=2.2)]

    assert of(judged(*events, card(4, 5, since=2.05)), "safe", "placed", "slowest")[2:] == [
        ("placed", 3000, 2),
        ("safe", 2400, 1),
        ("placed", 4000, 0),
        ("safe", 2100, 0),
        ("slowest", 2100, 2),
    ]


def test_a_set_that_is_taken_before_the_hand_is_gone_excuses_nobody() -> None:
    """What the others do meanwhile is played on to see whether a set lies after that card: here they take it."""
    events = [
        game(),
        *pinks()[:2],
        press(2.1, 0),
        card(3, 2, "jetski", since=2.5),
        press(3.2, 1),
        lift(3.5, 0, 1, 2),
    ]

    rulings = judged(*events, card(4, 8, "ring", "blue", since=2.05))
    assert names(only(rulings, "false_grab", "placed", "misplay"))[2:] == ["false_grab", "misplay", "placed"]


def test_a_senseless_event_under_the_hand_does_not_stop_the_judging() -> None:
    """A foul that a late card has made impossible is passed over in looking ahead as well."""
    foul = {"t": 3 * S, "type": "foul", "seat": 0, "reason": "peeked", "cell": 0}
    late = [press(2, 0), card(2.5, 0, "raft", "blue", since=1.9), card(4, 4, "ring", "yellow", since=1.8)]
    rulings = judged(game(), full(), card(1, 0, "raft", "blue"), foul, *late)

    assert names(only(rulings, "placed", "misplay", "false_grab")) == ["placed", "false_grab", "placed", "placed"]


@pytest.mark.parametrize(("after", "ruled"), [(0.5, 1), (0.500001, 2)])
def test_grabbing_again_is_one_slap_too(after: float, ruled: int) -> None:
    """A press up to 500 ms after the own `already_safe` is nothing more."""
    events = [game(3), *pinks(), press(4, 0), press(5, 0), press(5 + after, 0)]

    assert len(of(judged(*events), "false_grab")) == ruled


# The last card


def exposing(*events: Event) -> list[Event]:
    """Seat 0 has two cards and lays one of them, among these events."""
    return judged(game(), fix(0, tops={"8": RAFT}, piles=[*[0] * 8, 28], decks=[2, 30]), *events)


def call(t: float, seat: int = 0) -> Event:
    return {"t": at(t), "type": "call", "seat": seat}


@pytest.mark.parametrize(("early", "ruled"), [(3.0, ["called"]), (2.999999, ["no_effect"])])
def test_a_call_up_to_two_seconds_early_counts(early: float, ruled: list[str]) -> None:
    """From two seconds before on it counts as made when the seat comes to be exposed."""
    assert names(only(exposing(call(early), card(5, 0, "ring", "blue")), "called", "no_effect")) == ruled


def test_an_early_call_counts_once() -> None:
    """When the seat comes to be exposed anew, a call that has been used up is no call."""
    foul = {"t": at(5.2), "type": "foul", "seat": 0, "reason": "peeked", "cell": 0}
    rulings = exposing(
        call(4), card(5, 0, "ring", "blue"), foul, card(5.4, 1, "raft", "pink", seat=1), card(5.6, 2)
    )

    assert of(rulings, "called", "last_card") == [
        ("last_card", 5000, 0),
        ("called", 5000, 0),
        ("last_card", 5600, 0),
    ]


@pytest.mark.parametrize(("gap", "ruled"), [(50e-6, ["no_effect", "called"]), (51e-6, ["overboard", "no_effect"])])
def test_the_same_instant_is_the_callers(gap: float, ruled: list[str]) -> None:
    """Within the resolution of the accusation, both ends included, the call has it."""
    accuse = {"t": at(6), "type": "accuse", "seat": 1, "target": 0}
    rulings = exposing(card(5, 0, "ring", "blue"), accuse, call(6 + gap))

    assert names(only(rulings, "called", "overboard", "no_effect")) == ruled


# Nothing is lost


def test_a_card_that_cannot_be_justifies_nobody_and_nobody_waits_for_it() -> None:
    """The decks were emptied before it: the press under its hand is judged without it."""
    bare = fix(8, tops={"0": RAFT, "1": RAFT, "2": RAFT}, piles=[58, 1, 1, *[0] * 6], decks=[0, 0])
    rulings = judged(game(), press(5, 0), card(10, 4, since=4), bare)

    assert of(rulings, "void", "false_grab", "safe") == [("void", 5000, 0)]


# Sprints


def heat(*after: Event) -> list[Event]:
    """Three seats that the clock cannot tell apart, and what follows."""
    return judged(game(3), *pinks(), press(4, 0), press(4.00004, 1), press(4.00008, 2), *after)


def test_three_in_a_heat_of_two_lifebuoys() -> None:
    """Those a resolution before the deciding press are in it as well as those after."""
    assert of(heat(), "safe", "dead_heat") == [("dead_heat", 4000, [0, 1, 2])]


def test_the_last_to_answer_the_lamps_is_the_slowest() -> None:
    """All is ruled at the press that ends the sprint; reactions are those of the race."""
    rulings = heat(sprint(6), press(6.3, 2), press(6.4, 0), press(6.5, 1))

    assert only(rulings, "safe") == [
        {"t": at(6.4), "ruling": "safe", "seat": 2, "place": 1, "reaction_us": 1_000_080},
        {"t": at(6.4), "ruling": "safe", "seat": 0, "place": 2, "reaction_us": 1_000_000},
    ]
    assert of(rulings, "slowest", "late") == [("slowest", 6400, 1), ("late", 6500, 1)]


def test_who_presses_before_anybody_can_has_jumped() -> None:
    """100 ms after the lamps is an answer; a nanosecond less is a guess, and so is one before the lamps."""
    answer, guess, early = (heat(sprint(6), press(t, 1)) for t in (6.1, 6.099999, 5.9))

    assert of(answer, "slowest") == []
    assert of(guess, "safe", "slowest") == [("safe", 6099, 0), ("safe", 6099, 2), ("slowest", 6099, 1)]
    assert of(early, "safe", "slowest") == [("safe", 5900, 0), ("safe", 5900, 2), ("slowest", 5900, 1)]


def test_the_slap_of_the_race_is_no_jump() -> None:
    """Within 500 ms of the press in the race and before the lamps it means nothing; after the lamps it does."""
    before = heat(press(4.5, 0), sprint(4.6), press(4.8, 1), press(4.9, 0))
    after = heat(sprint(4.2), press(4.25, 0))

    assert of(before, "slowest") == [("slowest", 4900, 2)]
    assert of(after, "slowest") == [("slowest", 4250, 0)]


def test_two_jumpers_sprint_again() -> None:
    """The third is safe at once; the two are told apart by another sprint."""
    rulings = heat(sprint(6), press(6.05, 1), press(6.05003, 0), sprint(8), press(8.2, 0), press(8.4, 1))

    assert of(rulings, "safe", "dead_heat", "slowest", "late") == [
        ("dead_heat", 4000, [0, 1, 2]),
        ("safe", 6050, 2),
        ("dead_heat", 6050, [0, 1]),
        ("safe", 8200, 0),
        ("slowest", 8200, 1),
        ("late", 8400, 1),
    ]


def test_a_resolution_apart_two_jumpers_are_one_heat() -> None:
    """At exactly the resolution they jumped together; beyond it the first one jumped alone."""
    together, alone = (heat(sprint(6), press(6.05, 1), press(6.05 + gap, 0)) for gap in (50e-6, 51e-6))

    assert of(together, "dead_heat")[1:] == [("dead_heat", 6050, [0, 1])]
    assert of(alone, "slowest") == [("slowest", 6050, 1)]


def test_a_press_of_the_race_is_no_answer_to_the_lamps() -> None:
    """Even if the lamps were lit before it came, as on a clock so coarse that they could be."""
    coarse = game(2, resolution_us=600_000)
    rulings = judged(coarse, *pinks(), press(4, 0), sprint(4.2), press(4.5, 1), press(4.9, 1))

    assert of(rulings, "dead_heat", "safe", "slowest") == [
        ("dead_heat", 4000, [0, 1]),
        ("safe", 4900, 1),
        ("slowest", 4900, 0),
    ]


def test_two_last_ones_sprint_again() -> None:
    """The first to answer is safe at once; the 500 ms count from the answers of that sprint."""
    rulings = heat(
        *(sprint(6), press(6.2, 1), press(6.3, 0), press(6.30005, 2)),
        *(press(6.7, 2), sprint(8), press(8.2, 2)),
    )

    assert of(rulings, "safe", "dead_heat", "slowest") == [
        ("dead_heat", 4000, [0, 1, 2]),
        ("safe", 6300, 1),
        ("dead_heat", 6300, [0, 2]),
        ("safe", 8200, 2),
        ("slowest", 8200, 0),
    ]


def test_the_lamps_light_once() -> None:
    """A second `sprint` moves nothing; one without a dead heat is nothing."""
    assert of(heat(sprint(6), sprint(7), press(7.05, 0), press(7.2, 1)), "slowest") == [("slowest", 7200, 2)]
    assert names(judged(game(), sprint(1))) == ["turn"]


# Payment


def test_a_half_lifted_set_is_still_asked_for() -> None:
    """What has been lifted counts as still lying, in the state too; the same pile told twice is no wrong lift."""
    table = heard([game(), *pinks(), press(4, 1), lift(5, 0), lift(5.5, 0)])

    assert state_of(table)["owed"][0]["choices"] == [[0, 1, 2]]
    assert state_of(table)["piles"][0] == 1
    assert names(only(judged(game(), *pinks(), press(4, 1), lift(5, 0), lift(5.5, 0)), "wrong_lift")) == []


def test_a_foul_completes_what_was_half_lifted() -> None:
    """The pile that it removes is no longer asked for, and the rest has been lifted."""
    foul = {"t": 7 * S, "type": "foul", "seat": 0, "reason": "peeked", "cell": 2}
    rulings = judged(game(), *pinks(), press(4, 1), lift(5, 0, 1), foul)

    assert only(rulings, "took") == [{"t": 7 * S, "ruling": "took", "seat": 0, "cells": [0, 1], "cards": 2}]


def test_a_lifted_pile_that_a_foul_removes_is_not_missed() -> None:
    """It is no longer asked for, and counts no more among what has been lifted."""
    foul = {"t": 6 * S, "type": "foul", "seat": 0, "reason": "peeked", "cell": 0}
    rulings = judged(game(), *pinks(), press(4, 1), lift(5, 0), foul, lift(7, 1, 2))

    assert [(r["cells"], r["cards"]) for r in only(rulings, "took", "wrong_lift")] == [([1, 2], 2)]


def test_a_deck_that_grows_past_one_card_at_once_exposes_nobody() -> None:
    """A foul gives the slowest its first card back and completes its debt in the same instant."""
    tops = {"0": RAFT, "1": RAFT, "8": {"boat": "ring", "colour": "blue"}}
    table = fix(0, tops=tops, piles=[1, 1, *[0] * 6, 28], decks=[1, 29])
    foul = {"t": 7 * S, "type": "foul", "seat": 0, "reason": "peeked", "cell": 2}
    rulings = judged(game(), table, card(3, 2), press(4, 1), lift(5, 0, 1), foul)

    assert names(only(rulings, "took", "last_card")) == ["took"]
    assert only(rulings, "took")[0]["t"] == 7 * S


def test_a_misplayed_card_on_a_pile_leaves_with_the_pile() -> None:
    """A wrong lift counts for nothing; a payment takes the mark with it."""
    misplayed = card(1.5, 0, "ring", "blue")
    grid = {"t": 9 * S, "type": "grid", "cells": [{"boat": "ring", "colour": "blue"}, *[None] * 8]}
    left = [game(), card(1, 0), misplayed, lift(2, 0), grid]
    taken = [game(), card(1, 0), misplayed, press(2, 1), lift(3, 0), grid]

    assert names(only(judged(*left), "adrift")) == []
    assert only(judged(*taken), "adrift") == [{"t": 9 * S, "ruling": "adrift", "cells": [0]}]


# Without a camera


def test_without_a_camera_nothing_can_be_taken_too() -> None:
    """A debt is paid with no cards where none lie; the deck has not changed by it."""
    take = {"t": 3 * S, "type": "take", "seat": 1, "cards": 0}
    rulings = judged(game(grid="none"), press(1, 0), take)

    assert only(rulings, "took") == [{"t": 3 * S, "ruling": "took", "seat": 1, "cards": 0}]


def test_without_a_camera_a_wrong_take_is_the_takers() -> None:
    """Where somebody else owes, the taker is named; where nobody does, nobody is."""
    take = {"t": 3 * S, "type": "take", "seat": 0, "cards": 0}
    nothing = judged(game(grid="none"), take)
    others = judged(game(grid="none"), press(1, 0), take)

    assert only(nothing, "wrong_lift") == [{"t": 3 * S, "ruling": "wrong_lift", "seat": None}]
    assert only(others, "wrong_lift") == [{"t": 3 * S, "ruling": "wrong_lift", "seat": 0}]


def test_without_a_camera_only_the_decks_are_known() -> None:
    """All that lies on the grid is null, and so is what may be taken from it."""
    state = state_of(heard([game(grid="none"), {"t": 0, "type": "laid"}, press(1, 0)]))

    assert [state["piles"], state["tops"], state["sets"]] == [None, None, None]
    assert state["owed"] == [{"seat": 1, "why": "slowest", "choices": None}]


def test_without_a_camera_laying_waits_for_what_is_owed() -> None:
    """As with one, but nobody knows the cell."""
    laid = {"t": 2 * S, "type": "laid"}
    rulings = judged(game(grid="none"), press(1, 0), laid)

    assert only(rulings, "misplay") == [{"t": 2 * S, "ruling": "misplay", "seat": 0, "reason": "pick_up_first"}]


def test_without_a_camera_a_penalty_is_void_when_the_table_is_empty() -> None:
    """Whoever owes first may take all that lies there; then there is nothing left for the other."""
    laid = {"t": 1 * S, "type": "laid"}
    accuse = {"t": 2 * S, "type": "accuse", "seat": 1, "target": 0}
    take = {"t": 4 * S, "type": "take", "seat": 1, "cards": 19}
    rulings = judged(game(grid="none"), fix(0, decks=[2, 40]), laid, accuse, press(3, 0), take)

    assert of(rulings, "overboard", "took", "void") == [
        ("overboard", 2000, 0),
        ("took", 4000, 1),
        ("void", 4000, 0),
    ]


def test_without_a_camera_a_race_goes_on_while_a_pile_is_owed() -> None:
    """As with one: while a race is on, cards may still be laid."""
    accuse = {"t": 2 * S, "type": "accuse", "seat": 1, "target": 0}
    laid = [{"t": t * S, "type": "laid"} for t in (1, 4)]
    rulings = judged(game(3, grid="none"), fix(0, decks=[2, 20, 20]), laid[0], accuse, press(3, 1), laid[1])

    assert names(only(rulings, "placed", "misplay", "overboard")) == ["placed", "overboard", "placed"]


# Corrections


def test_at_the_same_instant_what_was_heard_first_comes_first() -> None:
    """A grid and a card of one instant: the grid knows the card if that was told before it."""
    laid, grid = card(1, 1), {"t": 1 * S, "type": "grid", "cells": [None, RAFT, *[None] * 7]}

    assert names(only(judged(game(), laid, grid), "adrift")) == []
    assert names(only(judged(game(), grid, laid), "adrift")) == ["adrift"]


def test_a_pile_whose_top_nobody_knows_is_missed_too() -> None:
    """The camera sees an empty cell where cards should lie."""
    foul = {"t": 3 * S, "type": "foul", "seat": 0, "reason": "peeked", "cell": 0}
    table = [game(), card(1, 0), fix(2, piles=[3, *[0] * 8], decks=[27, 30]), foul]
    forgiven = fix(4, tops={"0": RAFT}, piles=[2, *[0] * 8])
    grid = {"t": 5 * S, "type": "grid", "cells": [None] * 9}
    refouled = foul | {"t": at(4.5)}

    assert only(judged(*table, forgiven, grid), "adrift")[0]["cells"] == [0]
    assert names(only(judged(*table, forgiven, refouled, grid), "adrift")) == []


def test_only_a_grid_rules_what_is_adrift() -> None:
    """A fix corrects the table; whether the camera agrees is known when it looks again."""
    grid = {"type": "grid", "cells": [None, RAFT, *[None] * 7]}
    piles = [0, 1, *[0] * 7]
    rulings = judged(
        *(game(), {"t": 1 * S, **grid}, fix(2, tops={"1": RAFT}, piles=piles, decks=[29, 30])),
        {"t": 3 * S, **grid},
    )

    assert only(rulings, "adrift") == [
        {"t": 1 * S, "ruling": "adrift", "cells": [1]},
        {"t": 3 * S, "ruling": "adrift", "cells": []},
    ]


def test_a_fix_forgives_the_misplayed_card() -> None:
    """What is corrected there counts for `adrift` again."""
    grid = {"t": 9 * S, "type": "grid", "cells": [{"boat": "ring", "colour": "blue"}, *[None] * 8]}
    rulings = judged(game(), card(1, 0), card(2, 0, "ring", "blue"), fix(3, tops={"0": RAFT}), grid)

    assert only(rulings, "adrift") == [{"t": 9 * S, "ruling": "adrift", "cells": [0]}]


def test_a_fixed_deck_is_exposed_no_more() -> None:
    """A deck that changes is another deck; one that is only said again is not."""
    last = [game(), fix(0, tops={"8": RAFT}, piles=[*[0] * 8, 28], decks=[2, 30]), card(1, 0, "ring", "blue")]
    same = fix(2, decks=[1, 30])
    other = fix(2, decks=[2, 29])

    assert [state_of(heard([*last, correction]))["exposed"] for correction in (same, other)] == [[0], []]


def test_a_fixed_turn_goes_to_that_seat() -> None:
    """Or to the next with cards, if it has none; said once."""
    named = judged(game(4), fix(1, turn=2))
    bare = judged(game(4), fix(1, turn=2, decks=[15, 15, 0, 15], tops={"0": RAFT}, piles=[15, *[0] * 8]))
    passed = fix(2, decks=[14, 5, 0, 15], tops={"0": RAFT}, piles=[26, *[0] * 8])
    table = fix(0, decks=[15, 0, 15, 15], tops={"0": RAFT}, piles=[15, *[0] * 8])
    onwards = judged(game(4), table, card(1, 1, "ring", "blue"), passed | {"piles": [25, 1, *[0] * 7]})

    assert of(named, "turn")[1:] == [("turn", 1000, 2)]
    assert of(bare, "turn")[1:] == [("turn", 1000, 3)]
    assert of(onwards, "turn")[1:] == [("turn", 1000, 2), ("turn", 2000, 3)]


def test_when_somebody_has_cards_again_the_turn_goes_on_from_the_last() -> None:
    """Nobody had it while nobody had cards; the seat that laid last is the one from which it goes on."""
    tops = {"0": RAFT, "1": RAFT, "2": RAFT}
    bare = fix(0, tops=tops, piles=[57, 1, 1, *[0] * 6], decks=[0, 1, 0], turn=1)
    dealt = fix(2, tops=tops, piles=[48, 1, 1, 0, 0, 0, 0, 0, 1], decks=[3, 3, 3])
    rulings = judged(game(3), bare, card(1, 8, "ring", "blue"), dealt)

    assert of(rulings, "turn") == [("turn", 0, 0), ("turn", 0, 1), ("turn", 2000, 2)]


def test_without_a_camera_all_cards_may_be_in_the_decks() -> None:
    """Then nothing lies on the table."""
    assert state_of(heard([game(grid="none"), fix(1, decks=[60, 0])]))["decks"] == [60, 0]


def test_after_the_end_a_fix_settles_what_was_owed() -> None:
    """The slowest's debt stays as it was until somebody clears the piles; the end stays the end."""
    table = fix(0, tops={"0": RAFT, "1": RAFT, "2": RAFT}, piles=[28, 1, 1, *[0] * 6], decks=[0, 30])
    won = heard([game(), table, press(1, 0), seen(1)])
    cleared = won.hear(fix(2, tops={"0": None, "1": None, "2": None}, piles=[0] * 9, decks=[30, 30]))

    assert [debt["seat"] for debt in state_of(won)["owed"]] == [1]
    assert (state_of(cleared)["owed"], state_of(cleared)["phase"]) == ([], "over")


def test_a_pile_that_grows_keeps_what_lay_at_its_bottom() -> None:
    """The unknown card comes right under the top."""
    fouls = [{"t": t * S, "type": "foul", "seat": 1, "reason": "peeked", "cell": 0} for t in (4, 5)]
    cards = [card(1, 8, "jetski", "orange"), card(2, 0, "ring", "blue")]
    table = [game(), full(), *cards, fix(3, piles=[3, *[1] * 7, 2], decks=[23, 25])]

    assert [state_of(heard([*table, *fouls[:n]]))["tops"][0] for n in (0, 1, 2)] == [
        {"boat": "ring", "colour": "blue"},
        None,
        {"boat": "rowboat", "colour": "yellow"},
    ]


def test_what_a_fix_puts_under_a_top_is_unknown() -> None:
    """The cards that were there stay where they were; whatever nobody saw comes between them and the top."""
    foul = {"t": 9 * S, "type": "foul", "seat": 0, "reason": "peeked", "cell": 0}
    grown = fix(2, piles=[3, *[0] * 8], decks=[27, 30])
    missed = fix(2, tops={"0": {"boat": "ring", "colour": "blue"}}, piles=[2, *[0] * 8], decks=[28, 30])

    below = [state_of(heard([game(), card(1, 0), correction, foul]))["tops"][0] for correction in (grown, missed)]
    assert below == [None, RAFT]


def test_a_pile_that_shrinks_keeps_its_top() -> None:
    """What the fix does not name stays, and so does what lay at the bottom."""
    cards = [card(1, 0, "ring", "blue"), card(2, 0, "jetski", "orange")]
    shrunk = fix(3, piles=[2, *[1] * 8], decks=[25, 25])
    foul = {"t": 9 * S, "type": "foul", "seat": 1, "reason": "peeked", "cell": 0}
    table = heard([game(), full(decks=[25, 26]), *cards, shrunk])

    assert state_of(table)["tops"][0] == {"boat": "jetski", "colour": "orange"}
    assert state_of(table.hear(foul))["tops"][0] == {"boat": "rowboat", "colour": "yellow"}


def test_an_unknown_top_stops_no_other_fix() -> None:
    """Its pile has a top, if one that nobody knows."""
    foul = {"t": 3 * S, "type": "foul", "seat": 0, "reason": "peeked", "cell": 0}
    grown = fix(2, piles=[2, *[0] * 8], decks=[28, 30])
    table = heard([game(), card(1, 0), grown, foul, fix(4, turn=0)])

    assert state_of(table)["turn"] == 0
    assert (state_of(table)["piles"][0], state_of(table)["tops"][0]) == (1, None)


def test_a_host_ends_a_game_that_no_camera_sees() -> None:
    """By saying once more that all decks are empty, once nothing is owed; the last card that is laid does not end
    it, for it may make a set."""
    blind, none = game(grid="none"), {"decks": [0, 0]}
    laid = judged(blind, fix(1, decks=[1, 0]), {"t": 2 * S, "type": "laid"})
    assert "stalemate" not in names(laid)
    assert "stalemate" not in names(judged(blind, fix(1, **none)))
    assert "stalemate" == names(judged(blind, fix(1, **none), fix(2, **none)))[-1]
    owing = judged(blind, press(1, 1), fix(2, **none), fix(3, **none))
    assert "stalemate" not in names(owing)


def test_a_fact_of_no_kind_is_a_mistake_of_ours() -> None:
    """What is never ruled on does not slip through."""
    begin = GameBegun(0, ("Ada", "Ben"), 0)
    with pytest.raises(TypeError, match="no fact of the table"):
        rule(initial_state(begin), make_fact(SeenUntil(1), 1, 0), LaterFacts())
