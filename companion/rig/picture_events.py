"""The one step from a picture to events of the table: the eyes read it, and what they have read over time proves
what happened."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cv2.typing import MatLike

from companion.core.observe import Event, Watch, ask_grid, watch
from companion.core.reading import Reading
from companion.eyes.table_tracker import TableTracker
from companion.units import Ns


def nothing() -> None:
    """A heartbeat callback that does nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureEvents:
    """Immutable: `look` gives the next one."""

    tracker: TableTracker
    watch: Watch = field(default_factory=Watch)

    def look(
        self, picture: MatLike, t: Ns, beat: Callable[[], None] = nothing
    ) -> tuple["PictureEvents", Reading, tuple[Event, ...]]:
        """Reads one picture. `t`: the beginning of its exposure. `beat`: the worker's heartbeat, called once the
        picture has been read."""
        tracker, reading = self.tracker.look(picture, t)
        beat()
        state, events = watch(self.watch, reading)
        return PictureEvents(tracker, state), reading, events

    def asking_grid(self) -> "PictureEvents":
        """After this the next picture is told as a whole, in a `grid` event."""
        return replace(self, watch=ask_grid(self.watch))

    def forgetting(self) -> "PictureEvents":
        """After this nothing seen before counts: the next picture gives a `grid` event, not moves."""
        return PictureEvents(self.tracker)
