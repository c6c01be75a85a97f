"""A device that Linux shows as /dev/input/event*: an arcade encoder, a keyboard.

Just the few calls of the kernel's evdev interface that are needed: the evdev library has to be compiled when it is
installed, and a fresh Raspberry Pi has no compiler.
"""

import errno
import fcntl
import os
import struct
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final, Self

from hardware.faults import NoAccess, NoButtons

EV_SYN, EV_KEY = 0, 1
SYN_REPORT, SYN_DROPPED = 0, 3
# The kernel's codes of what people give to seats; any other key goes by its number on the device.
_ROWS: Final = ((2, "1234567890"), (16, "QWERTYUIOP"), (30, "ASDFGHJKL"), (44, "ZXCVBNM"))
CODES: Final = {
    **{f"KEY_{key}": first + place for first, row in _ROWS for place, key in enumerate(row)},
    "KEY_ENTER": 28,
    "KEY_LEFTCTRL": 29,
    "KEY_LEFTSHIFT": 42,
    "KEY_RIGHTSHIFT": 54,
    "KEY_SPACE": 57,
    "KEY_KPENTER": 96,
    "KEY_RIGHTCTRL": 97,
    "BTN_TRIGGER": 0x120,
    "BTN_THUMB": 0x121,
    "BTN_THUMB2": 0x122,
    "BTN_TOP": 0x123,
    "BTN_TOP2": 0x124,
    "BTN_PINKIE": 0x125,
    "BTN_BASE": 0x126,
    "BTN_SOUTH": 0x130,
    "BTN_EAST": 0x131,
    "BTN_NORTH": 0x133,
    "BTN_WEST": 0x134,
}
LETTERS: Final = frozenset(CODES[f"KEY_{letter}"] for letter in ascii_uppercase)
# A bit mask for the highest key code of the kernel, in bytes.
_MASK: Final = 0x300 // 8
_EVENT: Final = struct.Struct("llHHi")
_AT_ONCE: Final = 256 * _EVENT.size


def _get(number: int, size: int) -> int:
    return (2 << 30) | (size << 16) | (ord("E") << 8) | number


_NAME: Final = _get(0x06, 256)
_DOWN: Final = _get(0x18, _MASK)
_THERE: Final = _get(0x20 + EV_KEY, _MASK)
_SET_CLOCK: Final = (1 << 30) | (4 << 16) | (ord("E") << 8) | 0xA0


@dataclass(frozen=True, slots=True)
class InputReport:
    """One key of a device went down or up."""

    t_ns: int
    type: int
    code: int
    value: int


class KernelInput:
    """An open input device. Its timestamps are set to CLOCK_MONOTONIC; the kernel's default is the wall clock."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        fcntl.ioctl(fd, _SET_CLOCK, struct.pack("i", time.CLOCK_MONOTONIC))
        self.name = fcntl.ioctl(fd, _NAME, bytes(256)).split(b"\0")[0].decode("utf-8", "replace")
        self.keys = tuple(_bits(fcntl.ioctl(fd, _THERE, bytes(_MASK))))

    @classmethod
    def opened(cls, path: str) -> Self | None:
        """None if nothing is plugged in."""
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                return cls(fd)
            except OSError:
                os.close(fd)
                raise
        except PermissionError as error:
            raise NoAccess(
                f"{path} may not be read by this user: add it to the group input (sudo usermod -aG input NAME) "
                "and log in again."
            ) from error
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
                return None
            if error.errno in (errno.ENOTTY, errno.EINVAL):
                raise NoButtons(
                    f"{path} is no input device: what is plugged in stands under /dev/input/by-id."
                ) from error
            raise

    def held(self) -> Sequence[int]:
        return tuple(_bits(fcntl.ioctl(self.fd, _DOWN, bytes(_MASK))))

    def read(self) -> list[InputReport]:
        """The reports since the last call. Raises `OSError` with ENODEV once the device is unplugged."""
        try:
            some = os.read(self.fd, _AT_ONCE)
        except BlockingIOError:
            return []
        return [
            InputReport(seconds * 1_000_000_000 + micros * 1000, kind, code, value)
            for seconds, micros, kind, code, value in _EVENT.iter_unpack(some)
        ]

    def close(self) -> None:
        os.close(self.fd)


def _bits(mask: bytes) -> Iterator[int]:
    return (number for number in range(len(mask) * 8) if mask[number // 8] >> number % 8 & 1)
