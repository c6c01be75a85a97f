"""What every game must implement: a record of the events so far, from which everything else is derived.

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
    """Whether the ruling is for the record only and players must not see it."""

    def as_json(self) -> dict[str, object]: ...


class GameRecord(Protocol):
    """A game as far as its events have been told. Immutable: hearing an event gives another record."""

    __slots__ = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The names, clockwise."""
        ...

    @property
    def over(self) -> bool: ...

    def hear(self, raw: object) -> Self:
        """The record after this event. Raises `InvalidEvent`; this record never changes."""
        ...

    def rulings(self) -> Iterator[tuple[int, Ruling]]:
        """All rulings in their final order, each with the number of the fact it was ruled at."""
        ...

    def state(self) -> dict[str, object]:
        """The state as JSON, in the format that the contract defines."""
        ...

    @property
    def seating(self) -> Seating:
        """At which place of the table each seat is."""
        return Seating.without_gaps(len(self.seats))

    def closed(self) -> Self:
        """The same game when nothing more will be heard of it."""
        return self

    def news(self, older: Self, /) -> Sequence[tuple[int, Ruling]]:
        """The rulings that an older record of the same game does not have. By default rulings are only ever added
        at the end."""
        return [*self.rulings()][len([*older.rulings()]) :]

    def public_state(self) -> dict[str, object]:
        """The state without what is secret: as everybody may see it."""
        return self.state()

    @property
    def has_camera(self) -> bool:
        """Whether a camera reports this game's cards."""
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
        """Lamps that should light all at once after a random wait; None while there are none."""
        return None
