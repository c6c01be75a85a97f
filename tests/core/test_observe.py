"""Films of readings, scripted or drawn by chance, and the events that are made of them."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import cos, radians, sin
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.cards import BOATS, COLOURS, Card
from companion.core.observe import Watch, ask_grid, unread_cells, watch
from companion.core.reading import Bare, Hidden, Pose, Reading, Shown, Sight, Why, without_grid
from companion.core.strict_json import parse
from companion.games.goat.rules.events import read, read_game

from ..exploring import examples

MS = 1_000_000
PICTURE = 66 * MS
PATIENT = settings(max_examples=examples(60))

KINDS = tuple(Card(boat, colour) for boat in BOATS for colour in COLOURS)
RAFT, RING, SKI = Card("raft", "pink"), Card("ring", "blue"), Card("jetski", "orange")
HERE = Pose(46, 46, 90)
HAND = Hidden(Why.HAND)
MOVING = Hidden(Why.MOVING)
GLARE = Hidden(Why.GLARE)
HIDDEN = {"hidden": True}

Event = dict[str, Any]


def lying(card: Card, x: float = 46, y: float = 46, turn: float = 90, sure: float = 0.95) -> Shown:
    return Shown(card, sure, Pose(x, y, turn))


@dataclass
class Film:
    """What the camera sees, picture by picture."""

    readings: list[Reading] = field(default_factory=list[Reading])
    table: list[Sight] = field(default_factory=lambda: [Bare()] * 9)
    t: int = 0

    def show(self, pictures: int = 1, **cells: Sight) -> "Film":
        """`c4=HAND`: cell 4 shows that from now on."""
        for name, sight in cells.items():
            self.table[int(name[1:])] = sight
        for _ in range(pictures):
            self.readings.append(Reading(self.t, tuple(self.table)))
            self.t += PICTURE
        return self

    def lost(self, pictures: int) -> "Film":
        for _ in range(pictures):
            self.readings.append(without_grid(self.t))
            self.t += PICTURE
        return self

    def drop(self, pictures: int) -> "Film":
        self.t += pictures * PICTURE
        return self

    def now(self) -> int:
        """The instant of the next picture."""
        return self.t


def beginning(**cells: Sight) -> Film:
    return Film().show(5, **cells)


def play(film: Film, state: Watch | None = None) -> tuple[Watch, list[Event]]:
    state = state or Watch()
    events: list[Event] = []
    for reading in film.readings:
        state, news = watch(state, reading)
        events += news
    film.readings.clear()
    return state, events


def told(film: Film) -> list[Event]:
    """Everything after the first grid, without `seen`."""
    return facts(play(film)[1])[1:]


def facts(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event["type"] != "seen"]


def seen(events: Iterable[Event]) -> list[int]:
    return [event["t"] for event in events if event["type"] == "seen"]


def card(cell: int, kind: Card, since: int, t: int) -> Event:
    return {"t": t, "type": "card", "cell": cell, "boat": kind.boat, "colour": kind.colour, "from": since}


def lift(t: int, *cells: int) -> Event:
    return {"t": t, "type": "lift", "cells": list(cells)}


def grid(t: int, **cells: Card | dict[str, bool]) -> Event:
    shown: list[object] = [None] * 9
    for name, what in cells.items():
        shown[int(name[1:])] = what.as_json() if isinstance(what, Card) else what
    return {"t": t, "type": "grid", "cells": shown}


class TestBeginning:
    def test_the_first_event_is_the_grid(self) -> None:
        """As soon as two pictures agree, it is told what lies there already, and nothing of it is an event."""
        film = beginning(c0=lying(RAFT), c4=HAND)
        _, events = play(film)

        assert [grid(PICTURE, c0=RAFT, c4=HIDDEN)] == facts(events)

    def test_no_grid_is_told_before_it_is_found(self) -> None:
        """A camera that looks at the ceiling has nothing to say."""
        _, events = play(Film().lost(40))

        assert [] == events

    def test_a_cell_that_cannot_be_made_out_delays_it_no_longer_than_a_second(self) -> None:
        """Contradictory readings are hidden in the first grid, not guessed."""
        film = Film()
        for number in range(20):
            film.show(1, c2=lying(RAFT if number % 2 else RING))

        assert [grid(16 * PICTURE, c2=HIDDEN)] == facts(play(film)[1])

    def test_what_was_hidden_from_the_beginning_is_told_as_a_grid(self) -> None:
        """Whether it lay there before, nobody can know: it is no card laid."""
        film = beginning(c4=HAND, c5=GLARE)
        shown_at = film.now()
        film.show(2, c4=lying(RAFT), c5=Bare())

        assert [grid(shown_at, c4=RAFT)] == told(film)

    def test_long_without_the_grid_it_begins_anew(self) -> None:
        """Who laid what meanwhile, and in which order, nobody can know."""
        film = beginning(c0=lying(RAFT)).lost(80)
        back = film.now()
        film.show(3, c0=lying(RING), c1=lying(SKI))

        assert [grid(back + PICTURE, c0=RING, c1=SKI)] == told(film)


class TestLaying:
    @pytest.mark.parametrize("before", [Bare(), lying(SKI, turn=0)])
    def test_a_card_is_told_with_the_times_between_which_it_came(self, before: Sight) -> None:
        """`from` is the last picture without it, `t` the first in which it lay still, told one picture later."""
        film = beginning(c4=before)
        last = film.now() - PICTURE
        film.show(9, c4=HAND)
        still = film.now()
        film.show(2, c4=lying(RAFT))

        assert [card(4, RAFT, last, still)] == told(film)

    def test_a_card_still_sliding_does_not_lie(self) -> None:
        """`t` is where it has come to rest."""
        film = beginning()
        last = film.now() - PICTURE
        film.show(3, c4=HAND).show(1, c4=lying(RAFT, x=30)).show(1, c4=lying(RAFT, x=35))
        still = film.now()
        film.show(2, c4=lying(RAFT, x=40))

        assert [card(4, RAFT, last, still)] == told(film)

    def test_a_hand_that_comes_back_at_once_delays_it(self) -> None:
        """One picture between two hands proves nothing; the interval stays true."""
        film = beginning()
        last = film.now() - PICTURE
        film.show(3, c4=HAND).show(1, c4=lying(RAFT)).show(2, c4=HAND)
        still = film.now()
        film.show(2, c4=lying(RAFT))

        assert [card(4, RAFT, last, still)] == told(film)

    def test_a_card_without_a_pose_is_a_card(self) -> None:
        """Eyes that measure no pose still tell another kind."""
        film = beginning(c4=Shown(SKI, 0.95))
        last = film.now() - PICTURE
        film.show(3, c4=HAND)
        still = film.now()
        film.show(2, c4=Shown(RAFT, 0.95))

        assert [card(4, RAFT, last, still)] == told(film)

    @pytest.mark.parametrize("before", [Bare(), lying(SKI, x=20)])
    def test_without_a_hand_it_takes_a_third_picture(self, before: Sight) -> None:
        """Two wrong readings in a row lay no card where nobody was."""
        film = beginning(c4=before)
        last, still = film.now() - PICTURE, film.now()
        film.show(2, c4=lying(RAFT))
        state, events = play(film)

        assert ["grid"] == [event["type"] for event in facts(events)]
        assert [card(4, RAFT, last, still)] == facts(play(film.show(1), state)[1])

    def test_a_card_laid_while_no_picture_came_is_told(self) -> None:
        """A gap is as good as a hand: what is seen once before it and once after it may have come between."""
        film = beginning()
        last = film.now() - 2 * PICTURE
        film.readings.pop()
        film.show(1, c4=lying(RAFT)).drop(5)
        after = film.now()
        film.show(1)

        assert [card(4, RAFT, last, after)] == told(film)

    def test_low_evidence_adds_up(self) -> None:
        """Readings of which each is half sure are believed when five agree."""
        film = beginning()
        last = film.now() - PICTURE
        film.show(3, c4=HAND)
        still = film.now()
        film.show(4, c4=lying(RAFT, sure=0.5))
        state, events = play(film)

        assert [grid(PICTURE)] == facts(events)
        assert [card(4, RAFT, last, still)] == facts(play(film.show(1), state)[1])

    def test_one_sure_reading_is_not_proof_enough(self) -> None:
        """A second that is hardly sure adds too little."""
        film = beginning().show(3, c4=HAND).show(1, c4=lying(RAFT, sure=1)).show(1, c4=lying(RAFT, sure=0.3))

        assert [] == told(film)

    def test_contradictory_readings_are_hidden_not_wrong(self) -> None:
        """Pink, orange, pink, orange: nothing is told, and whoever asks is told that it can't be read."""
        film = beginning().show(3, c4=HAND)
        for number in range(20):
            film.show(1, c4=lying(RAFT if number % 2 else SKI))
        state, events = play(film)

        assert [grid(PICTURE)] == facts(events)
        assert {4: None} == unread_cells(state)
        assert [grid(film.now(), c4=HIDDEN)] == facts(play(film.show(1, c4=lying(SKI)), ask_grid(state))[1])

    def test_events_come_in_the_order_of_their_times(self) -> None:
        """A card proved only after a later one is told with that one's time: its interval only grows."""
        film = beginning()
        last = film.now() - PICTURE
        film.show(3, c2=HAND, c4=HAND).show(1, c2=lying(RAFT, sure=0.6))
        second = film.now()
        film.show(2, c4=lying(RING)).show(3)

        assert [card(4, RING, last, second), card(2, RAFT, last, second)] == told(film)


