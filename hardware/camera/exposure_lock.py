"""When a camera has found exposure, white balance and focus, and when it has to look for them anew.

A colour must not drift while people play, so what the camera has found is then held fast. But the Pi is switched
on before the lamp above the table is, and what was found in the dark is of no use in the light.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from hardware.camera.frames import SETTLE_NS, Pixels

# A camera that doesn't come to rest by then is held as it is.
LATEST_NS: Final = 6_000_000_000
# A hand over the cards, or a head, is gone by then.
PATIENCE_NS: Final = 3_000_000_000
# Of what a picture's numbers are in the mean: a tenth of the light, or four times as much, which burns all that
# is white.
DARKER: Final = 0.35
BRIGHTER: Final = 1.8
BURNT: Final = 240.0
# Noise in the dark is no light.
LEAST, HARDLY = 40.0, 10.0
EVERY: Final = 16


class Adjustment(Enum):
    HOLD = "hold"
    FREE = "free"


@dataclass(slots=True)
class ExposureLock:
    """Decides when a camera's exposure, white balance and focus are held, and when they are set free again."""

    begun: int
    """Since when the camera looks for them."""
    light: float | None = None
    """How bright pictures were when they were held; None while the camera looks."""
    astray_since: int | None = None
    """Since when pictures are much darker or brighter than that."""

    def next_adjustment(self, pixels: Pixels, now: int, *, ready: bool = True) -> Adjustment | None:
        """What is to be done after that picture. `ready`: as far as the camera itself tells, it has found them."""
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
