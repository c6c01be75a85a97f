"""What happened and what was ruled, as bytes: for the part of a long game that is seldom looked at again."""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Final, TypeVar, cast

from companion.core.cards import CARDS, Card
from companion.games.goat.rules import events, rulings
from companion.games.goat.rules.events import HIDDEN, Event
from companion.games.goat.rules.rulings import GoatRuling

_Kind = TypeVar("_Kind", bound=Event | GoatRuling)


@dataclass(frozen=True, slots=True)
class PackedStep:
    """One fact with what was ruled at it."""

    serial: int
    heard: int
    event: Event
    said: tuple[GoatRuling, ...]


_EVENTS: Final[tuple[type[Event], ...]] = (
    *(
        events.CardLaid,
        events.PileLifted,
        events.GridTold,
        events.SeatPressed,
        events.Call,
        events.Accuse,
        events.Sprint,
    ),
    *(events.LaidUnseen, events.Take, events.Foul, events.Fix),
)
_RULINGS: Final[tuple[type[GoatRuling], ...]] = (
    *(rulings.Turn, rulings.Placed, rulings.Misplay, rulings.SetsChanged, rulings.Safe, rulings.Slowest),
    *(rulings.DeadHeat, rulings.Took, rulings.WrongLift, rulings.FalseGrab, rulings.Late, rulings.Void),
    *(rulings.LastCard, rulings.Called, rulings.Overboard, rulings.NoEffect, rulings.Adrift, rulings.Win),
    rulings.Stalemate,
)
_NUMBERS: Final[Mapping[type[Event | GoatRuling], int]] = {
    kind: number for kinds in (_EVENTS, _RULINGS) for number, kind in enumerate(kinds)
}
_FIELDS: Final[Mapping[type[Event | GoatRuling], tuple[str, ...]]] = {
    kind: tuple(field.name for field in fields(kind)) for kind in _NUMBERS
}


def pack_steps(entries: Iterable[PackedStep]) -> bytes:
    rows = [
        (entry.serial, entry.heard, _to_row(entry.event), [_to_row(ruling) for ruling in entry.said])
        for entry in entries
    ]
    return zlib.compress(_ENCODE(rows).encode(), 1)


def unpack_steps(data: bytes) -> Iterator[PackedStep]:
    rows: list[tuple[int, int, list[object], list[list[object]]]] = _DECODE(zlib.decompress(data).decode())
    for serial, heard, event, said in rows:
        yield PackedStep(
            serial, heard, _from_row(_EVENTS, event), tuple(_from_row(_RULINGS, ruling) for ruling in said)
        )


def pack_numbers(rows: Iterable[tuple[int | None, ...]]) -> bytes:
    return zlib.compress(_ENCODE([*rows]).encode(), 1)


def unpack_numbers(data: bytes) -> list[list[int | None]]:
    return json.loads(zlib.decompress(data))


def _to_row(value: Event | GoatRuling) -> list[object]:
    kind = type(value)
    return [_NUMBERS[kind], *[getattr(value, name) for name in _FIELDS[kind]]]


def _from_row(kinds: tuple[type[_Kind], ...], row: list[object]) -> _Kind:
    number, *values = row
    make = cast("Callable[..., _Kind]", kinds[cast("int", number)])
    return make(*map(_as_tuple, values))


def _as_tuple(value: object) -> object:
    return tuple(map(_as_tuple, cast("list[object]", value))) if isinstance(value, list) else value


def _to_json(value: object) -> object:
    return value.as_json() if isinstance(value, Card) else {"hidden": True}


def _from_json(value: dict[str, object]) -> object:
    if "hidden" in value:
        return HIDDEN
    if "boat" in value:
        return CARDS[cast("str", value["boat"]), cast("str", value["colour"])]
    return {int(cell): card for cell, card in value.items()}


_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), default=_to_json).encode
_DECODE: Final = json.JSONDecoder(object_hook=_from_json).decode
