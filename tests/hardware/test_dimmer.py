"""Lamps that glow: one thread for all, and a dead line darkens no other."""

import threading
from collections.abc import Callable

import pytest

from hardware.dimmer import Dimmer

from .conftest import SOON


class Bulb:
    """Can be waited for."""

    def __init__(self) -> None:
        self.switched = 0
        self.on = False
        self._came = threading.Condition()

    def __call__(self, on: bool) -> None:  # noqa: FBT001 - what the dimmer calls
        with self._came:
            self.on = on
            self.switched += 1
            self._came.notify_all()

    def wait(self, true: "Callable[[Bulb], bool]") -> None:
        with self._came:
            assert self._came.wait_for(lambda: true(self), SOON)


def broken(on: bool) -> None:  # noqa: ARG001, FBT001 - what the dimmer calls
    raise OSError(5, "Input/output error")


def test_a_share_of_the_time() -> None:
    """Half lit is on and off; all and nothing stand still."""
    dimmer, bulb = Dimmer(), Bulb()
    dimmer.glow(1, bulb, 100, 0.5)
    bulb.wait(lambda bulb: bulb.switched >= 4)
    dimmer.glow(1, bulb, 100, 1.0)
    bulb.wait(lambda bulb: bulb.on)
    dimmer.glow(1, bulb, 100, 0.0)
    bulb.wait(lambda bulb: not bulb.on)
    dimmer.close()


def test_a_dead_line_darkens_no_other() -> None:
    """It is told to whoever next wants it to glow, until it is given back."""
    dimmer, bulb = Dimmer(), Bulb()
    dimmer.glow(1, bulb, 100, 0.5)
    dimmer.glow(2, broken, 100, 0.5)
    seen = bulb.switched
    bulb.wait(lambda bulb: bulb.switched > seen + 4)
    with pytest.raises(OSError, match="Input/output"):
        dimmer.glow(2, broken, 100, 0.7)
    bulb.wait(lambda bulb: bulb.switched > seen + 8)
    dimmer.dark(2)
    dimmer.close()


def glow_on(dimmer: Dimmer) -> None:
    while True:
        dimmer.glow(2, broken, 100, 0.5)


def test_after_the_last_lamp_has_died_another_may_glow() -> None:
    """The thread has ended, and begins anew."""
    dimmer, bulb = Dimmer(), Bulb()
    dimmer.glow(2, broken, 100, 0.5)
    with pytest.raises(OSError, match="Input/output"):
        glow_on(dimmer)
    dimmer.glow(1, bulb, 100, 0.5)
    bulb.wait(lambda bulb: bulb.switched > 2)
    dimmer.close()
