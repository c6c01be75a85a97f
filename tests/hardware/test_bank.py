"""One request for all lines: nothing is lost unseen, and a storm on one line costs the others nothing."""

import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from threading import Event

import pytest
from gpiod import LineSettings
from gpiod.line import Bias, Direction
from gpiod.line import Edge as Edges

from hardware.gpio import line_bank as banks
from hardware.gpio.line_bank import BUFFER, CALM_NS, LOOK_NS, STORM, TOO_LATE_NS, TRIAL, LineBank, LineEdge
from hardware.gpio.simchip import SimChip, SimRequest

from ..thread_names import kill, thread_named, unreported
from .conftest import SOON, wait_until

BUTTON = LineSettings(direction=Direction.INPUT, edge_detection=Edges.BOTH, bias=Bias.PULL_UP)


class Hearing:
    def __init__(self) -> None:
        self.all: list[LineEdge] = []
        self._came = threading.Condition()

    def __call__(self, signal: LineEdge) -> None:
        with self._came:
            self.all.append(signal)
            self._came.notify_all()

    def wait(self, until: Callable[[list[LineEdge]], bool]) -> list[LineEdge]:
        with self._came:
            assert self._came.wait_for(lambda: until(self.all), SOON)
            return list(self.all)


@pytest.fixture
def chip() -> SimChip:
    return SimChip()


@pytest.fixture
def bank(chip: SimChip) -> Iterator[LineBank]:
    bank = LineBank(chip, "test")
    yield bank
    bank.close()


def rattle(chip: SimChip, offset: int, edges: int, begin_ns: int, every_ns: int) -> None:
    for number in range(edges):
        chip.drive(offset, high=bool(number % 2), at_ns=begin_ns + number * every_ns)


