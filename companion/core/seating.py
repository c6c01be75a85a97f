"""Who sits where. A table has places, in the order of rig.toml, each perhaps with a button and a lamp; a game has
seats, which are numbered without a gap. Between two seats a place may stay empty: `places` in the `game` event
says at which place each seat is.

The rules know seats only. Code for things at a place (a button, a lamp, a phone that was paired by a button)
converts between places and seats here.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from companion.core.event_fields import Reader, Scope, between, listed, whole
from companion.core.strict_json import quote
from companion.errors import InvalidEvent

# As many as the largest of our games has seats.
MOST_PLACES: Final = 9
LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class Seating:
    """Which place of the table each seat has."""

    places: tuple[int, ...]
    """The place of each seat, ascending."""

    @classmethod
    def without_gaps(cls, seats: int) -> "Seating":
        """A seating with the first seat at the first place, and so on."""
        return cls(tuple(range(seats)))

    @property
    def has_gaps(self) -> bool:
        return self != Seating.without_gaps(len(self.places))

    def place_of(self, seat: int) -> int:
        return self.places[seat]

    def seat_at(self, place: int | None) -> int | None:
        """The seat at this place; None where nobody plays."""
        return self.places.index(place) if place is not None and place in self.places else None


def read_seat_names(fewest: int, most: int) -> Reader[tuple[str, ...]]:
    """Reads `seats` of a `game` event: `fewest` to `most` names. It sets the scope's number of seats for the
    fields after it."""
    names = between(fewest, most, "people", listed(_read_name, "game: a seat's name"))

    def read_seats(value: object, what: str, scope: Scope) -> tuple[str, ...]:
        seats = names(value, what, scope)
        scope.seats = len(seats)
        return seats

    return read_seats


def _read_name(value: object, what: str, _scope: Scope) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_NAME:
        raise InvalidEvent(f"{what} must be 1 to {LONGEST_NAME} characters, not {quote(value)}")
    # A lone surrogate can't be encoded as UTF-8; a control character garbles files and pages.
    if any("\ud800" <= letter <= "\udfff" or letter < " " or "\x7f" <= letter < "\xa0" for letter in value):
        raise InvalidEvent(f"game: the name {quote(value)} holds what is no character")
    return value


def read_places(value: object, what: str, scope: Scope) -> Seating:
    """Reads `places` of a `game` event: a place for each of its seats."""
    places = _PLACES(value, what, scope)
    if len(places) != scope.seats:
        raise InvalidEvent(f"{what} must name a place for each of the {scope.seats} seats, not for {len(places)}")
    if any(later <= earlier for earlier, later in pairwise(places)):
        raise InvalidEvent(f"{what} must ascend, each place once, not {quote([*places])}")
    return Seating(places)


_PLACES: Final = listed(whole(0, MOST_PLACES - 1), "game: a place in `places`")
