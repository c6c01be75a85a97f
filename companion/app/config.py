"""rig.toml: which hardware is built where. Read once and fully checked; an error names the key and its line.

Only the command line reads it; everything else gets plain values.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from companion.app.address import Address, address_in
from companion.core.languages import LANGUAGES
from companion.core.mat import Point
from companion.core.seating import MOST_PLACES
from companion.errors import BadConfig
from companion.games.registry import GAMES

# The deck that comes with the program.
SUPPLIED_DECK: Final = next(deck for game in GAMES.values() if (deck := game.camera.deck) is not None)
# GPIO 0 and 1 of the 40-pin header are reserved for the boards that are plugged on top (HATs).
PINS: Final = range(2, 28)
_PIN: Final = re.compile(r"(?:GPIO)?(\d{1,2})", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[0-9]{1,3}")
_SEAT_TABLE: Final = re.compile(r"^\s*\[\[\s*seats\s*\]\]", re.MULTILINE)

T = TypeVar("T")
KeyPath = tuple[str | int, ...]
"""The path to a value: names of keys, and indexes into arrays."""
Pin = int | str
"""A GPIO's number, or on an encoder or a keyboard a key's name or number."""


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """The wiring of one seat: its buttons and its lamp."""

    grab: Pin
    call: Pin | None = None
    lamp: int | None = None


@dataclass(frozen=True, slots=True)
class RigPlan:
    """How the rig is built, as plain values."""

    seats: tuple[SeatPlan, ...]
    buttons: str = "gpio"
    camera: str = "pi"
    corners: tuple[Point, ...] | None = None
    """The grid's corners in the picture, in pixels; None where the mat shows them."""
    deck: str = SUPPLIED_DECK
    chip: str | None = None
    language: str | None = None
    address: Address = field(default_factory=Address)


# Default pins, next to each other on the header, so that a seat's three wires leave together; see
# hardware/README.md.
USUAL: Final = tuple(
    SeatPlan(grab, call, lamp)
    for grab, call, lamp in ((17, 27, 22), (5, 6, 13), (19, 26, 21), (23, 24, 25), (12, 16, 20), (4, 7, 18))
)

USUAL_PLACES: Final = len(USUAL)
# Default keys on a keyboard, far enough from each other for six hands.
KEYS: Final = ("a", "l", "q", "p", "z", "m")


def usual_seats(buttons: str) -> tuple[SeatPlan, ...]:
    """The default seats, where rig.toml names none."""
    match buttons:
        case "gpio":
            return USUAL
        case "keyboard":
            return tuple(SeatPlan(key) for key in KEYS)
        case _:
            return tuple(SeatPlan(number) for number in range(1, USUAL_PLACES + 1))


def read_config(path: Path) -> RigPlan:
    """Reads and checks a rig.toml."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadConfig(f"{path}: this is no text in UTF-8") from error
    return parsed_config(text, str(path))


def parsed_config(text: str, name: str = "rig.toml") -> RigPlan:
    """Parses and checks the text of a rig.toml; `name` is for error messages."""
    try:
        said = tomllib.loads(text)
    except RecursionError:
        raise BadConfig(f"{name}: it is nested far deeper than anything that can be said in it") from None
    except ValueError as error:
        raise BadConfig(f"{name}: {error}") from error
    page = _ConfigText(name, text)
    page.only(said, ("seats", "buttons", "camera", "mat", "corners", "deck", "chip", "language", "address"))
    buttons = page.one(said, "buttons", "gpio", _buttons)
    seats = _seats(page, said, buttons) if "seats" in said else usual_seats(buttons)
    mat = page.one(said, "mat", "corners" not in said, _yes_or_no)
    if mat and "corners" in said:
        raise page.wrong(("corners",), "say either mat = true or the corners, not both")
    if not mat and "corners" not in said:
        raise page.wrong(("mat",), "without a mat, the grid's corners are needed: corners = [[x, y], …] (four)")
    camera = page.one(said, "camera", "pi", _camera)
    if (camera == "demo") != (buttons == "demo"):
        raise page.wrong(
            ("camera",) if "camera" in said else ("buttons",),
            "a drawn camera and drawn buttons belong together: say demo for both, or for none",
        )
    deck = page.one(said, "deck", SUPPLIED_DECK, _text)
    if camera == "demo" and deck != SUPPLIED_DECK:
        raise page.wrong(("deck",), f"the drawn camera shows the deck {SUPPLIED_DECK!r}; leave this line out")
    return RigPlan(
        seats,
        buttons,
        camera,
        page.one(said, "corners", None, _corners),
        deck,
        page.one(said, "chip", None, _text),
        page.one(said, "language", None, _language),
        page.one(said, "address", Address(), address_in),
    )


@dataclass(frozen=True, slots=True)
class _ConfigText:
    """The file's text, to find the line of a key for error messages."""

    name: str
    text: str

    def wrong(self, key: KeyPath, what: str) -> BadConfig:
        seat = "".join(f", seat {part + 1}" for part in key if isinstance(part, int))
        return BadConfig(f"{self.name}, line {self._line_of(key)}{seat}: {what}")

    def _line_of(self, key: KeyPath) -> int:
        """The first line that mentions the key, for a seat the first after its [[seats]]. A plain text search, so
        a comment with the same word may mislead it."""
        seats = [found.start() for found in _SEAT_TABLE.finditer(self.text)]
        begin = next((seats[part] for part in key if isinstance(part, int) and part < len(seats)), 0)
        name = next(part for part in reversed(key) if isinstance(part, str))
        found = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])").search(self.text, begin)
        return 1 if found is None else self.text.count("\n", 0, found.start()) + 1

    def only(self, said: Mapping[str, Any], known: Sequence[str], where: KeyPath = ()) -> None:
        for key in said:
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
                raise self.wrong((*where, key), f"{key!r} is not known here; {hint}")

    def one(
        self, said: Mapping[str, Any], key: str, default: T, read: Callable[[Any], T], where: KeyPath = ()
    ) -> T:
        if key not in said:
            return default
        try:
            return read(said[key])
        except ValueError as error:
            raise self.wrong((*where, key), f"{key}: {error}") from error


