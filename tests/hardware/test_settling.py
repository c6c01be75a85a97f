"""What a camera has found is held, until the light is another one."""

import numpy as np
import pytest

from hardware.camera.frames import SETTLE_NS, Pixels
from hardware.camera.settling import LATEST_NS, PATIENCE_NS, Adjustment, Settling

STEP = 100_000_000


def grey(light: int) -> Pixels:
    return np.full((48, 64, 3), light, np.uint8)


def held_in(light: int) -> tuple[Settling, int]:
    settling, now = Settling(0), SETTLE_NS
    assert Adjustment.HOLD is settling.look(grey(light), now)
    return settling, now


def test_it_is_held_when_it_has_settled() -> None:
    """Once."""
    settling = Settling(5)
    assert settling.look(grey(100), 5 + SETTLE_NS - 1) is None
    assert Adjustment.HOLD is settling.look(grey(100), 5 + SETTLE_NS)
    assert settling.look(grey(100), 5 + SETTLE_NS + 1) is None


def test_one_that_still_looks_is_waited_for_and_not_for_ever() -> None:
    """As the camera itself says."""
    settling = Settling(0)
    assert settling.look(grey(100), LATEST_NS - 1, ready=False) is None
    assert Adjustment.HOLD is settling.look(grey(100), LATEST_NS, ready=False)


@pytest.mark.parametrize(("light", "other"), [(100, 30), (100, 190), (150, 245), (20, 70), (250, 60)])
def test_in_another_light_it_looks_anew(light: int, other: int) -> None:
    """When that lasts; and is then held in it."""
    settling, now = held_in(light)
    assert settling.look(grey(other), now + STEP) is None
    assert settling.look(grey(other), now + STEP + PATIENCE_NS - 1) is None
    assert Adjustment.FREE is settling.look(grey(other), now + STEP + PATIENCE_NS)
    assert Adjustment.HOLD is settling.look(grey(other), now + STEP + PATIENCE_NS + SETTLE_NS)


@pytest.mark.parametrize(("light", "other"), [(100, 40), (100, 175), (150, 235), (5, 40), (250, 255), (250, 90)])
def test_an_arm_or_a_cloud_changes_nothing(light: int, other: int) -> None:
    """However long it lasts."""
    settling, now = held_in(light)
    assert settling.look(grey(other), now + STEP) is None
    assert settling.look(grey(other), now + STEP + 2 * PATIENCE_NS) is None


def test_a_hand_before_the_lens_is_gone_soon() -> None:
    """And was nothing."""
    settling, now = held_in(100)
    for t in range(now, now + 10 * PATIENCE_NS, PATIENCE_NS - 1):
        assert settling.look(grey(0), t) is None
        assert settling.look(grey(100), t + 1) is None
