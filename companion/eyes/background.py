"""What is left of a picture without its cards: bare table, or something that is no card we know."""

from dataclasses import dataclass
from typing import Final

from companion.core.reading import Bare, Hidden, Sight, Why
from companion.eyes.arrays import Bools
from companion.eyes.bare import Table, share

# The bare table is so little foreign; the more it is like a card besides, the less it may be.
BARE: Final = ((0.02, 0.56), (0.10, 0.40))
# On a cloth with a bold pattern a bare cell is less like a card than that.
PATTERNED: Final = 0.27
# Where a card may have its own colour burnt away.
BURNT: Final = ((0.02, 0.30),)
# By light in which a card may have the colour of the table. In the dimmest hardly any card is less like itself
# than 0.3, none of 1,300 less than 0.27.
DIM: Final = ((0.02, 0.24),)
# Bare tables have hardly any more of a colour than tables have, backs of cards a sixth at least.
EXCESS: Final = 0.13
# A card doesn't fit under a smaller spot of glare.
DAZZLED: Final = 0.4
# So little of a cell is noise.
LITTLE: Final = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """Coarse pictures of what is foreign, of what is burnt white, of hands; and the table that they lie on. White
    paper that is burnt looks as a card does that is."""

    table: Table
    foreign: Bools
    dazzling: Bools
    hands: Bools
    is_dim: bool

    def sight(self, cell: int, like: float, *, burnt: bool = False) -> Sight:
        """`like`: the best of what any card is like there; `burnt`: and its colours would be burnt."""
        if self._is_bare(cell, like, DIM if self.is_dim else BURNT if burnt else BARE):
            return Bare()
        if share(self.hands, cell) > LITTLE:
            return Hidden(Why.HAND)
        if burnt or share(self.dazzling, cell) > LITTLE:
            return Hidden(Why.GLARE)
        if self.is_dim:
            return Hidden(Why.DARK)
        return Bare() if self._is_patterned(cell, like) else Hidden(Why.UNKNOWN_CARD)

    def _is_bare(self, cell: int, like: float, limits: tuple[tuple[float, float], ...]) -> bool:
        if share(self.dazzling, cell) >= DAZZLED or self.table.excess(cell) >= EXCESS:
            return False
        foreign = share(self.foreign, cell)
        return any(foreign < most and like < most_like for most, most_like in limits)

    def _is_patterned(self, cell: int, like: float) -> bool:
        return (
            like < PATTERNED
            and self.table.excess(cell) < EXCESS
            and share(self.table.strange, cell) < self.table.patterned
        )
