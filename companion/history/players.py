"""Everybody who ever sat at the table: how many games they played, and how many they won."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.history.game_summary import GameSummary
from companion.history.person_names import latest_spellings, person_key


@dataclass(frozen=True, slots=True)
class Appearance:
    """A game that a person played."""

    game: GameSummary
    seats: tuple[int, ...]
    """The person's seats in it: several if two people share a name."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who played at this table."""

    name: str
    games: int
    """How many they played to the end."""
    won: int
    appearances: tuple[Appearance, ...]
    """Finished and unfinished games, the oldest first."""


def list_people(games: Iterable[GameSummary]) -> list[Person]:
    """Sorted by most wins, then by fewest games, then by name."""
    summaries = sorted(games, key=lambda game: game.number)
    names = latest_spellings(name for game in summaries for name in game.seats)
    appearances = _appearances(summaries)
    people = [_person(name, appearances[key]) for key, name in names.items()]
    return sorted(people, key=lambda person: (-person.won, person.games, person.name.casefold()))


def _appearances(games: Iterable[GameSummary]) -> Mapping[str, list[Appearance]]:
    found: defaultdict[str, list[Appearance]] = defaultdict(list)
    for game in games:
        for key, seats in _seats_of(game.seats).items():
            found[key].append(Appearance(game, seats))
    return found


@lru_cache(1024)
def _seats_of(names: tuple[str, ...]) -> Mapping[str, tuple[int, ...]]:
    keys = [person_key(name) for name in names]
    return {key: tuple(seat for seat, other in enumerate(keys) if other == key) for key in dict.fromkeys(keys)}


def _person(name: str, appearances: Sequence[Appearance]) -> Person:
    finished = [each for each in appearances if each.game.over and not each.game.put_away]
    won = sum(any(seat in each.game.winners for seat in each.seats) for each in finished)
    return Person(name, len(finished), won, tuple(appearances))
