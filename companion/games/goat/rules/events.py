"""What the referee of Row Your Goat may be told, and how it is read out of JSON.

An event that can never make sense is refused here. What only the table can judge - a card from a seat that has
none - is refused where it is ruled on.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast

from companion.core.cards import BOATS, CARDS, COLOURS, Card, Cell
from companion.core.seating import Seating, read_seating
from companion.core.strict_json import (
    Raw,
    instant,
    listed,
    one_of,
    only,
    raw_event,
    shown,
    whole,
    whole_value,
)
from companion.errors import InvalidEvent
from companion.units import MICROSECOND, Ns, Seat

# What is told apart where nobody has measured it.
USUAL_RESOLUTION_US: Final = 50
MOST_SEATS: Final = 6
ALL_CARDS: Final = 60
LONGEST_NAME: Final = 100
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


def read_game(value: object) -> GameBegun:
    raw = raw_event(value)
    keys = {"t", "type", "game", "seats", "starter", "places", "resolution_us", "double_grab", "grid"}
    only(raw, "game", frozenset(keys))
    names = [_name(name) for name in listed(raw.get("seats"), "game: `seats`")]
    if not 2 <= len(names) <= MOST_SEATS:
        raise InvalidEvent(f"game: `seats` must name 2 to {MOST_SEATS} people, not {len(names)}")
    measured = {"resolution_us": USUAL_RESOLUTION_US, **raw}
    resolution = whole(measured, "game", "resolution_us", 0, COARSEST_CLOCK)
    double_grab = one_of(raw, "game", "double_grab", ("penalty", "ignore")) if "double_grab" in raw else "penalty"
    grid = one_of(raw, "game", "grid", ("camera", "none")) if "grid" in raw else "camera"
    seating = read_seating(raw, len(names)) if "places" in raw else None
    return GameBegun(
        instant(raw, "game"),
        tuple(names),
        whole(raw, "game", "starter", 0, len(names) - 1),
        resolution * MICROSECOND,
        double_grab,
        grid == "camera",
        seating,
    )


def read(value: object, game: GameBegun) -> Event:
    raw = raw_event(value)
    kind = raw.get("type")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        if "type" not in raw:
            raise InvalidEvent("an event needs a `type`")
        raise InvalidEvent(f"`type` {shown(kind)} is unknown; known are game, {', '.join(_READERS)}")
    event = reader(raw, len(game.seats))
    _fits(event, game)
    return event


def _fits(event: Event, game: GameBegun) -> None:
    """What the camera tells and what people say where there is none exclude each other."""
    if game.camera:
        if isinstance(event, LaidUnseen | Take):
            raise InvalidEvent("the camera watches this game: `laid` and `take` are for a game without one")
    elif isinstance(event, CardLaid | PileLifted | GridTold):
        raise InvalidEvent("this game is played without a camera: tell cards by `laid` and piles by `take`")
    elif isinstance(event, Foul) and event.cell is not None:
        raise InvalidEvent("foul: without a camera nobody knows what lies on a cell; leave `cell` out")
    elif isinstance(event, Fix) and (event.tops is not None or event.piles is not None):
        raise InvalidEvent("fix: without a camera only `decks` and `turn` can be corrected")


def _name(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_NAME:
        raise InvalidEvent(f"game: a seat's name must be 1 to {LONGEST_NAME} characters, not {shown(value)}")
    # A lone half of a surrogate pair can be written to no file and no page; a control character spoils both.
    if any("\ud800" <= letter <= "\udfff" or letter < " " or "\x7f" <= letter < "\xa0" for letter in value):
        raise InvalidEvent(f"game: the name {shown(value)} holds what is no character")
    return value


def _card(raw: Raw, kind: str) -> Card:
    return CARDS[one_of(raw, kind, "boat", BOATS), one_of(raw, kind, "colour", COLOURS)]


def _shown_card(value: object, what: str) -> Card:
    if not isinstance(value, dict):
        raise InvalidEvent(f"{what} must be a card or null, not {shown(value)}")
    raw = raw_event(cast("object", value))
    only(raw, what, frozenset({"boat", "colour"}))
    return _card(raw, what)


def _seat(raw: Raw, kind: str, seats: int, key: str = "seat") -> Seat:
    return whole(raw, kind, key, 0, seats - 1)


def _cell(raw: Raw, kind: str) -> Cell:
    return whole(raw, kind, "cell", 0, 8)


def _keys(*more: str) -> frozenset[str]:
    return frozenset({"t", "type", *more})


_CARD_KEYS = _keys("cell", "boat", "colour", "from", "seat")
_LIFT_KEYS = _keys("cells")
_SEAT_KEYS = _keys("seat")
_BARE_KEYS = _keys()


def _read_card(raw: Raw, seats: int) -> CardLaid:
    only(raw, "card", _CARD_KEYS)
    t = instant(raw, "card")
    since = whole(raw, "card", "from", 0, t) if "from" in raw else t
    seat = _seat(raw, "card", seats) if "seat" in raw else None
    return CardLaid(t, _cell(raw, "card"), _card(raw, "card"), since, seat)


def _read_lift(raw: Raw, _seats: int) -> PileLifted:
    only(raw, "lift", _LIFT_KEYS)
    cells = [whole_value(cell, "lift: a cell", 0, 8) for cell in listed(raw.get("cells"), "lift: `cells`")]
    if not cells or len(set(cells)) != len(cells):
        raise InvalidEvent("lift: `cells` must name at least one cell, and none twice")
    return PileLifted(instant(raw, "lift"), tuple(sorted(cells)))


def _read_grid(raw: Raw, _seats: int) -> GridTold:
    only(raw, "grid", _LIFT_KEYS)
    cells = listed(raw.get("cells"), "grid: `cells`")
    if len(cells) != 9:
        raise InvalidEvent(f"grid: `cells` must be nine, not {len(cells)}")
    return GridTold(instant(raw, "grid"), tuple(_glimpse(cell) for cell in cells))


def _glimpse(value: object) -> Card | HiddenCell | None:
    if value is None:
        return None
    if isinstance(value, dict) and "hidden" in value:
        raw = raw_event(cast("object", value))
        only(raw, "grid", frozenset({"hidden"}))
        if raw["hidden"] is not True:
            raise InvalidEvent(f"grid: `hidden` can only be true, not {shown(raw['hidden'])}")
        return HIDDEN
    return _shown_card(cast("object", value), "grid: a cell")


def _read_foul(raw: Raw, seats: int) -> Foul:
    only(raw, "foul", _keys("seat", "reason", "cell"))
    cell = _cell(raw, "foul") if "cell" in raw else None
    return Foul(instant(raw, "foul"), _seat(raw, "foul", seats), one_of(raw, "foul", "reason", FOUL_REASONS), cell)


def _read_fix(raw: Raw, seats: int) -> Fix:
    fields = {"tops", "piles", "decks", "turn"}
    only(raw, "fix", _keys(*fields))
    if not fields & raw.keys():
        raise InvalidEvent("fix: names nothing to correct: any of tops, piles, decks, turn")
    return Fix(
        instant(raw, "fix"),
        _tops(raw["tops"]) if "tops" in raw else None,
        _counts(raw["piles"], "fix: `piles`", 9) if "piles" in raw else None,
        _counts(raw["decks"], "fix: `decks`", seats) if "decks" in raw else None,
        _seat(raw, "fix", seats, "turn") if "turn" in raw else None,
    )


def _tops(value: object) -> dict[Cell, Card | None]:
    if not isinstance(value, dict):
        raise InvalidEvent(f"fix: `tops` must map cells to cards, not {shown(value)}")
    tops: dict[Cell, Card | None] = {}
    for key, card in raw_event(cast("object", value)).items():
        if key not in _CELL_NAMES:
            raise InvalidEvent(f'fix: `tops` knows the cells "0" to "8", not {shown(key)}')
        tops[_CELL_NAMES[key]] = None if card is None else _shown_card(card, "fix: a top")
    return tops


_CELL_NAMES = {str(cell): cell for cell in range(9)}


def _counts(value: object, what: str, how_many: int) -> tuple[int, ...]:
    counts = listed(value, what)
    if len(counts) != how_many:
        raise InvalidEvent(f"{what} must be {how_many} numbers, not {len(counts)}")
    return tuple(whole_value(count, f"{what}: a count", 0, ALL_CARDS) for count in counts)


def _read_take(raw: Raw, seats: int) -> Take:
    only(raw, "take", _keys("seat", "cards"))
    return Take(instant(raw, "take"), _seat(raw, "take", seats), whole(raw, "take", "cards", 0, ALL_CARDS))


def _read_accuse(raw: Raw, seats: int) -> Accuse:
    only(raw, "accuse", _keys("seat", "target"))
    return Accuse(instant(raw, "accuse"), _seat(raw, "accuse", seats), _seat(raw, "accuse", seats, "target"))


def _read_press(raw: Raw, seats: int) -> SeatPressed:
    only(raw, "press", _SEAT_KEYS)
    return SeatPressed(instant(raw, "press"), _seat(raw, "press", seats))


def _read_call(raw: Raw, seats: int) -> Call:
    only(raw, "call", _SEAT_KEYS)
    return Call(instant(raw, "call"), _seat(raw, "call", seats))


def _bare(kind: str, event: Callable[[Ns], Event]) -> Callable[[Raw, int], Event]:
    def read_bare(raw: Raw, _seats: int) -> Event:
        only(raw, kind, _BARE_KEYS)
        return event(instant(raw, kind))

    return read_bare


_READERS: Final[Mapping[str, Callable[[Raw, int], Event]]] = {
    "card": _read_card,
    "lift": _read_lift,
    "grid": _read_grid,
    "seen": _bare("seen", SeenUntil),
    "press": _read_press,
    "call": _read_call,
    "accuse": _read_accuse,
    "sprint": _bare("sprint", Sprint),
    "laid": _bare("laid", LaidUnseen),
    "take": _read_take,
    "foul": _read_foul,
    "fix": _read_fix,
    "undo": _bare("undo", Undo),
}
