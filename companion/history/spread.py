"""How far values lie apart: medians and quartiles, because one sneeze in an evening moves every average."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# So many of the newest are shown one by one.
SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Spread:
    """All in the unit of the values, whatever that is."""

    count: int
    best: int
    low: float
    """A quarter of all are smaller,"""
    median: float
    high: float
    """a quarter larger."""
    newest: tuple[int, ...]


def quantile(ordered: Sequence[float], share: float) -> float:
    """Between two values a straight line (Hyndman and Fan's seventh): `quantile([1, 2, 3, 10], 0.5)` is 2.5."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def measure_spread(values: Sequence[int]) -> Spread | None:
    """`values`: the oldest first. None where there are none."""
    if not values:
        return None
    ordered = sorted(values)
    low, median, high = (quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    return Spread(len(values), ordered[0], low, median, high, tuple(values[-SHOWN:]))
