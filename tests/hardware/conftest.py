"""A rig of lines that a test can pull."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Any

import pytest

from hardware.gpio.chips import Header
from hardware.gpio.pins import GpiodFactory
from hardware.gpio.simchip import SimChip

SOON = 20.0


def wait_until(true: Callable[[], object]) -> None:
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end
        Event().wait(0.001)


@dataclass(frozen=True)
class Rig:
    chip: SimChip
    factory: GpiodFactory


@pytest.fixture
def rig() -> Iterator[Rig]:
    chip = SimChip()
    factory = GpiodFactory(Header(chip, "/dev/gpiochip0", chip.label))
    yield Rig(chip, factory)
    factory.close()


class Heard:
    """A pin's handler that counts what comes, and can be waited for."""

    def __init__(self, expected: int) -> None:
        self.expected = expected
        self.all: list[tuple[Any, int]] = []
        self._full = Event()

    def __call__(self, ticks: Any, state: int) -> None:
        self.all.append((ticks, state))
        if len(self.all) >= self.expected:
            self._full.set()

    def wait(self) -> list[tuple[Any, int]]:
        assert self._full.wait(SOON), f"only {len(self.all)} of {self.expected} came"
        return self.all
