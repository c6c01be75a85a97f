"""What every game brings: a record of what was heard, from which everything else follows."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Protocol, Self

from companion.core.lamp import Lamp
from companion.core.seating import Seating


class Ruling(Protocol):
    """A ruling: what the referee says about one fact."""

    secret: ClassVar[bool]
    """For the record only: whoever plays must not learn of it."""

    def as_json(self) -> dict[str, object]: ...


class GameRecord(Protocol):
    """A game as it has been told so far. Immutable: hearing an event gives another record."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The names, clockwise."""
        ...

    @property
    def seating(self) -> Seating:
        """At which places of the table they sit."""
        ...

    @property
    def over(self) -> bool: ...

    @property
    def has_camera(self) -> bool:
        """Whether a camera tells of its cards."""
        ...

    @property
    def waits_for(self) -> int | None:
        """The instant up to which a camera must have seen the table before more can be ruled."""
        ...

    def hear(self, raw: object) -> Self:
        """Raises `SenselessEvent`; then this record still stands."""
        ...

    def closed(self) -> Self:
        """The same game when nothing more will be heard of it."""
        ...

    def rulings(self) -> Iterator[tuple[int, Ruling]]:
        """All rulings in their final order, each with the number of the fact it was ruled at."""
        ...

    def news(self, older: Self, /) -> Sequence[tuple[int, Ruling]]:
        """What is ruled here and was not in that older record of the same game."""
        ...

    def state(self) -> dict[str, object]:
        """As the contract writes it, for JSON."""
        ...

    def shown(self) -> dict[str, object]:
        """The state without what is secret: as everybody may see it."""
        ...

    def lamps(self) -> tuple[Lamp, ...]:
        """What each seat's lamp says; nothing that is secret."""
        ...

    @property
    def sprinters(self) -> tuple[int, ...]:
        """The seats whose lamps are to light all at once, at a moment that nobody can guess; then `sprint` is
        told."""
        ...
