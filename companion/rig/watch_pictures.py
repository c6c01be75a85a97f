"""Turns pictures of the table into events: the eyes read each picture, and the tracker tells what happened."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cv2.typing import MatLike

from companion.core.mat import Point
from companion.core.observe import Event
from companion.errors import GridNotFound, NoFootage
from companion.eyes.grid.grid_from_corners import grid_from_corners
from companion.eyes.look import Eyes
from companion.eyes.table_tracker import TableTracker
from companion.footage.footage_source import Remark
from companion.rig.camera_words import PATIENCE
from companion.rig.picture_events import PictureEvents
from companion.units import Ns


def watch_pictures(
    pictures: Iterable[tuple[Ns, MatLike]], eyes: Eyes, corners: Sequence[Point] | None, remark: Remark
) -> Iterator[Event]:
    """The events in these pictures. `corners`: of the grid, where there is no mat. `remark` is called when the
    mat comes into sight or is lost."""
    seeing: PictureEvents | None = None
    in_sight = _GridInSight(remark)
    has_told = False
    for t, picture in pictures:
        if seeing is None:
            seeing = PictureEvents(
                TableTracker(eyes, None if corners is None else grid_from_corners(corners, picture))
            )
        seeing, reading, events = seeing.look(picture, t)
        in_sight.look(t, in_sight=reading.has_grid)
        has_told |= bool(events)
        yield from events
    if seeing is None or seeing.watch.begun is None:
        raise GridNotFound("no mat was in sight, so nothing can be told; say with --corners where the grid is")
    if not has_told:
        raise NoFootage(
            "The grid was in sight, but no two pictures agree on what lies there, and one alone proves nothing; "
            "film the table for a second at least, in good light, or look at one picture with `companion look`."
        )


@dataclass
class _GridInSight:
    """Remarks that the grid has been out of sight for longer than `PATIENCE`, and that it is back."""

    remark: Remark
    last: Ns | None = None
    """When the grid was last in sight; before that, the time of the first picture."""
    is_missed: bool = False

    def look(self, t: Ns, *, in_sight: bool) -> None:
        if self.last is None or in_sight:
            self.last = t
        if in_sight and self.is_missed:
            self.remark("The grid is in sight again.")
            self.is_missed = False
        if not self.is_missed and t - self.last >= PATIENCE:
            self.remark(
                "The grid is out of sight; two of the mat's four markers at least must be seen, or the bare table "
                "must be where it was."
            )
            self.is_missed = True
