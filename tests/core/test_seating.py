"""Seats are numbered without a gap; the table's places may have one."""

from companion.core.seating import Seating
from companion.table.evening import Evening

from ..games.goat.rules.play import game, heard, pinks, press, rulings_of, seen, state_of


def seating_of(evening: Evening) -> Seating:
    assert evening.game is not None
    return evening.game.seating


def test_without_places_the_first_seat_is_at_the_first_place() -> None:
    """And nobody beyond the last one."""
    seating = seating_of(heard([game(3)]))
    assert [0, 1, 2] == [seating.place_of(seat) for seat in range(3)]
    assert not seating.has_gaps
    assert [0, 1, 2, None, None] == [seating.seat_at(place) for place in (0, 1, 2, 3, None)]


def test_an_empty_place_stays_empty() -> None:
    """Whoever sits beyond it is the next seat."""
    seating = seating_of(heard([game(3, places=[0, 2, 8])]))
    assert [0, 2, 8] == [seating.place_of(seat) for seat in range(3)]
    assert seating.has_gaps
    assert [0, None, 1, None, 2] == [seating.seat_at(place) for place in (0, 1, 2, 3, 8)]


def test_no_rule_asks_where_somebody_sits() -> None:
    """The same game with and without a gap: the same rulings, the same state."""
    events = [*pinks(), press(3.4, 1), seen(4)]
    here, there = ([game(), *events], [game(places=[1, 4]), *events])
    assert rulings_of(heard(here)) == rulings_of(heard(there))
    assert state_of(heard(here)) == state_of(heard(there))
