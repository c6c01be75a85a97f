"""The camera's own thread: shows each picture to the `Vision`, tells the table what it finds, and never gives up.

Without a camera the game goes on by buttons alone: what waits for a look at the grid is judged by the grid as it
was last known. When the camera is back, what it then sees is told as it lies, and the page says where that is not
what everybody thought.
"""

import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from companion.core.observe import Event as Told
from companion.errors import InvalidEvent, JournalError, NoDeckYet, TableBusy
from companion.logs.log_lines import NOTICE
from companion.rig.picture_reader import PictureReader, Reads
from companion.table.live_table import Snapshot, Table
from companion.table.table_clock import TableClock
from companion.threads.troubles import CAMERA, JOURNAL
from companion.threads.worker import Crew, Policy, Worker
from companion.units import Ns
from hardware.camera.frames import Frame
from hardware.faults import CameraBusy, CameraTrouble, NoCamera

_log: Final = logging.getLogger(__name__)

PICTURE_S: Final = 0.25
RETRY_S: Final = 1.0
# Each look for a camera takes a process of its own: one that stays away is looked for less often.
SLOWEST_RETRY_S: Final = 5.0
# The eyes take a second for a picture on a slow machine, and a driver may take its time to open.
HANGS_AFTER_S: Final = 20.0


class FrameSource(Protocol):
    """`hardware.camera.camera_process.Camera` is one."""

    def frame(self, timeout_s: float) -> Frame | None: ...


Open = Callable[[], AbstractContextManager[FrameSource]]


class Looking(Reads, Protocol):
    """`companion.rig.vision.Vision` does."""

    def keep_race_photos(self, game: int, presses: Iterable[Ns]) -> None: ...

    def miss(self, why: str) -> None: ...


