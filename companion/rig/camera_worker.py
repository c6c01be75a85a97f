"""The camera's worker thread: shows each picture to the `Vision`, tells the table what it finds, and retries
for ever when the camera fails.

Without a camera the game goes on by buttons alone: a ruling that waits for a look at the grid uses the grid as it
was last known. When the camera is back, the whole grid is told as it then lies, and the page says where that
differs from what everybody thought.
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
# Each retry starts a camera process, so the retries slow down to this interval.
SLOWEST_RETRY_S: Final = 5.0
# Heartbeat timeout: the eyes take a second for a picture on a slow machine, and a driver may open slowly.
HANGS_AFTER_S: Final = 20.0


class FrameSource(Protocol):
    """An open camera; `hardware.camera.camera_process.Camera` is one."""

    def frame(self, timeout_s: float) -> Frame | None: ...


Open = Callable[[], AbstractContextManager[FrameSource]]


class Looking(Reads, Protocol):
    """What the worker needs of the vision; `companion.rig.vision.Vision` is one."""

    def keep_race_photos(self, game: int, presses: Iterable[Ns]) -> None: ...

    def miss(self, why: str) -> None: ...


class CameraWorker(Worker):
    """The worker thread that opens the camera, reads its pictures and retries after trouble."""

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
        """`game`: the journal's number of the game that is being played."""
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
        """Whether a picture ever came: before the first one the camera is "opening", not "gone" or "back"."""
        self._said = ""
        """The camera's trouble as it was last logged: the camera is retried many times, but logged once."""
        self._again_s = RETRY_S
        self.ahead_ns: int | None = None
        """How far the camera's clock is ahead of ours, as it was measured."""
        self._refusal = ""
        """Why the table refused an event while it was busy."""

    def pressed(self, t: int) -> None:
        """A button was pressed at `t`: the pictures around that time may be wanted. Any thread may call this."""
        self._presses.put(t)

    def watch(self, camera: FrameSource) -> None:
        """Reads and judges one picture, if the camera gives one in time."""
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
        """The newest snapshots. A press reaches this worker before it reaches the table, so every press that a
        snapshot has a ruling on is already known here."""
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
        """Tells the table to judge without the camera what has waited for it long enough."""
        event = self._reader.overdue()
        if event is not None:
            self._tell(event)

    def _tell(self, event: Told) -> None:
        game = self._heard.evening.game
        if game is None or game.over:
            return
        if self._troubles.find(JOURNAL) is not None:
            # A retry would be refused at every picture, so ask for the whole grid: it is told once there is room.
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
            # A game whose options have no camera takes no events about cards.
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
        """Handles one picture; on camera trouble closes the camera and waits before the retry."""
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
        """After an error nothing is known of what happened meanwhile, so the whole grid is told anew."""
        self.beat()
        self._close_camera()
        self._reader.is_blind = True

    def close(self) -> None:
        super().close()
        self._close_camera()

    def _open_camera(self) -> FrameSource:
        with ExitStack() as opening:
            camera = opening.enter_context(self._opener())
            # If this thread hung and was replaced, the heartbeat raises, which closes the camera opened too late.
            self.beat()
            self._put_away, self._camera = opening.pop_all(), camera
        return camera

    def _close_camera(self) -> None:
        put_away, self._put_away, self._camera = self._put_away, ExitStack(), None
        try:
            put_away.close()
        except Exception:  # noqa: BLE001 - the camera is given up in any case
            # A hung thread may still be reading from it; its child process is dead.
            _log.exception("The camera could not be closed.")

    def _wait_for_another(self) -> None:
        """Waits before the next retry while the game goes on."""
        rest_s = self._again_s
        self._again_s = min(2 * rest_s, SLOWEST_RETRY_S)
        while rest_s > 0 and not self._closing.wait(min(rest_s, RETRY_S)):
            rest_s -= RETRY_S
            self.beat()
            self._hear_phones()
            self._go_on_blind()


def _kind(trouble: CameraTrouble) -> str:
    """The trouble's name, as the page knows it."""
    match trouble:
        case NoCamera():
            return "absent"
        case CameraBusy():
            return "busy"
        case _:
            return "gone"
