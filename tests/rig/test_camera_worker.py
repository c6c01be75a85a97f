"""The camera's thread: what it sees is told, and a camera that is gone stops nobody."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Event

import cv2
import numpy as np
import pytest

from companion.errors import JournalFull, TableBusy
from companion.journal import Journal
from companion.rig import camera_worker
from companion.rig.camera_worker import HANGS_AFTER_S, RETRY_S, CameraWorker, FrameSource
from companion.rig.picture_reader import BLIND, UNREAD
from companion.table.live_table import Table
from companion.table.table_clock import TableClock
from companion.threads.troubles import Troubles
from companion.threads.worker import Crew
from companion.units import SECOND
from hardware.camera.frames import Frame, Pixels
from hardware.faults import CameraBusy, CameraGone, CameraTrouble, NoCamera

from ..live.sailing import until
from ..said import heard
from ..thread_names import thread_named

SOON = 20.0
STRANGE = 99
GAME: dict[str, object] = {"type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0}
PINKS: list[dict[str, object]] = [
    {"type": "card", "cell": cell, "boat": boat, "colour": "pink"}
    for cell, boat in enumerate(("raft", "ring", "jetski"))
]


class Looker:
    """Finds in the pictures what a test has put into them: the number of the event that happened."""

    def __init__(self) -> None:
        self.events: list[dict[str, object]] = []
        self.calls: list[object] = []

    def see(self, pixels: Pixels, t: int, beat: Callable[[], None]) -> tuple[dict[str, object], ...]:
        beat()
        if pixels[0, 0, 0] == STRANGE:
            raise cv2.error("(-215:Assertion failed)")
        number = int(pixels[0, 0, 0])
        return ({"t": t, **self.events[number - 1]},) if number else ({"t": t, "type": "seen"},)

    def drop(self) -> None:
        self.calls.append("drop")

    def pressed(self, t: int) -> None:
        self.calls.append(("pressed", t))

    def keep_race_photos(self, game: int, presses: Iterable[int]) -> None:
        self.calls += [("game", game), *(("kept", game, t) for t in presses)]

    def ask_grid(self) -> None:
        self.calls.append("ask_grid")

    def forget(self) -> None:
        self.calls.append("forget")

    def miss(self, why: str) -> None:
        self.calls.append(("miss", why))


class Film:
    """A camera that gives what it is told to."""

    def __init__(self) -> None:
        self.frames: list[Frame | None] = []

    def frame(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - it waits for nothing
        return self.frames.pop(0) if self.frames else None


class Rig:
    def __init__(self, folder: Path) -> None:
        self.now = 10 * SECOND
        self.clock = TableClock(ahead=7, kernel=lambda: self.now)
        self.journal = Journal.open(folder / "journal.db")
        self.table = Table(self.journal, clock=self.clock)
        self.looker, self.film = Looker(), Film()
        self.said: list[str] = []
        self.crew = Crew()
        self.watchman = CameraWorker(self.table, self.looker, self.open, self.clock, crew=self.crew)

    @contextmanager
    def open(self) -> Generator[FrameSource]:
        yield self.film

    def picture(self, shows: int = 0) -> None:
        pixels = np.full((2, 2, 3), shows, np.uint8)
        self.film.frames.append(Frame(self.now, pixels))
        self.watchman.watch(self.film)

    def nothing(self) -> None:
        self.watchman.watch(self.film)

    def tell(self, event: dict[str, object]) -> None:
        self.table.tell(event).result(SOON)

    def phase(self) -> object:
        state = self.table.snapshot.state
        assert state is not None
        return state["phase"]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    with (
        rig.table,
        rig.journal,
        heard("companion.rig.camera_worker", rig.said.append),
        heard("companion.rig.picture_reader", rig.said.append),
    ):
        rig.tell(GAME)
        rig.looker.events = [*PINKS]
        yield rig


def lay_the_set(rig: Rig) -> None:
    for number in (1, 2, 3):
        rig.now += SECOND
        rig.picture(number)


def test_what_the_camera_sees_is_told_with_its_time(rig: Rig) -> None:
    """At the table's."""
    rig.picture(1)
    state = rig.table.snapshot.state
    assert state is not None
    assert [1, 0] == list(state["piles"])[:2]  # type: ignore[call-overload]
    assert ("game", 1) in rig.looker.calls


def test_a_race_waits_for_the_camera_and_not_for_ever(rig: Rig) -> None:
    """Pulled out in the middle of it, the camera leaves the grid as it was last known; by that it is judged."""
    lay_the_set(rig)
    rig.now += SECOND
    rig.tell({"type": "press", "seat": 1})
    assert "play" == rig.phase()
    rig.nothing()
    assert "play" == rig.phase()
    rig.now += BLIND
    rig.nothing()
    assert "pickup" == rig.phase()


