"""The camera's own thread: shows the lookout each picture, tells the table what it finds, and never gives up.

Without a camera the game goes on by buttons alone: what waits for a look at the grid is judged by the grid as it
was last known. When the camera is back, what it then sees is told as it lies, and the page says where that is not
what everybody thought.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from companion.clock import TableClock
from companion.core.games.game import Said
from companion.core.observe import Event as Told
from companion.duty import Duty
from companion.errors import JournalError, SenselessEvent
from companion.table import Snapshot, Table
from hardware.errors import CameraBusy, CameraTrouble, NoCamera
from hardware.pictures import Frame, Pixels

SECOND: Final = 1_000_000_000
PICTURE_S: Final = 0.25
AGAIN_S: Final = 1.0
# Each look for a camera takes a process of its own: one that stays away is looked for less often.
SELDOM_S: Final = 5.0
# So long a race waits for a camera that has fallen silent.
BLIND: Final = 2 * SECOND
# After these the camera tells anew what it sees, for the page to say where that is not what people say.
CORRECTIONS: Final = frozenset({"fix", "undo", "foul"})


class Camera(Protocol):
    """`hardware.camera.Camera` is one."""

    def frame(self, timeout_s: float) -> Frame | None: ...


Open = Callable[[], AbstractContextManager[Camera]]


class Looking(Protocol):
    """`companion.lookout.Lookout` does."""

    def see(self, pixels: Pixels, t: int) -> tuple[Told, ...]: ...

    def pressed(self, t: int) -> None: ...

    def heard(self, game: int, news: Iterable[Said]) -> None: ...

    def ask_grid(self) -> None: ...

    def forget(self) -> None: ...

    def miss(self, why: str) -> None: ...


class Watchman(Duty):
    def __init__(  # noqa: PLR0913 - all that it stands between
        self,
        table: Table,
        lookout: Looking,
        open_camera: Open,
        clock: TableClock,
        *,
        game: int = 0,
        remark: Callable[[str], None] = lambda _: None,
        on_death: Callable[[BaseException], None] = lambda _: None,
    ) -> None:
        """`game`: the journal's number of the one that is being played."""
        super().__init__("watchman", on_death)
        self._table = table
        self._lookout = lookout
        self._open = open_camera
        self._clock = clock
        self._remark = remark
        self._presses: SimpleQueue[int] = SimpleQueue()
        self._heard = table.snapshot
        self._game = game
        self._looked = clock()
        """When the newest picture came."""
        self._sighted = False
        """Whether one ever came: a camera that is only being opened is not gone, nor is it back afterwards."""
        self._blind = False
        self._said = ""
        """Of the camera's trouble; it is looked for again and again, and said once."""
        self._again_s = AGAIN_S
        self.ahead_ns: int | None = None
        """The camera's clock, of ours, as it was measured."""
        self._unwritten = ""
        """Why something could not be written down."""

    def pressed(self, t: int) -> None:
        """A button was pressed then: the pictures around it may be wanted. From any thread."""
        self._presses.put(t)

    def watch(self, camera: Camera) -> None:
        """One picture, if there is one."""
        frame = camera.frame(PICTURE_S)
        self._hear_phones()
        self._note_presses()
        if frame is None:
            self._go_on_blind()
            if self._blind and self._sighted:
                self._lookout.miss("gone")
            return
        self.ahead_ns = frame.ahead_ns
        if self._blind:
            self._blind = False
            self._lookout.forget()
            if self._sighted or self._said:
                self._remark("The camera is back.")
        self._looked, self._sighted, self._said, self._again_s = self._clock(), True, "", AGAIN_S
        for event in self._lookout.see(frame.pixels, self._clock.at(frame.t_ns)):
            self._tell(event)

    def _note_presses(self) -> None:
        while True:
            try:
                self._lookout.pressed(self._presses.get_nowait())
            except Empty:
                return

    def _go_on_blind(self) -> None:
        """What waits for the camera has waited long enough."""
        if self._clock() - self._looked < BLIND:
            return
        self._blind = True
        game = self._table.snapshot.evening.game
        waits = game.waits_for if game is not None else None
        if waits is not None and self._clock() - waits >= BLIND:
            self._tell({"type": "seen", "t": waits})

    def _tell(self, event: Told) -> None:
        game = self._heard.evening.game
        if game is None or game.over:
            return
        try:
            answer = self._table.tell(event).result()
        except JournalError as error:
            # It is told again as it then lies, as soon as there is room.
            self._lookout.ask_grid()
            if str(error) != self._unwritten:
                self._unwritten = str(error)
                self._remark(self._unwritten)
            return
        except SenselessEvent as error:
            # Without a camera in its options a game wants to know of no cards.
            if game.has_camera:
                self._remark(f"The table does not understand what the camera saw: {error}")
            return
        self._unwritten = ""
        for snapshot in self._table.wait(self._heard.number, 0):
            if snapshot.number <= answer.number:
                self._hear(snapshot)

    def _hear_phones(self) -> None:
        for snapshot in self._table.wait(self._heard.number, 0):
            self._hear(snapshot)
            if snapshot.kind in CORRECTIONS:
                self._lookout.ask_grid()

    def _hear(self, snapshot: Snapshot) -> None:
        if snapshot.evening.begun != self._heard.evening.begun:
            self._game = snapshot.number
            self._lookout.forget()
        self._heard = snapshot
        self._lookout.heard(self._game, snapshot.news)

    def turn(self) -> None:
        """Until there is trouble with the camera, and a while after."""
        try:
            with self._open() as camera:
                while not self._closing.is_set():
                    self.watch(camera)
        except CameraTrouble as trouble:
            self._lookout.miss(_kind(trouble))
            if str(trouble) != self._said:
                self._said = str(trouble)
                self._remark(self._said)
            self._wait_for_another()

    def _wait_for_another(self) -> None:
        """A while, in which the game goes on."""
        rest_s = self._again_s
        self._again_s = min(2 * rest_s, SELDOM_S)
        while rest_s > 0 and not self._closing.wait(min(rest_s, AGAIN_S)):
            rest_s -= AGAIN_S
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
