"""What is remembered of every game ever played: enough for all numbers, and no more than some kilobytes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from companion.games.goat.history.finish import Finish, PressMark
from companion.games.goat.history.story import Story
from companion.history.game_summary import GameSummary
from companion.units import Seat


@dataclass(frozen=True, slots=True)
class Closest:
    """The two presses of the game that came closest, though the clock could tell them apart."""

    gap_ns: int
    finish: int
    seats: tuple[Seat, Seat]


@dataclass(frozen=True, slots=True)
class GameTally:
    races: int
    dead_heats: int
    reactions: tuple[tuple[int, ...], ...]
    """For each seat the microseconds of all its presses that raced, in order."""
    slowest: tuple[int, ...]
    """How often each seat was."""
    pile: int
    """The height of the tallest."""
    peaks: tuple[int, ...]
    """For each seat the most cards its deck ever had."""
    dealt: tuple[int, ...]
    """And those that it began with."""
    closest: Closest | None


def tally_in(game: GameSummary) -> GameTally | None:
    """None of another game."""
    return game.tally if isinstance(game.tally, GameTally) else None


def tally_from_json(stored: object) -> GameTally:
    fields = _read_fields(stored)
    if fields["closest"] is not None:
        fields["closest"] = Closest(**_read_fields(fields["closest"]))
    return GameTally(**fields)


def _read_fields(stored: object) -> dict[str, Any]:
    return {key: _to_tuple(value) for key, value in cast("dict[str, object]", stored).items()}


def _to_tuple(value: object) -> object:
    return tuple(map(_to_tuple, cast("list[object]", value))) if isinstance(value, list) else value


def make_tally(story: Story) -> GameTally:
    seats = range(len(story.levels[0].decks))
    races = story.races
    return GameTally(
        len(races),
        sum(bool(race.heats) for race in races),
        tuple(tuple(_list_reactions(story, seat)) for seat in seats),
        tuple(sum(race.slowest == seat for race in races) for seat in seats),
        story.pile.height if story.pile else 0,
        tuple(max(level.decks[seat] for level in story.levels) for seat in seats),
        story.levels[0].decks,
        min(
            (close for race in races for close in _closest_of(race)),
            key=lambda close: close.gap_ns,
            default=None,
        ),
    )


def _list_reactions(story: Story, seat: Seat) -> Iterator[int]:
    for race in story.races:
        for mark in race.raced:
            if mark.seat == seat and is_measured(race, mark):
                assert mark.reaction_us is not None
                yield mark.reaction_us


def is_measured(race: Finish, mark: PressMark) -> bool:
    """Without a camera the first press begins the race, and a hand still over its card hides when the set came to
    be: then nobody knows how long it took."""
    return race.since is not None and bool(mark.reaction_us)


def _closest_of(race: Finish) -> Iterator[Closest]:
    pair = race.closest
    if pair is not None and pair[1].t - pair[0].t > race.resolution:
        yield Closest(pair[1].t - pair[0].t, race.number, (pair[0].seat, pair[1].seat))
