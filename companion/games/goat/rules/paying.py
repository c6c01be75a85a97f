"""Piles that are lifted: what is owed is paid, and nothing else is taken."""

from dataclasses import replace

from companion.errors import InvalidEvent
from companion.games.goat.rules.events import PileLifted, Take
from companion.games.goat.rules.judgement import Judgement
from companion.games.goat.rules.rulings import Took, WrongLift


def judge_lift(judgement: Judgement, event: PileLifted) -> None:
    board = judgement.grid
    # A misplayed card that is taken back from an empty cell is no pile.
    taken_back = {cell for cell in event.cells if cell in judgement.eye.stray and not board.piles[cell]}
    judgement.eye = replace(judgement.eye, stray=judgement.eye.stray - taken_back)
    cells = tuple(cell for cell in event.cells if cell not in taken_back)
    if not cells:
        return
    debt = judgement.debts.first
    if debt is None:
        judgement.say(WrongLift(event.t, None, cells))
        return
    lifted = debt.lifted.union(cells)
    if any(lifted.issubset(choice) for choice in debt.choices(board)):
        judgement.debts = judgement.debts.with_first(replace(debt, lifted=lifted))
        judgement.conclude()
    else:
        judgement.say(WrongLift(event.t, debt.seat, cells))


def judge_take(judgement: Judgement, event: Take) -> None:
    lying = judgement.hands.on_the_table
    if event.cards > lying:
        raise InvalidEvent(f"take: only {lying} cards lie on the table, not {event.cards}")
    debt = judgement.debts.first_of(event.seat)
    if debt is None:
        judgement.say(WrongLift(event.t, event.seat if judgement.debts.queue else None))
        return
    judgement.debts = judgement.debts.without_debt(debt)
    judgement.deal(event.seat, event.cards)
    judgement.say(Took(event.t, event.seat, None, event.cards))
    judgement.conclude()
