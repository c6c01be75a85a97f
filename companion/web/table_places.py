"""The table's places as people see them: by the name of the player there, else by a number from 1."""

from dataclasses import dataclass

from companion.core.game_record import GameRecord
from companion.core.names import clean_name, shown_name
from companion.games.registry import GAMES
from companion.web.security import services


@dataclass(frozen=True, slots=True)
class Chair:
    place: int
    """Its index in rig.toml, from 0."""
    seat: int | None
    """Its seat in the newest game."""
    name: str | None
    """The player's name, as it is written in a sentence."""
    typed: str | None
    """The player's name, as somebody would type it."""


def list_chairs(places: int) -> list[Chair]:
    """At least so many places, and every place where somebody plays. Before the first game all are empty."""
    game = services().table.snapshot.evening.game
    taken = game.seating.places if game is not None else ()
    return [_chair(place, game) for place in range(max(places, *(one + 1 for one in taken), 0))]


def chairs_for(game: str) -> list[Chair]:
    """All places that can play the game of that name, and all where somebody plays now."""
    return list_chairs(services().count_places(GAMES[game]))


def _chair(place: int, game: GameRecord | None) -> Chair:
    seat = game.seating.seat_at(place) if game is not None else None
    name = game.seats[seat] if game is not None and seat is not None else None
    return Chair(place, seat, name and shown_name(name), name and clean_name(name))


def chair_of(place: int | None) -> Chair | None:
    """The chair at that place; None for a phone without a place."""
    return _chair(place, services().table.snapshot.evening.game) if place is not None else None


def a_game_is_on() -> bool:
    game = services().table.snapshot.evening.game
    return game is not None and not game.over
