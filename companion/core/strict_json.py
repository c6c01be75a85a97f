"""Reading one event out of JSON, strictly: what is missing, extra, of the wrong kind or out of range is
named in one sentence. A referee that guesses what was meant cannot be replayed."""

import json
from collections.abc import Mapping
from typing import Final, NoReturn, cast

from companion.errors import InvalidEvent

# SQLite and the kernel both count in 64 bits with a sign.
LAST_INSTANT = 2**63 - 1
LONGEST_SHOWN = 40

Raw = Mapping[str, object]


def parse(text: str | bytes) -> object:
    """Parses strict JSON: no duplicate keys, no NaN, and no other extensions that only Python accepts."""
    try:
        # Decode as UTF-8 here, because json would guess at other encodings.
        return _DECODER.decode(_without_mark(text.decode() if isinstance(text, bytes) else text))
    except InvalidEvent:
        raise
    except RecursionError:
        raise InvalidEvent("this is nested too deeply for an event") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InvalidEvent(f"this is no JSON: {error}") from None
    except ValueError:
        # Python refuses to read integers of more than 4,300 digits.
        raise InvalidEvent("a number in it is far too large") from None


def _without_mark(text: str) -> str:
    if text.startswith("\ufeff"):
        raise InvalidEvent("this is no JSON: it begins with a byte order mark (BOM); save it as UTF-8 without one")
    return text


def _no_number(name: str) -> NoReturn:
    raise InvalidEvent(f"{name} is no number")


def _each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    event = dict(pairs)
    if len(event) != len(pairs):
        raise InvalidEvent("a key stands in it twice")
    return event


# A cached decoder: `json.loads` would make another for every line.
_DECODER: Final = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=_each_key_once)


def raw_event(value: object) -> Raw:
    if not isinstance(value, dict):
        raise InvalidEvent(f"an event must be a JSON object, not {quote(value)}")
    return cast("Raw", value)


def quote(value: object) -> str:
    """Any value as text for an error message: short and plain ASCII."""
    if isinstance(value, int) and abs(value) > LAST_INSTANT:
        return "a number far too large"
    text = ascii(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def check_keys(raw: Raw, kind: str, keys: frozenset[str]) -> None:
    """Raises `InvalidEvent` for keys that are not among `keys`."""
    if not raw.keys() <= keys:
        extra = ", ".join(sorted(quote(key) for key in raw.keys() - keys))
        raise InvalidEvent(f"{kind}: does not know {extra}; it may carry {', '.join(sorted(keys))}")


def read_whole(raw: Raw, kind: str, key: str, low: int, high: int) -> int:
    """Reads a whole number from `low` to `high`. Raises `InvalidEvent`."""
    if key not in raw:
        raise InvalidEvent(f"{kind}: `{key}` is missing")
    return whole_value(raw[key], f"{kind}: `{key}`", low, high)


def whole_value(value: object, what: str, low: int, high: int) -> int:
    """Checks a whole number from `low` to `high`. Raises `InvalidEvent`."""
    # bool is a subclass of int, but `true` is no seat.
    if type(value) is not int or not low <= value <= high:
        raise InvalidEvent(f"{what} must be a whole number from {low} to {high}, not {quote(value)}")
    return value


def list_value(value: object, what: str) -> list[object]:
    """Checks that the value is a list. Raises `InvalidEvent`."""
    if not isinstance(value, list):
        raise InvalidEvent(f"{what} must be a list, not {quote(value)}")
    return cast("list[object]", value)
