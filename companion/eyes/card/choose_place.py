"""Which of the guesses that were laid over a cell is its card, and at which turn it lies.

A ring looks nearly the same after a quarter turn, and what sticks out then is the card's plain rim, on which there
is nothing to be missed. So between the turns of one boat it counts as well whether one lamp explains the colours
of the whole card.
"""

from collections.abc import Sequence
from math import log
from typing import Final

from companion.eyes.card.overlay import Overlay
from companion.eyes.card.search import CardPlace
from companion.eyes.grid.flat_picture import FlatPicture
from companion.eyes.image.arrays import Whole

# All figures here were chosen by hand; no command measures them.
# On gingham of its own colours a ring was liker by 0.04 a quarter turn off, so turns within this are compared.
NEARLY: Final = 0.08
USUAL_MISFIT: Final = 0.002
# Bare wood has hardly any misfit with any card, so a misfit below this counts as this.
LEAST_MISFIT: Final = 0.0012
MISFIT_COUNTS: Final = 0.1


def print_and_colour(like: float, misfit: float) -> float:
    """The likeness, lowered or raised by how the misfit of the colours compares with a usual one."""
    return like - MISFIT_COUNTS * log(max(misfit, LEAST_MISFIT) / USUAL_MISFIT)


def choose_places(
    overlay: Overlay, flat: FlatPicture, cells: Sequence[Sequence[CardPlace]], same_boat: Whole
) -> list[CardPlace | None]:
    """The best of each cell's places."""
    turns = [_nearly_best_turns(places, same_boat) for places in cells]
    doubtful = [place for places in turns if len(places) > 1 for place in places]
    worth = {
        place: print_and_colour(place.likeness, misfit)
        for place, misfit in zip(doubtful, overlay.misfits(flat, doubtful), strict=True)
    }
    return [max(own, key=lambda place: worth.get(place, 0.0), default=None) for own in turns]


def _nearly_best_turns(places: Sequence[CardPlace], same_boat: Whole) -> list[CardPlace]:
    """The likest place, and those of the same boat that are nearly as like."""
    likest = max(places, key=lambda place: place.likeness, default=None)
    if likest is None:
        return []
    boat = same_boat[likest.number]
    return [place for place in places if place.number in boat and place.likeness > likest.likeness - NEARLY]
