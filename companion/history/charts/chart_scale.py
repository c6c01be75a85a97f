"""From values to places on a drawing, and round numbers to write along it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

# What lies at the very edge would be drawn half outside.
EDGE: Final = 0.03


@dataclass(frozen=True, slots=True)
class Scale:
    low: float
    high: float
    edge: float = EDGE

    def share(self, value: float) -> float:
        """Where across the drawing, from 0 to 1."""
        across = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.edge + across * (1 - 2 * self.edge)

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high

    def ticks(self, most: int = 5) -> Iterator[float]:
        """Round numbers, at most so many: one, two or five of some power of ten apart."""
        width = self.high - self.low
        if width <= 0:
            yield self.low
            return
        step = _round_step(width / most)
        number = math.ceil(self.low / step - 1e-9)
        while number * step <= self.high + 1e-9 * width:
            yield number * step
            number += 1


def _round_step(least: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least * (1 - 1e-9))


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, 20, 50, ... as far as they lie between."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [step * 10.0**power for power in powers for step in (1, 2, 5) if low <= step * 10.0**power <= high]
