"""What a game provides for the demo, through `companion.games.game.Game.cast`; nothing else in this folder knows a
game.

The least that a game can provide is people who do one thing after the other:

    class Drawers:
        stage = None

        def __init__(self, world, company): ...
        def resume(self, snapshot): ...
        def hear(self, news): ...
        def think(self, snapshot, *, known):
            if snapshot.evening.game is None:
                self._world.tell(first_game(2))

    CAST = Cast(first_game=first_game, people=lambda world, chance, company: Drawers(world, company))
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from companion.core.cards import Cell
from companion.core.game_record import GameRecord, Ruling
from companion.core.gestures import ButtonUse
from companion.games.registry import GAMES
from companion.table.snapshot import Snapshot
from companion.units import Ns, Seat

if TYPE_CHECKING:
    from companion.drawn.drawn_card import CardFace
    from companion.drawn.painter import Scene

Event = Mapping[str, object]


def _first_game() -> str:
    return next(iter(GAMES))


@dataclass(frozen=True, slots=True)
class Company:
    """Who plays what. `yours` is the seat of a person at the keyboard."""

    game: str = field(default_factory=_first_game)
    seats: int = 4
    seed: int = 0
    yours: Seat | None = None


class DrawnWorld(Protocol):
    """The drawn world as its people see it."""

    @property
    def now(self) -> Ns: ...

    def plan(self, t: Ns, deed: Callable[[], None]) -> None:
        """Calls `deed` at that time, unless `forget_plans` comes first."""
        ...

    def forget_plans(self) -> None: ...

    def press(self, seat: Seat, held: Ns = ..., use: ButtonUse = ...) -> None:
        """Presses that seat's button now and holds it for so long; the game's `buttons` say what that means."""
        ...

    def tell(self, event: Event) -> None:
        """Sends that event now, as somebody on a phone would."""
        ...

    def forget_view(self) -> None:
        """The cards are moved by hand, not by playing: the changes in the next picture are no moves."""
        ...


class Stage(Protocol):
    """What lies on the drawn table and moves over it, for the camera."""

    @property
    def moved(self) -> Ns:
        """When something on the table last changed."""
        ...

    def moves(self, now: Ns) -> bool:
        """Whether a hand is over the table, or will be before the next picture at the quiet interval."""
        ...

    def comes(self) -> Ns | None:
        """When the next hand comes."""
        ...

    def scene(self, now: Ns) -> "Scene": ...

    def straighten(self, cell: Cell, now: Ns) -> None:
        """Turns the topmost card there so that it can be read."""
        ...


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A settled moment in which the referee's table differed from the drawn one."""

    t: Ns
    what: str
    referee: object
    truth: object


class People(Protocol):
    """The drawn people of one evening, and the table before them."""

    @property
    def stage(self) -> Stage | None:
        """None if no camera is used."""
        ...

    def resume(self, snapshot: Snapshot) -> None:
        """Lays the table as it was left."""
        ...

    def hear(self, news: Iterable[Ruling]) -> None: ...

    def think(self, snapshot: Snapshot, *, known: bool) -> Mismatch | None:
        """Plans what they do next; called at every step. `known`: everything on the table has been reported; then
        a difference between the referee's table and the drawn one is returned."""
        ...


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What a terminal shows of one seat beside its name: a number, also as a bar."""

    has_turn: bool
    number: int
    longest: int
    """The number at the full length of the bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnDeck:
    """The printed cards of a game that a camera reads."""

    name: str
    """The name of the deck file that comes with the program: what the eyes were taught of these cards."""
    faces: "Callable[[], tuple[CardFace, ...]]"
    """One face of each kind."""
    back: "Callable[[], CardFace]"
    chores: Callable[[], Iterable[Callable[[], object]]]
    """Draws the faces in small steps, so that nobody waits for all of them at once."""


@dataclass(frozen=True, slots=True)
class BenchStep:
    """Events that are sent to the table one after the other, without a pause."""

    events: Sequence[Event]
    is_press: bool = False
    """Whether a press is judged by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSamples:
    """Sample games for benchmarks."""

    evening: Callable[[int, int], Iterator[dict[str, Any]]]
    """By a seed and the number of seats: the events of a game as a family might play it."""
    begin: Event
    """The `game` event for the game that `page_round` plays."""
    page_round: Callable[[], Iterator[BenchStep]]
    """What happens on a page until all is as before. Each step is made when it is asked for, with the times of
    that moment."""


def _no_lines(_game: GameRecord) -> Sequence[SeatLine]:
    return ()


def _no_words(_ruling: Mapping[str, Any], _names: Sequence[str]) -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """A game's part of the demo. Importing it loads no OpenCV; its functions may."""

    first_game: Callable[[int], Event]
    """The `game` event with which so many people begin their first evening."""
    people: Callable[[DrawnWorld, Random, Company], People]
    deck: DrawnDeck | None = None
    """None means no camera and no drawings, so OpenCV is not loaded."""
    seat_lines: Callable[[GameRecord], Sequence[SeatLine]] = _no_lines
    """What a terminal shows of each seat."""
    ruling_in_words: Callable[[Mapping[str, Any], Sequence[str]], str | None] = _no_words
    """A ruling and the people's names give a few English words for a terminal; None for what is no news."""
    keys: Mapping[str, Callable[[DrawnWorld, Seat], None]] = field(
        default_factory=dict[str, Callable[[DrawnWorld, Seat], None]]
    )
    """What the terminal's keys do for the seat of the person at the keyboard."""
    yours: str = "what its player does is left to you"
    """After "Seat 2 is yours: ": what is left to that person, and what the keys do."""
    samples: GameSamples | None = None
    """None means that `companion bench` leaves this game out."""


def cast_of(game: str) -> Cast:
    return GAMES[game].cast()
