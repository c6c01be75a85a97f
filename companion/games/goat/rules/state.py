"""The table of Row Your Goat as it stands: all that the rules need to know, and nothing that they don't."""

from dataclasses import dataclass, field, replace
from typing import Final

from companion.core.cards import Card, Cell
from companion.games.goat.rules.board import Board, CardOnPile
from companion.games.goat.rules.debts import Debt, Debts, PaidFalseGrabs
from companion.games.goat.rules.events import ALL_CARDS, GameBegun
from companion.games.goat.rules.race import SAME_SLAP, Race, is_on
from companion.units import Ns, Seat


@dataclass(frozen=True, slots=True)
class Hands:
    """Everybody's deck, and whose turn it is."""

    decks: tuple[int, ...]
    turn: Seat | None
    last: Seat
    """Who had the turn last: from there on the next is looked for when nobody has it."""

    @property
    def on_the_table(self) -> int:
        return ALL_CARDS - sum(self.decks)

    def with_cards(self, seat: Seat, cards: int) -> "Hands":
        decks = (*self.decks[:seat], self.decks[seat] + cards, *self.decks[seat + 1 :])
        return Hands(decks, self.turn, self.last)

    def next_after(self, seat: Seat) -> Seat | None:
        """The next to the left who has cards; at last that seat itself."""
        seats = len(self.decks)
        for step in range(1, seats + 1):
            other = (seat + step) % seats
            if self.decks[other]:
                return other
        return None

    def with_turn_after(self, seat: Seat) -> "Hands":
        return Hands(self.decks, self.next_after(seat), seat)


@dataclass(frozen=True, slots=True, eq=False)
class PendingCall:
    """A call by a seat that was not exposed; it counts if the seat turns out to be just about to be."""

    before: "PendingCall | None" = field(repr=False)
    t: Ns
    seat: Seat
    serial: int


@dataclass(frozen=True, slots=True)
class CallState:
    """Who is down to one card and has not called yet, and who called a moment too early."""

    exposed: tuple[Seat, ...] = ()
    pending: PendingCall | None = None
    """The newest."""
    answered: frozenset[int] = frozenset()
    """Those that have counted already."""

    def with_exposed(self, seat: Seat) -> "CallState":
        return replace(self, exposed=tuple(sorted({*self.exposed, seat})))

    def without_exposed(self, seat: Seat) -> "CallState":
        if seat not in self.exposed:
            return self
        return replace(self, exposed=tuple(other for other in self.exposed if other != seat))


NEVER: Final[Ns] = -SAME_SLAP - 1


@dataclass(frozen=True, slots=True)
class Slaps:
    """What each seat did to its button last, so that one slap is judged once."""

    false: tuple[Ns, ...]
    twice: tuple[Ns, ...]

    def with_false_slap(self, seat: Seat, t: Ns) -> "Slaps":
        return replace(self, false=(*self.false[:seat], t, *self.false[seat + 1 :]))

    def with_second_slap(self, seat: Seat, t: Ns) -> "Slaps":
        return replace(self, twice=(*self.twice[:seat], t, *self.twice[seat + 1 :]))

    def is_same_as_false(self, seat: Seat, t: Ns) -> bool:
        return t - self.false[seat] <= SAME_SLAP

    def is_same_as_second(self, seat: Seat, t: Ns) -> bool:
        return t - self.twice[seat] <= SAME_SLAP


@dataclass(frozen=True, slots=True)
class NewestCard:
    cell: Cell
    card: Card
    lying: CardOnPile | None
    """As it was put on its pile; None if it was a misplay or has been taken back."""


@dataclass(frozen=True, slots=True)
class Eye:
    """What the camera was said to see that is not in the piles."""

    adrift: tuple[Cell, ...] = ()
    stray: frozenset[Cell] = frozenset()
    """Where a misplayed card may still lie, or be gone."""
    newest: NewestCard | None = None


@dataclass(frozen=True, slots=True)
class DoubtfulPress:
    """A press that is good only through a card in whose interval it fell: it waits for that card."""

    t: Ns
    seat: Seat
    card: int | None
    """The serial number of the card's event; None while judging ahead: the first of its own after which a set
    lies, if any."""


@dataclass(frozen=True, slots=True)
class End:
    winners: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    game: GameBegun
    hands: Hands
    board: Board | None
    """None where no camera looks: then only the decks are known."""
    race: Race | None
    debts: Debts
    settled: PaidFalseGrabs | None
    calls: CallState
    slaps: Slaps
    eye: Eye
    doubts: tuple[DoubtfulPress, ...]
    end: End | None

    @property
    def seats(self) -> int:
        return len(self.game.seats)

    @property
    def phase(self) -> str:
        if self.end is not None:
            return "over"
        if is_on(self.race):
            return "sprint" if self.race.heat else "race"
        return "pickup" if self.debts.queue else "play"

    def as_json(self) -> dict[str, object]:
        board = self.board
        return {
            "game": "goat",
            "phase": self.phase,
            "turn": self.hands.turn,
            "decks": self.hands.decks,
            "piles": board.heights if board else None,
            "tops": [top.as_json() if top else None for top in board.tops] if board else None,
            "sets": board.lines if board else None,
            "safe": self.race.safe if self.race else (),
            "owed": [_debt_to_json(debt, board) for debt in self.debts.queue],
            "exposed": self.calls.exposed,
            "adrift": self.eye.adrift,
            "winners": self.end.winners if self.end else (),
        }


def _debt_to_json(debt: Debt, board: Board | None) -> dict[str, object]:
    return {"seat": debt.seat, "why": debt.why, "choices": debt.choices(board) if board else None}


def initial_state(game: GameBegun) -> State:
    """The table when the cards have been dealt."""
    seats = len(game.seats)
    return State(
        game,
        Hands((ALL_CARDS // seats,) * seats, game.starter, game.starter),
        Board() if game.camera else None,
        race=None,
        debts=Debts(),
        settled=None,
        calls=CallState(),
        slaps=Slaps((NEVER,) * seats, (NEVER,) * seats),
        eye=Eye(),
        doubts=(),
        end=None,
    )
