"""What a lamp can say, as a brightness at an instant."""

from itertools import pairwise

import pytest

from companion.core.lamp import BLINK, BREATH, FAINTEST, FLASH, Lamp
from companion.units import SECOND


def shine(lamp: Lamp) -> list[float]:
    """Over three seconds, every 10 ms."""
    return [lamp.brightness(t) for t in range(0, 3 * SECOND, SECOND // 100)]


@pytest.mark.parametrize(("lamp", "always"), [(Lamp.DARK, 0.0), (Lamp.SOLID, 1.0)])
def test_dark_and_solid_stay_as_they_are(lamp: Lamp, always: float) -> None:
    """And say so."""
    assert {always} == set(shine(lamp))
    assert not lamp.moves


def test_breathing_is_slow_and_never_quite_dark() -> None:
    """No step of it is seen."""
    shone = shine(Lamp.BREATHING)
    assert FAINTEST == pytest.approx(min(shone), abs=0.001)
    assert 1 == pytest.approx(max(shone), abs=0.001)
    assert max(abs(one - other) for one, other in pairwise(shone)) < 0.04
    assert shone[0] == pytest.approx(Lamp.BREATHING.brightness(BREATH))
    assert Lamp.BREATHING.moves


@pytest.mark.parametrize(("lamp", "period"), [(Lamp.BLINKING, BLINK), (Lamp.FAST, FLASH)])
def test_blinking_is_on_for_half_of_the_time(lamp: Lamp, period: int) -> None:
    """The fast kind stays below three flashes a second, which harms nobody."""
    assert {0.0, 1.0} == set(shine(lamp))
    assert (1.0, 0.0) == (lamp.brightness(0), lamp.brightness(period // 2))
    assert SECOND / period < 3
    assert lamp.moves
