"""What an event may hold, as a table: the fields of its dataclass, and how each is read out of JSON.

    PRESS = EventFields(SeatPressed, {"t": instant, "seat": seat})
    LAY = EventFields(Lay, {"t": instant, "seat": optional(seat, None), "cell": whole(0, 8)})
    READER = EventReader({"press": PRESS, "lay": LAY})
    READER.read({"t": 5, "type": "press", "seat": 1}, seats=3)  # SeatPressed(t=5, seat=1)

It is strict: what is missing, extra, of the wrong kind or out of range raises `InvalidEvent` with one sentence.
Extra keys are reported first, then errors in the fields in the order of the table.

A field is read by a `Reader`: a function of the value (`MISSING` if its key is missing), of the field's name in
error messages, and of the `Scope`. Games add their own readers; those below are for all games.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, cast

from companion.core.strict_json import LAST_INSTANT, Raw, check_keys, list_value, quote, raw_event, whole_value
from companion.errors import InvalidEvent

T = TypeVar("T")
U = TypeVar("U")
T_co = TypeVar("T_co", covariant=True)
MISSING: Final[object] = object()


@dataclass(slots=True)
class Scope:
    """What else is known while a field is read."""

    seats: int
    """The number of seats. While a `game` event is read: as many as it has named so far."""
    fields: dict[str, object]
    """The fields of this event that were read before, for a field that depends on them."""


Reader = Callable[[object, str, Scope], T]
Bound = int | Callable[[Scope], int]


@dataclass(frozen=True, slots=True)
class KeyedReader(Generic[T_co]):
    """A reader of a field whose JSON key differs from its name, or that is read from several keys."""

    read: Reader[T_co]
    keys: frozenset[str]
    key: str | None
    """None: the reader is given the whole event."""


@dataclass(frozen=True, slots=True)
class OptionalReader(Generic[T_co]):
    """A reader of an optional field. `Fields` uses `default` without calling it: most events leave most such
    fields out, and the calls would take a quarter of the reading's time."""

    read: Reader[T_co]
    default: object

    def __call__(self, value: object, what: str, scope: Scope) -> T_co:
        return cast("T_co", self.default) if value is MISSING else self.read(value, what, scope)


def under(key: str, reader: Reader[T]) -> KeyedReader[T]:
    """A field whose JSON key differs from its name."""
    return KeyedReader(reader, frozenset({key}), key)


class Fields(Generic[T_co]):
    """Reads a JSON object with exactly these keys; it is a reader too, for objects within an event."""

    def __init__(
        self,
        make: Callable[..., T_co],
        table: Mapping[str, Reader[object] | KeyedReader[object]],
        *,
        ignored: Iterable[str] = (),
        noun: str = "an object",
    ) -> None:
        """`make` is called with the fields as keyword arguments; `ignored`: keys that are allowed but not read;
        `noun`: what error messages call the expected object, if the value is none."""
        readers = [(name, _with_key(name, each)) for name, each in table.items()]
        self.names = frozenset(table)
        self.keys = frozenset(ignored).union(*(each.keys for _, each in readers))
        self.make = make
        self._noun = noun
        self._readers = [(name, each.key, each.read) for name, each in readers]
        self._rows: dict[str, list[_Row]] = {}

    def __call__(self, value: object, what: str, scope: Scope) -> T_co:
        if not isinstance(value, dict):
            raise InvalidEvent(f"{what} must be {self._noun}, not {as_text(value)}")
        raw = raw_event(cast("object", value))
        check_keys(raw, what, self.keys)
        return self.make_from(raw, what, scope, {})

    def make_from(self, raw: Raw, what: str, scope: Scope, fields: dict[str, object]) -> T_co:
        rows = self._rows.get(what)
        if rows is None:
            rows = self._rows[what] = [_row(name, key, what, reader) for name, key, reader in self._readers]
        for name, key, called, reader, default in rows:
            if key is None:
                fields[name] = reader(raw, called, scope)
            elif key in raw:
                fields[name] = reader(raw[key], called, scope)
            elif default is _REQUIRED:
                fields[name] = reader(MISSING, called, scope)
            else:
                fields[name] = default
        return self.make(**fields)