def test_a_camera_that_is_back_tells_what_lies_there(rig: Rig) -> None:
    """Anew, and it is said once; until then the page says that it is gone."""
    rig.picture()
    rig.now += BLIND - 1
    rig.nothing()
    assert ("miss", "gone") not in rig.looker.calls
    rig.now += BLIND
    rig.nothing()
    rig.nothing()
    assert ("miss", "gone") in rig.looker.calls
    before = list(rig.looker.calls)
    rig.picture()
    rig.picture()
    assert 1 == (rig.looker.calls[len(before) :]).count("forget")
    assert ["The camera is back."] == rig.said


def test_a_camera_that_takes_its_time_to_open_was_never_gone(rig: Rig) -> None:
    """A Pi's takes longer for its first picture than one that has fallen silent is waited for."""
    rig.now += 2 * BLIND
    rig.nothing()
    rig.picture()
    assert ("miss", "gone") not in rig.looker.calls
    assert [] == rig.said


def test_after_a_full_disk_what_lies_there_is_told(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table goes on, and so does the camera; what is wrong only the table says."""

    def no_room(*_: object) -> None:
        raise JournalFull("The disk is full.")

    with monkeypatch.context() as full:
        full.setattr(rig.journal, "enter", no_room)
        for _ in range(2):
            rig.now += SECOND
            rig.picture(1)
    assert [] == rig.said
    assert 2 == rig.looker.calls.count("ask_grid")
    rig.now += SECOND
    rig.picture(1)
    assert 2 == rig.table.snapshot.number


def test_while_nothing_can_be_kept_the_camera_tells_nothing(rig: Rig) -> None:
    """Thirty times a second a disk that is ill enough would refuse it; with room it tells what lies there."""
    number = rig.table.snapshot.number
    rig.crew.troubles.raise_trouble("journal", "The disk is full.")
    rig.picture(1)
    assert number == rig.table.snapshot.number
    assert ["ask_grid"] == [call for call in rig.looker.calls if call == "ask_grid"]
    rig.crew.troubles.clear("journal")
    rig.picture(1)
    assert number + 1 == rig.table.snapshot.number


def test_after_a_correction_the_grid_is_asked_for(rig: Rig) -> None:
    """A press or a call is none."""
    rig.picture(1)
    rig.tell({"type": "call", "seat": 1})
    rig.picture()
    assert "ask_grid" not in rig.looker.calls
    rig.tell({"type": "fix", "turn": 0})
    rig.picture()
    assert "ask_grid" in rig.looker.calls


def test_another_game_is_another_table(rig: Rig) -> None:
    """Whose number the pictures of its finishes bear."""
    rig.picture(1)
    rig.tell(
        {
            "type": "fix",
            "decks": [0, 0],
            "piles": [60, *[0] * 8],
            "tops": {"0": {"boat": "raft", "colour": "pink"}},
        }
    )
    rig.tell(GAME)
    rig.looker.calls.clear()
    rig.nothing()
    assert "forget" in rig.looker.calls
    assert ("game", rig.table.snapshot.number) in rig.looker.calls


def test_presses_reach_the_pictures(rig: Rig) -> None:
    """From whatever thread."""
    rig.watchman.pressed(77)
    rig.picture()
    assert ("pressed", 77) in rig.looker.calls


def test_a_press_is_known_before_it_is_ruled_on(rig: Rig) -> None:
    """However fast the table was: else there would be no pictures of it when it turns out to be a first grab."""
    for event in PINKS:
        rig.now += SECOND
        rig.tell(event)
    rig.now += SECOND
    pressed = rig.clock()
    rig.picture()
    rig.watchman.pressed(pressed)
    rig.tell({"type": "press", "seat": 1})
    rig.now += SECOND
    rig.tell({"type": "seen"})
    rig.picture()
    calls = rig.looker.calls
    assert calls.index(("pressed", pressed)) < calls.index(("kept", 1, pressed))


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        (NoCamera("None."), "absent"),
        (CameraBusy("Taken."), "busy"),
        (CameraGone("Its ribbon has come loose."), "gone"),
    ],
)
def test_a_camera_in_trouble_is_opened_again(
    trouble: CameraTrouble, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said once, the page knows why, and nothing restarts."""
    monkeypatch.setattr(camera_worker, "RETRY_S", 0.01)
    opened, said, looker = Event(), list[str](), Looker()
    tries = [0]

    @contextmanager
    def open_camera() -> Generator[FrameSource]:
        tries[0] += 1
        if tries[0] < 4:
            raise trouble
        opened.set()
        yield Film()

    with (
        heard("companion.rig.camera_worker", said.append),
        Journal.open(tmp_path / "journal.db") as journal,
        Table(journal) as table,
        CameraWorker(table, looker, open_camera, TableClock()),
    ):
        assert opened.wait(SOON)
    assert [str(trouble)] == said
    assert [("miss", why)] * 3 == looker.calls[:3]


def test_a_camera_that_stays_away_is_looked_for_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look for one costs; a race that waits for it is judged all the same, each second."""
    waits: list[float] = []

    def open_camera() -> AbstractContextManager[FrameSource]:
        waits.append(0)
        raise NoCamera("None.")

    class Closing(Event):
        def wait(self, timeout: float | None = None) -> bool:
            assert timeout is not None
            assert timeout <= RETRY_S
            waits[-1] += timeout
            return False

    monkeypatch.setattr("companion.threads.worker.Event", Closing)
    with Journal.open(tmp_path / "journal.db") as journal, Table(journal) as table:
        watchman = CameraWorker(table, Looker(), open_camera, TableClock())
        for _ in range(5):
            watchman.turn()
        assert [1, 2, 4, 5, 5] == waits
        film = Film()
        film.frames.append(Frame(1, np.zeros((2, 2, 3), np.uint8)))
        watchman.watch(film)
        watchman.turn()
        assert 1 == waits[-1]


def test_a_failure_is_told_and_the_camera_is_opened_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one before is closed first, and what lies on the table is looked at as a whole."""
    monkeypatch.setattr("companion.threads.worker.FIRST_PAUSE_S", 0.001)
    now_open, most_open, boards = 0, 0, list[int]()
    looker, crew = Looker(), Crew(troubles=Troubles(lambda: boards.append(len(crew.troubles.current()))))

    @contextmanager
    def open_camera() -> Generator[FrameSource]:
        nonlocal now_open, most_open
        now_open += 1
        most_open = max(most_open, now_open)
        yield Still() if boards else Clumsy()
        now_open -= 1

    class Clumsy:
        def frame(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - it waits for nothing
            raise ZeroDivisionError

    class Still:
        def frame(self, timeout_s: float) -> Frame | None:
            Event().wait(min(timeout_s, 0.01))
            return Frame(1, np.zeros((2, 2, 3), np.uint8))

    with (
        Journal.open(tmp_path / "journal.db") as journal,
        Table(journal) as table,
        CameraWorker(table, looker, open_camera, TableClock(), crew=crew),
    ):
        until(lambda: boards == [1, 0])
        assert crew.can_go_on
    assert (0, 1) == (now_open, most_open)
    assert "forget" in looker.calls


def test_a_camera_that_a_hung_thread_opens_at_last_is_closed_again(tmp_path: Path) -> None:
    """Its place has been taken by another, which looks on alone."""
    seconds, hangs, opened = 0.0, Event(), Event()
    crew, now_open, tries = Crew(clock=lambda: seconds), list[int](), list[int]()

    @contextmanager
    def open_camera() -> Generator[FrameSource]:
        tries.append(len(tries))
        mine = tries[-1]
        if mine == 0:
            opened.set()
            assert hangs.wait(SOON)
        now_open.append(mine)
        if mine == 1:
            opened.set()
        try:
            yield Film()
        finally:
            now_open.remove(mine)

    with (
        Journal.open(tmp_path / "journal.db") as journal,
        Table(journal) as table,
        CameraWorker(table, Looker(), open_camera, TableClock(), crew=crew) as watchman,
    ):
        assert opened.wait(SOON)
        opened.clear()
        old = thread_named("camera")
        seconds += 2 * HANGS_AFTER_S
        watchman.check()
        assert opened.wait(SOON)
        hangs.set()
        old.join(SOON)
        assert not old.is_alive()
        assert [1] == now_open
    assert [] == now_open


def test_a_picture_that_can_not_be_read_is_dropped(rig: Rig) -> None:
    """And counted; what lies there is told as a whole by the next that can."""
    rig.picture(STRANGE)
    assert ["drop", "ask_grid"] == rig.looker.calls[-2:]
    assert () == rig.crew.wrong()
    rig.picture(1)
    assert 2 == rig.table.snapshot.number


def test_eyes_that_can_read_no_picture_are_told_and_the_race_goes_on_blind(rig: Rig) -> None:
    """As without a camera; one good picture, and all is as before."""
    lay_the_set(rig)
    rig.now += SECOND
    rig.tell({"type": "press", "seat": 1})
    for _ in range(UNREAD - 1):
        rig.picture(STRANGE)
    assert () == rig.crew.wrong()
    assert "play" == rig.phase()
    rig.picture(STRANGE)
    assert ["eyes"] == [trouble.key for trouble in rig.crew.wrong()]
    rig.now += BLIND
    rig.picture(STRANGE)
    assert "pickup" == rig.phase()
    rig.picture()
    assert () == rig.crew.wrong()
    assert "forget" in rig.looker.calls
    assert ["A picture could not be read."] * 2 == rig.said


def test_a_table_that_is_busy_for_a_moment_is_told_what_lies_there_later(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said once; nothing ends."""

    def busy(*_: object) -> None:
        raise TableBusy("1024 events already wait for the table; this one was not noted.")

    with monkeypatch.context() as full:
        full.setattr(rig.table, "tell", busy)
        for _ in range(2):
            rig.now += SECOND
            rig.picture(1)
    assert 1 == len(rig.said)
    assert 2 == rig.looker.calls.count("ask_grid")
    rig.now += SECOND
    rig.picture(1)
    assert 2 == rig.table.snapshot.number