class CameraWorker(Worker):
    def __init__(  # noqa: PLR0913 - all that it stands between
        self,
        table: Table,
        vision: Looking,
        open_camera: Open,
        clock: TableClock,
        *,
        game: int = 0,
        crew: Crew | None = None,
    ) -> None:
        """`game`: the journal's number of the one that is being played."""
        super().__init__(
            CAMERA,
            Policy.RESTART,
            crew=crew,
            sentence="Nobody looks through the camera at the moment: play goes on by the buttons.",
            is_vital=False,
            hangs_after_s=HANGS_AFTER_S,
        )
        self._table = table
        self._vision = vision
        self._opener = open_camera
        self._clock = clock
        self._camera: FrameSource | None = None
        self._put_away = ExitStack()
        """Closes the camera that is open."""
        self._reader = PictureReader(table, vision, self._troubles, clock)
        self._presses: SimpleQueue[int] = SimpleQueue()
        self._heard = table.snapshot
        self._game = game
        self._has_seen = False
        """Whether one ever came: a camera that is only being opened is not gone, nor is it back afterwards."""
        self._said = ""
        """Of the camera's trouble; it is looked for again and again, and said once."""
        self._again_s = RETRY_S
        self.ahead_ns: int | None = None
        """The camera's clock, of ours, as it was measured."""
        self._refusal = ""
        """Why a busy table did not note something."""

    def pressed(self, t: int) -> None:
        """A button was pressed then: the pictures around it may be wanted. From any thread."""
        self._presses.put(t)

    def watch(self, camera: FrameSource) -> None:
        """One picture, if there is one."""
        frame = camera.frame(PICTURE_S)
        self.beat()
        self._hear_phones()
        if frame is None:
            self._go_on_blind()
            if self._reader.is_blind and self._has_seen:
                self._vision.miss("gone")
            return
        self.ahead_ns = frame.ahead_ns
        was_away = self._reader.is_blind and not self._reader.is_failing
        try:
            events = self._reader.read(frame.pixels, self._clock.at(frame.t_ns), self.beat)
        except NoDeckYet:
            self.beat()
            events = None
        if events is None:
            self._go_on_blind()
            return
        if was_away and (self._has_seen or self._said):
            _log.log(NOTICE, "The camera is back.")
        self._has_seen, self._said, self._again_s = True, "", RETRY_S
        for event in events:
            self._tell(event)

    def _news(self) -> tuple[Snapshot, ...]:
        """A press comes here before the table hears of it: of whatever has been ruled, it is known by then."""
        snapshots = self._table.wait(self._heard.number, 0)
        self._note_presses()
        return snapshots

    def _note_presses(self) -> None:
        while True:
            try:
                t = self._presses.get_nowait()
            except Empty:
                return
            self._reader.pressed(t)

    def _go_on_blind(self) -> None:
        """What waits for the camera has waited long enough."""
        event = self._reader.overdue()
        if event is not None:
            self._tell(event)

    def _tell(self, event: Told) -> None:
        game = self._heard.evening.game
        if game is None or game.over:
            return
        if self._troubles.find(JOURNAL) is not None:
            # It would be refused at every picture. As soon as there is room it is told as it then lies.
            self._vision.ask_grid()
            return
        try:
            with self.resting():
                answer = self._table.tell(event).result()
        except JournalError:
            self._vision.ask_grid()
            return
        except TableBusy as error:
            if str(error) != self._refusal:
                self._refusal = str(error)
                _log.warning("%s", error)
            self._vision.ask_grid()
            return
        except InvalidEvent as error:
            # Without a camera in its options a game wants to know of no cards.
            if game.has_camera:
                _log.warning("The table does not understand what the camera saw: %s", error)
            return
        self._refusal = ""
        for snapshot in self._news():
            if snapshot.number <= answer.number:
                self._hear(snapshot)

    def _hear_phones(self) -> None:
        for snapshot in self._news():
            self._hear(snapshot)
            played = snapshot.evening.played
            if played is not None and snapshot.kind in played.camera.looks_again_after:
                self._vision.ask_grid()

    def _hear(self, snapshot: Snapshot) -> None:
        if snapshot.evening.begun != self._heard.evening.begun:
            self._game = snapshot.number
            self._vision.forget()
        self._heard = snapshot
        self._vision.keep_race_photos(self._game, snapshot.race_photos)

    def turn(self) -> None:
        """One picture; where there is trouble with the camera, a while without."""
        try:
            self.watch(self._camera or self._open_camera())
        except CameraTrouble as trouble:
            self._close_camera()
            self._vision.miss(_kind(trouble))
            if str(trouble) != self._said:
                self._said = str(trouble)
                _log.warning("%s", trouble)
            self._wait_for_another()

    def recover(self) -> None:
        """Of what has happened on the table since nothing is known: it is looked at as a whole."""
        self.beat()
        self._close_camera()
        self._reader.is_blind = True

    def close(self) -> None:
        super().close()
        self._close_camera()

    def _open_camera(self) -> FrameSource:
        with ExitStack() as opening:
            camera = opening.enter_context(self._opener())
            # One that has been opened too late is closed again: somebody else has one by then.
            self.beat()
            self._put_away, self._camera = opening.pop_all(), camera
        return camera

    def _close_camera(self) -> None:
        put_away, self._put_away, self._camera = self._put_away, ExitStack(), None
        try:
            put_away.close()
        except Exception:  # noqa: BLE001 - it is done with in any case
            # Somebody who hangs still looks through it; its child is dead.
            _log.exception("The camera could not be closed.")

    def _wait_for_another(self) -> None:
        """A while, in which the game goes on."""
        rest_s = self._again_s
        self._again_s = min(2 * rest_s, SLOWEST_RETRY_S)
        while rest_s > 0 and not self._closing.wait(min(rest_s, RETRY_S)):
            rest_s -= RETRY_S
            self.beat()
            self._hear_phones()
            self._go_on_blind()


def _kind(trouble: CameraTrouble) -> str:
    """As the page knows it."""
    match trouble:
        case NoCamera():
            return "absent"
        case CameraBusy():
            return "busy"
        case _:
            return "gone"
