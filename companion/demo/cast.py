"""All that a game brings to the demo: `companion.games.game.Game.cast` gives it, and nothing else in this folder
knows a game.

The least that a game can bring is people who do one thing after the other:

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
    """Who plays what. `yours` is the seat that is left to somebody who is not drawn."""

    game: str = field(default_factory=_first_game)
    seats: int = 4
    seed: int = 0
    yours: Seat | None = None


class DrawnWorld(Protocol):
    """What is around the drawn people."""

    @property
    def now(self) -> Ns: ...

    def plan(self, t: Ns, deed: Callable[[], None]) -> None:
        """That is done then, unless `forget_plans` comes first."""
        ...

    def forget_plans(self) -> None: ...

    def press(self, seat: Seat, held: Ns = ..., use: ButtonUse = ...) -> None:
        """A finger comes down on that seat's button now, and is on it for so long: what that means, the game says
        in its `buttons`."""
        ...

    def tell(self, event: Event) -> None:
        """Somebody says that on a phone now."""
        ...

    def forget_view(self) -> None:
        """The cards are put otherwise than by playing: what the camera sees next are no moves."""
        ...


class Stage(Protocol):
    """What lies on the drawn table and moves over it: what the camera looks at."""

    @property
    def moved(self) -> Ns:
        """When something last came to lie otherwise."""
        ...

    def moves(self, now: Ns) -> bool:
        """Whether a hand is over the table or comes before the next picture of a quiet one."""
        ...

    def comes(self) -> Ns | None:
        """When the next hand does."""
        ...

    def scene(self, now: Ns) -> "Scene": ...

    def straighten(self, cell: Cell, now: Ns) -> None:
        """Somebody puts the topmost card there so that it can be read."""
        ...


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A settled moment in which the referee's table was not the drawn one."""

    t: Ns
    what: str
    referee: object
    truth: object


class People(Protocol):
    """The drawn people of one evening, and the table before them."""

    @property
    def stage(self) -> Stage | None:
        """None where no camera looks."""
        ...

    def resume(self, snapshot: Snapshot) -> None:
        """The table is laid as it was left."""
        ...

    def hear(self, news: Iterable[Ruling]) -> None: ...

    def think(self, snapshot: Snapshot, *, known: bool) -> Mismatch | None:
        """At every instant: what they do next is planned. `known`: all that lies on the table has been told; then
        it is said where the referee's table is apart from the drawn one."""
        ...


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What a terminal shows of one seat beside its name: a number, and the same as a bar."""

    has_turn: bool
    number: int
    longest: int
    """The number whose bar is as long as a bar may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnDeck:
    """The cards of a game that a camera reads, as they are printed."""

    name: str
    """Of the deck file that comes with the program: the eyes were taught these cards."""
    faces: "Callable[[], tuple[CardFace, ...]]"
    """One of each kind."""
    back: "Callable[[], CardFace]"
    chores: Callable[[], Iterable[Callable[[], object]]]
    """To draw the faces one by one, so that nobody waits for all of them at once."""


@dataclass(frozen=True, slots=True)
class BenchStep:
    """Events that are told the table one after the other, without a pause."""

    events: Sequence[Event]
    is_press: bool = False
    """Whether somebody's press is judged by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSamples:
    """Of what measurements are made."""

    evening: Callable[[int, int], Iterator[dict[str, Any]]]
    """By a seed and the number of seats: a game as a family might play it, event by event."""
    begin: Event
    """The `game` event of the game that `page_round` plays."""
    page_round: Callable[[], Iterator[BenchStep]]
    """What happens on a page until all is as it was before. Each step is made when it is asked for: its times are
    of that moment."""


def _no_lines(_game: GameRecord) -> Sequence[SeatLine]:
    return ()


def _no_words(_ruling: Mapping[str, Any], _names: Sequence[str]) -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """A game's part of the demo. To ask for it loads no OpenCV; its functions may."""

    first_game: Callable[[int], Event]
    """The `game` event with which so many people begin their first evening."""
    people: Callable[[DrawnWorld, Random, Company], People]
    deck: DrawnDeck | None = None
    """None: no camera looks, nothing is drawn, and OpenCV is not loaded."""
    seat_lines: Callable[[GameRecord], Sequence[SeatLine]] = _no_lines
    """What a terminal shows of each seat."""
    ruling_in_words: Callable[[Mapping[str, Any], Sequence[str]], str | None] = _no_words
    """A ruling and the people's names: a few English words for a terminal. None for what is no news."""
    keys: Mapping[str, Callable[[DrawnWorld, Seat], None]] = field(
        default_factory=dict[str, Callable[[DrawnWorld, Seat], None]]
    )
    """What the keys of the terminal do for the seat that is left to somebody."""
    yours: str = "what its player does is left to you"
    """After "Seat 2 is yours: ": what is left to that person, and what the keys do."""
    samples: GameSamples | None = None
    """None: `companion bench` measures without this game."""


def cast_of(game: str) -> Cast:
    return GAMES[game].cast()
