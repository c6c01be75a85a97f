"""How long people take: medians and quartiles, because one sneeze in an evening moves every average."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from companion.history.brief import Brief
from companion.history.person_names import person_of, spellings

# So many of a person's newest are shown one by one.
SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Spread:
    """All times in microseconds."""

    count: int
    best: int
    low: float
    """A quarter of all are faster,"""
    median: float
    high: float
    """a quarter slower."""
    newest: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    games: int
    """That were played to their end."""
    won: int
    races: int
    """In finished and unfinished games alike."""
    slowest: int
    spread: Spread | None


def quantile(ordered: Sequence[float], share: float) -> float:
    """Between two values a straight line (Hyndman and Fan's seventh)."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def spread(times: Sequence[int]) -> Spread | None:
    """`times`: the oldest first."""
    if not times:
        return None
    ordered = sorted(times)
    low, median, high = (quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    return Spread(len(times), ordered[0], low, median, high, tuple(times[-SHOWN:]))


def people(games: Iterable[Brief]) -> list[Person]:
    """Everybody who ever sat at the table: who won most first, then who played least for it, then by name."""
    briefs = sorted(games, key=lambda game: game.number)
    names = spellings(name for game in briefs for name in game.seats)
    sat = _sat(briefs)
    found = [_person(name, sat[key]) for key, name in names.items()]
    return sorted(found, key=lambda person: (-person.won, person.games, person.name.casefold()))


def _sat(games: Iterable[Brief]) -> Mapping[str, list[tuple[Brief, tuple[int, ...]]]]:
    """The games that each person played, with the seat; with several, should two people share a name."""
    found: defaultdict[str, list[tuple[Brief, tuple[int, ...]]]] = defaultdict(list)
    for game in games:
        for key, seats in _seats_of(game.seats).items():
            found[key].append((game, seats))
    return found


@lru_cache(1024)
def _seats_of(names: tuple[str, ...]) -> Mapping[str, tuple[int, ...]]:
    keys = [person_of(name) for name in names]
    return {key: tuple(seat for seat, other in enumerate(keys) if other == key) for key in dict.fromkeys(keys)}


def _person(name: str, sat: Sequence[tuple[Brief, tuple[int, ...]]]) -> Person:
    finished = [(game, seats) for game, seats in sat if game.over and not game.put_away]
    raced = [(game.tally, seats) for game, seats in sat if game.tally is not None]
    return Person(
        name,
        len(finished),
        sum(any(seat in game.winners for seat in seats) for game, seats in finished),
        sum(tally.races for tally, _ in raced),
        sum(tally.slowest[seat] for tally, seats in raced for seat in seats),
        spread([time for tally, seats in raced for seat in seats for time in tally.reactions[seat]]),
    )