class TestLifting:
    def test_piles_gone_together_are_one_event(self) -> None:
        """Three piles under one hand, told by the second picture without them."""
        film = beginning(c0=lying(RAFT), c1=lying(RING), c2=lying(SKI)).show(6, c0=HAND, c1=HAND, c2=HAND)
        gone = film.now()
        film.show(2, c0=Bare(), c1=Bare(), c2=Bare())

        assert [lift(gone, 0, 1, 2)] == told(film)

    def test_one_after_the_other_they_are_several(self) -> None:
        """Each is told with its own time."""
        film = beginning(c0=lying(RAFT), c1=lying(RING)).show(6, c0=HAND, c1=HAND)
        first = film.now()
        film.show(3, c0=Bare())
        second = film.now()
        film.show(2, c1=Bare())

        assert [lift(first, 0), lift(second, 1)] == told(film)

    def test_a_card_laid_and_a_pile_lifted_at_once_are_both_told(self) -> None:
        """They carry the same time, the cards first."""
        film = beginning(c0=lying(RAFT))
        last = film.now() - PICTURE
        film.show(3, c0=HAND, c1=HAND)
        then = film.now()
        film.show(2, c0=Bare(), c1=lying(RING))

        assert [card(1, RING, last, then), lift(then, 0)] == told(film)


