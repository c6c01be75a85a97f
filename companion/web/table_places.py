"""The table's places as people see them: by the name of whoever sits there, else by a number from 1 on."""

from dataclasses import dataclass

from companion.core.game_record import GameRecord
from companion.core.names import clean_name, shown_name
from companion.games.registry import GAMES
from companion.web.security import services


@dataclass(frozen=True, slots=True)
class Chair:
    place: int
    """In the order of rig.toml, from 0."""
    seat: int | None
    """In the game that was begun last."""
    name: str | None
    """Of whoever sits there, as it stands in a sentence."""
    typed: str | None
    """The same, as somebody would type it."""


def list_chairs(places: int) -> list[Chair]:
    """So many, and all at which somebody plays. Before the first game nobody sits there."""
    game = services().table.snapshot.evening.game
    taken = game.seating.places if game is not None else ()
    return [_chair(place, game) for place in range(max(places, *(one + 1 for one in taken), 0))]


def chairs_for(game: str) -> list[Chair]:
    """All at which somebody can play the game of that name, and all at which somebody plays now."""
    return list_chairs(services().count_places(GAMES[game]))


def _chair(place: int, game: GameRecord | None) -> Chair:
    seat = game.seating.seat_at(place) if game is not None else None
    name = game.seats[seat] if game is not None and seat is not None else None
    return Chair(place, seat, name and shown_name(name), name and clean_name(name))


def chair_of(place: int | None) -> Chair | None:
    """Where a phone is paired."""
    return _chair(place, services().table.snapshot.evening.game) if place is not None else None


def a_game_is_on() -> bool:
    game = services().table.snapshot.evening.game
    return game is not None and not game.over