def storm(chip: SimChip, bank: LineBank, now: list[int], hearing: Hearing) -> None:
    """On line 5, as much as mutes it, until it is at rest; the bank's clock stands where `now` says."""
    bank.clock = lambda: now[0]
    bank.set_line(5, BUTTON, hearing)
    for _ in range(STORM // 100 + 1):
        rattle(chip, 5, 100, now[0], 1)
    bank.deliver_pending()
    lie_still(bank, now, LOOK_NS)


def lie_still(bank: LineBank, now: list[int], for_ns: int = CALM_NS) -> None:
    """And be looked at all the while."""
    for _ in range(for_ns // LOOK_NS):
        now[0] += LOOK_NS
        bank.deliver_pending()


def test_a_lost_edge_is_a_gap(chip: SimChip, bank: LineBank) -> None:
    """The kernel drops the oldest when its buffer is full, and the numbers tell how many."""
    hearing, ready, go_on = Hearing(), Event(), Event()

    def busy(signal: LineEdge) -> None:
        ready.set()
        assert go_on.wait(SOON)
        hearing(signal)

    bank.set_line(5, BUTTON, hearing)
    bank.set_line(6, BUTTON, busy)
    chip.press(6)
    assert ready.wait(SOON)
    # Python is late with line 6; meanwhile line 5 makes more than the kernel keeps.
    rattle(chip, 5, BUFFER + 100, 1, 10_000_000)
    go_on.set()
    signals = hearing.wait(lambda all_: any(signal.number == BUFFER + 100 for signal in all_))
    numbers = [signal.number for signal in signals if signal.t_ns < 10**14]
    assert 101 in numbers
    assert 100 not in numbers


def test_a_storm_is_muted_and_the_others_are_exact(chip: SimChip, bank: LineBank) -> None:
    """Ten thousand edges a second on one line: it falls silent, and each press of the others is told."""
    storm, calm = Hearing(), Hearing()
    bank.set_line(5, BUTTON, storm)
    bank.set_line(6, BUTTON, calm)
    sent = 0
    while not bank.muted():
        rattle(chip, 5, 100, sent * 100_000 + 1, 100_000)
        sent += 100
        # The reader comes at least once in a tenth of a second.
        wait_until(lambda: not chip.requests[0].events)
        if sent % 500 == 0:
            chip.press(6, at_ns=sent)
            chip.let_go(6, at_ns=sent + 1)
    assert (5,) == bank.muted()
    presses = 2 * (sent // 500)
    signals = calm.wait(lambda all_: len(all_) >= presses)
    assert list(range(1, presses + 1)) == [signal.number for signal in signals]
    assert STORM < sent


def test_a_storm_that_is_over_is_heard_again(chip: SimChip, bank: LineBank) -> None:
    """After a second of calm; what a muted line does meanwhile is told as one edge with a storm lost before it."""
    now, hearing = [10**12], Hearing()
    storm(chip, bank, now, hearing)
    before = hearing.all[-1]
    chip.drive(5, high=not before.high)
    changed = hearing.wait(lambda all_: all_[-1] is not before)[-1]
    assert (now[0], not before.high, before.number + STORM) == (changed.t_ns, changed.high, changed.number)
    lie_still(bank, now)
    assert () == bank.muted()
    chip.drive(5, high=before.high, at_ns=now[0] + 5)
    assert now[0] + 5 == hearing.wait(lambda all_: all_[-1] is not changed)[-1].t_ns


def test_a_muted_line_is_told_with_a_storm_lost_before_it(chip: SimChip, bank: LineBank) -> None:
    """Whoever listens can't know otherwise that not all is told any more."""
    hearing = Hearing()
    bank.set_line(5, BUTTON, hearing)
    begin = time.monotonic_ns()
    rattle(chip, 5, STORM // 2, begin, 1)
    hearing.wait(lambda all_: len(all_) == STORM // 2)
    rattle(chip, 5, STORM // 2 + 1, begin + STORM, 1)
    numbers = [signal.number for signal in hearing.wait(lambda all_: all_[-1].number > 2 * STORM)]
    assert 2 * STORM + 1 in numbers
    assert (5,) == bank.muted()


def test_a_muted_line_is_told_in_the_order_of_its_times(chip: SimChip, bank: LineBank) -> None:
    """What it does while it is being muted has no greater number than what is seen of it then."""
    hearing, times = Hearing(), count(1)

    def spark() -> int:
        with chip.lock:
            chip.drive(5, high=not chip.lines[5].high, at_ns=next(times))
            return next(times)

    bank.clock = spark
    bank.set_line(5, BUTTON, hearing)
    while not bank.muted():
        spark()
    heard = hearing.wait(lambda all_: any(signal.number > 2 * STORM for signal in all_))
    assert [*heard] == sorted(heard, key=lambda signal: signal.t_ns) == sorted(heard, key=lambda one: one.number)


def test_a_storm_that_only_looks_calm_is_muted_again_at_once(chip: SimChip, bank: LineBank) -> None:
    """Short sparks are between the looks: a line is on trial at first, and more edges than a press has end it."""
    now, hearing = [10**12], Hearing()
    storm(chip, bank, now, hearing)
    for _ in range(3):
        lie_still(bank, now)
        assert () == bank.muted()
        rattle(chip, 5, TRIAL + 2, now[0], 1)
        bank.deliver_pending()
        assert (5,) == bank.muted()
        lie_still(bank, now, LOOK_NS)


def test_whoever_catches_up_has_looked_at_what_is_muted(chip: SimChip, bank: LineBank) -> None:
    """On a busy machine the bank's own thread may have no time to, and a storm is no calm for that."""
    now, hearing = [10**12], Hearing()
    storm(chip, bank, now, hearing)
    for _ in range(5):
        before = hearing.all[-1]
        now[0] += LOOK_NS
        chip.drive(5, high=not before.high)
        bank.deliver_pending()
        assert (now[0], not before.high) == (hearing.all[-1].t_ns, hearing.all[-1].high)


def test_a_look_that_comes_too_late_has_seen_no_calm(chip: SimChip, bank: LineBank) -> None:
    """The line may have been anywhere meanwhile; so that is told as a storm too, and calm begins anew."""
    now, hearing = [10**12], Hearing()
    storm(chip, bank, now, hearing)
    lie_still(bank, now, CALM_NS - 2 * LOOK_NS)
    before = hearing.all[-1]
    now[0] += TOO_LATE_NS + 1
    bank.deliver_pending()
    assert (now[0], before.number + STORM) == (hearing.all[-1].t_ns, hearing.all[-1].number)
    lie_still(bank, now, CALM_NS - LOOK_NS)
    assert (5,) == bank.muted()
    lie_still(bank, now, LOOK_NS)
    assert () == bank.muted()


def test_a_press_ends_no_trial(chip: SimChip, bank: LineBank) -> None:
    """Be it with the worst switch; and a second later as much is allowed as ever."""
    now, hearing = [10**12], Hearing()
    storm(chip, bank, now, hearing)
    lie_still(bank, now)
    assert () == bank.muted()
    for edges in (80, STORM - 100):
        rattle(chip, 5, edges, now[0] + 1, 1)
        hearing.wait(lambda all_: all_[-1].t_ns > now[0] and all_[-1].number >= chip.lines[5].number)
        assert () == bank.muted()
        now[0] += 2 * CALM_NS + 2


def test_whoever_catches_up_looks_at_nothing_muted(chip: SimChip, bank: LineBank) -> None:
    """It would be told of the next change at once, and catch up again, and again: a storm after all."""
    hearing = Hearing()
    bank.set_line(5, BUTTON, hearing)
    while not bank.muted():
        rattle(chip, 5, 100, time.monotonic_ns(), 1)
    bank.deliver_pending()
    told = len(hearing.all)
    for number in range(400):
        chip.drive(5, high=bool(number % 2))
        bank.deliver_pending()
    # The bank's own thread looks twenty times a second.
    assert len(hearing.all) - told < 200


def test_a_handlers_mistake_makes_no_button_deaf(
    chip: SimChip, bank: LineBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is reported as any thread's, and the next edge is heard."""
    reported: list[object] = []

    def report(args: threading.ExceptHookArgs) -> None:
        reported.append(args.exc_type)

    monkeypatch.setattr(threading, "excepthook", report)
    hearing = Hearing()

    def clumsy(signal: LineEdge) -> None:
        hearing(signal)
        raise ZeroDivisionError

    bank.set_line(5, BUTTON, clumsy)
    chip.press(5)
    chip.let_go(5)
    hearing.wait(lambda all_: len(all_) == 2)
    bank.close()
    assert [ZeroDivisionError, ZeroDivisionError] == reported


def test_a_chip_that_has_died_is_closed_like_any_other(
    chip: SimChip, bank: LineBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it is known that nothing is heard of it."""

    def dead(*_: object) -> None:
        raise OSError(5, "Input/output error")

    reported: list[object] = []
    monkeypatch.setattr(threading, "excepthook", reported.append)
    bank.set_line(5, BUTTON, Hearing())
    monkeypatch.setattr(SimRequest, "read_edge_events", dead)
    chip.press(5)
    wait_until(lambda: not bank.is_working)
    bank.deliver_pending()
    bank.release_line(5)
    bank.close()
    assert 1 == len(reported)
    assert [] == chip.requests


def test_a_line_that_was_dropped_is_silent(chip: SimChip, bank: LineBank) -> None:
    """And free for others."""
    hearing, other = Hearing(), Hearing()
    bank.set_line(5, BUTTON, hearing)
    bank.set_line(6, BUTTON, other)
    bank.release_line(5)
    chip.press(5)
    chip.press(6)
    other.wait(lambda all_: len(all_) == 1)
    assert [] == hearing.all
    assert not chip.lines[5].used
    bank.release_line(5)


def test_no_thread_is_left(chip: SimChip) -> None:
    """Nor an open file, and closing twice is closing once."""
    before = threading.active_count()
    bank = LineBank(chip, "test")
    bank.set_line(5, BUTTON, Hearing())
    assert before + 1 == threading.active_count()
    bank.close()
    bank.close()
    assert before == threading.active_count()


def test_a_storm_that_goes_on_while_it_is_told_costs_the_others_nothing(chip: SimChip, bank: LineBank) -> None:
    """Whoever hears a storm is slower than the storm; the kernel's room is emptied all the same."""
    heard = Hearing()
    told = 0

    def slowly(_: LineEdge) -> None:
        nonlocal told
        told += 1
        if told == STORM // 2:
            chip.press(5)
        if told < STORM:
            rattle(chip, 17, 2, time.monotonic_ns(), 100_000)

    bank.set_line(17, BUTTON, slowly)
    bank.set_line(5, BUTTON, heard)
    rattle(chip, 17, 100, time.monotonic_ns(), 100_000)
    (pressed,) = heard.wait(lambda all_: len(all_) >= 1)
    assert (False, 1) == (pressed.high, pressed.number)


def test_a_bank_whose_thread_was_killed_is_revived_and_no_edge_is_lost(
    chip: SimChip, bank: LineBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was made meanwhile, the kernel still holds."""
    monkeypatch.setattr(threading, "excepthook", unreported)
    hearing = Hearing()
    bank.set_line(5, BUTTON, hearing)
    chip.press(5, 1)
    hearing.wait(lambda all_: len(all_) == 1)
    kill(thread_named("gpio edges"))
    chip.let_go(5, 2)
    wait_until(lambda: not bank.is_working)
    chip.press(5, 3)
    bank.deliver_pending()
    bank.restart()
    assert bank.is_working
    chip.let_go(5, 4)
    heard = hearing.wait(lambda all_: len(all_) >= 4)
    assert [1, 2, 3, 4] == [signal.t_ns for signal in heard]
    assert [1, 2, 3, 4] == [signal.number for signal in heard]
    bank.restart()


def test_a_chip_that_answers_again_is_heard_again(
    chip: SimChip, bank: LineBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a gap in the numbers, for something may have been lost; while it does not answer, it says so."""

    def dead(*_: object) -> None:
        raise OSError(5, "Input/output error")

    def refused(*_: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr(threading, "excepthook", unreported)
    hearing = Hearing()
    bank.set_line(5, BUTTON, hearing)
    with monkeypatch.context() as broken:
        broken.setattr(SimRequest, "read_edge_events", dead)
        chip.press(5)
        wait_until(lambda: not bank.is_working)
        broken.setattr(SimChip, "request_lines", refused)
        with pytest.raises(OSError, match="No such device"):
            bank.restart()
        assert not bank.is_working
        broken.undo()
        bank.restart()
    chip.let_go(5)
    pressed, let_go = hearing.wait(lambda all_: len(all_) == 2)
    assert (False, True) == (pressed.high, let_go.high)
    assert (2, 3) == (pressed.number, let_go.number)


def test_a_bank_whose_thread_hangs_is_revived(
    chip: SimChip, bank: LineBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever catches up waits for it no longer than a while; what comes after the one it hangs over is heard, and
    nothing twice."""
    monkeypatch.setattr(banks, "HANGS_S", 0.05)
    hearing, hangs, awake = Hearing(), Event(), Event()

    def hang_once(signal: LineEdge) -> None:
        if not hangs.is_set():
            hangs.set()
            assert awake.wait(SOON)
        hearing(signal)

    bank.set_line(5, BUTTON, hang_once)
    chip.press(5, 1)
    assert hangs.wait(SOON)
    old = thread_named("gpio edges")
    chip.let_go(5, 2)
    bank.deliver_pending()
    assert not bank.is_working
    bank.restart()
    chip.press(5, 3)
    hearing.wait(lambda all_: len(all_) == 2)
    awake.set()
    old.join(SOON)
    assert not old.is_alive()
    assert bank.is_working
    assert [2, 3, 1] == [signal.t_ns for signal in hearing.all]


def test_closing_waits_for_no_thread_that_hangs(
    chip: SimChip, bank: LineBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lines are free all the same."""
    monkeypatch.setattr(banks, "HANGS_S", 0.05)
    hangs, awake = Event(), Event()

    def hang(_: LineEdge) -> None:
        hangs.set()
        assert awake.wait(SOON)

    bank.set_line(5, BUTTON, hang)
    chip.press(5)
    assert hangs.wait(SOON)
    old = thread_named("gpio edges")
    bank.close()
    assert [] == chip.requests
    awake.set()
    old.join(SOON)
    assert not old.is_alive()
