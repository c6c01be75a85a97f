"""How fast the referee is, and whether a thousand evenings cost as much an event as ten."""

import json
import time
from collections.abc import Iterator
from itertools import count, islice
from statistics import median
from typing import Any, Final

from companion.bench.measured_game import measured_game
from companion.table.evening import Evening
from companion.table.replay import replay
from companion.units import SECOND, Ns

FEW, MANY = 10, 1000
ROUNDS = 3
# The time between two evenings of one recording.
PAUSE: Final[Ns] = 60 * SECOND

Event = dict[str, Any]


def bench_referee() -> Iterator[str]:
    yield f"{measured_game()[0].title}, whole games from text to rulings in one thread:"
    games = list(islice(_finished_games(), FEW))
    few = _recording(games, FEW)
    many = _recording(games, MANY)
    yield f"{'evenings':>9} {'events':>9} {'events/s':>9} {'us/event':>9}"
    taken: dict[int, list[float]] = {FEW: [], MANY: []}
    # In turns, so that other load on the machine affects both.
    for _ in range(ROUNDS):
        taken[FEW].append(median(_seconds(few) for _ in range(9)))
        taken[MANY].append(_seconds(many))
    cost = {evenings: min(taken[evenings]) / len(lines) for evenings, lines in ((FEW, few), (MANY, many))}
    for evenings, lines in ((FEW, few), (MANY, many)):
        yield f"{evenings:>9} {len(lines):>9} {1 / cost[evenings]:>9.0f} {cost[evenings] * 1e6:>9.1f}"
    yield f"an event among {MANY} evenings costs {cost[MANY] / cost[FEW]:.2f} times one among {FEW}"


def _finished_games() -> Iterator[list[Event]]:
    rules, samples = measured_game()
    for seed in count(1):
        game = list(samples.evening(seed, rules.seats[seed % len(rules.seats)]))
        heard = Evening()
        for event in game:
            heard = heard.hear(event)
        if heard.game is not None and heard.game.closed().over:
            yield game


def _recording(games: list[list[Event]], evenings: int) -> list[bytes]:
    lines: list[bytes] = []
    begins = 0
    for number in range(evenings):
        game = games[number % len(games)]
        lines += [json.dumps(_later(event, begins)).encode() for event in game]
        begins += game[-1]["t"] + PAUSE
    return lines


def _later(event: Event, by: int) -> Event:
    instants = measured_game()[0].instants
    return {key: value + by if key in instants else value for key, value in event.items()}


def _seconds(lines: list[bytes]) -> float:
    begin = time.thread_time()
    for _ in replay(lines):
        pass
    return time.thread_time() - begin
