"""What is known of a cell beside its newest reading.

Pictures laid over each other lose their noise, but not what is wrong with all of them: a lens out of focus, a
shadow, a lamp. So of a cell that nobody has touched a new colour is not believed as readily as the first one; what
is blurred is not read at all while it was seen sharper; and what one picture, or the mean of some, leaves open is
decided by how many single pictures agree.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from companion.core.cards import Card
from companion.core.poses import lies_still
from companion.core.reading import BLINK, JOLT, Bare, Hidden, Pose, Shown, Sight, Why
from companion.eyes.image.arrays import Floats
from companion.eyes.scene.picture_quality import Focus, compare_focus
from companion.units import Ns

# All figures here were chosen by hand, with the figures that their comments name as observed then; no command
# measures them.
# A card read this surely needs no second picture, and isn't replaced by one that is read less surely.
SURE_ENOUGH: Final = 0.95
# So many of the newest single pictures must agree, and none may show anything else.
VOTES: Final = 3
VOTERS: Final = 7
# Of a hundred cards that are laid, one lands on another colour of its boat in the same place; without an arm, none
# can. So more pictures must agree where nobody was.
UNTOUCHED_VOTES: Final = 5
# A cell that can't be read is retried with single pictures: AT_FIRST times every SOON, then every NOW_AND_THEN. If
# more than the colour is unknown, a retry takes three times as long and noise is seldom the reason, so it is
# retried less: UNKNOWN_AT_FIRST times, then every SELDOM.
AT_FIRST: Final = 8
SOON: Final[Ns] = 50_000_000
NOW_AND_THEN: Final[Ns] = 400_000_000
UNKNOWN_AT_FIRST: Final = 3
SELDOM: Final[Ns] = 1_000_000_000
# Why a card's colour can't be told, though its place is known.
OF_COLOUR: Final = (Why.DARK, Why.GLARE)


@dataclass(frozen=True, slots=True, eq=False)
class CellMemory:
    still: Ns
    """When nothing was last seen to move there."""
    shown: Shown | None = None
    """The card that was read there surely."""
    handled: bool = True
    """Somebody may have touched the cell since it was last read."""
    print: Floats | None = None
    """The cell's picture as of its last reading."""
    last: Sight | None = None
    """What the cell was last taken for while it was sharp; None before its first reading."""
    blurred: bool = False
    """Whether the cell is less sharp now than when it was read."""
    tries: tuple[Sight, ...] = ()
    """What the newest single pictures showed since the cell came to rest."""
    tried: int = 0
    """How many single pictures were tried since the cell came to rest."""
    tried_at: Ns = 0
    """When the last single picture was tried."""

    def with_motion(self, t: Ns, before: Ns, *, rests: bool, arm: bool) -> "CellMemory":
        """After the picture of `t`, the next one to that of `before`. In a longer gap than `BLINK` somebody may
        have laid a card; what stirs for longer than `JOLT` may be a hand that isn't recognised."""
        handled = self.handled or arm or t - before > BLINK or t - self.still > JOLT
        if rests:
            return replace(self, handled=handled, still=t)
        return replace(self, handled=handled, blurred=False, tries=(), tried=0)

    def with_focus(self, now: Floats) -> tuple["CellMemory", Focus]:
        """How sharp the cell is now against what was read there."""
        how = Focus.OTHER if self.print is None else compare_focus(now, self.print)
        if how is Focus.BLURRED:
            return replace(self, blurred=True), how
        if how is Focus.ALIKE:
            return replace(self, blurred=False), how
        if how is Focus.SHARPER:
            # The reading of the blurred card is dropped.
            return replace(self, blurred=False, print=now, shown=None, handled=True, tries=(), tried=0), how
        return replace(self, blurred=False, print=now), how

    def before_the_blur(self) -> Sight:
        """Where nobody was, it is still what it was; otherwise it can't be read."""
        return Hidden(Why.BLUR) if self.handled or self.last is None else self.last

    def add_try(self, sight: Sight, t: Ns) -> "CellMemory":
        return replace(self, tries=(*self.tries, sight)[-VOTERS:], tried=self.tried + 1, tried_at=t)

    def is_due(self, sight: Sight, t: Ns) -> bool:
        """Whether the cell is to be tried with one more single picture."""
        if self.blurred or (not isinstance(sight, Hidden) and sight.sure >= SURE_ENOUGH):
            return False
        is_known = not isinstance(sight, Hidden) or sight.why in OF_COLOUR
        if self.tried < (AT_FIRST if is_known else UNKNOWN_AT_FIRST):
            return t - self.tried_at >= SOON
        return isinstance(sight, Hidden) and t - self.tried_at >= (NOW_AND_THEN if is_known else SELDOM)

    def decide(self, sight: Sight) -> tuple["CellMemory", Sight]:
        """What the cell is to be taken for, if it reads as `sight` now."""
        proposal = self._count_votes() if isinstance(sight, Hidden) else sight
        if isinstance(proposal, Bare):
            return replace(self, shown=None, handled=False, last=proposal), proposal
        if not isinstance(proposal, Shown):
            return replace(self, last=sight), sight
        if not self._is_believed(proposal):
            hidden = Hidden(Why.DARK)
            return replace(self, last=hidden), hidden
        if proposal.sure >= SURE_ENOUGH or len([*self._tries_showing(proposal.card)]) >= VOTES:
            return replace(self, shown=self._keep_surest(proposal), handled=False, last=proposal), proposal
        if self.shown is not None and self.shown.card == proposal.card:
            return replace(self, last=proposal), proposal
        return replace(self, shown=None, handled=False, last=proposal), proposal

    def _keep_surest(self, proposal: Shown) -> Shown:
        if self.shown is None or self.shown.card != proposal.card:
            return proposal
        return replace(proposal, sure=max(proposal.sure, self.shown.sure))

    def _count_votes(self) -> Sight | None:
        """What the single pictures agree on."""
        votes = Counter(_card_of(one) for one in self.tries if not isinstance(one, Hidden))
        if len(votes) != 1:
            return None
        [(card, many)] = votes.items()
        as_known = card is not None and self.shown is not None and self.shown.card == card and not self.handled
        if not as_known and many < VOTES:
            return None
        if card is None:
            return Bare()
        trying = [*self._tries_showing(card)]
        return replace(trying[-1], sure=median(one.sure for one in trying))

    def _is_believed(self, proposal: Shown) -> bool:
        others = [one for one in self.tries if not isinstance(one, Hidden) and _card_of(one) != proposal.card]
        before = self.shown
        if before is None or before.card.boat != proposal.card.boat or before.card == proposal.card:
            return not others or proposal.sure >= SURE_ENOUGH
        in_place = _is_in_place(proposal.pose, before.pose)
        if self.handled and not in_place:
            return True
        # Nobody has laid it, so what was read before was wrong, or this is; the surer one is right.
        untouched = not self.handled and in_place
        least = max(SURE_ENOUGH, before.sure) if untouched else SURE_ENOUGH
        agreeing = [one for one in self._tries_showing(proposal.card) if one.sure >= least]
        return not others and len(agreeing) >= (UNTOUCHED_VOTES if untouched else VOTES)

    def _tries_showing(self, card: Card) -> Iterator[Shown]:
        return (one for one in self.tries if isinstance(one, Shown) and one.card == card)


def _card_of(sight: Shown | Bare) -> Card | None:
    return sight.card if isinstance(sight, Shown) else None


def _is_in_place(one: Pose | None, other: Pose | None) -> bool:
    if one is None or other is None:
        return True
    return lies_still(one, other)
