"""One fact before the referee: the table as it changes under it, and what is said.

A hearing is opened on a state and closed into the next one; nobody outside `referee.rule` ever sees it, so that
from outside the rules stay a pure function.
"""

from collections.abc import Collection
from dataclasses import replace

from companion.core.cards import Cell
from companion.games.goat.rules.board import Board
from companion.games.goat.rules.debts import Debt, Debts
from companion.games.goat.rules.events import Fix
from companion.games.goat.rules.facts import Ahead, Fact
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


class Hearing:
    def __init__(self, state: State, fact: Fact, ahead: Ahead) -> None:
        self.game = state.game
        self.seats = state.seats
        self.hands = state.hands
        self.board = state.board
        self.race = state.race
        self.debts = state.debts
        self.goats = state.goats
        self.settled = state.settled
        self.slaps = state.slaps
        self.eye = state.eye
        self.doubts = state.doubts
        self.end = state.end
        self._was_over = state.end is not None
        self._was_bare = not any(state.hands.decks)
        self.fact = fact
        self.t = fact.t
        self.ahead = ahead
        self.said: list[GoatRuling] = []
        self._bared: set[Seat] = set()
        self._passes_from: Seat | None = None

    def state(self) -> State:
        return State(
            self.game,
            self.hands,
            self.board,
            self.race,
            self.debts,
            self.settled,
            self.goats,
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
        self.hands = self.hands.dealt(seat, cards)
        self.goats = self.goats.without_exposed(seat)
        self._bared.discard(seat)
        if self.hands.decks[seat] == 1:
            self._bared.add(seat)

    def pass_turn_from(self, seat: Seat) -> None:
        self._passes_from = seat

    @property
    def grid(self) -> Board:
        """The board, for what only a camera can tell: `events.read` refuses that where there is none."""
        assert self.board is not None
        return self.board

    def sets_lie(self) -> bool:
        """Whether a press is a good grab: without a camera everyone's word is taken."""
        return self.board is None or bool(self.board.born)

    # What is owed

    def owe_penalty(self, t: Ns, seat: Seat, why: str, told: GoatRuling) -> None:
        """One pile of that seat's choice; void where earlier penalties have a claim on all that lie."""
        # Without a camera nobody knows the piles, but there cannot be more of them than cards.
        piles = len(self.board.occupied) if self.board else self.hands.on_the_table
        if piles <= self.debts.penalties:
            self.say(Void(t, seat, "no_pile"))
            return
        self.debts = self.debts.owing(Debt(t, seat, why))
        self.say(told)

    def take_away(self, cells: Collection[Cell]) -> None:
        """Those piles are no longer what they were: nobody is asked for them any more."""
        if self.race is not None:
            self.race = replace(self.race, gone=self.race.gone.union(cells))
        self.debts = self.debts.no_longer_ask(cells)

    # The end of every fact that changed something, in the order in which it is told

    def conclude(self, since: Ns | None = None) -> None:
        """`since`: the earliest instant at which the fact can have happened."""
        # At the end of a game its debts stay as they were, until somebody corrects the table.
        if self.end is None or self._was_over:
            self._settle()
        if self.board is not None:
            lines = self.board.lines
            self.board = self.board.looked_at(self.t)
            if self.board.lines != lines:
                self.say(SetsChanged(self.t, self.board.lines))
        bared = sorted(self._bared)
        self._bared.clear()
        for seat in bared:
            self.goats = self.goats.with_exposed(seat)
            self.say(LastCard(self.t, seat))
        self._pass_turn()
        for seat in bared:
            self._answer_early_call(seat, since)
        if self._is_stalemate():
            self.say(Stalemate(self.t))
            self.end = End()

    def _settle(self) -> None:
        """Debts are done with in their order: paid, or with nothing left to ask for."""
        void: list[Seat] = []
        while (debt := self._due()) is not None:
            self.debts = self.debts.paid(debt)
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
        self.settled = self.debts.settled(self.settled, self.hands.turn)
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
        self.board = board.without(debt.lifted)
        self.eye = replace(self.eye, stray=self.eye.stray - debt.lifted)
        self.take_away(debt.lifted)
        self.debts = self.debts.emptied_by(debt)
        self.deal(debt.seat, cards)
        self.say(Took(self.t, debt.seat, tuple(sorted(debt.lifted)), cards))

    def _pass_turn(self) -> None:
        hands, passes_from = self.hands, self._passes_from
        self._passes_from = None
        if passes_from is not None:
            self.hands = hands.passed_on_from(passes_from)
        elif hands.turn is None or not hands.decks[hands.turn]:
            self.hands = hands.passed_on_from(hands.last if hands.turn is None else hands.turn)
            if self.hands.turn is None:
                return
        else:
            return
        if self.hands.turn is not None:
            self.say(Turn(self.t, self.hands.turn))

    def _answer_early_call(self, seat: Seat, since: Ns | None) -> None:
        earliest = self.t - EARLY_CALL if since is None else min(since, self.t - EARLY_CALL)
        goats, counts = self.goats, None
        call = goats.calls
        while call is not None and call.t >= earliest:
            if call.seat == seat and call.serial not in goats.answered:
                counts = call
            call = call.before
        if counts is not None:
            self.goats = replace(goats.without_exposed(seat), answered=goats.answered | {counts.serial})
            self.say(Called(self.t, seat, counts.serial))

    def _is_stalemate(self) -> bool:
        if self.end is not None or self.race is not None or self.debts.queue or any(self.hands.decks):
            return False
        if self.board is not None:
            return not self.board.born
        # Without a camera a set may still lie there for somebody to grab; a host who says once more that all decks
        # are empty knows of none.
        return self._was_bare and isinstance(self.fact.event, Fix)
