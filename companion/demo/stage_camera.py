"""When the camera above the drawn table takes pictures, and what the eyes see in them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Protocol

from companion.core.cards import Cell
from companion.core.observe import Event
from companion.demo.cast import Stage
from companion.units import SECOND, Ns

if TYPE_CHECKING:
    from companion.drawn.painter import Scene

# The intervals between pictures while something moves or is unknown, and while all is quiet. More would be wasted:
# at ten a second a card is proved as soon as at fifteen, a tenth of a second after the hand has gone.
LIVELY: Final[Ns] = SECOND // 10
QUIET: Final[Ns] = SECOND // 5
# After this time a card that can't be read is straightened by the nearest player.
UNREADABLE: Final[Ns] = 8 * SECOND


class StageEyes(Protocol):
    """The eyes that watch the drawn table and report what happens on it."""

    def see(self, scene: "Scene", t: Ns) -> tuple[Event, ...]: ...

    @property
    def known(self) -> Ns:
        """Up to when everything on the grid has been reported."""
        ...

    @property
    def unread(self) -> tuple[Cell, ...]:
        """The cells that are not read yet."""
        ...

    def forget(self) -> None:
        """The table was laid anew: the changes in the next picture are no moves."""
        ...

    def pressed(self, t: Ns) -> None: ...

    def keep_race_photos(self, game: int, presses: Iterable[Ns]) -> None:
        """Stores the pictures around those presses, for the game with that journal number."""
        ...


class StageCamera:
    def __init__(self, stage: Stage, eyes: StageEyes, now: Ns) -> None:
        self._stage = stage
        self.eyes = eyes
        self._taken = now - QUIET
        """When the newest picture was taken."""

    @property
    def knows_all(self) -> bool:
        """Whether everything on the table has been reported."""
        return self.eyes.known >= self._stage.moved

    def next_picture(self, now: Ns) -> Ns:
        is_lively = self._stage.moves(now) or not self.knows_all or self.eyes.known < self._taken
        picture = self._taken + (LIVELY if is_lively else QUIET)
        comes = self._stage.comes()
        if comes is not None and comes > now:
            picture = min(picture, max(comes, self._taken + LIVELY))
        return picture

    def is_ready(self, now: Ns) -> bool:
        return now >= self._taken + LIVELY

    def take_picture(self, now: Ns) -> tuple[Event, ...]:
        self._taken = now
        return self.eyes.see(self._stage.scene(now), now)

    def straighten_unread(self, now: Ns) -> None:
        if now - max(self._stage.moved, self.eyes.known) > UNREADABLE and not self._stage.moves(now):
            for cell in self.eyes.unread:
                self._stage.straighten(cell, now)
