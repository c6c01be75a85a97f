"""From a finger to the table: real pins' behaviour, the kernel's time, and buttons that are broken."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from companion.core.gestures import ButtonUse
from companion.errors import JournalFull
from companion.journal import Journal
from companion.live.health import Health, left_out
from companion.rig.button_stats import ButtonStats
from companion.rig.button_worker import ButtonWorker, Wire
from companion.rig.protocols import Button
from companion.table.live_table import Table
from companion.table.table_clock import TableClock
from companion.threads.troubles import Troubles
from companion.threads.worker import HANGS_AFTER_S, Crew
from companion.units import SECOND
from hardware.gpio.chips import Header
from hardware.gpio.gpio_buttons import GpioButtons
from hardware.gpio.line_bank import TRIAL
from hardware.gpio.pins import GpiodFactory
from hardware.gpio.simchip import SimChip
from hardware.ports import KernelEdge as PlugEdge

from ..said import heard
from ..thread_names import thread_named
from ..waiting import until

MS = 1_000_000
SOON = 20.0
GAME: dict[str, object] = {"type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0, "grid": "none"}


class Rig:
    """Two seats, of which the second can call; the kernel's time is what a test says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 10 * SECOND
        self.clock = TableClock(ahead=5 * SECOND, kernel=lambda: self.now)
        self.journal = Journal.open(folder / "journal.db")
        self.seconds = 0.0
        self.boards: list[list[str]] = []
        """What stood on the board, each time that it changed."""
        self.crew = Crew(troubles=Troubles(self.note), clock=lambda: self.seconds)
        self.table = Table(self.journal, clock=self.clock, crew=self.crew)
        self.chip = SimChip(clock=lambda: self.now)
        self.factory = GpiodFactory(Header(self.chip, "/dev/gpiochip0", self.chip.label))
        self.tally = ButtonStats(self.clock)
        self.pressed: list[int] = []
        self.said: list[str] = []
        self.heard = Event()
        self.source = GpioButtons((5, 6, 13), self.factory)
        self.fingers = ButtonWorker(
            self.table,
            self.source,
            (Wire(0), Wire(1), Wire(1, ButtonUse.CALL)),
            self.tally,
            self.clock,
            pressed=self.pressed.append,
            crew=self.crew,
        )

    def note(self) -> None:
        self.boards.append([trouble.key for trouble in self.crew.troubles.current()])

    def remark(self, what: str) -> None:
        self.said.append(what)
        self.heard.set()

    def press(self, pin: int, after_ms: float = 0, edges: int = 1, every_ns: int = MS) -> None:
        """So long after now, rattling."""
        for edge in range(edges):
            self.chip.drive(pin, high=bool(edge % 2), at_ns=self.now + round(after_ms * MS) + edge * every_ns)

    def pass_by(self, ms: float) -> None:
        """All that has come is heard, and time passes until it is settled."""
        for _ in range(3):
            self.fingers.step(0.05)
        self.now += round(ms * MS)
        self.fingers.step(0)

    def told(self) -> list[tuple[str, int, int]]:
        self.table.tell({"type": "seen"}).result(SOON)
        game = self.table.snapshot.evening.game
        assert game is not None
        rulings = [said.as_json() for _, said in game.rulings()]
        return [(str(one["ruling"]), one.get("seat", -1), one["t"]) for one in rulings][1:]  # type: ignore[misc]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    with rig.table, rig.journal, heard("companion.rig.button_worker", rig.remark):
        yield rig
        rig.fingers.close()
        rig.factory.close()


def test_a_press_bears_the_time_of_its_first_edge(rig: Rig) -> None:
    """At the table's time, whatever rattles after it; and the pictures around it are kept."""
    rig.table.tell(GAME).result(SOON)
    begun = rig.now
    rig.press(6, after_ms=3, edges=9)
    rig.pass_by(200)
    assert [("safe", 1, begun + 5 * SECOND + 3 * MS)] == rig.told()[:1]
    assert [begun + 5 * SECOND + 3 * MS] == rig.pressed
    button = rig.tally.buttons()[1]
    assert (1, 4) == (button.presses, button.bounces)


def test_the_earlier_press_comes_first(rig: Rig) -> None:
    """Whichever arrives first."""
    rig.table.tell({**GAME, "seats": ["Ada", "Ben"]}).result(SOON)
    rig.press(6, after_ms=3.2)
    rig.press(5, after_ms=3)
    rig.pass_by(200)
    assert [("safe", 0), ("slowest", 1)] == [ruling[:2] for ruling in rig.told()[:2]]


def test_a_calling_button_calls(rig: Rig) -> None:
    """And is no grab."""
    rig.table.tell(GAME).result(SOON)
    rig.press(13)
    rig.pass_by(100)
    assert [("no_effect", 1)] == [ruling[:2] for ruling in rig.told()]
    assert [] == rig.pressed


