"""Readings of pictures over time become `grid`, `card`, `lift` and `seen`.

A reading may be wrong, a hand may hide what happens under it, and pictures get lost; the referee is told nothing
that isn't proved. So each cell keeps two things apart: the pile as the events have told it, and the run of newest
readings that agree with each other. A run that is long and sure enough is believed. If it shows the pile as told,
nothing has happened; if not, what happened is one of four: a card was laid, the pile was lifted, something the
events have no word for (a card taken back; a cell nobody had seen before), or an earlier reading was wrong.
The last two are told as a `grid`.

What the times say:
- A card's `from` is the last instant at which its cell was believed to be as told before, its `t` the first of the
  run that proved it. The instant of coming to rest lies between them, whatever was told of other cells meanwhile,
  and the referee judges presses in it anew. `t` never goes back: a card proved after a later one takes that one's.
- `seen` goes up to the last instant at which all nine cells were known. A hand on one of them holds it back; so
  does what lies there afterwards, until it is read. Glare on a cell that no hand has come near does not, nor if
  the table is knocked or a lamp switched.
- A `grid` tells what is known at its `t`; a cell that isn't believed at that very picture is hidden in it. If it
  was known before, another `grid` follows as soon as it is again.

The same kind of card on top of itself reads like no change at all. It is told by its pose, see `poses.MOVED_MM`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import groupby
from typing import Final

from companion.core.cards import CELLS, Card, Cell
from companion.core.poses import has_moved, has_not_moved, lies_elsewhere, lies_still
from companion.core.reading import (
    BLINK,
    JOLT,
    Bare,
    Hidden,
    Pose,
    Reading,
    Shown,
    Sight,
    Why,
)
from companion.units import MILLISECOND, Ns

# The figures here were chosen by hand; no command measures them.
# A run is proved when the product of its pictures' doubts is one in twenty at most. A single picture's doubt
# counts as one in ten at least, so it takes two pictures.
MOST_DOUBT: Final = 0.05
LEAST_DOUBT: Final = 0.1
# Where no hand was near, a change is unlikely in itself, so it takes three pictures; also where only the pose
# shows that a card was laid.
CAREFUL: Final = 3

# A jolt is seen on so many cells at once.
MOST_CELLS: Final = 5
# After that long without the grid nobody knows in which order things happened: it begins anew with a `grid`.
AWAY: Final[Ns] = 5_000 * MILLISECOND
# A cell that can't be made out holds back the first `grid` no longer than this.
PATIENCE: Final[Ns] = 1_000 * MILLISECOND
# A press is judged when `seen` has passed it, so it comes as often as fingers are quick, not once a second.
SEEN_EVERY: Final[Ns] = 100 * MILLISECOND
# A card that was misread is corrected by more pictures than it was misread in, but never more than this plus one.
LONGEST_MEMORY: Final = 15

Event = dict[str, object]
_NOT_SEEN: Final[Event] = {"hidden": True}


@dataclass(frozen=True, slots=True)
class PileCard:
    """A card on a pile, as told."""

    card: Card
    pose: Pose | None
    """None where it was never measured, and after the table was bumped."""
    pictures: int = 0


Pile = tuple[PileCard, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """The newest readings of a cell, as far as they agree."""

    card: Card | None
    pose: Pose | None
    since: Ns
    pictures: int = 0
    doubt: float = 1.0


@dataclass(frozen=True, slots=True)
class CellState:
    """One cell."""

    pile: Pile | None = None
    """The cell's cards as far as they were seen being laid; None while nobody knows what lies there."""
    run: Run | None = None
    """The cell's newest readings, as far as they agree."""
    why: Why | None = None
    """Why the cell can't be read now; None while it can."""
    touched: bool = False
    """A hand may have been there since a run was last believed."""
    handled: bool = False
    """Something was there that was no jolt of the whole table: what can't be read there now may be new."""
    believed: Ns = 0
    """When a run last proved what lies there."""
    quiet: Ns = 0
    """Up to when nothing can have happened there but what was told."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What is known of the table so far; `watch` gives the next one."""

    seen_every: Ns = SEEN_EVERY
    spots: tuple[CellState, ...] = (CellState(),) * len(CELLS)
    t: Ns | None = None
    """The time of the newest picture."""
    begun: Ns | None = None
    """When the grid was first found."""
    found: Ns = 0
    """When the grid was last found."""
    has_told_grid: bool = False
    grid_asked: bool = False
    """The next picture is to be told as a `grid`."""
    told: Ns = 0
    """The newest `t` of any event."""
    changed: Ns = -1
    """The newest `t` of a card or a lift."""
    owed: frozenset[Cell] = frozenset()
    """The cells that were hidden in the newest `grid` though it was told before what lies there: another `grid`
    follows when they are read again."""


