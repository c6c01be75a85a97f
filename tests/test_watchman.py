"""The camera's thread: what it sees is told, and a camera that is gone stops nobody."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from companion import watchman
from companion.clock import TableClock
from companion.core.games.game import Said
from companion.errors import JournalFull
from companion.journal import Journal
from companion.table import Table
from companion.watchman import AGAIN_S, BLIND, Camera, Watchman
from hardware.errors import CameraBusy, CameraGone, CameraTrouble, NoCamera
from hardware.pictures import Frame, Pixels

SECOND = 1_000_000_000
SOON = 20.0
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

    def see(self, pixels: Pixels, t: int) -> tuple[dict[str, object], ...]:
        number = int(pixels[0, 0, 0])
        return ({"t": t, **self.events[number - 1]},) if number else ({"t": t, "type": "seen"},)

    def pressed(self, t: int) -> None:
        self.calls.append(("pressed", t))

    def heard(self, game: int, news: Iterable[Said]) -> None:
        self.calls += [("heard", game, said.as_json()["ruling"]) for said in news if not said.secret]

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
        self.watchman = Watchman(self.table, self.looker, self.open, self.clock, remark=self.said.append)

    @contextmanager
    def open(self) -> Generator[Camera]:
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
    with rig.table, rig.journal:
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
    assert ("heard", rig.table.snapshot.number - 1, "turn") in rig.looker.calls


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


def test_a_full_disk_is_said_once_and_what_lies_there_is_told_later(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table goes on, and so does the camera."""

    def no_room(*_: object) -> None:
        raise JournalFull("The disk is full.")

    with monkeypatch.context() as full:
        full.setattr(rig.journal, "enter", no_room)
        for _ in range(2):
            rig.now += SECOND
            rig.picture(1)
    assert ["The disk is full."] == rig.said
    assert 2 == rig.looker.calls.count("ask_grid")
    rig.now += SECOND
    rig.picture(1)
    assert 2 == rig.table.snapshot.number


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
    assert ("heard", rig.table.snapshot.number, "turn") in rig.looker.calls


def test_presses_reach_the_pictures(rig: Rig) -> None:
    """From whatever thread."""
    rig.watchman.pressed(77)
    rig.picture()
    assert ("pressed", 77) in rig.looker.calls


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
    monkeypatch.setattr(watchman, "AGAIN_S", 0.01)
    opened, said, looker = Event(), list[str](), Looker()
    tries = [0]

    @contextmanager
    def open_camera() -> Generator[Camera]:
        tries[0] += 1
        if tries[0] < 4:
            raise trouble
        opened.set()
        yield Film()

    with (
        Journal.open(tmp_path / "journal.db") as journal,
        Table(journal) as table,
        Watchman(table, looker, open_camera, TableClock(), remark=said.append),
    ):
        assert opened.wait(SOON)
    assert [str(trouble)] == said
    assert [("miss", why)] * 3 == looker.calls[:3]


def test_a_camera_that_stays_away_is_looked_for_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look for one costs; a race that waits for it is judged all the same, each second."""
    waits: list[float] = []

    def open_camera() -> AbstractContextManager[Camera]:
        waits.append(0)
        raise NoCamera("None.")

    class Closing(Event):
        def wait(self, timeout: float | None = None) -> bool:
            assert timeout is not None
            assert timeout <= AGAIN_S
            waits[-1] += timeout
            return False

    monkeypatch.setattr("companion.duty.Event", Closing)
    with Journal.open(tmp_path / "journal.db") as journal, Table(journal) as table:
        watchman = Watchman(table, Looker(), open_camera, TableClock())
        for _ in range(5):
            watchman.turn()
        assert [1, 2, 4, 5, 5] == waits
        film = Film()
        film.frames.append(Frame(1, np.zeros((2, 2, 3), np.uint8)))
        watchman.watch(film)
        watchman.turn()
        assert 1 == waits[-1]


def test_a_death_is_reported(tmp_path: Path) -> None:
    """The companion must not go on as if it saw."""
    died, deaths = Event(), list[BaseException]()

    def open_camera() -> AbstractContextManager[Camera]:
        raise ZeroDivisionError

    def bury(death: BaseException) -> None:
        deaths.append(death)
        died.set()

    with (
        Journal.open(tmp_path / "journal.db") as journal,
        Table(journal) as table,
        Watchman(table, Looker(), open_camera, TableClock(), on_death=bury),
    ):
        assert died.wait(SOON)
    assert [ZeroDivisionError] == [type(death) for death in deaths]