class TestTakingBack:
    def pile(self, *cards: Shown) -> Film:
        film = beginning(c4=cards[0])
        for upper in cards[1:]:
            film.show(3, c4=HAND).show(3, c4=upper)
        return film

    @pytest.mark.parametrize("pushed", [lying(RAFT), lying(RAFT, x=52), Shown(RAFT, 0.95)])
    def test_a_card_taken_off_is_no_card_laid(self, pushed: Shown) -> None:
        """The card beneath shows again, pushed a little perhaps: a grid says so."""
        film = self.pile(lying(RAFT), lying(RING)).show(3, c4=HAND)
        back = film.now()
        film.show(2, c4=pushed)

        assert [grid(back, c4=RAFT)] == told(film)[1:]

    def test_two_cards_taken_off_show_the_lowest(self) -> None:
        """It lies exactly where it was buried."""
        film = self.pile(lying(RAFT), lying(RING, turn=0), lying(SKI, turn=0)).show(3, c4=HAND)
        back = film.now()
        film.show(2, c4=lying(RAFT))

        assert [grid(back, c4=RAFT)] == told(film)[2:]

    @pytest.mark.parametrize("another", [lying(RAFT, turn=0), lying(RAFT, x=58)])
    def test_another_card_of_the_kind_beneath_is_laid(self, another: Shown) -> None:
        """It lies clearly elsewhere than the one that was covered."""
        film = self.pile(lying(RAFT), lying(RING))
        last = film.now() - PICTURE
        film.show(3, c4=HAND)
        then = film.now()
        film.show(2, c4=another)

        assert [card(4, RAFT, last, then)] == told(film)[1:]

    def test_a_buried_kind_laid_a_little_off_is_laid(self) -> None:
        """Deep in a pile nothing is pushed, so what lies a centimetre's half beside it is a new card."""
        film = self.pile(lying(RAFT), lying(RING, turn=0), lying(SKI, turn=0))
        last = film.now() - PICTURE
        film.show(3, c4=HAND)
        then = film.now()
        film.show(2, c4=lying(RAFT, x=51))

        assert [card(4, RAFT, last, then)] == told(film)[2:]

    def test_a_card_taken_off_after_a_bump_is_no_card_laid(self) -> None:
        """The one beneath has moved with the table, who knows where to."""
        film = self.pile(lying(RAFT), lying(RING)).show(3, c8=lying(SKI))
        film.show(3, c4=lying(RING, x=66), c8=lying(SKI, x=66)).show(3, c4=HAND)
        back = film.now()
        film.show(2, c4=lying(RAFT, x=66))

        assert [grid(back, c4=RAFT, c8=SKI)] == told(film)[2:]

    def test_a_card_taken_off_its_own_kind_is_a_grid(self) -> None:
        """Nothing reads differently, but the pose is the lower one's."""
        film = self.pile(lying(RAFT), lying(RAFT, turn=0)).show(3, c4=HAND)
        back = film.now()
        film.show(3, c4=lying(RAFT))

        assert [grid(back, c4=RAFT)] == told(film)[1:]

    def test_the_only_card_taken_back_is_a_lift(self) -> None:
        """Nothing is left of the pile; the referee knows whether it counted."""
        film = beginning().show(3, c4=HAND).show(3, c4=lying(RAFT)).show(3, c4=HAND)
        gone = film.now()
        film.show(2, c4=Bare())

        assert [lift(gone, 4)] == told(film)[1:]


