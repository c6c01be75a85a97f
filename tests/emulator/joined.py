"""For gpiozero's own tests, as a plugin of pytest: our factory finds a chip on which their two pins are joined."""

from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero import Device

from hardware.gpio import pins
from hardware.gpio.chips import Header
from hardware.gpio.simchip import SimChip

WIRE = (22, 27)


def _joined(_: str | None = None) -> Header:
    chip = SimChip()
    chip.join(*WIRE)
    return Header(chip, "/dev/gpiochip0", chip.label)


pins.find_header = _joined


@pytest.fixture
def no_default_factory() -> Iterator[None]:
    """Which those tests ask for, and their package does not bring."""
    device: Any = Device
    kept, device.pin_factory = device.pin_factory, None
    yield
    device.pin_factory = kept