class Became(Enum):
    """What has become of a cell."""

    SAME = auto()
    LAID = auto()
    LIFTED = auto()
    MISREAD = auto()
    UNEXPLAINED = auto()


@dataclass(frozen=True, slots=True)
class Finding:
    became: Became
    pile: Pile
    needs: int = 1
    """The least number of pictures it takes, however sure they are."""


@dataclass(frozen=True, slots=True)
class Change:
    cell: Cell
    became: Became
    pile: Pile
    earliest: Ns
    since: Ns


def ask_grid(state: Watch) -> Watch:
    """After a correction: the next picture is told as a `grid`, so that the referee sees whether it agrees now."""
    return replace(state, grid_asked=True)


def unread_cells(state: Watch) -> dict[Cell, Why | None]:
    """What holds `seen` back, for people to clear away: a card in the glare, an elbow. None is a cell whose last
    readings prove nothing yet."""
    return {cell: spot.why for cell, spot in enumerate(state.spots) if state.t != spot.quiet}


def watch(state: Watch, reading: Reading) -> tuple[Watch, tuple[Event, ...]]:
    """The next state, and the events that this reading proves; often none.

    Pictures come in the order of their `t`; those that were dropped are no harm.

    >>> state = Watch()
    >>> for reading in readings:
    ...     state, events = watch(state, reading)
    """
    t = reading.t
    if reading.has_grid:
        if state.begun is None or t - state.found > AWAY:
            state = Watch(state.seen_every, begun=t)
        state = replace(state, found=t)
    blinked = state.t is not None and t - state.t > BLINK
    spots = _forget_poses(state.spots) if _is_bumped(state.spots, reading.cells) else state.spots
    if blinked:
        spots = tuple(_forget_gap(spot, t) for spot in spots)
    jolted = _is_jolt(reading.cells)
    looked: list[CellState] = []
    changes: list[Change] = []
    for cell, (spot, sight) in enumerate(zip(spots, reading.cells, strict=True)):
        if isinstance(sight, Hidden):
            looked.append(_hide_cell(spot, sight.why, t, jolted=jolted))
            continue
        after, change = _look_at_cell(cell, spot, sight, t, state.changed)
        looked.append(after)
        if change is not None:
            changes.append(change)
    return _tell(replace(state, spots=tuple(looked), t=t), changes, t)


# One cell in one picture


def _forget_gap(spot: CellState, t: Ns) -> CellState:
    """Nobody watched the cell until `t`: what was read before and is read again may have been gone in between."""
    run = spot.run if spot.run is None else replace(spot.run, since=t)
    # A cell in the glare can't show that nothing happened; a slow camera must not make it hold back all the rest.
    unseen = spot.why is None
    return replace(spot, run=run, touched=spot.touched or unseen, handled=spot.handled or unseen)


def _look_at_cell(
    cell: Cell, spot: CellState, sight: Shown | Bare, t: Ns, changed: Ns
) -> tuple[CellState, Change | None]:
    """The cell after a reading, and the change that the reading proves, if any. `changed`: when a card was last
    laid or a pile lifted, anywhere."""
    run = _continue_run(spot.run, sight, t)
    spot = replace(spot, run=run, why=None)
    finding = _interpret_run(spot, run, changed)
    if run.pictures < finding.needs or run.doubt > MOST_DOUBT:
        # A card that creeps, or reads differently, while nobody touches it holds nothing back.
        idle = not spot.touched and finding.became in (Became.SAME, Became.MISREAD)
        return replace(spot, quiet=t) if idle else spot, None
    if finding.became is not Became.SAME:
        change = Change(cell, finding.became, finding.pile, spot.believed, run.since)
        return CellState(finding.pile, run, believed=t, quiet=t), change
    if spot.touched and finding.pile and finding.pile[-1].pose is not None and run.pose is None:
        # Presses need not wait for its pose, but it may yet turn out to be another card of its kind.
        return replace(spot, quiet=t), None
    return CellState(finding.pile, run, believed=t, quiet=t), None