class TestTheSameKind:
    def test_a_card_on_its_own_kind_is_told_by_its_pose(self) -> None:
        """After a hand it lies clearly elsewhere: told by the third picture."""
        film = beginning(c4=lying(RAFT))
        last = film.now() - PICTURE
        film.show(3, c4=HAND)
        then = film.now()
        film.show(3, c4=lying(RAFT, turn=103))

        assert [card(4, RAFT, last, then)] == told(film)

    @pytest.mark.parametrize(
        "pushed", [lying(RAFT, x=53), lying(RAFT, turn=97), lying(RAFT, turn=270), Shown(RAFT, 0.95)]
    )
    def test_a_pushed_card_is_none(self, pushed: Shown) -> None:
        """Less than clearly elsewhere, upside down on the spot, or not measured at all."""
        film = beginning(c4=lying(RAFT)).show(3, c4=HAND).show(9, c4=pushed)

        assert [] == told(film)

    def test_a_card_that_slides_in_full_view_is_none(self) -> None:
        """Without a hand no card can have come."""
        film = beginning(c4=lying(RAFT)).show(9, c4=lying(RAFT, x=70))

        assert [] == told(film)

    def test_a_hand_that_laid_elsewhere_only_pushed_it(self) -> None:
        """One hand does one thing."""
        film = beginning(c4=lying(RAFT))
        last = film.now() - PICTURE
        film.show(3, c4=HAND, c5=HAND)
        then = film.now()
        film.show(5, c4=lying(RAFT, x=60), c5=lying(RING))

        assert [card(5, RING, last, then)] == told(film)

    def test_its_pose_may_come_late(self) -> None:
        """Readings without a pose hold back no press, and do not make it forget that a hand was there."""
        film = beginning(c4=lying(RAFT))
        last = film.now() - PICTURE
        film.show(3, c4=HAND).show(4, c4=Shown(RAFT, 0.95))
        known = film.now() - PICTURE
        state, events = play(film)
        then = film.now()

        assert known == seen(events)[-1]
        assert [card(4, RAFT, last, then)] == facts(play(film.show(3, c4=lying(RAFT, turn=0)), state)[1])

    @pytest.mark.parametrize("x", [51, 58])
    def test_where_cards_lay_before_a_bump_says_nothing(self, x: float) -> None:
        """Two cards moved at once while a hand was over a third: nothing is laid there."""
        film = beginning(c0=lying(RAFT), c1=lying(RING), c4=lying(SKI)).show(2, c4=HAND)
        film.show(3, c0=lying(RAFT, x=x), c1=lying(RING, x=x)).show(5, c4=lying(SKI, x=58))

        assert [] == told(film)


class TestNoEvents:
    @pytest.mark.parametrize("why", list(Why))
    @pytest.mark.parametrize("what", [Bare(), lying(RAFT)])
    def test_what_was_hidden_and_comes_back_is_nothing_new(self, what: Sight, why: Why) -> None:
        """A hovering hand, a lamp, a shadow, a sleeve."""
        film = beginning(c4=what).show(7, c4=Hidden(why)).show(5, c4=what)

        assert [] == told(film)

    def test_a_bump_moves_all_cards_and_lays_none(self) -> None:
        """The picture is blurred, the grid is lost, then everything lies elsewhere."""
        blur = Hidden(Why.BLUR)
        film = beginning(c0=lying(RAFT), c1=lying(RING), c8=lying(SKI)).show(2, c0=blur, c1=blur, c8=blur).lost(3)
        film.show(5, c0=lying(RAFT, x=60), c1=lying(RING, x=60), c8=lying(SKI, x=60))

        assert [] == told(film)

    @pytest.mark.parametrize("wrong", [Bare(), lying(RING), lying(RAFT, turn=0), Shown(RING, 0.95), GLARE, HAND])
    def test_a_wrong_reading_now_and_then_is_none(self, wrong: Sight) -> None:
        """Even if it is the same one each time."""
        film = beginning(c4=lying(RAFT))
        for _ in range(20):
            film.show(2, c4=wrong).show(2, c4=lying(RAFT))

        assert [] == told(film)

    def test_a_card_that_changes_its_colour_untouched_was_misread(self) -> None:
        """It is no card laid. When more pictures say so than said the other before, a grid corrects it; presses
        need not wait for that."""
        film = beginning().show(3, c4=HAND).show(8, c4=lying(RAFT))
        film.show(4, c4=lying(SKI))
        state, events = play(film)

        assert ["grid", "card"] == [event["type"] for event in facts(events)]
        assert film.now() - PICTURE - seen(events)[-1] < 100 * MS
        asked = film.now()
        state, events = play(film.show(5), ask_grid(state))
        assert [grid(asked, c4=HIDDEN), grid(asked, c4=SKI)] == facts(events)

    def test_a_misreading_of_a_minute_is_corrected_in_a_second(self) -> None:
        """However long it was read otherwise."""
        film = beginning(c4=lying(RAFT)).show(900).show(15, c4=lying(SKI))
        state, events = play(film)

        assert [grid(PICTURE, c4=RAFT)] == facts(events)
        assert [grid(0, c4=SKI)["cells"]] == [event["cells"] for event in facts(play(film.show(1), state)[1])]

    def test_a_card_that_reads_otherwise_after_a_lamp_was_switched_was_not_laid(self) -> None:
        """All cells changed at once, and that no hand makes them; out of focus one was misread for a moment."""
        film = beginning(c4=lying(RAFT)).show(10)
        film.show(2, **{f"c{cell}": MOVING for cell in range(9)})
        film.show(4, **{f"c{cell}": Bare() for cell in range(9)} | {"c4": lying(SKI)}).show(5, c4=lying(RAFT))

        assert [] == told(film)

    def test_what_a_grid_hid_for_a_moment_is_told_once_more(self) -> None:
        """A cell that was never read comes to light while a lamp is switched."""
        film = beginning(c0=lying(RING), c4=GLARE).show(30)
        film.show(1, **{f"c{cell}": MOVING for cell in range(9)})
        film.show(2, c4=lying(RAFT))
        first = film.now() - 2 * PICTURE
        film.show(3, **{f"c{cell}": Bare() for cell in range(9)} | {"c0": lying(RING), "c4": lying(RAFT)})
        again = film.now() - 2 * PICTURE
        hidden = {f"c{cell}": HIDDEN for cell in range(9)}

        assert [grid(first, **hidden | {"c4": RAFT}), grid(again, c0=RING, c4=RAFT)] == told(film)


