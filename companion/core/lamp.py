"""What the lamp in a seat's button can say."""

from dataclasses import dataclass
from enum import Enum
from math import pi, sin
from typing import Final

from companion.units import SECOND, Ns, Seat

# The period of a person's breath at rest. The lamp never gets quite dark, or people would think it was off.
BREATH: Final[Ns] = 3 * SECOND
FAINTEST: Final = 0.06
BLINK: Final[Ns] = SECOND
# 2.5 Hz: below the 3 Hz limit for photosensitive epilepsy, and clearly faster than BLINK.
FLASH: Final[Ns] = 2 * SECOND // 5


class Lamp(Enum):
    """What a lamp shows."""

    DARK = "dark"
    BREATHING = "breathing"
    SOLID = "solid"
    BLINKING = "blinking"
    FAST = "fast"

    def brightness(self, t: Ns) -> float:
        """The brightness at time `t`, from 0 to 1."""
        if self is Lamp.BREATHING:
            # Squared, because perceived brightness is about the square root of the light.
            swell = (1 + sin(2 * pi * (t % BREATH) / BREATH)) / 2
            return FAINTEST + (1 - FAINTEST) * swell**2
        if self.moves:
            period = BLINK if self is Lamp.BLINKING else FLASH
            return float(t % period < period // 2)
        return float(self is Lamp.SOLID)

    @property
    def moves(self) -> bool:
        """Whether its brightness changes by itself."""
        return self not in (Lamp.DARK, Lamp.SOLID)


@dataclass(frozen=True, slots=True)
class SuddenLight:
    """Lamps that light all at once after a random wait: the quickest player to react wins."""

    seats: tuple[Seat, ...]
    event: str
    """The type of the event that tells the table when they were lit, in its `t`."""
