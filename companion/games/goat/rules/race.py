"""The race for the lifebuoys, from the first good grab until everybody has one but the slowest."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeGuard

from companion.core.cards import Cell, Line
from companion.games.goat.rules.board import Board
from companion.units import MILLISECOND, Ns, Seat

# One slap of a hand; whatever the same hand does to its button within it is still that slap.
SAME_SLAP: Final = 500 * MILLISECOND
# Nobody answers a lamp faster: who presses sooner has guessed.
FASTEST_ANSWER: Final = 100 * MILLISECOND

Slap = tuple[Ns, Seat]
"""Sorts as presses are judged: by time, and at the same instant by seat."""


@dataclass(frozen=True, slots=True)
class Grab:
    """A seat's good press in a race."""

    t: Ns
    seat: Seat
    deck_empty: bool
    """Its deck was empty: if this makes it safe, it may win."""

    @property
    def slap(self) -> Slap:
        return self.t, self.seat


@dataclass(frozen=True, slots=True)
class Heat:
    """Seats that the clock could not tell apart; a sprint to the lit lamps will."""

    slaps: tuple[Slap, ...]
    """The press of each that led here."""
    lit: Ns | None = None
    pressed: tuple[Slap, ...] = ()
    """Their answers to the lamps so far."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(sorted(seat for _, seat in self.slaps))

    def counts(self, slap: Slap) -> bool:
        """Whether this press is an answer to the lamps, and that seat's first; a jumper's comes before them."""
        t, seat = slap
        led_here = next((t for t, slapper in self.slaps if slapper == seat), None)
        if led_here is None or slap in self.slaps or any(seat == other for _, other in self.pressed):
            return False
        # A press at the very instant at which the lamps lit comes before them.
        return (self.lit is not None and t > self.lit) or t - led_here > SAME_SLAP

    def jumped(self, t: Ns) -> bool:
        return self.lit is None or t < self.lit + FASTEST_ANSWER


@dataclass(frozen=True, slots=True)
class Race:
    since: Ns
    """The instant from which reactions count."""
    lines: tuple[Line, ...] | None
    """The sets at the first grab; None where no camera knows them."""
    grabs: tuple[Grab, ...] = ()
    """Every seat's good press, in the order in which they were judged."""
    safe: tuple[Seat, ...] = ()
    gone: frozenset[Cell] = frozenset()
    """Piles that have been taken away since the first grab."""
    heat: Heat | None = None
    slowest: Seat | None = None
    late: bool = False
    """The slowest has pressed too, and it has been noted."""

    @property
    def on(self) -> bool:
        return self.slowest is None

    def grab_of(self, seat: Seat) -> Grab | None:
        return next((grab for grab in self.grabs if grab.seat == seat), None)

    def with_deck_empty(self, grab: Grab, deck_empty: bool) -> "Race":  # noqa: FBT001 - what is learnt of it
        known = replace(grab, deck_empty=deck_empty)
        return replace(self, grabs=tuple(known if other is grab else other for other in self.grabs))

    def reaction_us(self, t: Ns) -> int:
        # A press inside the card's interval may come before the card was seen to lie still.
        return max(0, t - self.since) // 1000

    def asked_for(self, board: Board) -> dict[Line, tuple[Cell, ...]]:
        """The lines among which the slowest may choose, each with those of its piles that are to be taken."""
        now = board.lines
        asked: dict[Line, tuple[Cell, ...]] = {}
        for line in sorted({*(self.lines or ()), *now}):
            left = line if line in now else tuple(cell for cell in line if cell not in self.gone)
            if left:
                asked[line] = left
        return asked


def is_on(race: Race | None) -> TypeGuard[Race]:
    """One that is over is kept until what the slowest owes is paid."""
    return race is not None and race.on


def first_presses(slaps: Iterable[Slap], without: Iterable[Seat]) -> list[Slap]:
    """Each other seat's first press, in order."""
    met = set(without)
    first: list[Slap] = []
    for slap in slaps:
        if slap[1] not in met:
            met.add(slap[1])
            first.append(slap)
    return first


def dead_heat(order: Sequence[Slap], contenders: int, resolution: Ns) -> tuple[Slap, list[Slap]] | None:
    """When all have pressed and the last two cannot be told apart: the press that would take the last lifebuoy,
    and all presses that the clock cannot tell from it."""
    if len(order) < contenders:
        return None
    deciding, last = order[contenders - 2], order[contenders - 1]
    if abs(last[0] - deciding[0]) > resolution:
        return None
    return deciding, [slap for slap in order if abs(slap[0] - deciding[0]) <= resolution]
