"""What was found in a cell before the colours are compared with those of the others, and whether it is a card."""

from dataclasses import dataclass
from typing import Final

from companion.eyes.card.choose_place import print_and_colour
from companion.eyes.card.search import CardPlace
from companion.eyes.image.arrays import Bools, Floats
from companion.eyes.light.illumination import LampFits
from companion.eyes.scene.tabletop import share_beneath

# The figures below are those of eight decks, drawn and photographed, by all lamps of the bench; `companion bench
# thresholds` prints both sides of each for our own deck, and for others with --data.
#
# Print and colours together (likeness, and how far the misfit is from a usual one): cards of another deck reach
# 0.48, one in two hundred 0.54; of ours one in two hundred is below 0.57, in a hard shadow or glare.
CARD_LIKENESS: Final = 0.50
# A card of such likeness needs no other proof; what is less like one must also differ from the table on a part of
# it.
CERTAIN_LIKENESS: Final = 0.68
# In brightness alone no table is as like a card.
BRIGHTNESS_LIKENESS: Final = 0.45
# The lead over the next boat: of cards it is 0.14 and more, nine in ten have 0.5; a checked cloth has none. By
# candle light a few of those that surely are cards have no more than 0.06.
CLEAR_LEAD: Final = 0.13
SLIGHT_LEAD: Final = 0.05
# Of a card at least so much is not the table.
FOREIGN_SHARE: Final = 0.2
# A card's own rim is left out.
RIM_MM: Final = 2.0
# With so much of what tells its colour burnt in a channel, a card's colour is not believed: up to three quarters
# none was wrong, at four fifths some were. Measured once on drawn glare; no command repeats it.
MOST_BURNT: Final = 0.66


@dataclass(frozen=True, slots=True, eq=False)
class CardCandidate:
    """The likeliest card in one cell, before its colour is compared with those of the other cells.

    How surely it is a card at all, from the least to the most: `is_possible_card` (half of it may be covered),
    `is_probable_card`, `is_certain_card`; each includes the next. `is_card_by_brightness` asks its light and dark
    alone, for pictures without colours.
    """

    place: CardPlace
    like: float
    """The place's likeness is that of the brightness alone, this that of the colours too."""
    lead: float
    """How much liker it is than the next boat, as a share of how far apart these are as they were taught."""
    fits: LampFits
    around: Floats
    """The light of the table beside it, of each channel in twelve pieces."""
    burnt: float
    """The share of what tells its colour in which a channel is burnt."""
    vivid: float
    """How strong its colours are; 1 is as they were taught."""

    @property
    def print_and_colour(self) -> float:
        return print_and_colour(self.like, float(self.fits.misfit.min()))

    @property
    def is_unambiguous(self) -> bool:
        """Its lead over the next boat is large enough."""
        return self.lead >= (SLIGHT_LEAD if self.like >= CERTAIN_LIKENESS else CLEAR_LEAD)

    @property
    def is_burnt(self) -> bool:
        return self.burnt > MOST_BURNT

    @property
    def is_possible_card(self) -> bool:
        """Half of it may be covered, which spoils either its print or its colours."""
        return max(self.like, self.print_and_colour) >= CARD_LIKENESS and self.is_unambiguous

    @property
    def is_probable_card(self) -> bool:
        """In print and colours together; the table may still happen to look like that."""
        return self.print_and_colour >= CARD_LIKENESS and self.is_unambiguous

    @property
    def is_certain_card(self) -> bool:
        """Whatever the table looks like."""
        return self.like >= CERTAIN_LIKENESS and self.is_probable_card

    @property
    def is_card_by_brightness(self) -> bool:
        return self.place.likeness >= BRIGHTNESS_LIKENESS and self.is_unambiguous and not self.is_burnt

    def stands_out(self, foreign: Bools, size_mm: tuple[float, float]) -> bool:
        """Planks may be like a raft; then they are also like the table around."""
        is_foreign = share_beneath(foreign, self.place, size_mm, RIM_MM) >= FOREIGN_SHARE
        return self.like >= CERTAIN_LIKENESS or is_foreign
