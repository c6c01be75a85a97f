"""Piles that are lifted: what is owed is paid, and nothing else is taken."""

from dataclasses import replace

from companion.errors import InvalidEvent
from companion.games.goat.rules.events import PileLifted, Take
from companion.games.goat.rules.hearing import Hearing
from companion.games.goat.rules.rulings import Took, WrongLift


def hear_lift(hearing: Hearing, event: PileLifted) -> None:
    board = hearing.grid
    # A misplayed card that is taken back from an empty cell is no pile.
    taken_back = {cell for cell in event.cells if cell in hearing.eye.stray and not board.piles[cell]}
    hearing.eye = replace(hearing.eye, stray=hearing.eye.stray - taken_back)
    cells = tuple(cell for cell in event.cells if cell not in taken_back)
    if not cells:
        return
    debt = hearing.debts.first
    if debt is None:
        hearing.say(WrongLift(event.t, None, cells))
        return
    lifted = debt.lifted.union(cells)
    if any(lifted.issubset(choice) for choice in debt.choices(board)):
        hearing.debts = hearing.debts.first_now(replace(debt, lifted=lifted))
        hearing.conclude()
    else:
        hearing.say(WrongLift(event.t, debt.seat, cells))


def hear_take(hearing: Hearing, event: Take) -> None:
    lying = hearing.hands.on_the_table
    if event.cards > lying:
        raise InvalidEvent(f"take: only {lying} cards lie on the table, not {event.cards}")
    debt = hearing.debts.first_of(event.seat)
    if debt is None:
        hearing.say(WrongLift(event.t, event.seat if hearing.debts.queue else None))
        return
    hearing.debts = hearing.debts.paid(debt)
    hearing.deal(event.seat, event.cards)
    hearing.say(Took(event.t, event.seat, None, event.cards))
    hearing.conclude()
