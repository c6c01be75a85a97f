"""What is left of a picture without its cards: bare table, or something that is no card we know."""

from dataclasses import dataclass
from typing import Final

from companion.core.reading import Bare, Hidden, Sight, Why
from companion.eyes.image.arrays import Bools
from companion.eyes.scene.tabletop import Tabletop, share_of_cell

# The bare table is so little foreign; the more it is like a card besides, the less it may be.
BARE: Final = ((0.02, 0.56), (0.10, 0.40))
# However strange it is, a bare cell of a cloth with a bold pattern is less like a card than that.
UNLIKE: Final = 0.27
UNLIKE_IN_THE_DIM: Final = 0.12
# Where a card may have its own colour burnt away.
BURNT: Final = ((0.02, 0.30),)
# By light in which a card may have the colour of the table. In the dimmest hardly any card is less like itself
# than 0.3, none of 1,300 less than 0.27.
DIM: Final = ((0.02, 0.24),)
# Bare tables have hardly any more of a colour than tables have. Red backs on a red checked cloth have a sixth at
# least; others less, and are told otherwise (`companion bench thresholds`).
EXCESS: Final = 0.13
# A card doesn't fit under a smaller spot of glare.
DAZZLED: Final = 0.4
# So little of a cell is noise.
LITTLE: Final = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """Coarse pictures of what is foreign, of what is burnt white, of hands; and the table that they lie on. White
    paper that is burnt looks as a card does that is."""

    table: Tabletop
    foreign: Bools
    dazzling: Bools
    hands: Bools
    is_dim: bool

    def sight(self, cell: int, like: float, *, burnt: bool = False) -> Sight:
        """`like`: the best of what any card is like there; `burnt`: and its colours would be burnt."""
        limits = DIM if self.is_dim else BURNT if burnt else BARE
        may_be_bare = share_of_cell(self.dazzling, cell) < DAZZLED and self.table.excess(cell) < EXCESS
        if may_be_bare and self._is_bare(cell, like, limits):
            return Bare()
        if share_of_cell(self.hands, cell) > LITTLE:
            return Hidden(Why.HAND)
        if burnt or share_of_cell(self.dazzling, cell) > LITTLE:
            return Hidden(Why.GLARE)
        if may_be_bare and self._is_unlike_cards(cell, like):
            return Bare()
        return Hidden(Why.DARK if self.is_dim else Why.UNKNOWN_CARD)

    def _is_bare(self, cell: int, like: float, limits: tuple[tuple[float, float], ...]) -> bool:
        foreign = share_of_cell(self.foreign, cell)
        return any(foreign < most and like < most_like for most, most_like in limits)

    def _is_unlike_cards(self, cell: int, like: float) -> bool:
        if like >= (UNLIKE_IN_THE_DIM if self.is_dim else UNLIKE):
            return False
        of_cards = self.table.unlike_cards
        most = of_cards if self.is_dim else max(of_cards, self.table.patterned)
        return share_of_cell(self.table.strange, cell) < most
