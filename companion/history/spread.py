"""The spread of values: median and quartiles, because one outlier would shift an average."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# How many of the newest values are drawn one by one.
SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Spread:
    """All numbers are in the unit of the values."""

    count: int
    best: int
    low: float
    """The first quartile."""
    median: float
    high: float
    """The third quartile."""
    newest: tuple[int, ...]


def quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile, interpolated linearly (Hyndman and Fan's type 7): `quantile([1, 2, 3, 10], 0.5)` is 2.5."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def measure_spread(values: Sequence[int]) -> Spread | None:
    """`values`: the oldest first. None if there are none."""
    if not values:
        return None
    ordered = sorted(values)
    low, median, high = (quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    return Spread(len(values), ordered[0], low, median, high, tuple(values[-SHOWN:]))
