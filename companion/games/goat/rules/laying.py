"""Cards that are laid, and cards that go back."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.core.cards import CELLS, Cell
from companion.errors import InvalidEvent
from companion.games.goat.rules.board import LyingSet
from companion.games.goat.rules.debts import Settled
from companion.games.goat.rules.events import CardLaid, Foul, LaidUnseen
from companion.games.goat.rules.hearing import Hearing
from companion.games.goat.rules.race import is_on
from companion.games.goat.rules.rulings import Misplay, Placed
from companion.games.goat.rules.state import Eye, NewestCard
from companion.units import Ns, Seat


def hear_card(hearing: Hearing, event: CardLaid) -> None:
    if hearing.hands.turn is None:
        raise InvalidEvent("card: nobody has a card left to lay; correct the decks if that is wrong")
    earlier = _laid_earlier(hearing, event)
    # What debts that came after the card have emptied was still there when it was laid.
    seat = earlier.seat if earlier else hearing.hands.turn
    emptied = earlier.emptied if earlier else hearing.debts.emptied_since(event.since)
    reason = _why_not(hearing, event, seat, emptied)
    if reason is None:
        _place(hearing, event, seat)
    else:
        hearing.eye = replace(
            hearing.eye,
            stray=hearing.eye.stray | {event.cell},
            newest=NewestCard(event.cell, event.card, None),
        )
        hearing.say(Misplay(event.t, seat if event.seat is None else event.seat, event.cell, reason))
    if reason in (None, "empty_cell_left"):
        if earlier is None:
            hearing.pass_turn_from(seat)
        else:
            _lay_next_earlier(hearing, event, earlier)
    hearing.conclude(event.since)


@dataclass(frozen=True, slots=True)
class _Earlier:
    """A card whose interval holds the instant of a false grab counts as laid before that debt, for the seat whose
    turn it was then, even if it has been paid meanwhile."""

    before: Settled
    """What it was laid before."""
    seat: Seat
    emptied: frozenset[Cell]
    """What payments have emptied since."""


def _laid_earlier(hearing: Hearing, event: CardLaid) -> _Earlier | None:
    first, emptied = None, hearing.debts.emptied
    for settled in _settled_since(hearing, event.since):
        emptied |= settled.emptied
        if settled.turn is not None and hearing.hands.decks[settled.turn]:
            first = _Earlier(settled, settled.turn, emptied)
    return first


def _settled_since(hearing: Hearing, t: Ns) -> Iterator[Settled]:
    settled = hearing.settled
    while settled is not None and settled.since >= t:
        yield settled
        settled = settled.before


def _lay_next_earlier(hearing: Hearing, event: CardLaid, earlier: _Earlier) -> None:
    """Play has gone on from the payment already; only who laid next before it is another now."""
    later = [*_settled_since(hearing, event.since)]
    place = later.index(earlier.before)
    settled = replace(earlier.before, turn=hearing.hands.next_after(earlier.seat))
    for after in reversed(later[:place]):
        settled = replace(after, before=settled)
    hearing.settled = settled


def _why_not(hearing: Hearing, event: CardLaid, seat: Seat, emptied: frozenset[Cell]) -> str | None:
    if not is_on(hearing.race) and any(
        debt.t < event.since or not debt.is_false_grab for debt in hearing.debts.queue
    ):
        return "pick_up_first"
    if event.seat is not None and event.seat != seat:
        return "out_of_turn"
    piles = hearing.grid.piles
    if piles[event.cell] and any(not piles[cell] and cell not in emptied for cell in CELLS):
        return "empty_cell_left"
    return None


def _place(hearing: Hearing, event: CardLaid, seat: Seat) -> None:
    lying = LyingSet(event.card, seat)
    hearing.board = hearing.grid.laid(event.cell, lying)
    hearing.deal(seat, -1)
    eye = hearing.eye
    hearing.eye = Eye(eye.adrift, eye.stray - {event.cell}, NewestCard(event.cell, event.card, lying))
    hearing.say(Placed(event.t, seat, event.cell, len(hearing.board.piles[event.cell])))


def hear_laid(hearing: Hearing, event: LaidUnseen) -> None:
    seat = hearing.hands.turn
    if seat is None:
        raise InvalidEvent("laid: nobody has a card left to lay; correct the decks if that is wrong")
    if hearing.debts.queue and not is_on(hearing.race):
        hearing.say(Misplay(event.t, seat, None, "pick_up_first"))
        return
    hearing.deal(seat, -1)
    hearing.say(Placed(event.t, seat))
    hearing.pass_turn_from(seat)
    hearing.conclude()


def hear_foul(hearing: Hearing, event: Foul) -> None:
    if event.cell is not None:
        _take_back(hearing, event, event.cell)
    hearing.say(Misplay(event.t, event.seat, event.cell, event.reason))
    if event.seat == hearing.hands.turn:
        hearing.pass_turn_from(event.seat)
    hearing.conclude()


def _take_back(hearing: Hearing, event: Foul, cell: int) -> None:
    board = hearing.grid
    pile = board.piles[cell]
    if not pile:
        raise InvalidEvent(f"foul: no card lies on cell {cell}")
    top = pile[-1]
    if top.owner not in (None, event.seat):
        raise InvalidEvent(f"foul: the card on cell {cell} was laid by seat {top.owner}, not by {event.seat}")
    hearing.board = board.with_pile(cell, pile[:-1])
    hearing.deal(event.seat, 1)
    eye = replace(hearing.eye, stray=hearing.eye.stray | {cell})
    if eye.newest is not None and eye.newest.cell == cell and eye.newest.lying == top:
        eye = replace(eye, newest=replace(eye.newest, lying=None))
    hearing.eye = eye
    if len(pile) == 1:
        hearing.take_away({cell})
