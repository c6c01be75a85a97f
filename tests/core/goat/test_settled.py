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
