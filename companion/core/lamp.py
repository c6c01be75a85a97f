"""What the lamp in a seat's button can say."""

from dataclasses import dataclass
from enum import Enum
from math import pi, sin
from typing import Final

from companion.units import SECOND, Ns, Seat

# As a person at rest breathes; never quite dark, or one would think it was out.
BREATH: Final[Ns] = 3 * SECOND
FAINTEST: Final = 0.06
BLINK: Final[Ns] = SECOND
# 2.5 flashes a second: below the three that can bring on a fit, and clearly faster than BLINK.
FLASH: Final[Ns] = 2 * SECOND // 5


class Lamp(Enum):
    DARK = "dark"
    BREATHING = "breathing"
    SOLID = "solid"
    BLINKING = "blinking"
    FAST = "fast"

    def brightness(self, t: Ns) -> float:
        """At that instant, from 0 to 1."""
        if self is Lamp.BREATHING:
            # The eye takes the square root of light.
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
    """Lamps that light all at once after a wait that nobody can guess: whoever is quickest then wins."""

    seats: tuple[Seat, ...]
    event: str
    """The type of the event by which the table is told, with its `t`, that they are lit."""
