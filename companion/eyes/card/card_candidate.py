"""What was found in a cell before the colours are compared with those of the others, and whether it is a card."""

from dataclasses import dataclass
from typing import Final

from companion.eyes.card.choose_place import print_and_colour
from companion.eyes.card.search import CardPlace
from companion.eyes.image.arrays import Bools, Floats
from companion.eyes.light.illumination import LampFits
from companion.eyes.scene.tabletop import share_beneath

# Print and colours together (likeness, and how far the misfit is from a usual one): cards of another deck reach
# 0.48, one in two hundred 0.54; of ours one in two hundred is below 0.57, in a hard shadow or glare.
LIKE: Final = 0.50
# The lead over the next boat: of cards it is 0.14 and more, nine in ten have 0.5; a checked cloth has none. By
# candle light a few of those that surely are cards have no more than 0.06.
CLEARLY: Final = 0.13
HARDLY: Final = 0.05
# In brightness alone no table is as like a card.
LIKELY: Final = 0.45
# What is less like a card than that must also differ from the table on a part of it.
SURELY_LIKE: Final = 0.68
STANDS_OUT: Final = 0.2
# A card's own rim is left out.
RIM_MM: Final = 2.0
# With so much of what tells its colour burnt in a channel, a card is not told: up to three quarters none was
# wrong, at four fifths some are.
BURNT: Final = 0.66


@dataclass(frozen=True, slots=True, eq=False)
class CardCandidate:
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
        """And no other."""
        return self.lead >= (HARDLY if self.like >= SURELY_LIKE else CLEARLY)

    @property
    def is_burnt(self) -> bool:
        return self.burnt > BURNT

    @property
    def is_possible_card(self) -> bool:
        """Like a card, of which half may be covered."""
        return max(self.like, self.print_and_colour) >= LIKE and self.is_unambiguous

    @property
    def is_probable_card(self) -> bool:
        return self.print_and_colour >= LIKE and self.is_unambiguous

    @property
    def is_certain_card(self) -> bool:
        """Whatever the table is like."""
        return self.like >= SURELY_LIKE and self.is_probable_card

    @property
    def is_card_by_brightness(self) -> bool:
        """To be a card, by its light and dark alone."""
        return self.place.likeness >= LIKELY and self.is_unambiguous and not self.is_burnt

    def stands_out(self, foreign: Bools, size_mm: tuple[float, float]) -> bool:
        """Planks may be like a raft; then they are also like the table around."""
        return self.like >= SURELY_LIKE or share_beneath(foreign, self.place, size_mm, RIM_MM) >= STANDS_OUT