class TestSeen:
    def test_it_comes_while_nothing_happens(self) -> None:
        """Often enough for whoever has pressed, with the newest picture's time."""
        _, events = play(beginning().show(60))
        times = seen(events)

        assert 65 * PICTURE - PICTURE - times[-1] < 100 * MS
        assert all(100 * MS <= later - earlier <= 200 * MS for earlier, later in pairwise(times))

    def test_a_slower_pace_is_the_caller_s(self) -> None:
        """For a file of a whole evening once a second is enough."""
        _, events = play(beginning().show(60), Watch(seen_every=1_000 * MS))

        assert [17 * PICTURE, 33 * PICTURE, 49 * PICTURE] == seen(events)

    def test_a_hand_holds_it_back(self) -> None:
        """Nothing is seen from when it came until the cell is proved to be the same; then at once."""
        film = beginning(c4=lying(RAFT))
        last = film.now() - PICTURE
        film.show(150, c4=HAND)
        state, events = play(film)

        assert last == seen(events)[-1]
        assert {4: Why.HAND} == unread_cells(state)
        assert [{"t": film.now() + PICTURE, "type": "seen"}] == play(film.show(2, c4=lying(RAFT)), state)[1]

    def test_other_cells_are_told_meanwhile(self) -> None:
        """And what comes to light later carries an honest `from`, so that presses since then are judged anew."""
        film = beginning()
        last = film.now() - PICTURE
        film.show(9, c4=HAND, c5=HAND)
        first = film.now()
        film.show(30, c5=lying(RING))
        second = film.now()
        film.show(2, c4=lying(RAFT))
        _, events = play(film)

        assert [card(5, RING, last, first), card(4, RAFT, last, second)] == facts(events)[1:]
        assert not [t for t in seen(events) if last < t < second]

    def test_what_a_hand_left_unreadable_holds_it_back(self) -> None:
        """A card may lie in the glare now; people can be told which cell it is."""
        film = beginning()
        last = film.now() - PICTURE
        film.show(3, c4=HAND).show(30, c4=GLARE)
        state, events = play(film)

        assert last == seen(events)[-1]
        assert {4: Why.GLARE} == unread_cells(state)

    @pytest.mark.parametrize("gap", [0, 5])
    def test_glare_alone_does_not(self, gap: int) -> None:
        """Nobody was near; presses would wait until the sun has gone. Nor does a slow camera change that."""
        film = beginning(c4=lying(RAFT)).show(10, c4=GLARE).drop(gap).show(10)

        assert film.now() - PICTURE - seen(play(film)[1])[-1] < 100 * MS

    @pytest.mark.parametrize("why", [Why.MOVING, Why.LOST, Why.BLUR])
    def test_nor_does_glare_on_a_table_that_is_knocked(self, why: Why) -> None:
        """What moves there for a moment, while no hand is known, has moved with the table."""
        film = beginning(c4=lying(RAFT)).show(10, c4=GLARE).show(6, c4=Hidden(why)).show(10, c4=GLARE)
        last = film.now() - PICTURE
        state, events = play(film)

        assert last - seen(events)[-1] < 100 * MS
        assert {} == unread_cells(state)

    def test_nor_does_glare_of_a_lamp_that_is_switched_on(self) -> None:
        """All cells change at once, and that no hand makes them."""
        film = beginning(c4=lying(RAFT))
        film.show(2, **{f"c{cell}": MOVING for cell in range(9)})
        film.show(20, **{f"c{cell}": Bare() for cell in range(9)} | {"c4": GLARE})
        last = film.now() - PICTURE
        events = play(film)[1]

        assert ["grid"] == [event["type"] for event in facts(events)]
        assert last - seen(events)[-1] < 100 * MS

    @pytest.mark.parametrize("before", [GLARE, lying(RAFT)])
    @pytest.mark.parametrize("pictures", [1, 10])
    def test_a_hand_before_the_glare_does(self, before: Sight, pictures: int) -> None:
        """However short it was there: a card may lie in the glare now."""
        film = beginning(c4=lying(RAFT)).show(5, c4=before)
        last = film.now() - PICTURE
        state, events = play(film.show(pictures, c4=HAND).show(20, c4=GLARE))

        assert last == seen(events)[-1]
        assert {4: Why.GLARE} == unread_cells(state)

    def test_what_moves_for_long_before_the_glare_does(self) -> None:
        """That may have been a hand, if in a dim room nobody knew it for one."""
        film = beginning(c4=lying(RAFT)).show(5, c4=GLARE)
        last = film.now() - PICTURE
        _, events = play(film.show(9, c4=MOVING).show(20, c4=GLARE))

        assert last == seen(events)[-1]

    def test_what_moves_alone_before_the_glare_does(self) -> None:
        """What could be read lay still; only a hand moves one cell of nine."""
        film = beginning(c4=lying(RAFT))
        last = film.now() - PICTURE
        _, events = play(film.show(1, c4=MOVING).show(20, c4=GLARE))

        assert last == seen(events)[-1]

    def test_a_card_in_the_glare_of_a_knocked_table_carries_when_it_was_last_known(self) -> None:
        """Presses since the glare came are judged anew, whatever `seen` has said meanwhile."""
        film = beginning(c4=lying(RAFT))
        last = film.now() - PICTURE
        film.show(10, c4=GLARE).show(2, c4=MOVING).show(10, c4=GLARE).show(5, c4=HAND)
        still = film.now()

        assert [card(4, RING, last, still)] == told(film.show(3, c4=lying(RING)))

    def test_a_card_that_creeps_does_not(self) -> None:
        """A draught, a tilted table: nobody was near."""
        film = beginning(c4=lying(RAFT))
        for step in range(20):
            film.show(1, c4=lying(RAFT, x=20 + 3 * step))

        assert film.now() - PICTURE - seen(play(film)[1])[-1] < 100 * MS