_REQUIRED: Final[object] = object()
_Row = tuple[str, str | None, str, Reader[object], object]


def _row(name: str, key: str | None, what: str, reader: Reader[object]) -> _Row:
    """A field's name and key, its name in error messages, its reader, and its default. Cached for each place where
    such an object may stand."""
    called = what if key is None else f"{what}: `{key}`"
    if isinstance(reader, OptionalReader):
        optional_reader = cast("OptionalReader[object]", reader)
        return name, key, called, optional_reader.read, optional_reader.default
    return name, key, called, reader, _REQUIRED


def _with_key(name: str, reader: Reader[object] | KeyedReader[object]) -> KeyedReader[object]:
    if isinstance(reader, KeyedReader):
        return cast("KeyedReader[object]", reader)
    return under(name, reader)


class EventFields(Fields[T_co]):
    """Reads an event of one type."""

    def __init__(
        self,
        make: Callable[..., T_co],
        table: Mapping[str, Reader[object] | KeyedReader[object]],
        *,
        ignored: Iterable[str] = (),
        any_of: Sequence[str] = (),
        none_of_them: str = "",
    ) -> None:
        """`any_of`: at least one of these optional keys must be there, else the error says `none_of_them`."""
        super().__init__(make, table, ignored=("type", *ignored))
        self._any_of = frozenset(any_of)
        self._none_of_them = f"{none_of_them}: any of {', '.join(any_of)}"

    def read_event(self, raw: Raw, kind: str, scope: Scope) -> T_co:
        if not raw.keys() <= self.keys:
            check_keys(raw, kind, self.keys)
        if self._any_of and not self._any_of & raw.keys():
            raise InvalidEvent(f"{kind}: {self._none_of_them}")
        return self.make_from(raw, kind, scope, scope.fields)


class EventReader(Generic[T_co]):
    """Reads all types of events that may come during a game."""

    def __init__(self, kinds: Mapping[str, EventFields[T_co]]) -> None:
        self.kinds = kinds

    def read(self, value: object, seats: int) -> T_co:
        raw = raw_event(value)
        kind = raw.get("type")
        if isinstance(kind, str):
            fields = self.kinds.get(kind)
            if fields is not None:
                return fields.read_event(raw, kind, Scope(seats, {}))
        if "type" not in raw:
            raise InvalidEvent("an event needs a `type`")
        raise InvalidEvent(f"`type` {quote(kind)} is unknown; known are game, {', '.join(self.kinds)}")


def as_text(value: object) -> str:
    """A value as text for an error message; a missing one is shown as null."""
    return quote(None if value is MISSING else value)


# Readers of one value


def whole(low: int, high: Bound) -> Reader[int]:
    """A whole number; its upper bound may depend on the scope: `whole(0, value_of("t"))`."""
    if isinstance(high, int):

        def read_whole(value: object, what: str, _scope: Scope) -> int:
            return value if type(value) is int and low <= value <= high else _read_whole(value, what, low, high)

        return read_whole

    def read_bounded(value: object, what: str, scope: Scope) -> int:
        top = high(scope)
        return value if type(value) is int and low <= value <= top else _read_whole(value, what, low, top)

    return read_bounded


def _read_whole(value: object, what: str, low: int, high: int) -> int:
    if value is MISSING:
        raise InvalidEvent(f"{what} is missing")
    return whole_value(value, what, low, high)


def value_of(name: str) -> Callable[[Scope], int]:
    """A bound: the number that an earlier field of the event holds."""
    return lambda scope: cast("int", scope.fields[name])


def seats(scope: Scope) -> int:
    return scope.seats


def seat(value: object, what: str, scope: Scope) -> int:
    if type(value) is int and 0 <= value < scope.seats:
        return value
    return _read_whole(value, what, 0, scope.seats - 1)


instant: Final = whole(0, LAST_INSTANT)


def one_of(choices: Iterable[str]) -> Reader[str]:
    """A string that is one of `choices`."""
    known = frozenset(choices)

    def read_choice(value: object, what: str, _scope: Scope) -> str:
        if not isinstance(value, str) or value not in known:
            problem = "and is missing" if value is MISSING else f"not {quote(value)}"
            raise InvalidEvent(f"{what} must be one of {', '.join(sorted(known))}, {problem}")
        return value

    return read_choice


