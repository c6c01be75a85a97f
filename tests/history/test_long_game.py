"""A game that never ends is looked back on without all of it being in memory at once."""

import gc
import json
import tracemalloc
from pathlib import Path

import pytest

from companion.games.goat.history import make_story
from companion.games.goat.history.steps import forwards
from companion.games.goat.rules import timeline
from companion.games.goat.rules.timeline import Step, backwards
from companion.history.archive import Archive
from companion.journal import Journal

from ..games.goat.rules.play import Event, card, game, lift
from .past import EVENINGS, closed, lines_of, records_of


def without_end(events: int) -> list[Event]:
    """Cards come and go."""
    rounds = [
        [
            card(4 * n + 1, 0, "raft", "pink"),
            card(4 * n + 2, 1, "ring", "blue"),
            lift(4 * n + 3, 0),
            lift(4 * n + 4, 1),
        ]
        for n in range(events // 4)
    ]
    return [game(), *(event for each in rounds for event in each)]


def same(step: Step, other: Step) -> bool:
    return (step.number, step.fact, step.said) == (other.number, other.fact, other.said)


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda path: path.stem)
def test_forwards_is_backwards_turned_round(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where most of it is packed; and the story is the same."""
    told = [make_story(record) for record in records_of(evening)]
    monkeypatch.setattr(timeline, "STEPS_PACKED_TOGETHER", 4)
    shelved = closed(lines_of(evening))
    for record, story in zip(shelved, told, strict=True):
        steps = [*backwards(record.newest)][::-1]
        assert all(map(same, forwards(record.newest), steps))
        assert story == make_story(record)


@pytest.mark.slow
@pytest.mark.slow
def test_a_long_game_takes_little_memory(tmp_path: Path) -> None:
    """Of eight times the events not eight times as much."""
    most = [peak(tmp_path / str(events), events) for events in (2_000, 16_000)]
    assert most[1] < 4 * most[0]


def peak(folder: Path, events: int) -> int:
    folder.mkdir()
    with Journal.open(folder / "journal.db") as journal:
        journal.append([json.dumps(event) for event in without_end(events)])
    gc.collect()
    tracemalloc.start()
    Archive(folder / "journal.db").list_games(float("inf"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most