def test_before_a_game_a_press_is_only_counted(rig: Rig) -> None:
    """Somebody tries the buttons."""
    rig.press(5)
    rig.pass_by(100)
    assert 1 == rig.tally.buttons()[0].presses
    assert 0 == rig.table.snapshot.number


def test_a_seat_at_which_nobody_sits_is_silent(rig: Rig) -> None:
    """More buttons may be wired than people play."""
    rig.table.tell(GAME).result(SOON)
    before = rig.table.snapshot.number
    rig.fingers.close()
    rig.fingers = ButtonWorker(rig.table, GpioButtons((19,), rig.factory), (Wire(4),), rig.tally, rig.clock)
    rig.press(19)
    rig.pass_by(100)
    assert before == rig.table.snapshot.number


def test_a_chattering_button_is_reported_and_left_out(rig: Rig) -> None:
    """The others go on."""
    rig.table.tell(GAME).result(SOON)
    for _ in range(3):
        rig.press(5, edges=900, every_ns=100_000)
        rig.pass_by(90)
    assert any("flickers" in word for word in rig.said)
    assert "button_chatters" == rig.tally.buttons()[0].wrong
    rig.press(6)
    rig.pass_by(100)
    assert ("safe", 1) in [ruling[:2] for ruling in rig.told()]