def _hide_cell(spot: CellState, why: Why, t: Ns, *, jolted: bool) -> CellState:
    """`jolted`: it is most of the table that moves."""
    if not why.may_hide_a_hand:
        return replace(spot, why=why, quiet=spot.quiet if spot.handled else t)
    # What is seen before and after it is seen twice, even if it is the same.
    spot = replace(spot, run=None, touched=True)
    can_be_jolt = why is not Why.HAND and (jolted or spot.why is not None) and t - spot.quiet <= JOLT
    if can_be_jolt and not spot.handled:
        return spot
    return replace(spot, why=why, handled=True)


def _is_jolt(sights: Sequence[Sight]) -> bool:
    whys = [sight.why for sight in sights if isinstance(sight, Hidden) and sight.why.may_hide_a_hand]
    return len(whys) >= MOST_CELLS and Why.HAND not in whys


def _continue_run(run: Run | None, sight: Shown | Bare, t: Ns) -> Run:
    card, pose = (sight.card, sight.pose) if isinstance(sight, Shown) else (None, None)
    # The first pose of a run stays its measure: what creeps is not still.
    if run is None or card != run.card or not (pose is None or lies_still(pose, run.pose)):
        run = Run(card, pose, t)
    doubt = max(1 - sight.sure, LEAST_DOUBT)
    return replace(run, pictures=run.pictures + 1, doubt=run.doubt * doubt)


def _interpret_run(spot: CellState, run: Run, changed: Ns) -> Finding:
    """What the run would mean if it were proved."""
    seen = None if run.card is None else PileCard(run.card, run.pose)
    if spot.pile is None:
        return Finding(Became.UNEXPLAINED, () if seen is None else (seen,))
    needs = 1 if spot.touched else CAREFUL
    if seen is None:
        return Finding(Became.LIFTED, (), needs) if spot.pile else Finding(Became.SAME, ())
    if not spot.pile:
        return Finding(Became.LAID, (seen,), needs)
    return _interpret_on_pile(spot, spot.pile, seen, changed)


def _interpret_on_pile(spot: CellState, pile: Pile, seen: PileCard, changed: Ns) -> Finding:
    top = pile[-1]
    needs = 1 if spot.touched else CAREFUL
    if seen.card == top.card:
        # One hand does one thing: if it laid or lifted elsewhere, it has only pushed this one.
        if not spot.touched or changed > spot.believed or not has_moved(seen.pose, top.pose):
            return Finding(Became.SAME, (*pile[:-1], _follow_card(top, seen)))
        needs = CAREFUL
    elif not spot.handled and not lies_elsewhere(seen.pose, top.pose):
        # No card comes without a hand; in a jolt, or while a lamp is switched, there was none.
        return Finding(Became.MISREAD, (*pile[:-1], seen), max(CAREFUL, top.pictures + 1))
    bared = _uncover_pile(pile, seen)
    if bared is not None:
        return Finding(Became.UNEXPLAINED, bared, needs)
    return Finding(Became.LAID, (*pile, seen), needs)


def _uncover_pile(pile: Pile, seen: PileCard) -> Pile | None:
    """The pile without what lay on the card that is seen, if that is one from under it."""
    for height in range(len(pile) - 1, 0, -1):
        lower = pile[height - 1]
        # Taking the top off may have pushed the one beneath; in doubt the people are asked. One from deeper down
        # lies where it lay, or every third card laid on a high pile would look like one of those in it.
        in_place = lies_still if height < len(pile) - 1 else has_not_moved
        if lower.card == seen.card and in_place(seen.pose, lower.pose):
            return (*pile[: height - 1], _follow_card(lower, seen))
    return None


