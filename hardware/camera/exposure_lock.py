"""Decides when a camera's exposure, white balance and focus are locked, and when they are found anew.

A colour must not drift during a game, so the settings are locked once found. But the Pi is often switched on
before the lamp above the table, and settings found in the dark are useless in the light.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from hardware.camera.frames import SETTLE_NS, Pixels

# A camera that has not settled by then is locked as it is.
LATEST_NS: Final = 6_000_000_000
# A change of light must last so long: a hand or a head in the picture is gone by then.
PATIENCE_NS: Final = 3_000_000_000
# When the light counts as changed, by the ratio of the pictures' mean values: a tenth of the light, or four times
# as much, which clips all that is white.
DARKER: Final = 0.35
BRIGHTER: Final = 1.8
BURNT: Final = 240.0
# Limits for dark pictures: noise does not count as light.
LEAST, HARDLY = 40.0, 10.0
EVERY: Final = 16


class Adjustment(Enum):
    HOLD = "hold"
    FREE = "free"


@dataclass(slots=True)
class ExposureLock:
    """Decides when to lock a camera's exposure, white balance and focus, and when to unlock them."""

    begun: int
    """Since when the camera has been adjusting."""
    light: float | None = None
    """The brightness when the settings were locked; None while the camera adjusts."""
    astray_since: int | None = None
    """Since when pictures are much darker or brighter than that."""

    def next_adjustment(self, pixels: Pixels, now: int, *, ready: bool = True) -> Adjustment | None:
        """What to do after that picture; None for nothing. `ready`: whether the camera itself says that it has
        settled."""
        light = float(pixels[::EVERY, ::EVERY].mean())
        if self.light is None:
            if now - self.begun < (SETTLE_NS if ready else LATEST_NS):
                return None
            self.light, self.astray_since = light, None
            return Adjustment.HOLD
        if not _is_astray(light, self.light):
            self.astray_since = None
        elif self.astray_since is None:
            self.astray_since = now
        elif now - self.astray_since >= PATIENCE_NS:
            self.light, self.begun = None, now
            return Adjustment.FREE
        return None


def _is_astray(light: float, held: float) -> bool:
    burnt = light > BURNT and light > held + HARDLY
    return light < DARKER * held or light > max(BRIGHTER * held, held + LEAST) or burnt
