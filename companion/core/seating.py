"""Who sits where. A table has places, in the order of rig.toml, each perhaps with a button and a lamp; a game has
seats, which are numbered without a gap. Between two seats a place may stay empty: `places` in the `game` event
says at which place each seat is.

The rules know seats only. Whoever comes from the table or goes there (a button, a lamp, a phone that was paired by
a button) asks here.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from companion.core.strict_json import Raw, listed, shown, whole_value
from companion.errors import InvalidEvent

# As many as any game of ours seats.
MOST_PLACES: Final = 9


@dataclass(frozen=True, slots=True)
class Seating:
    places: tuple[int, ...]
    """Of each seat, ascending."""

    @classmethod
    def without_gaps(cls, seats: int) -> "Seating":
        """The first seat at the first place, and so on."""
        return cls(tuple(range(seats)))

    @property
    def has_gaps(self) -> bool:
        return self != Seating.without_gaps(len(self.places))

    def place_of(self, seat: int) -> int:
        return self.places[seat]

    def seat_at(self, place: int | None) -> int | None:
        """None where nobody plays."""
        return self.places.index(place) if place is not None and place in self.places else None


def read_seating(raw: Raw, seats: int) -> Seating:
    """What `places` says in a `game` event that seats so many."""
    said = [
        whole_value(place, "game: a place in `places`", 0, MOST_PLACES - 1)
        for place in listed(raw["places"], "game: `places`")
    ]
    if len(said) != seats:
        raise InvalidEvent(f"game: `places` must name a place for each of the {seats} seats, not for {len(said)}")
    if any(later <= earlier for earlier, later in pairwise(said)):
        raise InvalidEvent(f"game: `places` must ascend, each place once, not {shown(said)}")
    return Seating(tuple(said))