@pytest.mark.parametrize("a_second", [1_600, 3_000, 8_000, 20_000])
def test_a_storm_is_reported_once_however_fast_it_is(rig: Rig, a_second: int) -> None:
    """It is left out as long as it goes on, also where each look at the line finds it at rest."""
    bank = rig.factory.bank
    bank.clock = lambda: rig.now
    rig.table.tell(GAME).result(SOON)

    def sparks(pairs: int) -> None:
        for _ in range(pairs):
            with rig.chip.lock:
                rig.press(5, edges=2, every_ns=SECOND // a_second)
            rig.now += 2 * SECOND // a_second
            bank.deliver_pending()

    while not bank.muted():
        sparks(50)
        rig.fingers.step(0)
    for _ in range(4):
        while bank.muted():
            sparks(50)
        sparks(TRIAL)
        assert bank.muted()
        rig.fingers.step(0)
    rig.pass_by(50)
    (said,) = rig.said
    assert "flickers" in said
    rig.pass_by(1700)
    assert "has come to rest" in rig.said[-1]


def test_a_stuck_call_is_reported_by_its_seat(rig: Rig) -> None:
    """And shown on the page."""
    rig.table.tell(GAME).result(SOON)
    rig.press(13)
    rig.pass_by(20_000)
    (said,) = rig.said
    assert "The button at seat 2 stays pressed" in said
    assert "The one for calls" in said
    assert (None, "button_stuck") == (rig.tally.buttons()[1].wrong, rig.tally.buttons()[1].call_wrong)


def test_a_call_that_comes_back_does_not_heal_the_grab_of_its_seat(rig: Rig) -> None:
    """Each of a seat's two buttons is left out, and is back, by itself; both are known by where they stand."""
    health = Health(rig.folder, rig.tally)
    rig.press(6)
    rig.press(13)
    rig.pass_by(20_000)
    grab, call = {"seat": 1, "wrong": "button_stuck"}, {"seat": 1, "wrong": "button_stuck", "button": "call"}
    assert [grab, call] == health()["buttons"]
    rig.chip.let_go(13, rig.now)
    rig.pass_by(3000)
    assert "The button at seat 2 has come to rest" in rig.said[-1]
    assert [grab] == health()["buttons"]
    assert "1" == left_out(rig.tally)
    rig.press(13)
    rig.pass_by(20_000)
    rig.chip.let_go(6, rig.now)
    rig.pass_by(3000)
    assert [call] == health()["buttons"]
    assert "1" == left_out(rig.tally)


class HeldUp:
    """A source of which half arrives while nobody has time to read."""

    doubts = ()
    trouble = None

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.reads = 0

    def held(self) -> tuple[int, ...]:
        return ()

    def read(self, timeout_s: float) -> tuple[PlugEdge, ...]:  # noqa: ARG002 - a source's
        self.reads += 1
        if self.reads == 1:
            first = PlugEdge(0, self.rig.now, 0, 1)
            self.rig.now += 100 * MS
            return (first,)
        return (PlugEdge(0, self.rig.now - 100 * MS + 50_000, 1, 2),) if self.reads == 2 else ()

    def close(self) -> None:
        pass


def test_nothing_is_settled_before_all_is_heard(rig: Rig) -> None:
    """A spark stays a spark, though its end is read a tenth of a second later than its begin."""
    rig.table.tell(GAME).result(SOON)
    rig.fingers.close()
    rig.fingers = ButtonWorker(rig.table, HeldUp(rig), (Wire(0),), rig.tally, rig.clock)
    rig.pass_by(200)
    assert [] == rig.told()
    assert [] == rig.said


def test_a_press_that_can_not_be_written_down_is_said_by_the_table(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Once, however often somebody presses; each stands in the log."""
    caplog.set_level("INFO")
    rig.table.tell(GAME).result(SOON)

    def no_room(*_: object) -> None:
        raise JournalFull("The disk is full.")

    monkeypatch.setattr(rig.journal, "enter", no_room)
    for _ in range(2):
        rig.press(5)
        rig.pass_by(100)
        rig.chip.let_go(5, rig.now)
        rig.pass_by(100)
    until(lambda: 2 == sum("not noted" in line.message for line in caplog.records))
    assert ["The disk is full."] == [trouble.sentence for trouble in rig.crew.troubles.current()]
    assert [] == rig.said


def test_a_failure_is_told_and_no_press_is_lost(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Buttons that are deaf would be pressed in vain; what was heard before it failed is judged all the same, and
    once."""
    monkeypatch.setattr("companion.threads.worker.FIRST_PAUSE_S", 0.001)
    hear = rig.tally.hear
    rig.table.tell(GAME).result(SOON)
    spoilt = [True]

    def hear_or_fail(place: int, t: int, *, is_down: bool) -> None:
        if place == 1 and spoilt:
            spoilt.clear()
            raise ZeroDivisionError
        hear(place, t, is_down=is_down)

    monkeypatch.setattr(rig.tally, "hear", hear_or_fail)
    begun = rig.now
    rig.press(6, after_ms=3)
    rig.press(5, after_ms=5)
    with rig.fingers:
        until(lambda: rig.boards == [["buttons"], []])
        rig.now += SECOND // 2
        until(lambda: rig.table.snapshot.number == 3)
    first, second = rig.told()[:2]
    assert [("safe", 1, begun + 5 * SECOND + 3 * MS), ("slowest", 0)] == [first, second[:2]]


def test_what_fails_twice_is_left_out(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next press counts."""
    monkeypatch.setattr("companion.threads.worker.FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr("companion.threads.worker.LONGEST_PAUSE_S", 0.001)
    rig.table.tell(GAME).result(SOON)
    hear = rig.tally.hear

    def fail(place: int, t: int, *, is_down: bool) -> None:
        if place == 0:
            raise ZeroDivisionError
        hear(place, t, is_down=is_down)

    monkeypatch.setattr(rig.tally, "hear", fail)
    with rig.fingers:
        rig.press(5)
        until(lambda: rig.crew.wrong() != ())
        until(lambda: rig.crew.wrong() == ())
        rig.press(6)
        until(lambda: rig.tally.buttons().get(1, Button()).down)
        rig.now += SECOND // 2
        until(lambda: rig.table.snapshot.number == 2)


def test_buttons_whose_thread_hangs_are_heard_by_another(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that hung tells nothing when it awakes; what it had read by then is judged all the same."""
    rig.table.tell(GAME).result(SOON)
    hangs, awake, read = Event(), Event(), rig.source.read

    def read_or_hang(timeout_s: float) -> tuple[PlugEdge, ...]:
        came = read(timeout_s)
        if came and not hangs.is_set():
            hangs.set()
            assert awake.wait(SOON)
        return came

    monkeypatch.setattr(rig.source, "read", read_or_hang)
    with rig.fingers:
        rig.press(5)
        assert hangs.wait(SOON)
        old = thread_named("buttons")
        rig.seconds += 2 * HANGS_AFTER_S
        rig.fingers.check()
        rig.press(6, after_ms=1)
        rig.now += 2 * MS
        until(lambda: rig.tally.buttons().get(1, Button()).down)
        awake.set()
        old.join(SOON)
        assert not old.is_alive()
        rig.now += SECOND // 2
        until(lambda: rig.table.snapshot.number >= 2)
    assert [("safe", 0), ("slowest", 1)] == [ruling[:2] for ruling in rig.told()[:2]]


def test_dead_lines_are_said(rig: Rig) -> None:
    """Once, and phones stand in for them."""
    assert rig.tally.exists
    rig.factory.bank.close()
    with rig.fingers:
        assert rig.heard.wait(SOON)
    rig.fingers.step(0)
    (said,) = rig.said
    assert "start the companion again" in said
    assert not rig.tally.exists


class Plug:
    """Buttons on a plug that comes out and goes in again."""

    doubts = ()

    def __init__(self) -> None:
        self.trouble: str | None = None

    def held(self) -> tuple[int, ...]:
        return ()

    def read(self, timeout_s: float) -> tuple[PlugEdge, ...]:  # noqa: ARG002 - it waits for nothing
        return ()

    def close(self) -> None:
        """Nothing is open."""


def test_a_plug_that_comes_back_is_said(rig: Rig) -> None:
    """The buttons count again."""
    plug = Plug()
    fingers = ButtonWorker(rig.table, plug, (Wire(0),), rig.tally, rig.clock)
    plug.trouble = "It is unplugged."
    fingers.step(0)
    fingers.step(0)
    assert (["It is unplugged."], False) == (rig.said, rig.tally.exists)
    plug.trouble = None
    fingers.step(0)
    assert ("The buttons are back.", True) == (rig.said[-1], rig.tally.exists)
