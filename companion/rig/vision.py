"""Reads a camera's pictures, tells what happens on the table, and keeps what the page may show of them: each
card's cut-out, as long as the card is read for sure and nothing hides it, and the two pictures around a race's
first grab. One thread passes in pictures; any thread may read the results.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.cards import CELLS, Card, Cell
from companion.core.mat import CELLS as PLACES
from companion.core.mat import GRID, Rectangle
from companion.core.observe import CellState, Event, Watch, unread_cells
from companion.core.reading import Reading
from companion.errors import NoDeckYet
from companion.eyes.grid.grid_from_mat import SEARCH_WIDTH, Grid
from companion.eyes.look import Eyes
from companion.eyes.scene.picture_quality import why_no_grid
from companion.eyes.table_tracker import TableTracker
from companion.rig.camera_words import HiddenSince, follow_hidden, name_trouble
from companion.rig.picture_events import PictureEvents, nothing
from companion.rig.preview import Preview
from companion.rig.race_photos import RacePhotos
from companion.units import Ns

# Nine cut-outs are 10 to 13 kB of the 60 kB that a page may have. They are blurred first, because noise would
# compress worse than the cards themselves.
CUTOUT_PX: Final = 128
CUTOUT_QUALITY: Final = 30
CUTOUT_SOFT: Final = 0.6
JPEG: Final = (".jpg", cv2.IMWRITE_JPEG_QUALITY)
WEBP: Final = (".webp", cv2.IMWRITE_WEBP_QUALITY)
FINISH: Final = Rectangle(GRID.left - 10, GRID.top - 10, GRID.width + 20, GRID.height + 20)
FINISH_PX: Final = 480
FINISH_QUALITY: Final = 82
# Buffer of recent pictures: a press is known 20 to 40 ms late, when at 60 pictures a second three more have come.
RECENT: Final = 8
# Timeout for the first picture: a Pi's camera gives it after two or three seconds.
OPENING: Final[Ns] = 4_000_000_000
NOTHING: Final[tuple[None, ...]] = (None,) * len(CELLS)


@dataclass(frozen=True, slots=True)
class CutOut:
    card: Card
    height: int
    version: int
    webp: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    t: Ns
    pixels: MatLike
    grid: Grid | None
    """Where the grid is in this picture; None while it is lost."""


class Vision:
    """The camera's view of the table: turns pictures into events and keeps what the page may show."""

    def __init__(
        self,
        eyes: Eyes | None,
        photos: RacePhotos,
        corners: Grid | None = None,
        *,
        clock: Callable[[], Ns] = lambda: 0,
        find_eyes: Callable[[], Eyes | None] = lambda: None,
    ) -> None:
        """`eyes`: None where no deck can be read yet; then `find_eyes` is called at each picture. `clock`: in the
        pictures' time; without it a camera that never gives a picture is not reported."""
        self._corners = corners
        self._seeing = PictureEvents(TableTracker(eyes, corners)) if eyes is not None else None
        self._find_eyes = find_eyes
        self._photos = photos
        self._recent: deque[Picture] = deque(maxlen=RECENT)
        self._versions = count(1)
        self._made: list[CutOut | None] = [*NOTHING]
        self._shown: tuple[CutOut | None, ...] = NOTHING
        self._hidden: tuple[HiddenSince | None, ...] = NOTHING
        self._words: str | None = None
        self.view = Preview()
        self._clock = clock
        self._opened = clock()
        self._looked = False
        """Whether there has ever been a picture."""
        self._missing: str | None = None
        """Why there are no pictures now; None while they come."""

    def see(self, pixels: MatLike, t: Ns, beat: Callable[[], None] = nothing) -> tuple[Event, ...]:
        """The events that this picture proves. `t`: the beginning of its exposure. `beat`: the worker's heartbeat,
        called once the picture has been read; if it raises, no state has changed. Raises `NoDeckYet`, though the
        preview shows the picture all the same."""
        seeing = self._aimed()
        if seeing is None:
            self.view.show(t, pixels, (), None)
            self._looked, self._missing = True, None
            raise NoDeckYet("No deck can be read yet.")
        self._seeing, reading, events = seeing.look(pixels, t, beat)
        picture = Picture(t, pixels, self._grid(self._seeing.tracker.grid, pixels) if reading.has_grid else None)
        self._recent.append(picture)
        self.view.show(t, pixels, reading.cells, picture.grid)
        self._cut(picture)
        self._note_troubles(reading, pixels)
        self._looked, self._missing = True, None
        self._photos.add_after(t, lambda: finish_of(picture))
        return events

    def drop(self) -> None:
        """Notes that a picture could not be read: no card is seen for sure."""
        self._looked, self._missing, self._shown = True, None, NOTHING
        self.view.dropped += 1

    @property
    def known(self) -> Ns:
        """Up to when all that happened on the grid has been told."""
        return min(spot.quiet for spot in self._watch.spots)

    @property
    def unread(self) -> tuple[Cell, ...]:
        """The cells because of which `known` lags behind."""
        return tuple(unread_cells(self._watch))

    def ask_grid(self) -> None:
        """After this, for example after a correction, the next picture is told as a `grid` event."""
        if self._seeing is not None:
            self._seeing = self._seeing.asking_grid()

    def forget(self) -> None:
        """For a table laid anew while nobody played: the next picture is told as a `grid` event, not as moves."""
        if self._seeing is not None:
            self._seeing = self._seeing.forgetting()

    def pressed(self, t: Ns) -> None:
        """Buffers the pictures around that press until it is known whether it was a first grab."""
        before = next((picture for picture in reversed(self._recent) if picture.t <= t), None)
        after = next((picture for picture in self._recent if picture.t > t), None)
        self._photos.press(t, finish_of(before), None if after is None else finish_of(after))

    def miss(self, why: str) -> None:
        """Notes why there are no pictures: the camera is "absent", "busy" or "gone"."""
        self._missing = why

    def keep_race_photos(self, game: int, presses: Iterable[Ns]) -> None:
        """Keeps the pictures around those presses; `game` is the game's number in the journal."""
        for t in presses:
            self._photos.keep(game, t)

    @property
    def newest(self) -> MatLike | None:
        """The last picture, as the camera gave it."""
        return self._recent[-1].pixels if self._recent else None

    # What the page may show

    def cutouts(self) -> tuple[int | None, ...]:
        return tuple(one.version if one is not None else None for one in self._shown)

    def cutout(self, cell: Cell) -> bytes | None:
        one = self._shown[cell]
        return one.webp if one is not None else None

    def finish(self, game: int, t: int, which: str) -> bytes | None:
        return self._photos.find(game, t, which)

    def words(self) -> str | None:
        """The name of what has been wrong with the pictures for a while, as in `companion.rig.camera_words`."""
        if self._missing is not None or self._looked:
            return self._missing or self._words
        return "opening" if self._clock() - self._opened > OPENING else None

    # Internals

    @property
    def _watch(self) -> Watch:
        return self._seeing.watch if self._seeing is not None else Watch()

    def _aimed(self) -> PictureEvents | None:
        """Applies a new aim from the preview and a deck that has become readable; None while there is no deck."""
        aim, seeing = self.view.new_aim(), self._seeing
        if aim is not None:
            self._corners = aim.grid
        if aim is None and seeing is not None:
            return seeing
        eyes = seeing.tracker.eyes if seeing is not None else self._find_eyes()
        if eyes is None:
            return None
        # A new aim sees other things, so a new tracker tells them as a `grid` event, not as moves.
        self._seeing = PictureEvents(TableTracker(eyes, self._corners))
        return self._seeing

    def _grid(self, grid: Grid | None, pixels: MatLike) -> Grid | None:
        """The grid in pixels of the full picture, from the tracker's `grid` in those of the shrunk one."""
        by = max(1, round(pixels.shape[1] / SEARCH_WIDTH))
        if grid is None or by == 1:
            return grid
        back = np.linalg.inv(np.array([[by, 0, (by - 1) / 2], [0, by, (by - 1) / 2], [0, 0, 1]]))
        return replace(grid, to_mm=grid.to_mm @ back)

    def _cut(self, picture: Picture) -> None:
        shown: list[CutOut | None] = []
        for cell, spot in enumerate(self._watch.spots):
            card = _read_for_sure(spot, picture.t)
            if card is None or picture.grid is None or spot.pile is None:
                shown.append(None)
                continue
            made = self._made[cell]
            if made is None or (made.card, made.height) != (card, len(spot.pile)):
                soft = cv2.GaussianBlur(_straight(picture, PLACES[cell], CUTOUT_PX), (3, 3), CUTOUT_SOFT)
                webp = _encode(soft, WEBP, CUTOUT_QUALITY)
                made = self._made[cell] = CutOut(card, len(spot.pile), next(self._versions), webp)
            shown.append(made)
        self._shown = tuple(shown)

    def _note_troubles(self, reading: Reading, pixels: MatLike) -> None:
        self._hidden = follow_hidden(self._hidden, reading.cells, reading.t)
        self._words = name_trouble(self._hidden, reading.t, lambda: why_no_grid(pixels))


def _read_for_sure(spot: CellState, t: Ns) -> Card | None:
    """The card that was told for this cell, if this picture shows it too and nothing hides it."""
    if not spot.pile or spot.run is None or spot.why is not None or spot.quiet != t:
        return None
    card = spot.pile[-1].card
    return card if spot.run.card == card else None


def finish_of(picture: Picture | None) -> bytes | None:
    if picture is None or picture.grid is None:
        return None
    return _encode(_straight(picture, FINISH, FINISH_PX), JPEG, FINISH_QUALITY)


def _straight(picture: Picture, area: Rectangle, side: int) -> MatLike:
    """This part of the mat without perspective, as seen from straight above."""
    assert picture.grid is not None
    here = np.array(picture.grid.pixels_of(area.corners), np.float32)
    there = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    return cv2.warpPerspective(
        picture.pixels, cv2.getPerspectiveTransform(here, there), (side, side), flags=cv2.INTER_AREA
    )


def _encode(pixels: MatLike, kind: tuple[str, int], quality: int) -> bytes:
    ending, setting = kind
    packed: Sequence[object] = cv2.imencode(ending, pixels, (setting, quality))
    return np.asarray(packed[1], np.uint8).tobytes()