class TestAsking:
    def test_a_grid_is_told_when_asked_for(self) -> None:
        """With the next picture, once; what a hand is over is hidden."""
        film = beginning(c0=lying(RAFT)).show(3, c1=HAND)
        state, _ = play(film)
        asked = film.now()

        assert [grid(asked, c0=RAFT, c1=HIDDEN)] == facts(play(film.show(5), ask_grid(state))[1])

    def test_what_is_not_proved_at_that_picture_is_hidden(self) -> None:
        """A hand has only just left the one, the other lies in the glare."""
        film = beginning(c0=lying(RAFT), c1=lying(RING)).show(3, c0=HAND).show(1, c0=lying(RAFT), c1=GLARE)
        at_the_end = film.readings.pop()
        state, _ = play(film)
        film.readings.append(at_the_end)

        assert [grid(at_the_end.t, c0=HIDDEN, c1=HIDDEN)] == play(film, ask_grid(state))[1]

    def test_no_seen_goes_back_behind_it(self) -> None:
        """Even if a hand comes at that very picture."""
        film = beginning()
        state, _ = play(film)
        asked = film.now()

        assert [grid(asked, c1=HIDDEN)] == play(film.show(3, c1=HAND), ask_grid(state))[1]

    def test_before_the_first_grid_it_is_that_one(self) -> None:
        """Nobody needs two."""
        film = Film().show(1)
        state, _ = play(film)

        assert [grid(PICTURE)] == facts(play(film.show(3), ask_grid(state))[1])

    def test_together_with_news_it_is_one_grid(self) -> None:
        """The news are in it."""
        film = beginning(c4=HAND).show(1, c4=lying(RAFT))
        state, _ = play(film)

        assert [grid(film.now(), c4=RAFT)] == facts(play(film.show(1), ask_grid(state))[1])


