"""Cards that are laid, and cards that go back."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.core.cards import CELLS, Cell
from companion.errors import InvalidEvent
from companion.games.goat.rules.board import CardOnPile
from companion.games.goat.rules.debts import PaidFalseGrabs
from companion.games.goat.rules.events import CardLaid, Foul, LaidUnseen
from companion.games.goat.rules.judgement import Judgement
from companion.games.goat.rules.race import is_on
from companion.games.goat.rules.rulings import Misplay, Placed
from companion.games.goat.rules.state import Eye, NewestCard
from companion.units import Ns, Seat


def judge_card(judgement: Judgement, event: CardLaid) -> None:
    if judgement.hands.turn is None:
        raise InvalidEvent("card: nobody has a card left to lay; correct the decks if that is wrong")
    earlier = _find_turn_before_debt(judgement, event)
    # What debts that came after the card have emptied was still there when it was laid.
    seat = earlier.seat if earlier else judgement.hands.turn
    emptied = earlier.emptied if earlier else judgement.debts.emptied_since(event.since)
    reason = _find_misplay_reason(judgement, event, seat, emptied)
    if reason is None:
        _put_on_pile(judgement, event, seat)
    else:
        judgement.eye = replace(
            judgement.eye,
            stray=judgement.eye.stray | {event.cell},
            newest=NewestCard(event.cell, event.card, None),
        )
        judgement.say(Misplay(event.t, seat if event.seat is None else event.seat, event.cell, reason))
    if reason in (None, "empty_cell_left"):
        if earlier is None:
            judgement.pass_turn_from(seat)
        else:
            _correct_next_turn(judgement, event, earlier)
    judgement.conclude(event.since)


@dataclass(frozen=True, slots=True)
class _LaidBeforeDebt:
    """A card whose interval holds the instant of a false grab counts as laid before that debt, for the seat whose
    turn it was then, even if it has been paid meanwhile."""

    before: PaidFalseGrabs
    """What it was laid before."""
    seat: Seat
    emptied: frozenset[Cell]
    """What payments have emptied since."""


def _find_turn_before_debt(judgement: Judgement, event: CardLaid) -> _LaidBeforeDebt | None:
    first, emptied = None, judgement.debts.emptied
    for settled in _list_paid_since(judgement, event.since):
        emptied |= settled.emptied
        if settled.turn is not None and judgement.hands.decks[settled.turn]:
            first = _LaidBeforeDebt(settled, settled.turn, emptied)
    return first


def _list_paid_since(judgement: Judgement, t: Ns) -> Iterator[PaidFalseGrabs]:
    settled = judgement.settled
    while settled is not None and settled.since >= t:
        yield settled
        settled = settled.before


def _correct_next_turn(judgement: Judgement, event: CardLaid, earlier: _LaidBeforeDebt) -> None:
    """The payment has passed the turn on already, and that stays. But a card that turns out to have been laid
    before the payment too is now the next seat's."""
    later = [*_list_paid_since(judgement, event.since)]
    place = later.index(earlier.before)
    settled = replace(earlier.before, turn=judgement.hands.next_after(earlier.seat))
    for after in reversed(later[:place]):
        settled = replace(after, before=settled)
    judgement.settled = settled


def _find_misplay_reason(
    judgement: Judgement, event: CardLaid, seat: Seat, emptied: frozenset[Cell]
) -> str | None:
    if not is_on(judgement.race) and any(
        debt.t < event.since or not debt.is_false_grab for debt in judgement.debts.queue
    ):
        return "pick_up_first"
    if event.seat is not None and event.seat != seat:
        return "out_of_turn"
    piles = judgement.grid.piles
    if piles[event.cell] and any(not piles[cell] and cell not in emptied for cell in CELLS):
        return "empty_cell_left"
    return None


def _put_on_pile(judgement: Judgement, event: CardLaid, seat: Seat) -> None:
    lying = CardOnPile(event.card, seat)
    judgement.board = judgement.grid.with_card(event.cell, lying)
    judgement.deal(seat, -1)
    eye = judgement.eye
    judgement.eye = Eye(eye.adrift, eye.stray - {event.cell}, NewestCard(event.cell, event.card, lying))
    judgement.say(Placed(event.t, seat, event.cell, len(judgement.board.piles[event.cell])))


def judge_unseen_card(judgement: Judgement, event: LaidUnseen) -> None:
    seat = judgement.hands.turn
    if seat is None:
        raise InvalidEvent("laid: nobody has a card left to lay; correct the decks if that is wrong")
    if judgement.debts.queue and not is_on(judgement.race):
        judgement.say(Misplay(event.t, seat, None, "pick_up_first"))
        return
    judgement.deal(seat, -1)
    judgement.say(Placed(event.t, seat))
    judgement.pass_turn_from(seat)
    judgement.conclude()


def judge_foul(judgement: Judgement, event: Foul) -> None:
    if event.cell is not None:
        _take_back(judgement, event, event.cell)
    judgement.say(Misplay(event.t, event.seat, event.cell, event.reason))
    if event.seat == judgement.hands.turn:
        judgement.pass_turn_from(event.seat)
    judgement.conclude()


def _take_back(judgement: Judgement, event: Foul, cell: int) -> None:
    board = judgement.grid
    pile = board.piles[cell]
    if not pile:
        raise InvalidEvent(f"foul: no card lies on cell {cell}")
    top = pile[-1]
    if top.owner not in (None, event.seat):
        raise InvalidEvent(f"foul: the card on cell {cell} was laid by seat {top.owner}, not by {event.seat}")
    judgement.board = board.with_pile(cell, pile[:-1])
    judgement.deal(event.seat, 1)
    eye = replace(judgement.eye, stray=judgement.eye.stray | {cell})
    if eye.newest is not None and eye.newest.cell == cell and eye.newest.lying == top:
        eye = replace(eye, newest=replace(eye.newest, lying=None))
    judgement.eye = eye
    if len(pile) == 1:
        judgement.take_away({cell})
