"""The lamps follow the table, and nothing about them stops a game."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from companion.core.lamp import FAINTEST
from companion.errors import JournalFull
from companion.journal import Journal
from companion.rig.lamp_board import LampBoard
from companion.rig.lamp_sender import LampSender
from companion.table.live_table import Table
from companion.threads.troubles import Troubles
from companion.threads.worker import Crew
from companion.units import SECOND

from ..said import heard
from ..thread_names import thread_named

GAME: dict[str, object] = {"t": 0, "type": "game", "game": "goat", "seats": ["Ada", "Ben", "Cy"], "starter": 0}


class Bulbs:
    trouble: str | None = None

    def __init__(self) -> None:
        self.shining: dict[int, float] = {}
        self.switched = 0
        self.broken: set[int] = set()

    def shine(self, seat: int, brightness: float) -> None:
        if seat in self.broken:
            raise OSError(5, "Input/output error")
        self.shining[seat] = brightness
        self.switched += 1


class Rig:
    def __init__(self, folder: Path, places: int = 3) -> None:
        self.now = 10 * SECOND
        self.journal = Journal.open(folder / "journal.db")
        self.table = Table(self.journal, clock=lambda: self.now)
        self.bulbs = Bulbs()
        self.said: list[str] = []
        self.sender = LampSender(
            self.table,
            self.bulbs,
            LampBoard(self.table, places),
            clock=lambda: self.now,
            wait_s=lambda: 2.0,
        )

    def tell(self, *events: dict[str, object]) -> None:
        for event in events:
            self.table.tell(event).result(20)
        self.sender.step()

    def race(self) -> None:
        for cell, boat in enumerate(("raft", "ring", "jetski")):
            self.tell({"t": (cell + 1) * SECOND, "type": "card", "cell": cell, "boat": boat, "colour": "pink"})


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    with rig.table, rig.journal, heard("companion.rig.lamp_sender", rig.said.append):
        rig.tell(GAME)
        yield rig


def press(t: float, seat: int) -> dict[str, object]:
    return {"t": round(t * 1_000_000) * 1000, "type": "press", "seat": seat}


def test_lamps_show_what_the_game_says(rig: Rig) -> None:
    """The turn breathes, as the clock goes on; what stays as it is is not switched again."""
    assert rig.bulbs.shining[0] > FAINTEST
    before, switched = rig.bulbs.shining[0], rig.bulbs.switched
    rig.now += SECOND // 2
    rig.sender.step()
    assert before != rig.bulbs.shining[0]
    assert switched + 1 == rig.bulbs.switched


def test_a_dead_heat_is_lit_all_at_once_and_then_told(rig: Rig) -> None:
    """After a wait; the sprint bears the instant of the light."""
    rig.race()
    rig.tell(press(3.4, 1), press(3.6, 0), press(3.60002, 2), {"t": 4 * SECOND, "type": "seen"})
    assert (0.0, 1.0, 0.0) == tuple(rig.bulbs.shining[seat] for seat in range(3))
    rig.now += 2 * SECOND - 1
    rig.sender.step()
    assert 0.0 == rig.bulbs.shining[0]
    rig.now += 1
    rig.sender.step()
    assert (1.0, 1.0, 1.0) == tuple(rig.bulbs.shining[seat] for seat in range(3))
    game = rig.table.snapshot.evening.game
    assert game is not None
    assert game.sudden_light is None
    number = rig.table.snapshot.number
    rig.sender.step()
    assert number == rig.table.snapshot.number


def test_a_dead_lamp_stops_nothing(rig: Rig) -> None:
    """It is reported once, and the others shine."""
    rig.bulbs.broken.add(1)
    rig.race()
    rig.tell(press(3.4, 1), press(3.6, 2), {"t": 4 * SECOND, "type": "seen"})
    rig.sender.step()
    (said,) = rig.said
    assert "lamp at seat 2" in said
    assert 1.0 == rig.bulbs.shining[2]


def test_a_dead_heat_lights_the_lamps_where_they_sit(tmp_path: Path) -> None:
    """The one between them is nobody's."""
    rig = Rig(tmp_path, places=4)
    with rig.table, rig.journal:
        rig.tell({**GAME, "places": [0, 1, 3]})
        rig.race()
        rig.tell(press(3.4, 1), press(3.6, 0), press(3.60002, 2), {"t": 4 * SECOND, "type": "seen"})
        switched: list[tuple[int, float]] = []
        shine = rig.bulbs.shine

        def noted(seat: int, brightness: float) -> None:
            switched.append((seat, brightness))
            shine(seat, brightness)

        rig.bulbs.shine = noted
        rig.now += 2 * SECOND
        rig.sender.step()
        assert [(0, 1.0), (3, 1.0)] == switched[-2:]
        assert 0.0 == rig.bulbs.shining[2]


def test_a_sprint_that_can_not_be_written_down_is_lit_again(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """And it is said why."""
    rig.race()
    rig.tell(press(3.4, 1), press(3.6, 0), press(3.60002, 2), {"t": 4 * SECOND, "type": "seen"})
    rig.now += 2 * SECOND
    with monkeypatch.context() as full:
        full.setattr(rig.journal, "enter", no_room)
        rig.sender.step()
    assert ["The disk is full."] == rig.said
    for _ in range(2):
        rig.sender.step()
        rig.now += 2 * SECOND
    game = rig.table.snapshot.evening.game
    assert game is not None
    assert game.sudden_light is None


def no_room(*_: object) -> None:
    raise JournalFull("The disk is full.")


def test_lamps_that_fail_are_told_and_lit_again(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lamps that stand still would be believed. Then all of them are switched anew, whatever they showed."""
    changed, shine, spoilt = Event(), rig.bulbs.shine, [True]
    crew = Crew(troubles=Troubles(changed.set))

    def shine_or_fail(seat: int, brightness: float) -> None:
        if spoilt and seat == 1:
            raise ZeroDivisionError
        shine(seat, brightness)

    monkeypatch.setattr(rig.bulbs, "shine", shine_or_fail)
    with LampSender(rig.table, rig.bulbs, LampBoard(rig.table, 3), clock=lambda: rig.now, crew=crew):
        assert changed.wait(20)
        changed.clear()
        assert ["lamps"] == [trouble.key for trouble in crew.wrong()]
        assert crew.can_go_on
        rig.bulbs.shining.clear()
        spoilt.clear()
        assert changed.wait(20)
        assert () == crew.wrong()
        assert {0, 1, 2} == set(rig.bulbs.shining)


def test_nobody_waits_for_a_lamp_that_hangs_at_the_end(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is another one switched beside it."""
    monkeypatch.setattr("companion.threads.worker.CLOSE_S", 0.05)
    monkeypatch.setattr("companion.threads.worker.MOMENT_S", 0.05)
    hangs, awake = Event(), Event()

    def hang(_place: int, _brightness: float) -> None:
        hangs.set()
        assert awake.wait(20)

    monkeypatch.setattr(rig.bulbs, "shine", hang)
    switched = rig.bulbs.switched
    with LampSender(rig.table, rig.bulbs, LampBoard(rig.table, 3), clock=lambda: rig.now):
        assert hangs.wait(20)
        hung = thread_named("lamps")
    assert switched == rig.bulbs.switched
    awake.set()
    hung.join(20)
    assert not hung.is_alive()


def test_lamps_go_out_at_the_end(rig: Rig) -> None:
    """Of the sender, and of seats that nobody has any more."""
    with rig.sender:
        pass
    assert {0.0} == set(rig.bulbs.shining.values())
