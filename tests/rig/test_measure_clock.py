"""`companion timing`: by a wire, or by pressing."""

from dataclasses import replace

import pytest

from companion.app.config import RigPlan, SeatPlan
from companion.rig import measure_clock
from companion.rig.measure_clock import NotMeasured, by_pressing, by_wire, rattling
from hardware.gpio.simchip import SimChip
from hardware.ports import PRESSED, RELEASED, KernelEdge

MS = 1_000_000


PLAN = RigPlan((SeatPlan(17), SeatPlan(5)))

pytestmark = pytest.mark.usefixtures("chip")


def test_by_a_wire(chip: SimChip) -> None:
    """A machine that stamps the second line 30 us later tells apart what is 60 us from each other."""
    chip.join(4, 18, 7)
    ticks = iter(range(0, 10**12, 30_000))
    chip.clock = lambda: next(ticks)
    measured = by_wire(PLAN, 4, (18, 7), 20)
    assert (60, "by a wire", 20) == (measured.us, measured.measured, measured.pairs)
    assert [] == chip.requests


class Switches:
    """Two switches that rattle when they are pressed: after 300 us, 600 us and 5 ms."""

    doubts = ()
    trouble = None

    def __init__(self, presses: int) -> None:
        self.presses = presses
        self.pressed = 0

    def held(self) -> tuple[int, ...]:
        return ()

    def read(self, timeout_s: float) -> tuple[KernelEdge, ...]:  # noqa: ARG002 - it waits for nothing
        if self.pressed == self.presses:
            return ()
        self.pressed += 1
        begun, button = self.pressed * 500 * MS, self.pressed % 2
        rattle = (0, 300_000, 600_000, 5 * MS, 90 * MS)
        return tuple(
            KernelEdge(button, begun + after, PRESSED if place % 2 == 0 else RELEASED, place + 1)
            for place, after in enumerate(rattle)
        )

    def close(self) -> None:
        """Nothing is open."""


def pressed(monkeypatch: pytest.MonkeyPatch, presses: int) -> None:
    def buttons(*_: object) -> Switches:
        return Switches(presses)

    monkeypatch.setattr(measure_clock, "open_buttons", buttons)


def test_by_pressing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The closest contacts of a rattling switch are told apart at least; slow ones say nothing against pins."""
    for plan, us in ((replace(PLAN, buttons="evdev:/dev/input/event3"), 600), (PLAN, 50)):
        pressed(monkeypatch, measure_clock.PRESSES)
        said: list[str] = []
        measured = by_pressing(plan, said.append)
        assert (us, "by pressing") == (measured.us, measured.measured)
        assert "Press any buttons, 30 times" in said[0]


def test_nobody_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing is written down."""
    now = iter(range(0, 10_000, 50))
    pressed(monkeypatch, 0)
    with pytest.raises(NotMeasured, match="measure with a wire"):
        by_pressing(PLAN, lambda _: None, lambda: float(next(now)))


def test_without_buttons_there_is_nothing_to_press() -> None:
    """And it is said."""
    plan = RigPlan((SeatPlan(1), SeatPlan(2)), buttons="none")
    with pytest.raises(NotMeasured, match="no buttons to press"):
        by_pressing(plan, lambda _: None)


def test_a_release_long_after_is_no_rattling() -> None:
    """Only what follows within a bounce."""
    gaps = rattling(Switches(measure_clock.PRESSES), 1e9, lambda: 0.0)
    assert {300_000, 4_400_000} == set(gaps)
