"""Times are whole nanoseconds of CLOCK_MONOTONIC; seats are counted clockwise from 0."""

from typing import Final

Ns = int
Seat = int

MICROSECOND: Final[Ns] = 1_000
MILLISECOND: Final[Ns] = 1_000_000
SECOND: Final[Ns] = 1_000_000_000
