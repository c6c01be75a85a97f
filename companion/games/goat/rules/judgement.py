"""The judgement of one fact: a changeable copy of the table's state, and the rulings so far.

`referee.rule` makes one from a state and a fact, lets the rules change it, and makes the next state of it. Nobody
else ever sees it, so that from outside the rules stay a pure function.
"""

from collections.abc import Collection
from dataclasses import replace

from companion.core.cards import Cell
from companion.games.goat.rules.board import Board
from companion.games.goat.rules.debts import Debt, Debts
from companion.games.goat.rules.events import Fix
from companion.games.goat.rules.facts import Fact, LaterFacts
from companion.games.goat.rules.rulings import (
    Called,
    GoatRuling,
    LastCard,
    SetsChanged,
    Stalemate,
    Took,
    Turn,
    Void,
)
from companion.games.goat.rules.state import End, State
from companion.units import Ns, Seat

# A grace period: a call up to two seconds early still counts, for people see the last card coming.
EARLY_CALL: Ns = 2_000_000_000


class Judgement:
    def __init__(self, state: State, fact: Fact, ahead: LaterFacts) -> None:
        self.game = state.game
        self.seats = state.seats
        self.hands = state.hands
        self.board = state.board
        self.race = state.race
        self.debts = state.debts
        self.calls = state.calls
        self.settled = state.settled
        self.slaps = state.slaps
        self.eye = state.eye
        self.doubts = state.doubts
        self.end = state.end
        self._was_over = state.end is not None
        self._had_no_cards = not any(state.hands.decks)
        self.fact = fact
        self.t = fact.t
        self.ahead = ahead
        self.said: list[GoatRuling] = []
        self._down_to_one: set[Seat] = set()
        self._passes_from: Seat | None = None

    def state(self) -> State:
        """The table after what has been judged so far."""
        return State(
            self.game,
            self.hands,
            self.board,
            self.race,
            self.debts,
            self.settled,
            self.calls,
            self.slaps,
            self.eye,
            self.doubts,
            self.end,
        )

    def say(self, ruling: GoatRuling) -> None:
        self.said.append(ruling)

    def deal(self, seat: Seat, cards: int) -> None:
        """Moves cards under that seat's deck, or off it."""
        if not cards:
            return
        self.hands = self.hands.with_cards(seat, cards)
        self.calls = self.calls.without_exposed(seat)
        self._down_to_one.discard(seat)
        if self.hands.decks[seat] == 1:
            self._down_to_one.add(seat)

    def pass_turn_from(self, seat: Seat) -> None:
        """When the fact is concluded, the turn goes on to that seat's left."""
        self._passes_from = seat

    @property
    def grid(self) -> Board:
        """The board, for what only a camera can tell: `events.read` refuses that where there is none."""
        assert self.board is not None
        return self.board

    def sets_lie(self) -> bool:
        """Whether a press is a good grab: without a camera everyone's word is taken."""
        return self.board is None or bool(self.board.dated_sets)

    # What is owed

    def owe_penalty(self, t: Ns, seat: Seat, why: str, told: GoatRuling) -> None:
        """One pile of that seat's choice; void where earlier penalties have a claim on all that lie."""
        # Without a camera nobody knows the piles, but there cannot be more of them than cards.
        piles = len(self.board.occupied) if self.board else self.hands.on_the_table
        if piles <= self.debts.penalties:
            self.say(Void(t, seat, "no_pile"))
            return
        self.debts = self.debts.with_debt(Debt(t, seat, why))
        self.say(told)

    def take_away(self, cells: Collection[Cell]) -> None:
        """Those piles are no longer what they were: nobody is asked for them any more."""
        if self.race is not None:
            self.race = replace(self.race, gone=self.race.gone.union(cells))
        self.debts = self.debts.without_piles(cells)

    # What follows every fact that changed something, in the order in which it is ruled

    def conclude(self, since: Ns | None = None) -> None:
        """`since`: the earliest instant at which the fact can have happened."""
        # At the end of a game its debts stay as they were, until somebody corrects the table.
        if self.end is None or self._was_over:
            self._settle()
        if self.board is not None:
            lines = self.board.lines
            self.board = self.board.with_sets_at(self.t)
            if self.board.lines != lines:
                self.say(SetsChanged(self.t, self.board.lines))
        down_to_one = sorted(self._down_to_one)
        self._down_to_one.clear()
        for seat in down_to_one:
            self.calls = self.calls.with_exposed(seat)
            self.say(LastCard(self.t, seat))
        self._pass_turn()
        for seat in down_to_one:
            self._answer_early_call(seat, since)
        if self._is_stalemate():
            self.say(Stalemate(self.t))
            self.end = End()

    def _settle(self) -> None:
        """Debts are done with in their order: paid, or with nothing left to ask for."""
        void: list[Seat] = []
        while (debt := self._due()) is not None:
            self.debts = self.debts.without_debt(debt)
            if self.board is not None and debt.lifted:
                self._pay(debt, self.board)
            elif debt.is_penalty:
                void.append(debt.seat)
            else:
                self.say(Took(self.t, debt.seat, (), 0))
        for seat in void:
            self.say(Void(self.t, seat, "no_pile"))
        if self.debts.queue or self.debts.since is None:
            return
        if self.race is not None and not self.race.on:
            self.race = None
        self.settled = self.debts.settle(self.settled, self.hands.turn)
        if self.debts.last_seat is not None:
            self.pass_turn_from(self.debts.last_seat)
        self.debts = Debts()

    def _due(self) -> Debt | None:
        if self.board is None:
            # Everybody pays their own there, in any order.
            empty = self.hands.on_the_table == 0
            return next((debt for debt in self.debts.queue if empty and debt.is_penalty), None)
        debt = self.debts.first
        if debt is None:
            return None
        choices = debt.choices(self.board)
        return debt if not choices or tuple(sorted(debt.lifted)) in choices else None

    def _pay(self, debt: Debt, board: Board) -> None:
        cards = board.cards_on(debt.lifted)
        self.board = board.without_piles(debt.lifted)
        self.eye = replace(self.eye, stray=self.eye.stray - debt.lifted)
        self.take_away(debt.lifted)
        self.debts = self.debts.with_piles_emptied_by(debt)
        self.deal(debt.seat, cards)
        self.say(Took(self.t, debt.seat, tuple(sorted(debt.lifted)), cards))

    def _pass_turn(self) -> None:
        hands, passes_from = self.hands, self._passes_from
        self._passes_from = None
        if passes_from is not None:
            self.hands = hands.with_turn_after(passes_from)
        elif hands.turn is None or not hands.decks[hands.turn]:
            self.hands = hands.with_turn_after(hands.last if hands.turn is None else hands.turn)
            if self.hands.turn is None:
                return
        else:
            return
        if self.hands.turn is not None:
            self.say(Turn(self.t, self.hands.turn))

    def _answer_early_call(self, seat: Seat, since: Ns | None) -> None:
        earliest = self.t - EARLY_CALL if since is None else min(since, self.t - EARLY_CALL)
        calls, counts = self.calls, None
        call = calls.pending
        while call is not None and call.t >= earliest:
            if call.seat == seat and call.serial not in calls.answered:
                counts = call
            call = call.before
        if counts is not None:
            self.calls = replace(calls.without_exposed(seat), answered=calls.answered | {counts.serial})
            self.say(Called(self.t, seat, counts.serial))

    def _is_stalemate(self) -> bool:
        if self.end is not None or self.race is not None or self.debts.queue or any(self.hands.decks):
            return False
        if self.board is not None:
            return not self.board.dated_sets
        # Without a camera a set may still lie there for somebody to grab; a host who says once more that all decks
        # are empty knows of none.
        return self._had_no_cards and isinstance(self.fact.event, Fix)
