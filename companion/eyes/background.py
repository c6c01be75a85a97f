"""What is left of a picture without its cards: bare table, or something that is no card we know."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.core.reading import Bare, Hidden, Sight, Why
from companion.eyes.arrays import Bools
from companion.eyes.bare import share

# The bare table is so little foreign; the more it is like a card besides, the less it may be.
BARE: Final = ((0.02, 0.56), (0.10, 0.40))
# By light in which a card may have the colour of the table, or with its own burnt away.
DOUBTFUL: Final = ((0.02, 0.30),)
# Bare tables have hardly any more of a colour than tables have, backs of cards a sixth at least.
EXCESS: Final = 0.13
# A card doesn't fit under a smaller spot of glare.
DAZZLED: Final = 0.4
# So little of a cell is noise.
LITTLE: Final = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """Coarse pictures of what is foreign, of what is burnt white, of hands; and each cell's excess. White paper
    that is burnt looks as a card does that is."""

    foreign: Bools
    dazzling: Bools
    hands: Bools
    excess: Callable[[int], float]
    is_dim: bool

    def sight(self, cell: int, like: float, *, burnt: bool = False) -> Sight:
        """`like`: the best of what any card is like there; `burnt`: and its colours would be burnt."""
        if self._is_bare(cell, like, DOUBTFUL if burnt or self.is_dim else BARE):
            return Bare()
        if share(self.hands, cell) > LITTLE:
            return Hidden(Why.HAND)
        if burnt or share(self.dazzling, cell) > LITTLE:
            return Hidden(Why.GLARE)
        return Hidden(Why.DARK if self.is_dim else Why.UNKNOWN_CARD)

    def _is_bare(self, cell: int, like: float, limits: tuple[tuple[float, float], ...]) -> bool:
        if share(self.dazzling, cell) >= DAZZLED or self.excess(cell) >= EXCESS:
            return False
        foreign = share(self.foreign, cell)
        return any(foreign < most and like < most_like for most, most_like in limits)
