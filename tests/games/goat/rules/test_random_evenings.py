"""Random play, with late cameras, corrections, second thoughts and restarts: what always holds."""

import json
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.core.cards import LINES
from companion.errors import InvalidEvent
from companion.games.goat.rules import Record
from companion.table.evening import Evening

from ....exploring import examples
from .play import MS, US, Event, fix, game, heard, rulings_of, state_of

NEVER_TAKEN_BACK = ("game", "seen", "grid", "undo")
STEPS = st.sampled_from([0, 10 * US, 50 * US, 60 * US, 90 * MS, 100 * MS, 300 * MS, 500 * MS, 700 * MS, 2000 * MS])
BEFORE = st.sampled_from([0, 0, 0, 0, 40 * US, 200 * MS, 600 * MS, 2500 * MS])
CELLS = st.integers(0, 8)
# Few kinds make many sets.
CARDS = st.fixed_dictionaries(
    {"boat": st.sampled_from(["raft", "ring"]), "colour": st.sampled_from(["pink", "blue", "orange"])}
)


@st.composite
def openings(draw: st.DrawFn) -> list[Event]:
    """A table in the middle of a game, or at its very beginning."""
    seats = draw(st.integers(2, 4))
    begin = game(seats, double_grab=draw(st.sampled_from(["penalty", "ignore"])))
    begin["resolution_us"] = draw(st.sampled_from([0, 50, 50, 100_000]))
    if draw(st.booleans()):
        return [begin | draw(st.sampled_from([{}, {"grid": "none"}]))]
    decks = [draw(st.integers(0, 3)) for _ in range(seats)]
    tops = draw(st.dictionaries(CELLS.map(str), CARDS, min_size=1, max_size=9))
    piles = [int(str(cell) in tops) for cell in range(9)]
    piles[int(min(tops))] += 60 - sum(decks) - sum(piles)
    return [begin, fix(0, tops=tops, piles=piles, decks=decks)]


