"""The photo finish of a race: who pressed when, what it was ruled to be, and what lay on the table.

A slap at a table without a set has one too: it is a race of which nobody knew but the slapper.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from companion.core.cards import Card, Cell, Line
from companion.units import Ns, Seat

Verdict = Literal["safe", "tied", "late", "no_set", "already_safe", "misplay", "no_pile", "same_slap", "unheard"]
"""What a press was ruled to be. `tied`: the clock could not tell it from another, a sprint decided; `misplay` and
`no_pile`: void; `same_slap`: still the hand's slap before; `unheard`: at that instant it meant nothing."""

# What a press must be to have raced others; the rest are a hand's second thoughts.
RACED: Final = ("safe", "tied", "late")


@dataclass(frozen=True, slots=True)
class PressMark:
    """A press on the time line."""

    t: Ns
    seat: Seat
    verdict: Verdict
    place: int | None = None
    reaction_us: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's first press in a sprint."""

    t: Ns
    seat: Seat
    jumped: bool
    """Sooner than anybody can answer a lamp."""


@dataclass(frozen=True, slots=True)
class SprintHeat:
    """A dead heat, and the sprint that was to decide it."""

    t: Ns
    seats: tuple[Seat, ...]
    lit: Ns | None = None
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Finish:
    number: int
    """Of the game's photo finishes, from 1."""
    t: Ns
    """The first grab: the camera's pictures are called by it."""
    race: bool
    """False where there was nothing to grab."""
    since: Ns | None
    """When the set came to be: from then on reactions count. None where no camera knows."""
    resolution: Ns
    lifebuoys: int
    marks: tuple[PressMark, ...]
    heats: tuple[SprintHeat, ...] = ()
    order: tuple[Seat, ...] = ()
    """As it was ruled: who was safe, first to last, and then the slowest."""
    slowest: Seat | None = None
    lines: tuple[Line, ...] = ()
    """What could be grabbed; empty while the race is on, so that the page gives nothing away."""
    choices: tuple[Line, ...] = ()
    cards: tuple[int, ...] = ()
    """What the slowest had to take with each choice."""
    took: int | None = None
    tops: tuple[Card | None, ...] | None = None
    heights: tuple[int, ...] | None = None
    winners: tuple[Seat, ...] = ()

    @property
    def raced(self) -> tuple[PressMark, ...]:
        """Each seat's press that raced the others', in the order of the clock."""
        return tuple(mark for mark in self.marks if mark.verdict in RACED)

    @property
    def closest(self) -> tuple[PressMark, PressMark] | None:
        """The two that raced and came closest."""
        pairs = [pair for pair in pairwise(self.raced) if pair[0].seat != pair[1].seat]
        return min(pairs, key=lambda pair: pair[1].t - pair[0].t, default=None)

    def cells(self) -> frozenset[Cell]:
        """All that were part of a set."""
        return frozenset(cell for line in self.lines for cell in line)
