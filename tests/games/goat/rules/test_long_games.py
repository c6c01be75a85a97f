"""Games that do not end: what is old is packed, and comes back the same."""

import gc
import json
import tracemalloc
from collections.abc import Iterator

import pytest

from companion.games.goat.rules import Record, timeline, undo_chain
from companion.games.goat.rules.events import ALL_CARDS
from companion.games.goat.rules.timeline import PackedSteps, Step, backwards
from companion.table.evening import Evening

from .play import MS, Event, S, card, game, heard, press, rulings_of, seen, state_of, undo
from .random_player import Player
from .test_golden import EVENINGS
from .test_two_referees import compare, told_in


def endless(events: int, seats: int = 4) -> Iterator[Event]:
    """A row of three is laid, all slap, the seat with the fewest cards takes it: nobody ever runs out."""
    yield game(seats)
    decks, turn, t, told = [ALL_CARDS // seats] * seats, 0, 0, 1
    while told < events:
        round_: list[Event] = []
        for cell, boat in enumerate(("raft", "ring", "jetski")):
            t += 1500 * MS
            laid = {"t": t, "type": "card", "cell": cell, "boat": boat, "colour": "pink", "from": t - 300 * MS}
            round_ += [laid, {"t": t + 200 * MS, "type": "seen"}]
            decks[turn] -= 1
            turn = (turn + 1) % seats
        order = sorted(range(seats), key=lambda seat: -decks[seat])
        round_ += [
            {"t": t + (400 + 9 * place) * MS, "type": "press", "seat": seat} for place, seat in enumerate(order)
        ]
        round_.append({"t": t + S, "type": "lift", "cells": [0, 1, 2]})
        decks[order[-1]] += 3
        turn = (order[-1] + 1) % seats
        t += S
        told += len(round_)
        yield from round_


def record_of(evening: Evening) -> Record:
    assert isinstance(evening.game, Record)
    return evening.game


@pytest.fixture
def small_shelves(monkeypatch: pytest.MonkeyPatch) -> None:
    """So small that every evening needs them."""
    monkeypatch.setattr(timeline, "STEPS_PACKED_TOGETHER", 3)
    monkeypatch.setattr(undo_chain, "EVENTS_PACKED_TOGETHER", 4)


def steps_of(record: Record) -> list[object]:
    return [(step.number, step.fact, step.state.as_json(), step.said) for step in backwards(record.newest)]


def is_packed(record: Record) -> bool:
    link: Step | PackedSteps | None = record.newest
    while isinstance(link, Step):
        link = link.before
    return link is not None


def test_an_event_more_holds_a_few_bytes_more() -> None:
    """Only the newest steps are whole: eight packs more hold less than a hundred bytes an event."""
    told = [event for event in endless(9000) if event["type"] != "seen"]
    held: list[int] = []
    tracemalloc.start()
    evening = Evening()
    for event in told:
        evening = evening.hear(event)
        if record_of(evening).newest.number in (
            4 * timeline.STEPS_PACKED_TOGETHER,
            12 * timeline.STEPS_PACKED_TOGETHER,
        ):
            # What only the collector frees is held by nobody.
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()

    few, many = held[0], held[-1]
    assert many - few < 100 * 8 * timeline.STEPS_PACKED_TOGETHER
    assert few < 5_000_000


@pytest.mark.usefixtures("small_shelves")
@pytest.mark.parametrize("seed", range(25))
def test_what_was_packed_comes_back_the_same(seed: int) -> None:
    """Two referees agree on evenings, with second thoughts and late news, whose old steps were all packed."""
    compare(seed)


@pytest.mark.usefixtures("small_shelves")
@pytest.mark.parametrize("seed", range(12))
def test_everything_can_be_taken_back_to_the_deal(seed: int) -> None:
    """Each `undo` leaves what would have been if the event had never been told."""
    begin, *events = [event for event in told_in(Player(seed)) if event["type"] != "undo"]
    evening = heard([begin, *events])
    while taken_back := [place for place, event in enumerate(events) if event["type"] not in ("seen", "grid")]:
        del events[taken_back[-1]]
        evening = evening.hear(undo(0) | {"t": begin["t"]})
        if len(events) % 5 == 0:
            assert rulings_of(evening) == rulings_of(heard([begin, *events]))
            assert state_of(evening) == state_of(heard([begin, *events]))


def test_more_than_a_thousand_can_be_taken_back() -> None:
    """As large as the packs are."""
    told = [event for event in endless(3000) if event["type"] != "seen"]
    evening = heard(told)
    for _ in range(1700):
        evening = evening.hear(undo(9e6))

    assert rulings_of(evening) == rulings_of(heard(told[:-1700]))
    assert state_of(evening) == state_of(heard(told[:-1700]))


def test_a_card_that_is_learnt_hours_late_is_judged_where_it_belongs() -> None:
    """The packed steps are unpacked, and what has happened since is judged anew."""
    begin, *told = endless(2500)
    late = card(0.5, 8, "rowboat", "blue")

    assert rulings_of(heard([begin, *told, late])) == rulings_of(heard([begin, late, *told]))


@pytest.mark.usefixtures("small_shelves")
@pytest.mark.parametrize("seed", range(12))
def test_news_are_the_same_whatever_has_been_packed_since(seed: int) -> None:
    """Between any two records of an evening, near or far."""
    evening, records = Evening(), list[Record]()
    for event in told_in(Player(seed)):
        evening = evening.hear(event)
        records.append(record_of(evening))
    for older, newer in ((0, -1), (5, -1), (-9, -1), (-2, -1), (3, 12)):
        known = set(records[older].rulings())
        fresh = [told for told in records[newer].rulings() if told not in known]
        assert [told for told in records[newer].news(records[older]) if told in fresh] == fresh


@pytest.mark.usefixtures("small_shelves")
def test_every_golden_evening_has_the_same_steps_packed_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts, tables and rulings, walking back from the end."""
    for path in EVENINGS:
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        packed = record_of(heard(events))
        with monkeypatch.context() as patch:
            patch.setattr(timeline, "STEPS_PACKED_TOGETHER", 9999)
            whole = record_of(heard(events))
        assert steps_of(packed) == steps_of(whole), path.name
        assert is_packed(packed) == (whole.newest.number >= 6), path.name


def test_a_snapshot_can_be_printed() -> None:
    """However long the game is: what came before is left out."""
    blind = [game(grid="none"), *[{"t": t, "type": "call", "seat": 0} for t in range(S, 1200 * S, S)]]
    slaps = [[press(t, 0), seen(t)] for t in range(1, 600)]
    watched = [game(), card(0.5, 0), *[event for pair in slaps for event in pair]]
    for told in (blind, watched):
        evening = heard(told)
        assert len(repr(evening)) < 10_000
        assert hash(evening.game) == hash(evening.game)
        state = record_of(evening).newest.state
        assert state != record_of(heard(told[:-2])).newest.state
        assert hash(state.calls) == hash(state.calls)
