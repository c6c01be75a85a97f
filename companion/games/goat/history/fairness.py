"""Is any seat faster than the others?

That the quickest of the family always sits by the window says nothing about the window. So people and seats are
weighed together: how quick somebody was in a game is taken as what they are, times what the seat does, times
chance, and all three are estimated at once (least squares on logarithms). Only who changes seats tells them apart.
A game counts once for each seat, however many races it has: within a game people are all tired or all awake.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, median
from typing import Final

import numpy as np

from companion.games.goat.history.tally import tally_in
from companion.history.game_summary import GameSummary
from companion.history.person_names import person_key

# With fewer games left over than that, after what people and seats explain, nobody knows how large chance is.
FEWEST: Final = 10
# Fair seats are called unfair at one table in a hundred.
CHANCE: Final = 0.01


@dataclass(frozen=True, slots=True)
class SeatSpeed:
    seat: int
    """By its place at the table: that is where it may be quicker to the button."""
    games: int
    slower: float | None = None
    """0.03: the same people take three in a hundred longer than on the average seat; None while nobody knows."""
    least: float | None = None
    most: float | None = None
    """Between these two it lies, all but surely."""

    @property
    def unfair(self) -> bool:
        return self.least is not None and self.most is not None and not self.least <= 0 <= self.most


@dataclass(frozen=True, slots=True)
class Sitting:
    """Somebody on a seat for a game."""

    seat: int
    person: str
    speed: float
    """The logarithm of their median reaction."""


def estimate_seat_speeds(games: Iterable[GameSummary]) -> list[SeatSpeed]:
    """Of each seat that was ever raced from."""
    sittings = [sitting for game in games for sitting in _list_sittings(game)]
    counts = Counter(sitting.seat for sitting in sittings)
    found = {
        speed.seat: speed for group in _group_comparable(sittings) for speed in _estimate_group(group, counts)
    }
    return [found.get(seat, SeatSpeed(seat, counts[seat])) for seat in sorted(counts)]


def _list_sittings(game: GameSummary) -> Iterable[Sitting]:
    tally = tally_in(game)
    for seat, times in enumerate(tally.reactions if tally is not None else ()):
        if times:
            yield Sitting(game.places[seat], person_key(game.seats[seat]), math.log(median(times)))


def _group_comparable(sittings: Sequence[Sitting]) -> list[list[Sitting]]:
    """Seats are comparable where somebody changed from one to the other, or by way of a third."""
    groups: list[tuple[set[int], set[str]]] = []
    for sitting in sittings:
        joined = ({sitting.seat}, {sitting.person})
        apart: list[tuple[set[int], set[str]]] = []
        for group in groups:
            if group[0] & joined[0] or group[1] & joined[1]:
                joined = (joined[0] | group[0], joined[1] | group[1])
            else:
                apart.append(group)
        groups = [*apart, joined]
    return [[sitting for sitting in sittings if sitting.seat in seats] for seats, _ in groups if len(seats) > 1]


def _estimate_group(sittings: Sequence[Sitting], counts: Counter[int]) -> list[SeatSpeed]:
    seats = sorted({sitting.seat for sitting in sittings})
    people = sorted({sitting.person for sitting in sittings})
    freedom = len(sittings) - len(seats) - len(people) + 1
    if freedom < FEWEST:
        return []
    who = np.zeros((len(sittings), len(people) + len(seats)))
    for row, sitting in enumerate(sittings):
        who[row, people.index(sitting.person)] = 1
        who[row, len(people) + seats.index(sitting.seat)] = 1
    speeds = np.array([sitting.speed for sitting in sittings])
    inverse = np.linalg.pinv(who.T @ who)
    effects = inverse @ who.T @ speeds
    noise = float(np.sum((speeds - who @ effects) ** 2)) / freedom
    reach = student_t(1 - CHANCE / len(seats) / 2, freedom)
    found: list[SeatSpeed] = []
    for place, seat in enumerate(seats):
        against = np.zeros(len(effects))
        against[len(people) :] = -1 / len(seats)
        against[len(people) + place] += 1
        middle, margin = float(against @ effects), reach * math.sqrt(noise * float(against @ inverse @ against))
        within = (math.expm1(value) for value in (middle, middle - margin, middle + margin))
        found.append(SeatSpeed(seat, counts[seat], *within))
    return found


def student_t(share: float, freedom: int) -> float:
    """Student's t for that share (Cornish and Fisher's expansion; within a hundredth from ten degrees on)."""
    z = NormalDist().inv_cdf(share)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
