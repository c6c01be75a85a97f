"""One instant on two lines: how far apart a machine stamps it."""

import pytest

from hardware.gpio.loopback import NoLoop, loop_back

from .conftest import Rig


def test_gaps_are_measured(rig: Rig) -> None:
    """Each time the wire is switched, up and down; here a machine stamps the second line 7 us later."""
    rig.chip.join(4, 18, 7)
    ticks = iter(range(0, 10**9, 7_000))
    rig.chip.clock = lambda: next(ticks)
    gaps = loop_back(rig.factory, 4, (18, 7), 20, rest=lambda _: None)
    assert [7_000] * 20 == [abs(gap) for gap in gaps]
    assert [] == rig.chip.requests


def test_a_wire_that_is_not_there_is_said(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all three pins."""
    monkeypatch.setattr("hardware.gpio.loopback.ANSWER_S", 0.01)
    rig.chip.join(4, 18)
    with pytest.raises(NoLoop, match="GPIO4 was switched and GPIO18 or GPIO7 heard nothing"):
        loop_back(rig.factory, 4, (18, 7), 20)
