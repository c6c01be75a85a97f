"""What a camera has found is held, until the light is another one."""

import numpy as np
import pytest

from hardware.camera.exposure_lock import LATEST_NS, PATIENCE_NS, Adjustment, ExposureLock
from hardware.camera.frames import SETTLE_NS, Pixels

STEP = 100_000_000


def grey(light: int) -> Pixels:
    return np.full((48, 64, 3), light, np.uint8)


def held_in(light: int) -> tuple[ExposureLock, int]:
    exposure, now = ExposureLock(0), SETTLE_NS
    assert Adjustment.HOLD is exposure.next_adjustment(grey(light), now)
    return exposure, now


def test_it_is_held_when_it_has_settled() -> None:
    """Once."""
    exposure = ExposureLock(5)
    assert exposure.next_adjustment(grey(100), 5 + SETTLE_NS - 1) is None
    assert Adjustment.HOLD is exposure.next_adjustment(grey(100), 5 + SETTLE_NS)
    assert exposure.next_adjustment(grey(100), 5 + SETTLE_NS + 1) is None


def test_one_that_still_looks_is_waited_for_and_not_for_ever() -> None:
    """As the camera itself says."""
    exposure = ExposureLock(0)
    assert exposure.next_adjustment(grey(100), LATEST_NS - 1, ready=False) is None
    assert Adjustment.HOLD is exposure.next_adjustment(grey(100), LATEST_NS, ready=False)


@pytest.mark.parametrize(("light", "other"), [(100, 30), (100, 190), (150, 245), (20, 70), (250, 60)])
def test_in_another_light_it_looks_anew(light: int, other: int) -> None:
    """When that lasts; and is then held in it."""
    exposure, now = held_in(light)
    assert exposure.next_adjustment(grey(other), now + STEP) is None
    assert exposure.next_adjustment(grey(other), now + STEP + PATIENCE_NS - 1) is None
    assert Adjustment.FREE is exposure.next_adjustment(grey(other), now + STEP + PATIENCE_NS)
    assert Adjustment.HOLD is exposure.next_adjustment(grey(other), now + STEP + PATIENCE_NS + SETTLE_NS)


@pytest.mark.parametrize(("light", "other"), [(100, 40), (100, 175), (150, 235), (5, 40), (250, 255), (250, 90)])
def test_an_arm_or_a_cloud_changes_nothing(light: int, other: int) -> None:
    """However long it lasts."""
    exposure, now = held_in(light)
    assert exposure.next_adjustment(grey(other), now + STEP) is None
    assert exposure.next_adjustment(grey(other), now + STEP + 2 * PATIENCE_NS) is None


def test_a_hand_before_the_lens_is_gone_soon() -> None:
    """And was nothing."""
    exposure, now = held_in(100)
    for t in range(now, now + 10 * PATIENCE_NS, PATIENCE_NS - 1):
        assert exposure.next_adjustment(grey(0), t) is None
        assert exposure.next_adjustment(grey(100), t + 1) is None
