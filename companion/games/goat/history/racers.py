"""How often everybody raced, how often they were the slowest, and how long they take."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.games.goat.history.tally import tally_in
from companion.history.players import Person
from companion.history.spread import Spread, measure_spread


@dataclass(frozen=True, slots=True)
class Racer:
    name: str
    races: int
    """In finished and unfinished games alike."""
    slowest: int
    spread: Spread | None
    """Of the reaction times, in microseconds."""


def list_racers(people: Iterable[Person]) -> list[Racer]:
    """In the same order; people who never raced are among them."""
    return [_add_up_races(person) for person in people]


def _add_up_races(person: Person) -> Racer:
    raced = [(tally, each.seats) for each in person.appearances if (tally := tally_in(each.game)) is not None]
    return Racer(
        person.name,
        sum(tally.races for tally, _ in raced),
        sum(tally.slowest[seat] for tally, seats in raced for seat in seats),
        measure_spread([time for tally, seats in raced for seat in seats for time in tally.reactions[seat]]),
    )