def whole_or_seats(low: int, high: int) -> Reader[int]:
    """A whole number, or one that depends on how many play: `players`, `players-1`, `players+2`."""
    number = whole(low, high)

    def read_count(value: object, what: str, scope: Scope) -> int:
        if isinstance(value, str):
            found = re.fullmatch(r"players([+-]\d{1,2})?", value, re.ASCII)
            if found is None:
                wanted = "a whole number, or `players` and how many more or fewer"
                raise InvalidEvent(f"{what} must be {wanted}, not {quote(value)}")
            value = scope.seats + int(found[1] or 0)
        return number(value, what, scope)

    return read_count


# Readers made of others


def optional(reader: Reader[T], default: U) -> Reader[T | U]:
    """A field that may be missing, and is then `default`; null is not accepted."""
    return OptionalReader(reader, default)


def optional_as(name: str, reader: Reader[T]) -> Reader[T]:
    """A field that may be missing, and then has the value of the earlier field `name`."""
    return lambda value, what, scope: (
        cast("T", scope.fields[name]) if value is MISSING else reader(value, what, scope)
    )


def nullable(reader: Reader[T]) -> Reader[T | None]:
    """A field that may be null."""
    return lambda value, what, scope: None if value is None else reader(value, what, scope)


def then(reader: Reader[T], go_on: Callable[[T, str], U]) -> Reader[U]:
    """Passes the value that was read to `go_on`, which checks or converts it and may raise `InvalidEvent`."""
    return lambda value, what, scope: go_on(reader(value, what, scope), what)


def listed(reader: Reader[T], each: str) -> Reader[tuple[T, ...]]:
    """A list; `each`: what error messages call one of its items, for example `lift: a cell`."""
    return lambda value, what, scope: tuple([reader(item, each, scope) for item in _items(value, what)])


def _items(value: object, what: str) -> list[object]:
    return list_value(None if value is MISSING else value, what)


def exactly(length: Bound, noun: str, reader: Reader[T]) -> Reader[T]:
    """A list of exactly this length; `noun`: how error messages count it, for example `{} numbers`."""

    def read_exactly(value: object, what: str, scope: Scope) -> T:
        wanted = length if isinstance(length, int) else length(scope)
        if (found := len(_items(value, what))) != wanted:
            raise InvalidEvent(f"{what} must be {noun.format(wanted)}, not {found}")
        return reader(value, what, scope)

    return read_exactly


def between(low: int, high: int, noun: str, reader: Reader[tuple[T, ...]]) -> Reader[tuple[T, ...]]:
    """A list of `low` to `high` items, else the error is for example `cells must name 1 to 5 cards`."""

    def check(items: tuple[T, ...], what: str) -> tuple[T, ...]:
        if not low <= len(items) <= high:
            raise InvalidEvent(f"{what} must name {low} to {high} {noun}, not {len(items)}")
        return items

    return then(reader, check)


def mapped(keys: Mapping[str, U], reader: Reader[T], *, maps: str, known: str, each: str) -> Reader[dict[U, T]]:
    """A JSON object that maps some of these keys to values. For error messages: what it `maps` to what, which keys
    are `known`, and what `each` value is called."""

    def read_mapped(value: object, what: str, scope: Scope) -> dict[U, T]:
        if not isinstance(value, dict):
            raise InvalidEvent(f"{what} must map {maps}, not {as_text(value)}")
        found: dict[U, T] = {}
        for key, item in raw_event(cast("object", value)).items():
            if key not in keys:
                raise InvalidEvent(f"{what} knows {known}, not {quote(key)}")
            found[keys[key]] = reader(item, each, scope)
        return found

    return read_mapped


def by_type(readers: Mapping[type, Reader[T]], noun: str) -> Reader[T]:
    """A value that may have several JSON types, for example
    `by_type({int: whole(0, 99), dict: LESSON}, "points or a card")`."""

    def read_by_type(value: object, what: str, scope: Scope) -> T:
        reader = readers.get(type(value))
        if reader is None:
            raise InvalidEvent(f"{what} must be {noun}, not {as_text(value)}")
        return reader(value, what, scope)

    return read_by_type
