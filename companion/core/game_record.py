"""What every game brings: a record of what was heard, from which everything else follows.

A game's record is a subclass of `GameRecord`. It must say who sits there, whether the game is over, what an event
makes of it, what was ruled and what the state is; all else has a default, which is right for a game without
cameras, lamps or races.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Protocol, Self

from companion.core.lamp import Lamp, SuddenLight
from companion.core.seating import Seating


class Ruling(Protocol):
    """A ruling: what the referee says about one fact."""

    secret: ClassVar[bool]
    """For the record only: whoever plays must not learn of it."""

    def as_json(self) -> dict[str, object]: ...


class GameRecord(Protocol):
    """A game as it has been told so far. Immutable: hearing an event gives another record."""

    __slots__ = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The names, clockwise."""
        ...

    @property
    def over(self) -> bool: ...

    def hear(self, raw: object) -> Self:
        """Raises `InvalidEvent`; then this record still stands."""
        ...

    def rulings(self) -> Iterator[tuple[int, Ruling]]:
        """All rulings in their final order, each with the number of the fact it was ruled at."""
        ...

    def state(self) -> dict[str, object]:
        """As the contract writes it, for JSON."""
        ...

    @property
    def seating(self) -> Seating:
        """At which places of the table they sit."""
        return Seating.without_gaps(len(self.seats))

    def closed(self) -> Self:
        """The same game when nothing more will be heard of it."""
        return self

    def news(self, older: Self, /) -> Sequence[tuple[int, Ruling]]:
        """What is ruled here and was not in that older record of the same game. By default rulings are only ever
        added at the end."""
        return [*self.rulings()][len([*older.rulings()]) :]

    def public_state(self) -> dict[str, object]:
        """The state without what is secret: as everybody may see it."""
        return self.state()

    @property
    def has_camera(self) -> bool:
        """Whether a camera tells of its cards."""
        return False

    @property
    def waits_for(self) -> int | None:
        """The instant up to which a camera must have seen the table before more can be ruled."""
        return None

    def is_worth_noting(self, event: Mapping[str, object], /) -> bool:  # noqa: ARG002 - where all events count
        """Whether an event that makes sense now changes anything. One that does not is not written down; the
        latest such one is told after a later event, if it is worth noting by then."""
        return True

    def lamps(self) -> tuple[Lamp, ...]:
        """What each seat's lamp says; nothing that is secret."""
        return (Lamp.DARK,) * len(self.seats)

    @property
    def sudden_light(self) -> SuddenLight | None:
        """Lamps that are to light all at once, at a moment that nobody can guess."""
        return None
