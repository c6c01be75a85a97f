"""Buttons on a USB arcade encoder or a keyboard, as Linux input devices.

The kernel stamps each report when it arrives, by default with the wall clock; we ask for the monotonic one. All
buttons in one report share one time: such a device polls its buttons every few milliseconds and can't order what
it saw in one poll. That counts as a dead heat.
"""

import select
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Protocol

from hardware.faults import NoAccess, NoButtons
from hardware.input.input_device import CODES, EV_KEY, EV_SYN, LETTERS, SYN_DROPPED, InputReport, KernelInput
from hardware.ports import PRESSED, RELEASED, KernelEdge

# The retry interval for an unplugged device.
AGAIN_S: Final = 0.5
# The values of a key event; 2 would be the automatic repeat of a held key.
UP, DOWN = 0, 1
POLLED: Final = (
    "The {} looks at its buttons every few milliseconds: who presses between two looks is equally fast."
)


class InputDevice(Protocol):
    """An input device as it is needed here; `input_device.KernelInput` is one."""

    fd: int
    name: str
    keys: tuple[int, ...]
    """All key codes of the device."""

    def held(self) -> Sequence[int]: ...
    def read(self) -> list[InputReport]: ...
    def close(self) -> None: ...


Open = Callable[[], Sequence[InputDevice]]


class EncoderButtons:
    """The buttons as an `EdgeSource`. `keys`: for each button its key's name (BTN_TRIGGER, KEY_A) or its number on
    the encoder."""

    def __init__(self, keys: Sequence[int | str], open_devices: Open, what: str) -> None:
        self._open = open_devices
        self._what = what
        self._keys = keys
        self._devices = list(open_devices())
        if not self._devices:
            raise NoButtons(f"There is no {what}: plug it in, or say in rig.toml where the buttons are.")
        with ExitStack() as undo:
            undo.callback(self.close)
            self._codes = codes_of(keys, self._devices)
            self._down: set[int] = self._active()
            undo.pop_all()
        self._numbers = [0] * len(keys)
        self._refused: str | None = None
        """Why the device may not be opened, though it is there."""
        self._edges: list[KernelEdge] = []
        """Edges that were not taken yet."""
        self._look_at = 0.0

    @property
    def doubts(self) -> tuple[str, ...]:
        return (POLLED.format(self._what),)

    @property
    def trouble(self) -> str | None:
        """What is wrong now, in words; None if all is well."""
        if self._devices:
            return None
        return self._refused or f"The {self._what} is unplugged: plug it in again, the game goes on."

    def held(self) -> tuple[int, ...]:
        return tuple(sorted(self._down))

    def read(self, timeout_s: float) -> tuple[KernelEdge, ...]:
        try:
            self._look_for_plug()
            for device in self._ready(timeout_s):
                self._hear(device.read())
        except NoAccess as error:
            # Just after it was plugged in, a device belongs to root until udev has set its permissions.
            self._refused = str(error)
        except OSError:
            # Usually it was unplugged; after any other error it is opened again as well.
            self._unplugged()
        edges, self._edges = tuple(self._edges), []
        return edges

    def close(self) -> None:
        for device in self._devices:
            device.close()
        self._devices = []

    def _look_for_plug(self) -> None:
        if self._devices or time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + AGAIN_S
        self._devices = list(self._open())
        self._refused = None
        if self._devices:
            self._catch_up(time.monotonic_ns())

    def _ready(self, timeout_s: float) -> list[InputDevice]:
        """The devices with data. Waits for the timeout even if none is plugged in."""
        ready, _, _ = select.select([device.fd for device in self._devices], [], [], timeout_s)
        return [device for device in self._devices if device.fd in ready]

    def _hear(self, reports: Iterable[InputReport]) -> None:
        for report in reports:
            if (report.type, report.code) == (EV_SYN, SYN_DROPPED):
                self._catch_up(report.t_ns)
            elif report.type == EV_KEY and report.code in self._codes and report.value in (UP, DOWN):
                self._tell(self._codes.index(report.code), report.t_ns, down=report.value == DOWN)

    def _tell(self, button: int, t_ns: int, *, down: bool, lost: int = 0) -> None:
        self._numbers[button] += 1 + lost
        (self._down.add if down else self._down.discard)(button)
        self._edges.append(KernelEdge(button, t_ns, PRESSED if down else RELEASED, self._numbers[button]))

    def _catch_up(self, t_ns: int) -> None:
        """The kernel's buffer has overflowed: the present state of the buttons is delivered, with a gap before
        it."""
        active = self._active()
        for button in sorted(active ^ self._down):
            self._tell(button, t_ns, down=button in active, lost=1)

    def _unplugged(self) -> None:
        self.close()
        now = time.monotonic_ns()
        # An unplugged button counts as released.
        for button in sorted(self._down):
            self._tell(button, now, down=False, lost=1)

    def _active(self) -> set[int]:
        codes = {code for device in self._devices for code in device.held()}
        return {button for button, code in enumerate(self._codes) if code in codes}


def codes_of(keys: Sequence[int | str], devices: Sequence[InputDevice]) -> list[int]:
    """The kernel's key code of each; a number counts the device's own buttons from 1."""
    there = sorted({code for device in devices for code in device.keys})
    codes: list[int] = []
    for key in keys:
        code = _code(key, there, devices[0].name)
        if code in codes:
            other = keys[codes.index(code)]
            raise NoButtons(f"{other!r} and {key!r} are one key of {devices[0].name}: name another.")
        codes.append(code)
    return codes


def _code(key: int | str, there: Sequence[int], name: str) -> int:
    if isinstance(key, int):
        if not 1 <= key <= len(there):
            raise NoButtons(f"{name} has buttons 1 to {len(there)}, and no button {key}.")
        return there[key - 1]
    code = CODES.get(key.upper() if "_" in key else f"KEY_{key.upper()}")
    if code is None or code not in there:
        raise NoButtons(f"{name} has no key {key!r}: name one as Linux does (KEY_A, BTN_TRIGGER), or its number.")
    return code


def open_encoder(path: str) -> Open:
    """Opens the device at that path; /dev/input/by-id/… stays the same in any USB port."""
    return lambda: [one] if (one := KernelInput.opened(path)) is not None else []


def open_keyboards(folder: Path = Path("/dev/input")) -> Open:
    """Opens all devices that have letter keys."""

    def open_inputs() -> list[KernelInput]:
        found = [
            one for path in sorted(folder.glob("event*")) if (one := KernelInput.opened(str(path))) is not None
        ]
        letters = [one for one in found if LETTERS.issubset(one.keys)]
        for one in found:
            if one not in letters:
                one.close()
        return letters

    return open_inputs
