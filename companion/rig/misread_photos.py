"""The last pictures that were misread, for a report: what the camera saw when people had to correct what was read,
or when it saw other cards than everybody thought.

A worker thread packs and writes them, so that the camera never waits for the disk. If it fails, only the report
lacks them.
"""

import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np
from cv2.typing import MatLike

from companion.errors import TableClosed
from companion.files import why_not, write_whole
from companion.rig.jpeg import jpeg
from companion.table.live_table import Snapshot, Table
from companion.threads.troubles import MISREAD
from companion.threads.worker import Crew, Policy, Worker

_log: Final = logging.getLogger(__name__)

# How many are kept, each about 400 kB at the width that the eyes use.
KEPT: Final = 8
WIDEST_PX: Final = 1920
QUALITY: Final = 85
# Poll interval, and so the longest that the program's end waits for this thread.
LOOK_S: Final = 0.1
CORRECTED, ADRIFT = "corrected", "adrift"
# Rate limit for each reason: a mat that lies badly makes cards drift all evening, and each write wears out the
# SD card.
APART_S: Final[Mapping[str, float]] = {CORRECTED: 10.0, ADRIFT: 600.0}


class MisreadPhotos(Worker):
    """The worker thread that keeps the last misread pictures as files."""

    def __init__(
        self,
        table: Table,
        newest: Callable[[], MatLike | None],
        folder: Path,
        clock: Callable[[], float] = time.monotonic,
        crew: Crew | None = None,
    ) -> None:
        """`newest` returns the camera's newest picture."""
        super().__init__(
            MISREAD,
            Policy.RESTART,
            crew=crew,
            sentence="Pictures that were misread are not kept for a report at the moment; the game goes on.",
            is_vital=False,
        )
        self._table = table
        self._newest = newest
        self._folder = folder
        self._time = clock
        self._number = table.snapshot.number
        self._kept_at: dict[str, float] = {}

    def turn(self) -> None:
        if not self._table.is_open:
            raise TableClosed("Nothing is corrected any more.")
        for snapshot in self._table.wait(self._number, LOOK_S):
            self._number = snapshot.number
            why, now = _why(snapshot), self._time()
            if why is None or now - self._kept_at.get(why, -np.inf) < APART_S[why]:
                continue
            pixels = self._newest()
            if pixels is not None:
                self._kept_at[why] = now
                self._keep(f"{snapshot.number:010d}-{why}.jpg", pixels)

    def _keep(self, name: str, pixels: MatLike) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / name, jpeg(pixels, widest_px=WIDEST_PX, quality=QUALITY))
            for path in sorted(self._folder.glob("*.jpg"))[:-KEPT]:
                path.unlink(missing_ok=True)
        except OSError as error:
            _log.info("A picture that was misread can't be kept: %s", why_not(error, self._folder))


def _why(snapshot: Snapshot) -> str | None:
    played = snapshot.evening.played
    if played is None:
        return None
    if snapshot.kind in played.camera.corrections:
        return CORRECTED
    return ADRIFT if any(map(played.camera.is_misread, snapshot.news)) else None