def _seats(page: _ConfigText, said: Mapping[str, Any], buttons: str) -> tuple[SeatPlan, ...]:
    tables = cast("list[object]", said["seats"]) if isinstance(said["seats"], list) else []
    if not 2 <= len(tables) <= MOST_PLACES:
        raise page.wrong(("seats",), f"a table has 2 to {MOST_PLACES} seats, each under [[seats]]")
    pin, gpio = _grab(buttons)
    seats: list[SeatPlan] = []
    for number, one in enumerate(tables):
        where = ("seats", number)
        if not isinstance(one, dict):
            raise page.wrong(where, f"{one!r} is no seat; give each one's pins, as in {{grab = 17, lamp = 22}}")
        table = cast("dict[str, Any]", one)
        page.only(table, ("grab", "call", "lamp"), where)
        if "grab" not in table:
            raise page.wrong(where, "it has no grab button")
        seats.append(
            SeatPlan(
                page.one(table, "grab", 0, pin, where),
                page.one(table, "call", None, pin, where),
                page.one(table, "lamp", None, _pin, where),
            )
        )
    _each_once(page, seats, gpio=gpio)
    return tuple(seats)


def _grab(buttons: str) -> tuple[Callable[[object], Pin], bool]:
    """The reader for a seat's buttons, and whether they are GPIOs."""
    match buttons.partition(":")[0]:
        case "gpio":
            return _pin, True
        case "evdev" | "keyboard":
            return _key, False
        case _:
            return _pin_or_key, True


def _each_once(page: _ConfigText, seats: Sequence[SeatPlan], *, gpio: bool) -> None:
    taken: dict[Pin, str] = {}
    for number, seat in enumerate(seats):
        pins = {"grab": seat.grab, "call": seat.call, "lamp": seat.lamp}
        for what, pin in pins.items():
            if pin is None:
                continue
            # An encoder's keys and the lamps' pins may have the same numbers without a conflict.
            known = pin if gpio or what == "lamp" else f"key {_spelt(pin)}"
            if known in taken:
                raise page.wrong(("seats", number, what), f"{what}: {pin} is already {taken[known]}")
            taken[known] = f"seat {number + 1}'s {what}"


def _spelt(key: Pin) -> str:
    """Normalises a key's name; whether a name and a number mean the same key only the device knows."""
    return str(key).upper().removeprefix("KEY_")


def _pin(said: object) -> int:
    found = _PIN.fullmatch(str(said)) if isinstance(said, int | str) and not isinstance(said, bool) else None
    if found is None:
        raise ValueError(f'{said!r} is no pin; give the GPIO\'s number, as in 17 or "GPIO17"')
    number = int(found[1])
    if number not in PINS:
        raise ValueError(f"there is no GPIO{number} to be wired to: {PINS.start} to {PINS.stop - 1} are")
    return number


def _pin_or_key(said: object) -> Pin:
    """For rigs without wired buttons: settings for any kind of buttons may stay, but a number must be a pin."""
    return _key(said) if isinstance(said, str) and not _PIN.fullmatch(said) else _pin(said)


def _key(said: object) -> Pin:
    if isinstance(said, bool) or not isinstance(said, int | str) or not said:
        raise ValueError(f'{said!r} is no key; give its name, as in "KEY_A", or its number on the encoder')
    return said


def _yes_or_no(said: object) -> bool:
    if not isinstance(said, bool):
        raise ValueError(f"{said!r} is neither true nor false")  # noqa: TRY004 - to be named with its line
    return said


def _text(said: object) -> str:
    if not isinstance(said, str) or not said:
        raise ValueError(f"{said!r} is no text")
    return said


def _buttons(said: object) -> str:
    if said in ("gpio", "keyboard", "demo", "none") or (isinstance(said, str) and said.startswith("evdev:/")):
        return str(said)
    raise ValueError(f'{said!r} is none of "gpio", "evdev:/dev/input/…", "keyboard", "demo", "none"')


def _camera(said: object) -> str:
    what = _text(said)
    if what.startswith("/dev/") or _NUMBER.fullmatch(what):
        return f"usb:{what}"
    kind, _, number = what.partition(":")
    if kind == "usb" and not number.startswith("/dev/") and not _NUMBER.fullmatch(number):
        raise ValueError(f'{what!r}: a USB camera has a number or a device, as in "usb:0" or "usb:/dev/video0"')
    if kind == "pi" and what != "pi" and not _NUMBER.fullmatch(number):
        raise ValueError(f'{what!r}: the Pi\'s cameras are "pi" and, where there are two, "pi:1"')
    return what


def _language(said: object) -> str:
    if said not in LANGUAGES:
        raise ValueError(f"{said!r} is none of {', '.join(LANGUAGES)}")
    return str(said)


def _corners(said: object) -> tuple[Point, ...]:
    from companion.eyes.grid.grid_from_corners import parse_corners  # noqa: PLC0415 - it loads OpenCV

    return parse_corners(said)
