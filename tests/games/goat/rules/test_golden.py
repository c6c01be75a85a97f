"""Recorded games and the rulings that they must give. They were worked out from the rulebook."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.table.replay import replay

GOLDEN = Path(__file__).parents[1] / "golden"
EVENINGS = sorted(path for path in GOLDEN.rglob("*.jsonl") if not path.name.endswith(".rulings.jsonl"))
REASONS = {
    "misplay": {"pick_up_first", "out_of_turn", "empty_cell_left", "peeked", "outside"},
    "false_grab": {"no_set", "already_safe"},
    "void": {"misplay", "no_pile"},
}
RULINGS = {
    *("turn", "placed", "misplay", "set", "safe", "slowest", "dead_heat", "took", "wrong_lift", "false_grab"),
    *("late", "void", "last_card", "called", "overboard", "no_effect", "adrift", "win", "stalemate"),
}


def expected(evening: Path) -> tuple[str, list[Any]]:
    lines = evening.with_suffix(".rulings.jsonl").read_text(encoding="utf-8").splitlines()
    about, *rulings = [json.loads(line) for line in lines]
    return about["about"], rulings


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda path: path.stem)
def test_a_golden_evening_gives_its_rulings(evening: Path) -> None:
    """Each recording gives exactly its rulings, in their order, and its last state."""
    about, rulings = expected(evening)
    with evening.open("rb") as recording:
        actual = [json.loads(line) for line in replay(recording)]

    assert rulings == actual, about


def test_the_golden_evenings_know_every_ruling_and_reason() -> None:
    """No ruling and no reason of the contract is without its golden evening."""
    told = [line for evening in EVENINGS for line in expected(evening)[1] if "ruling" in line]
    reasons = {kind: {line["reason"] for line in told if line["ruling"] == kind} for kind in REASONS}

    assert RULINGS == {line["ruling"] for line in told}
    assert REASONS == reasons


def test_a_whole_game_is_there_for_every_number_of_seats() -> None:
    """For two to six seats there is a game from the deal of all sixty cards to its win."""
    played: set[int] = set()
    for evening in EVENINGS:
        events = [json.loads(line) for line in evening.read_text(encoding="utf-8").splitlines()]
        won = any(line.get("ruling") == "win" for line in expected(evening)[1])
        if won and "fix" not in {event["type"] for event in events}:
            played.add(len(events[0]["seats"]))

    assert {2, 3, 4, 5, 6} == played
