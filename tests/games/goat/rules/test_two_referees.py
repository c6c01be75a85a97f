"""Two referees, written apart from each other, rule alike on evenings drawn by lot."""

import json
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from companion.errors import InvalidEvent
from companion.table.evening import Evening

from . import second_referee
from .play import Event, rulings_of, state_of
from .random_player import Player
from .second_table import Refused

LENGTH = 28
# What the contract decides and chance brings seldom; each is counted by the second referee.
RARE = {
    "A": "a press that waits is good through an earlier card than the one that is looked ahead to",
    "B": "the lamps light between two jumpers",
    "C": "a card counts as laid before false grabs, and more than one payment has emptied cells since",
    "D": "a seat in a dead heat lays its last card between its rivals' press and its own",
}


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def compare(seed: int) -> Counter[str]:
    """Event by event: both take it or both refuse it, and the state is the same; at last the rulings are."""
    player = Player(seed)
    told: list[Event] = []
    first, second = Evening().hear(player.begin), second_referee.Evening(player.begin)
    waiting = player.opening()[1:]
    while len(told) < LENGTH:
        for event in waiting:
            accepted = True
            try:
                first = first.hear(event)
            except InvalidEvent:
                accepted = False
            try:
                second.hear(event)
            except Refused:
                assert not accepted, (seed, told, event)
            else:
                assert accepted, (seed, told, event)
            told.append(event)
            assert state_of(first) == plain(second.judged().state()), (seed, told)
        waiting = player.next(second.judged().state())
    assert rulings_of(first) == plain(second.rulings()), (seed, told)
    return +second.judged(closed=True).met


def told_in(player: Player) -> list[Event]:
    """An evening as it was told, without what was refused."""
    second = second_referee.Evening(player.begin)
    told: list[Event] = [player.begin]
    waiting = player.opening()[1:]
    while len(told) < LENGTH:
        for event in waiting:
            with suppress(Refused):
                second.hear(event)
                told.append(event)
        waiting = player.next(second.judged().state())
    return told


def compared(seeds: range) -> Counter[str]:
    met: Counter[str] = Counter()
    for seed in seeds:
        met.update(dict.fromkeys(compare(seed), 1))
    return met


def test_two_referees_agree() -> None:
    """On thirty evenings."""
    assert compared(range(30))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_two_referees_agree_on_two_thousand_evenings() -> None:
    """Among them are all that is rare."""
    met = compared(range(2000))

    assert {what: met[what] for what in RARE if not met[what]} == {}
