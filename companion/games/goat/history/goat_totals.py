"""What all games of Row Your Goat come to: reaction times, seats and records."""

from dataclasses import dataclass

from companion.games.goat.history.fairness import SeatSpeed, estimate_seat_speeds
from companion.games.goat.history.racers import Racer, list_racers
from companion.games.goat.history.records import Records, find_records
from companion.history.totals import Totals


@dataclass(frozen=True, slots=True)
class GoatTotals:
    racers: list[Racer]
    speeds: list[SeatSpeed]
    records: Records


def add_up(totals: Totals) -> GoatTotals:
    return GoatTotals(list_racers(totals.people), estimate_seat_speeds(totals.shown), find_records(totals.shown))
