"""What is left of a picture without its cards: bare table, or something that is no card we know."""

from dataclasses import dataclass
from typing import Final

from companion.core.reading import Bare, Hidden, Sight, Why
from companion.eyes.image.arrays import Bools
from companion.eyes.scene.tabletop import Tabletop, share_of_cell

# A cell is bare if its foreign share and its likeness to any card are below one of these pairs. But for EXCESS all
# figures here were chosen by hand; no command measures them.
BARE: Final = ((0.02, 0.56), (0.10, 0.40))
# However strange its colours, a bare cell of a cloth with a bold pattern is less like a card than this.
UNLIKE: Final = 0.27
UNLIKE_IN_THE_DIM: Final = 0.12
# The pairs where a card's own colour may be burnt away.
BURNT: Final = ((0.02, 0.30),)
# The pairs in light so dim that a card may have the colour of the table. In the dimmest light hardly any card is
# less like itself than 0.3, none of 1,300 less than 0.27; counted once.
DIM: Final = ((0.02, 0.24),)
# Bare tables have hardly any more of a colour than tables have. Red backs on a red checked cloth have a sixth at
# least; others less, and are told otherwise (`companion bench thresholds`).
EXCESS: Final = 0.13
# A card can't hide in glare on less of a cell than this.
DAZZLED: Final = 0.4
# What covers less of a cell than this is taken for noise.
LITTLE: Final = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """The table of one picture, and which pixels of the coarse picture are not the table."""

    table: Tabletop
    foreign: Bools
    """What is not the table, hands included, but nothing that is burnt."""
    dazzling: Bools
    """What is burnt white: burnt paper looks like a burnt card."""
    hands: Bools
    is_dim: bool
    """Whether there is so little light that a card may have the colour of the table."""

    def sight(self, cell: int, like: float, *, burnt: bool = False) -> Sight:
        """What a cell without a card is read as. `like`: the likeness of the likeliest card there; `burnt`:
        whether that card's colours would be burnt."""
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
