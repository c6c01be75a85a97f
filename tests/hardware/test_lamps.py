"""The seats' lamps glow where the pins can, and are on or off where they can't."""

import pytest
from gpiozero.exc import GPIOPinInUse
from gpiozero.pins.mock import MockFactory

from hardware.gpio.gpio_lamps import GpioLamps
from hardware.gpio.simchip import SimRequest

from .conftest import Rig


def test_lamps_glow(rig: Rig) -> None:
    """Each by itself; a seat without one is passed over."""
    lamps = GpioLamps((22, None, 23), rig.factory)
    lamps.shine(0, 1.0)
    lamps.shine(1, 1.0)
    lamps.shine(2, 0.0)
    seen: set[bool] = set()
    while True not in seen:
        seen.add(rig.chip.level(22))
    assert not rig.chip.level(23)
    lamps.close()
    assert [] == rig.chip.requests


def test_pins_that_can_not_glow_are_on_or_off() -> None:
    """From half of the brightness on."""
    mock = MockFactory()
    lamps = GpioLamps((22,), mock)
    lamps.shine(0, 0.6)
    assert mock.pin(22).state
    lamps.shine(0, 0.4)
    assert not mock.pin(22).state
    lamps.close()
    mock.reset()


def test_a_dead_line_is_given_back_with_the_others(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is lit or dark nobody can say any more."""
    lamps = GpioLamps((22, 23), rig.factory)
    lamps.shine(0, 1.0)

    def dead(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(SimRequest, "set_value", dead)
    lamps.close()
    assert [] == rig.chip.requests


def test_a_pin_twice_leaves_nothing_open(rig: Rig) -> None:
    """The builder mends it and starts again."""
    with pytest.raises(GPIOPinInUse):
        GpioLamps((22, 22), rig.factory)
    assert [] == rig.chip.requests
