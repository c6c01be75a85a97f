"""The seats' buttons: every edge, with the kernel's time, through whatever pin factory."""

from collections.abc import Iterator

import pytest
from gpiozero.exc import GPIOPinInUse
from gpiozero.pins.mock import MockFactory

from hardware.edge_queue import EdgeQueue
from hardware.faults import NoButtons
from hardware.gpio.gpio_buttons import GpioButtons
from hardware.ports import PRESSED, RELEASED, KernelEdge

from .conftest import SOON, Rig


def read(buttons: GpioButtons, number: int) -> list[KernelEdge]:
    edges: list[KernelEdge] = []
    while len(edges) < number:
        more = buttons.read(SOON)
        assert more
        edges += more
    return edges


def test_edges_bear_the_kernels_time_and_number(rig: Rig) -> None:
    """And the button's own number, in the order of the pins."""
    buttons = GpioButtons((5, 6), rig.factory)
    rig.chip.press(6, at_ns=7)
    rig.chip.let_go(6, at_ns=9)
    rig.chip.press(5, at_ns=8)
    edges = read(buttons, 3)
    assert [KernelEdge(0, 8, PRESSED, 1), KernelEdge(1, 7, PRESSED, 1), KernelEdge(1, 9, RELEASED, 2)] == sorted(
        edges, key=lambda edge: (edge.button, edge.number)
    )
    assert () == buttons.doubts
    buttons.close()


def test_a_button_that_is_down_at_the_start_is_told(rig: Rig) -> None:
    """It sends no edge to tell by."""
    rig.chip.press(6)
    buttons = GpioButtons((5, 6), rig.factory)
    assert (1,) == buttons.held()
    buttons.close()


def test_a_pin_in_use_leaves_nothing_open(rig: Rig) -> None:
    """The builder mends it and starts again."""
    with pytest.raises(GPIOPinInUse):
        GpioButtons((5, 6, 5), rig.factory)
    buttons = GpioButtons((5, 6), rig.factory)
    buttons.close()


def test_dead_lines_are_no_silence(rig: Rig) -> None:
    """Nobody would notice buttons that have gone deaf."""
    buttons = GpioButtons((5,), rig.factory)
    assert buttons.trouble is None
    rig.factory.bank.close()
    assert () == buttons.read(0)
    assert "start the companion again" in (buttons.trouble or "")
    buttons.close()


@pytest.fixture
def mock() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.reset()


def test_another_pin_factory_serves_too(mock: MockFactory) -> None:
    """With its time, and what it can't promise is said."""
    buttons = GpioButtons((5,), mock)
    pin = mock.pin(5)
    before = mock.ticks()
    pin.drive_low()
    pin.drive_high()
    first, second = buttons.read(SOON)
    assert (0, PRESSED, 1) == (first.button, first.level, first.number)
    assert (RELEASED, 2) == (second.level, second.number)
    assert before <= first.t_ns / 1e9 <= second.t_ns / 1e9 <= mock.ticks()
    assert "MockFactory" in buttons.doubts[0]
    buttons.close()


def test_another_factorys_own_errors_are_said(mock: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its name: each has errors of its own."""

    def busy(*_: object, **__: object) -> None:
        raise RuntimeError("GPIO busy")

    monkeypatch.setattr(mock, "pin", busy)
    with pytest.raises(NoButtons, match="through MockFactory: GPIO busy"):
        GpioButtons((5,), mock)


def test_a_full_inbox_drops_the_oldest() -> None:
    """And the gap in the numbers tells."""
    inbox = EdgeQueue(room=2)
    for number in (1, 2, 3):
        inbox.put(KernelEdge(0, number, PRESSED, number))
    assert (2, 3) == tuple(edge.number for edge in inbox.take(0))
    assert () == inbox.take(0)