# A table by chance


@dataclass(frozen=True)
class Truth:
    """What really happened, and when the hand that did it had left."""

    t: int
    cell: int
    kind: Card | None
    left: int


@dataclass
class Evening:
    """Somebody lays, lifts, hovers, pushes and bumps; a camera of some speed looks on and errs now and then."""

    random: Random
    every: int = 0
    t: int = 0
    piles: list[list[tuple[Card, Pose]]] = field(default_factory=lambda: [[] for _ in range(9)])
    former: list[Card | None] = field(default_factory=lambda: [None] * 9)
    erred: list[int] = field(default_factory=lambda: [0] * 9)
    dropped: int = 0
    truths: list[Truth] = field(default_factory=list[Truth])
    readings: list[Reading] = field(default_factory=list[Reading])

    def __post_init__(self) -> None:
        self.every = 1_000 * MS // self.random.randint(5, 60)
        for cell in self.random.sample(range(9), self.random.randint(0, 9)):
            self.piles[cell].append((self.random.choice(KINDS), self.pose()))
        self.look(12)

    def pose(self) -> Pose:
        random = self.random
        return Pose(
            random.uniform(38, 54), random.uniform(38, 54), random.choice((0, 90, 180)) + random.uniform(-9, 9)
        )

    def look(self, pictures: int, hand: Sequence[int] = ()) -> None:
        for _ in range(pictures):
            self.t += self.every
            self.dropped = self.dropped + 1 if self.random.random() < 0.2 and self.dropped < 2 else 0
            if not self.dropped:
                cells = tuple(self.sight(cell, hand) for cell in range(9))
                self.readings.append(Reading(self.t, cells))

    def sight(self, cell: int, hand: Sequence[int]) -> Sight:
        if cell in hand:
            return Hidden(self.random.choice((Why.HAND, Why.MOVING)))
        self.erred[cell] += 1
        if self.erred[cell] > 5 and self.random.random() < 0.08:
            self.erred[cell] = 0
            return self.error(cell)
        if not self.piles[cell]:
            return Bare()
        kind, at = self.piles[cell][-1]
        noise = self.random.uniform(0, 360)
        shift = self.random.uniform(0, 0.8)
        turn = at.turn + self.random.uniform(-0.5, 0.5)
        pose = Pose(at.x_mm + shift * cos(radians(noise)), at.y_mm + shift * sin(radians(noise)), turn)
        return Shown(kind, self.random.uniform(0.8, 1), pose)

    def error(self, cell: int) -> Sight:
        """Anything but what was there before: once in between that could not be told from the truth."""
        there = {kind for kind, _ in self.piles[cell]} | {self.former[cell]}
        errors: list[Sight] = [Hidden(why) for why in Why]
        errors += [Shown(kind, self.random.random(), self.pose()) for kind in KINDS if kind not in there]
        if self.former[cell] is not None:
            errors.append(Bare(self.random.random()))
        return self.random.choice(errors)

    def frames(self, ms: int) -> int:
        return -(-ms * MS // self.every)

    def visit(self, cells: Sequence[int]) -> None:
        """Until the middle of a hand's visit."""
        self.look(self.frames(self.random.randint(150, 900)), cells)

    def leave(self, cells: Sequence[int], changed: Sequence[int]) -> None:
        landed = self.t + self.random.randint(1, self.every)
        self.look(self.frames(self.random.randint(150, 900)), cells)
        for cell in changed:
            kind = self.piles[cell][-1][0] if self.piles[cell] else None
            self.truths.append(Truth(landed, cell, kind, self.t))
        self.look(16)

    def lay(self) -> None:
        cell = self.random.randrange(9)
        pile = self.piles[cell]
        over = [cell, *self.random.sample(range(9), self.random.randint(0, 2))]
        self.visit(over)
        self.former[cell] = pile[-1][0] if pile else None
        if pile and len(pile) < 4 and self.random.random() < 0.3 and not self.is_mixed(cell):
            kind, at = pile[-1]
            pile.append((kind, replace(at, turn=at.turn + 37)))
        else:
            kinds = {kind for kind, _ in pile}
            pile.append((self.random.choice([kind for kind in KINDS if kind not in kinds]), self.pose()))
        self.leave(over, [cell])

    def is_mixed(self, cell: int) -> bool:
        """The camera may have forgotten since a bump where the lower ones lay."""
        kinds = [kind for kind, _ in self.piles[cell]]
        return kinds[-1] in kinds[:-1]

    def lift(self) -> None:
        cells = [cell for cell in range(9) if self.piles[cell]]
        taken = self.random.sample(cells, min(len(cells), self.random.randint(1, 3)))
        self.visit(taken)
        for cell in taken:
            self.former[cell] = self.piles[cell][-1][0]
            self.piles[cell].clear()
        self.leave(taken, taken)

    def hover(self) -> None:
        over = self.random.sample(range(9), self.random.randint(1, 9))
        self.visit(over)
        for cell in over:
            self.move(cell, self.random.uniform(-3, 3), self.random.uniform(-3, 3))
        self.leave(over, ())

    def bump(self) -> None:
        if sum(1 for pile in self.piles if pile) >= 2:
            x, y = self.random.choice((-15, 15)), self.random.uniform(-3, 3)
            for cell in range(9):
                self.move(cell, x, y)
        self.look(16)

    def move(self, cell: int, x: float, y: float) -> None:
        self.piles[cell] = [
            (kind, replace(at, x_mm=at.x_mm + x, y_mm=at.y_mm + y)) for kind, at in self.piles[cell]
        ]


Act = Callable[[Evening], None]
NOISE: tuple[Act, ...] = (Evening.hover, Evening.bump)
ACTS: tuple[Act, ...] = (Evening.lay, Evening.lift, *NOISE)


def evening(plan: Sequence[Act], seed: int) -> Evening:
    """What happens is Hypothesis's choice; the seed stands for the hundreds of small numbers in it."""
    film = Evening(Random(seed))
    for act in plan:
        act(film)
    return film


def flat(events: Iterable[Event]) -> Iterator[tuple[Event, int, Card | None]]:
    for event in events:
        if event["type"] == "card":
            yield event, event["cell"], Card(event["boat"], event["colour"])
        else:
            yield from ((event, cell, None) for cell in event["cells"])


def by_pile(facts: Iterable[tuple[int, Card | None]]) -> list[list[tuple[int, Card | None]]]:
    """Piles lifted one after the other have no order among themselves."""
    groups: list[list[tuple[int, Card | None]]] = []
    for cell, kind in facts:
        if kind is None and groups and groups[-1][-1][1] is None:
            groups[-1] = sorted([*groups[-1], (cell, kind)], key=lambda fact: fact[0])
        else:
            groups.append([(cell, kind)])
    return groups


@PATIENT
@given(st.lists(st.sampled_from(ACTS), min_size=1, max_size=8), st.integers(0, 2**32))
def test_the_truth_comes_back(plan: list[Act], seed: int) -> None:
    """Whatever is laid and lifted before a camera that drops pictures and errs is told, and nothing else; each
    card's [from, t] holds the true instant, and no pile is lifted before its time."""
    film = evening(plan, seed)
    _, events = play(Film(film.readings))
    heard = list(flat(facts(events)[1:]))

    assert by_pile((truth.cell, truth.kind) for truth in film.truths) == by_pile(fact[1:] for fact in heard)
    for event, cell, kind in heard:
        # In every stretch of a pile's life the film tells the same facts in the same order.
        truth = film.truths.pop(
            next(i for i, one in enumerate(film.truths) if (one.cell, one.kind) == (cell, kind))
        )
        assert event.get("from", 0) <= truth.t <= event["t"] <= truth.left + 8 * film.every


@PATIENT
@given(st.lists(st.sampled_from(ACTS), min_size=1, max_size=8), st.integers(0, 2**32))
def test_the_referee_understands_every_event(plan: list[Act], seed: int) -> None:
    """They are JSON in the vocabulary of the goats."""
    _, events = play(Film(evening(plan, seed).readings))
    game = read_game({"t": 0, "type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0})

    assert [event["t"] for event in events] == [read(parse(json.dumps(event)), game).t for event in events]


@PATIENT
@given(st.lists(st.sampled_from(ACTS), min_size=1, max_size=8), st.integers(0, 2**32))
def test_time_never_goes_back_and_seen_skips_nothing(plan: list[Act], seed: int) -> None:
    """Every event's `t` is at least the one before, and when `seen` says T, all that happened up to T is told."""
    film = evening(plan, seed)
    _, events = play(Film(film.readings))
    times = [event["t"] for event in events]

    assert sorted(times) == times
    for position, event in enumerate(events):
        if event["type"] == "seen":
            happened = sum(1 for truth in film.truths if truth.t <= event["t"])
            assert happened <= len(list(flat(facts(events[:position])[1:])))


@PATIENT
@given(st.lists(st.sampled_from(NOISE), min_size=1, max_size=8), st.integers(0, 2**32))
def test_noise_alone_is_no_event(plan: list[Act], seed: int) -> None:
    """Hands that hover and push, bumps, dropped pictures, wrong readings: only `seen` follows the first grid."""
    film = evening(plan, seed)
    _, events = play(Film(film.readings))

    assert ["grid"] == [event["type"] for event in facts(events)]
    assert film.t - seen(events)[-1] <= 100 * MS + 8 * film.every
