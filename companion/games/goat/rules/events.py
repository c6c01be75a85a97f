"""What the referee of Row Your Goat may be told, and how it is read out of JSON.

An event that can never make sense is refused here. What only the table can judge - a card from a seat that has
none - is refused where it is ruled on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from companion.core.cards import BOATS, CARDS, COLOURS, Card, Cell
from companion.core.event_fields import (
    EventFields,
    EventReader,
    Fields,
    KeyedReader,
    Reader,
    Scope,
    exactly,
    instant,
    listed,
    mapped,
    nullable,
    one_of,
    optional,
    optional_as,
    seat,
    seats,
    then,
    under,
    value_of,
    whole,
)
from companion.core.seating import Seating, read_places, read_seat_names
from companion.core.strict_json import Raw, quote, raw_event
from companion.errors import InvalidEvent
from companion.units import MICROSECOND, Ns, Seat

# What is told apart where nobody has measured it.
USUAL_RESOLUTION_US: Final = 50
MOST_SEATS: Final = 6
ALL_CARDS: Final = 60
# A clock that cannot tell a second from the next one is none.
COARSEST_CLOCK: Final = 1_000_000
FOUL_REASONS: Final = ("peeked", "outside")


@dataclass(frozen=True, slots=True)
class Event:
    t: Ns


@dataclass(frozen=True, slots=True)
class GameBegun(Event):
    seats: tuple[str, ...]
    starter: Seat
    resolution: Ns = USUAL_RESOLUTION_US * MICROSECOND
    double_grab: str = "penalty"
    camera: bool = True
    seating: Seating | None = None
    """Where `places` says it; no rule asks for it."""


@dataclass(frozen=True, slots=True)
class CardLaid(Event):
    cell: Cell
    card: Card
    since: Ns
    """The earliest instant at which it can have lain there."""
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class PileLifted(Event):
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class HiddenCell:
    """What the camera says of a cell it cannot see."""


HIDDEN: Final = HiddenCell()


@dataclass(frozen=True, slots=True)
class GridTold(Event):
    cells: tuple[Card | HiddenCell | None, ...]


@dataclass(frozen=True, slots=True)
class SeenUntil(Event):
    pass


@dataclass(frozen=True, slots=True)
class SeatPressed(Event):
    seat: Seat


@dataclass(frozen=True, slots=True)
class Call(Event):
    seat: Seat


@dataclass(frozen=True, slots=True)
class Accuse(Event):
    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class Sprint(Event):
    pass


@dataclass(frozen=True, slots=True)
class LaidUnseen(Event):
    pass


@dataclass(frozen=True, slots=True)
class Take(Event):
    seat: Seat
    cards: int


@dataclass(frozen=True, slots=True)
class Foul(Event):
    seat: Seat
    reason: str
    cell: Cell | None


@dataclass(frozen=True, slots=True)
class Fix(Event):
    tops: Mapping[Cell, Card | None] | None
    piles: tuple[int, ...] | None
    decks: tuple[int, ...] | None
    turn: Seat | None


@dataclass(frozen=True, slots=True)
class Undo(Event):
    pass


# How an event is read: its fields, in the order in which they are complained of.


def _card(boat: str, colour: str) -> Card:
    return CARDS[boat, colour]


_CARD: Final = Fields(
    _card,
    {"boat": one_of(BOATS), "colour": one_of(COLOURS)},
    noun="a card or null",
)


def _well_told_card(raw: Raw) -> Card | None:
    """Nine of them stand in a grid, and nearly all are well told: those need no reading field by field."""
    boat, colour = raw.get("boat"), raw.get("colour")
    return CARDS.get((boat, colour)) if type(boat) is str and type(colour) is str else None


def _card_among_keys(value: object, what: str, scope: Scope) -> Card:
    raw = cast("Raw", value)
    return _well_told_card(raw) or _CARD.make_from(raw, what, scope, {})


_CELL: Final = whole(0, 8)
_COUNT: Final = whole(0, ALL_CARDS)


def _only_true(value: object, what: str, _scope: Scope) -> bool:
    if value is not True:
        raise InvalidEvent(f"{what} can only be true, not {quote(value)}")
    return True


def _hidden_cell(*, hidden: bool) -> HiddenCell:
    assert hidden
    return HIDDEN


_HIDDEN: Final = Fields(_hidden_cell, {"hidden": _only_true})


def _grid_cell(value: object, what: str, scope: Scope) -> Card | HiddenCell | None:
    if value is None:
        return None
    if isinstance(value, dict):
        raw = cast("Raw", value)
        known = _well_told_card(raw) if len(raw) == 2 else None
        if known is not None:
            return known
        if "hidden" in raw:
            return _HIDDEN(raw, "grid", scope)
    return _CARD(cast("object", value), what, scope)


def _each_once(cells: tuple[Cell, ...], what: str) -> tuple[Cell, ...]:
    if not cells or len(set(cells)) != len(cells):
        raise InvalidEvent(f"{what} must name at least one cell, and none twice")
    return tuple(sorted(cells))


_GAME: Final = EventFields(
    GameBegun,
    {
        "seats": read_seat_names(2, MOST_SEATS),
        "resolution": under(
            "resolution_us",
            then(optional(whole(0, COARSEST_CLOCK), USUAL_RESOLUTION_US), lambda us, _what: us * MICROSECOND),
        ),
        "double_grab": optional(one_of(("penalty", "ignore")), "penalty"),
        "camera": under(
            "grid", then(optional(one_of(("camera", "none")), "camera"), lambda grid, _what: grid == "camera")
        ),
        "seating": under("places", optional(read_places, None)),
        "t": instant,
        "starter": seat,
    },
    ignored=("game",),
)
_TOPS: Final[Reader[dict[Cell, Card | None]]] = mapped(
    {str(cell): cell for cell in range(9)},
    nullable(_CARD),
    maps="cells to cards",
    known='the cells "0" to "8"',
    each="fix: a top",
)
KINDS: Final = EventReader[Event](
    {
        "card": EventFields(
            CardLaid,
            {
                "t": instant,
                "since": under("from", optional_as("t", whole(0, value_of("t")))),
                "seat": optional(seat, None),
                "cell": _CELL,
                "card": KeyedReader(_card_among_keys, _CARD.keys, None),
            },
        ),
        "lift": EventFields(PileLifted, {"cells": then(listed(_CELL, "lift: a cell"), _each_once), "t": instant}),
        "grid": EventFields(
            GridTold, {"cells": exactly(9, "nine", listed(_grid_cell, "grid: a cell")), "t": instant}
        ),
        "seen": EventFields(SeenUntil, {"t": instant}),
        "press": EventFields(SeatPressed, {"t": instant, "seat": seat}),
        "call": EventFields(Call, {"t": instant, "seat": seat}),
        "accuse": EventFields(Accuse, {"t": instant, "seat": seat, "target": seat}),
        "sprint": EventFields(Sprint, {"t": instant}),
        "laid": EventFields(LaidUnseen, {"t": instant}),
        "take": EventFields(Take, {"t": instant, "seat": seat, "cards": _COUNT}),
        "foul": EventFields(
            Foul, {"cell": optional(_CELL, None), "t": instant, "seat": seat, "reason": one_of(FOUL_REASONS)}
        ),
        "fix": EventFields(
            Fix,
            {
                "t": instant,
                "tops": optional(_TOPS, None),
                "piles": optional(exactly(9, "{} numbers", listed(_COUNT, "fix: `piles`: a count")), None),
                "decks": optional(exactly(seats, "{} numbers", listed(_COUNT, "fix: `decks`: a count")), None),
                "turn": optional(seat, None),
            },
            any_of=("tops", "piles", "decks", "turn"),
            none_of_them="names nothing to correct",
        ),
        "undo": EventFields(Undo, {"t": instant}),
    }
)


def read_game(value: object) -> GameBegun:
    return _GAME.read_event(raw_event(value), "game", Scope(0, {}))


def read(value: object, game: GameBegun) -> Event:
    event = KINDS.read(value, len(game.seats))
    _check_camera(event, game)
    return event


# Sets of classes: a look into one takes a third of what `isinstance` of several takes.
_ONLY_WITHOUT_CAMERA: Final = {LaidUnseen, Take}
_ONLY_WITH_CAMERA: Final = {CardLaid, PileLifted, GridTold}


def _check_camera(event: Event, game: GameBegun) -> None:
    """What the camera tells and what people say where there is none exclude each other."""
    if game.camera:
        if type(event) in _ONLY_WITHOUT_CAMERA:
            raise InvalidEvent("the camera watches this game: `laid` and `take` are for a game without one")
    elif type(event) in _ONLY_WITH_CAMERA:
        raise InvalidEvent("this game is played without a camera: tell cards by `laid` and piles by `take`")
    elif isinstance(event, Foul) and event.cell is not None:
        raise InvalidEvent("foul: without a camera nobody knows what lies on a cell; leave `cell` out")
    elif isinstance(event, Fix) and (event.tops is not None or event.piles is not None):
        raise InvalidEvent("fix: without a camera only `decks` and `turn` can be corrected")
