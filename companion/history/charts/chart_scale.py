"""Converts values to positions on a drawing, and finds round numbers for the axis."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

# A margin at both ends: what is at the very edge would be cut in half.
EDGE: Final = 0.03


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear axis."""

    low: float
    high: float
    edge: float = EDGE

    def share(self, value: float) -> float:
        """The position across the drawing, from 0 to 1."""
        across = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.edge + across * (1 - 2 * self.edge)

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high

    def ticks(self, most: int = 5) -> Iterator[float]:
        """Round numbers for the axis, at most so many: one, two or five times a power of ten apart."""
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
    """1, 2, 5, 10, 20, 50, ... within the range."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [step * 10.0**power for power in powers for step in (1, 2, 5) if low <= step * 10.0**power <= high]