class Table(RuleBasedStateMachine):
    @initialize(opening=openings())
    def begin(self, opening: list[Event]) -> None:
        self.events = opening
        self.evening = heard(opening)
        self.seats = len(opening[0]["seats"])
        self.camera = "grid" not in opening[0]
        self.now = 0

    def tell(self, kind: str, step: int, before: int = 0, **more: Any) -> None:
        self.now += step
        event: Event = {"t": max(0, self.now - before), "type": kind, **more}
        with suppress(InvalidEvent):
            self.evening = self.evening.hear(event)
            self.events.append(event)

    @rule(step=STEPS, before=BEFORE, cell=CELLS, card=CARDS, hidden=BEFORE)
    def lay(self, step: int, before: int, cell: int, card: Event, hidden: int) -> None:
        since = max(0, self.now + step - before - hidden)
        self.tell("card", step, before, cell=cell, **card, **{"from": since})

    @rule(step=STEPS, cell=CELLS, card=CARDS, seat=st.integers(0, 3))
    def lay_as(self, step: int, cell: int, card: Event, seat: int) -> None:
        self.tell("card", step, cell=cell, **card, seat=seat % self.seats)

    @rule(step=STEPS, before=BEFORE, seat=st.integers(0, 3))
    def slap(self, step: int, before: int, seat: int) -> None:
        self.tell("press", step, before, seat=seat % self.seats)

    @rule(step=STEPS, gap=st.sampled_from([0, 20 * US, 50 * US, 51 * US, 200 * MS]))
    def all_slap(self, step: int, gap: int) -> None:
        for seat in range(self.seats):
            self.tell("press", gap if seat else step, seat=seat)

    @rule(step=STEPS, before=BEFORE, line=st.sampled_from(LINES), many=st.integers(1, 3))
    def lift(self, step: int, before: int, line: list[int], many: int) -> None:
        self.tell("lift", step, before, cells=list(line[:many]))

    @precondition(lambda self: not self.camera)
    @rule(step=STEPS, before=BEFORE)
    def lay_unseen(self, step: int, before: int) -> None:
        self.tell("laid", step, before)

    @precondition(lambda self: not self.camera)
    @rule(step=STEPS, before=BEFORE, seat=st.integers(0, 3), cards=st.integers(0, 9))
    def take(self, step: int, before: int, seat: int, cards: int) -> None:
        self.tell("take", step, before, seat=seat % self.seats, cards=cards)

    @precondition(lambda self: self.camera and bool(state_of(self.evening)["owed"]))
    @rule(step=STEPS, choice=st.integers(0, 20))
    def pay(self, step: int, choice: int) -> None:
        choices = state_of(self.evening)["owed"][0]["choices"]
        self.tell("lift", step, cells=choices[choice % len(choices)] if choices else [0])

    @rule(step=STEPS)
    def see(self, step: int) -> None:
        self.tell("seen", step)

    @rule(step=STEPS, cells=st.lists(st.none() | CARDS | st.just({"hidden": True}), min_size=9, max_size=9))
    def look(self, step: int, cells: list[Any]) -> None:
        self.tell("grid", step, cells=cells)

    @rule(step=STEPS, before=BEFORE, seat=st.integers(0, 3), whom=st.integers(0, 3), calls=st.booleans())
    def speak(self, step: int, before: int, seat: int, whom: int, *, calls: bool) -> None:
        if calls:
            self.tell("call", step, before, seat=seat % self.seats)
        else:
            self.tell("accuse", step, before, seat=seat % self.seats, target=whom % self.seats)

    @rule(step=STEPS, before=BEFORE)
    def light(self, step: int, before: int) -> None:
        self.tell("sprint", step, before)

    @rule(step=STEPS, before=BEFORE, seat=st.integers(0, 3), cell=st.none() | CELLS)
    def foul(self, step: int, before: int, seat: int, cell: int | None) -> None:
        where = {} if cell is None else {"cell": cell}
        self.tell("foul", step, before, seat=seat % self.seats, reason="peeked", **where)

    @rule(step=STEPS, before=BEFORE, seat=st.integers(0, 3), cell=CELLS, card=CARDS)
    def correct(self, step: int, before: int, seat: int, cell: int, card: Event) -> None:
        self.tell("fix", step, before, turn=seat % self.seats)
        self.tell("fix", 0, before, tops={str(cell): card})

    @rule(step=STEPS, before=BEFORE, decks=st.lists(st.integers(0, 3), min_size=4, max_size=4), card=CARDS)
    def deal_anew(self, step: int, before: int, decks: list[int], card: Event) -> None:
        decks = decks[: self.seats]
        rest = (
            {"tops": {str(n): card for n in range(9)}, "piles": [52 - sum(decks), *[1] * 8]} if self.camera else {}
        )
        self.tell("fix", step, before, decks=decks, **rest)

    @rule(step=STEPS)
    def take_back(self, step: int) -> None:
        back = [n for n, event in enumerate(self.events) if event["type"] not in NEVER_TAKEN_BACK]
        without = [event for n, event in enumerate(self.events) if not back or n != back[-1]]
        told = len(self.events)
        self.tell("undo", step)
        if not back:
            assert told == len(self.events)
            return
        self.events = without
        self.same_as(heard(without))

    @rule()
    def restart(self) -> None:
        self.same_as(heard(json.loads(json.dumps(event)) for event in self.events))

    def same_as(self, other: Evening) -> None:
        assert state_of(other) == state_of(self.evening)
        assert rulings_of(other) == rulings_of(self.evening)

    @invariant()
    def sixty_cards(self) -> None:
        state = state_of(self.evening)
        on_the_table = sum(state["piles"]) if self.camera else 60 - sum(state["decks"])
        assert sum(state["decks"]) + on_the_table == 60
        assert on_the_table >= 0
        assert min(state["decks"]) >= 0

    @invariant()
    def turn_is_with_somebody_who_has_cards(self) -> None:
        state = state_of(self.evening)
        assert (state["turn"] is None) == (not any(state["decks"]))
        assert state["turn"] is None or state["decks"][state["turn"]]

    @invariant()
    def owed_is_what_lies_there(self) -> None:
        state = state_of(self.evening)
        for debt in state["owed"] if self.camera else ():
            assert debt["choices"] == sorted(debt["choices"])
            assert all(state["piles"][cell] for choice in debt["choices"] for cell in choice)
        assert (state["phase"] == "pickup") <= bool(state["owed"])

    @invariant()
    def nobody_waits_for_ever(self) -> None:
        record = self.evening.game
        assert isinstance(record, Record)
        closed = record.closed()
        assert closed.over or closed.newest.state.doubts == ()

    @invariant()
    def lifebuoys_are_one_too_few(self) -> None:
        state = state_of(self.evening)
        assert len(set(state["safe"])) == len(state["safe"]) < self.seats
        assert set(state["exposed"]) <= {seat for seat, cards in enumerate(state["decks"]) if cards == 1}


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=examples(300), stateful_step_count=40)


@given(st.data(), st.integers(2, 4))
@settings(max_examples=examples(150))
def test_the_order_of_learning_does_not_matter(data: st.DataObject, seats: int) -> None:
    """Whatever the referee learns first, the rulings are those of the order in which things happened."""
    facts: list[Event] = []
    now = 0
    for _ in range(data.draw(st.integers(3, 14))):
        now += data.draw(st.sampled_from([30 * US, 70 * US, 120 * MS, 400 * MS, 900 * MS]))
        kind = data.draw(st.sampled_from(["card", "card", "press", "call", "accuse"]))
        event: Event = {"t": now, "type": kind}
        if kind == "card":
            since = max(0, now - data.draw(BEFORE))
            event |= {"cell": data.draw(CELLS), **data.draw(CARDS), "from": since}
        else:
            event["seat"] = data.draw(st.integers(0, seats - 1))
        if kind == "accuse":
            event["target"] = data.draw(st.integers(0, seats - 1))
        facts.append(event)
    shuffled = data.draw(st.permutations(facts))

    assert rulings_of(heard([game(seats), *facts])) == rulings_of(heard([game(seats), *shuffled]))
