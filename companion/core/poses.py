"""Whether a card still lies where it lay, or has been moved, by two measured poses."""

from math import hypot
from typing import Final

from companion.core.reading import Pose

# Two measured poses of a card that lies still differ by 0.55 mm and 0.1 degrees in the median; under a dim lamp by
# more. 2.5 mm is exceeded once in a thousand. Measured once; no command repeats it.
STILL_MM: Final = 2.5
STILL_TURN: Final = 3.0

# A card of the same kind on the same kind is told by lying clearly elsewhere after a hand was there. Cards laid by
# hand spread by 4.7 mm each way and by 6.5 degrees about one of four directions: of two such cards 91 % differ by
# more than this (66 % if everybody sits on one side). The price is a card that somebody pushed that far, which is
# told as laid. Both mistakes pass the turn wrongly. One card in twenty that is laid on a pile finds its own kind
# there, and a sleeve or a thumb seldom pushes one by a centimetre; so this is where the two are about as rare.
# Measured and weighed up once; no command repeats it.
# What makes a push likelier is asked first: did that hand lay or lift elsewhere, have other cards moved with it?
MOVED_MM: Final = 8.0
MOVED_TURN: Final = 10.0


def shift_between(a: Pose, b: Pose) -> tuple[float, float]:
    """In millimetres and degrees."""
    return hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm), abs((a.turn - b.turn + 180) % 360 - 180)


def lies_still(a: Pose | None, b: Pose | None) -> bool:
    """Whether one card, measured twice, may have lain still; not known where a pose is missing, so no."""
    if a is None or b is None:
        return False
    millimetres, degrees = shift_between(a, b)
    # Some cards look nearly the same upside down: half a turn on the spot is a slip of the eyes.
    return millimetres <= STILL_MM and min(degrees, 180 - degrees) <= STILL_TURN


def lies_elsewhere(a: Pose | None, b: Pose | None) -> bool:
    """Whether a card surely doesn't lie where the other did; not known where a pose is missing, so no."""
    return a is not None and b is not None and not lies_still(a, b)


def has_moved(a: Pose | None, b: Pose | None, share: float = 1.0) -> bool:
    """Whether the two poses differ by more than a card is pushed by accident; `share` scales that limit."""
    if a is None or b is None or lies_still(a, b):
        return False
    millimetres, degrees = shift_between(a, b)
    return millimetres > MOVED_MM * share or degrees > MOVED_TURN * share


def has_not_moved(a: Pose | None, b: Pose | None) -> bool:
    return not has_moved(a, b)
