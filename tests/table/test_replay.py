"""The replay of a recording: what it prints, and in which order."""

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.errors import InvalidEvent
from companion.games.goat.cast.family import evening
from companion.table.evening import Evening
from companion.table.replay import replay

from ..games.goat.rules.play import (
    Event,
    S,
    card,
    fix,
    game,
    heard,
    pinks,
    press,
    rulings_of,
    seen,
    undo,
)

GOLDEN = Path(__file__).parents[1] / "games" / "goat" / "golden"


def lines(events: Iterable[Event]) -> list[bytes]:
    return [json.dumps(event).encode() for event in events]


def replayed(events: Iterable[Event], *, states: bool = False) -> list[Any]:
    return [json.loads(line) for line in replay(lines(events), states=states)]


def test_a_replay_is_the_rulings_and_the_last_state() -> None:
    """The rulings in their final order, then the state when all is known."""
    events = [game(), *pinks(), press(3.4, 1)]
    told = replayed(events)

    assert told[:-1] == rulings_of(heard(events))
    assert told[-1]["state"]["phase"] == "pickup"


def test_every_event_has_its_state() -> None:
    """With states there is one for every event, and one more at the end; waiting presses are in none but that."""
    events = [game(), *pinks(), press(3.4, 1), seen(3.3)]
    states = [line["state"] for line in replayed(events, states=True) if "state" in line]

    assert len(states) == len(events) + 1
    assert [state["phase"] for state in states] == ["play"] * 6 + ["pickup"]


@pytest.mark.parametrize("path", sorted(GOLDEN.rglob("*.rulings.jsonl")), ids=lambda path: path.stem)
def test_states_change_no_ruling(path: Path) -> None:
    """With states the same rulings come in the same order, and every state follows the rulings it knows."""
    recording = path.with_name(path.name.replace(".rulings", ""))
    events = [json.loads(line) for line in recording.read_text(encoding="utf-8").splitlines()]
    told = replayed(events, states=True)

    assert [line for line in told if "ruling" in line] == [line for line in replayed(events) if "ruling" in line]
    known: list[Any] = []
    at_the_table, to_come = Evening(), iter(events)
    for line in told[:-1]:
        if "ruling" in line:
            known.append(line)
            continue
        at_the_table = at_the_table.hear(next(to_come))
        at_once = rulings_now(at_the_table)
        assert all(ruling in known for ruling in at_once if ruling in told)


def rulings_now(at_the_table: Evening) -> list[Any]:
    """What its state knows; presses that wait are not in it."""
    record = at_the_table.game
    assert record is not None
    return [json.loads(json.dumps(said.as_json())) for _, said in record.rulings()]


def test_what_a_late_fact_brings_comes_in_its_place() -> None:
    """A card that is learnt after a call comes before it, and the state between knows only the call."""
    table = fix(0, tops={"8": {"boat": "raft", "colour": "pink"}}, piles=[*[0] * 8, 28], decks=[1, 31])
    call = {"t": 5 * S, "type": "call", "seat": 1}
    told = replayed([game(), table, call, card(4, 0, "ring", "blue")], states=True)

    rulings = [(line["ruling"], line["t"] // S) for line in told if "ruling" in line]
    assert rulings == [("turn", 0), ("placed", 4), ("turn", 4), ("no_effect", 5)]
    # `no_effect` is known to the third state, so all that comes before it in the final order is told before that.
    assert [("state" in line) for line in told] == [False, True, True, False, False, False, True, True, True]


def test_undone_rulings_are_not_told() -> None:
    """Rulings on what was taken back do not come."""
    told = replayed([game(), card(1, 0), card(2, 1), undo(3)], states=True)

    assert [line["ruling"] for line in told if "ruling" in line] == ["turn", "placed", "turn"]


def test_what_was_undone_and_told_anew_is_another_ruling() -> None:
    """The card that counts in the end is the second one told: its rulings come before that one's state."""
    told = replayed([game(), card(1, 0), undo(2), card(1, 0)], states=True)

    assert [line["ruling"] for line in told if "ruling" in line] == ["turn", "placed", "turn"]
    assert [("state" in line) for line in told] == [False, True, True, True, False, False, True, True]


def test_games_of_one_recording_follow_each_other() -> None:
    """Each game's rulings come when it is closed; the last state is the last game's."""
    raft = {"boat": "raft", "colour": "pink"}
    bare = fix(0, tops={"0": raft, "1": raft, "2": raft}, piles=[58, 1, 1, *[0] * 6], decks=[0, 0])
    events = [game(), bare, press(1, 0), game(3, t=2), card(3, 0)]
    told = replayed(events)

    assert [line.get("ruling", "state") for line in told].count("win") == 1
    assert len(told[-1]["state"]["decks"]) == 3
    assert sum("state" in line for line in replayed(events, states=True)) == len(events) + 1


def test_an_error_names_its_line() -> None:
    """Empty lines count as lines, and mean nothing."""
    with pytest.raises(InvalidEvent, match="line 3: press: `seat`"):
        list(replay([b"\n", *lines([game(), press(1, 7)])]))


def test_nothing_is_told_of_nothing() -> None:
    """A recording without a game has no state."""
    assert [*replay([])] == []
    assert [*replay([b"\n"], states=True)] == []


@pytest.mark.parametrize("seed", range(12))
def test_a_drawn_evening_is_played_and_judged(seed: int) -> None:
    """What a family might do makes sense; times go back only for grabs that waited for a card."""
    told = replayed(evening(seed, 2 + seed % 5))

    assert told[-1]["state"]["phase"] in {"over", "play"}
    rulings = [line for line in told if "ruling" in line]
    for before, after in pairwise(rulings):
        assert before["t"] <= after["t"] or after["ruling"] in {"safe", "slowest", "late", "dead_heat", "win"}