def _follow_card(lain: PileCard, seen: PileCard) -> PileCard:
    pose = lain.pose if seen.pose is None else seen.pose
    return PileCard(lain.card, pose, min(lain.pictures + 1, LONGEST_MEMORY))


def _is_bumped(spots: Sequence[CellState], sights: Sequence[Sight]) -> bool:
    """Nobody lays two cards at once: if two have moved, be it half as far, the table or the camera was bumped."""
    moved = 0
    for spot, sight in zip(spots, sights, strict=True):
        if spot.pile and isinstance(sight, Shown) and sight.card == spot.pile[-1].card:
            moved += has_moved(sight.pose, spot.pile[-1].pose, share=0.5)
    return moved > 1


def _forget_poses(spots: Sequence[CellState]) -> tuple[CellState, ...]:
    """After a bump: the cards' former poses are void, those of hidden cells too."""
    return tuple(
        spot if spot.pile is None else replace(spot, pile=tuple(replace(lain, pose=None) for lain in spot.pile))
        for spot in spots
    )


# Telling


def _tell(state: Watch, changes: Sequence[Change], t: Ns) -> tuple[Watch, tuple[Event, ...]]:
    if not state.has_told_grid:
        if not _can_begin(state, t):
            return state, ()
        state, grid = _tell_grid(replace(state, has_told_grid=True), t)
        return state, (grid,)
    facts = [change for change in changes if change.became in (Became.LAID, Became.LIFTED)]
    state, events = _tell_facts(state, facts)
    news = [change.since for change in changes if change not in facts]
    is_paid = bool(state.owed) and not state.owed & _unseen_cells(state)
    if state.grid_asked or news or is_paid:
        state, grid = _tell_grid(state, t if state.grid_asked or not news else max(state.told, *news))
        events.append(grid)
    horizon = min(spot.quiet for spot in state.spots)
    # Once something holds it back, it is told at once how far it came.
    if horizon - state.told >= state.seen_every or state.told < horizon < t:
        state = replace(state, told=horizon)
        events.append({"t": horizon, "type": "seen"})
    return state, tuple(events)


def _can_begin(state: Watch, t: Ns) -> bool:
    if state.begun is None or all(spot.pile is None for spot in state.spots):
        return False
    return t - state.begun >= PATIENCE or all(spot.pile is not None or spot.run is None for spot in state.spots)


def _tell_facts(state: Watch, facts: Sequence[Change]) -> tuple[Watch, list[Event]]:
    events: list[Event] = []
    timed = sorted(((max(fact.since, state.told), fact) for fact in facts), key=lambda one: one[0])
    for t, together in groupby(timed, key=lambda one: one[0]):
        lifted: list[Cell] = []
        for _, fact in together:
            if fact.pile:
                card = fact.pile[-1].card.as_json()
                events.append({"t": t, "type": "card", "cell": fact.cell, **card, "from": fact.earliest})
            else:
                lifted.append(fact.cell)
        if lifted:
            events.append({"t": t, "type": "lift", "cells": lifted})
        state = replace(state, told=t, changed=t)
    return state, events


def _tell_grid(state: Watch, t: Ns) -> tuple[Watch, Event]:
    owed = frozenset(cell for cell in _unseen_cells(state) if state.spots[cell].pile is not None)
    cells = [_cell_in_grid(spot, state.t) for spot in state.spots]
    return replace(state, grid_asked=False, told=t, owed=owed), {"t": t, "type": "grid", "cells": cells}


def _unseen_cells(state: Watch) -> frozenset[Cell]:
    """What would be hidden in a `grid` of now."""
    return frozenset(cell for cell, spot in enumerate(state.spots) if _cell_in_grid(spot, state.t) == _NOT_SEEN)


def _cell_in_grid(spot: CellState, now: Ns | None) -> dict[str, object] | None:
    if spot.pile is None or spot.run is None or spot.quiet != now or spot.why is not None:
        return {**_NOT_SEEN}
    top = spot.pile[-1].card if spot.pile else None
    if top != spot.run.card:
        return {**_NOT_SEEN}
    return {**top.as_json()} if top is not None else None
