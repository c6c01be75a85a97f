"""A webcam without a webcam: `python webcam.py FILM`. It plugs itself into the kernel's virtual USB port
(vhci_hcd), where the kernel's own driver for webcams finds it; whoever ends this process pulls it out.

It shows a film: in `FILM/pictures` lies one JPEG behind the other, `FILM/film.json` says when each is due. The
first one stays until `FILM/shown` says at which instant of CLOCK_MONOTONIC the film began, and how far it may run.
"""

import errno
import json
import os
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Lock, Thread
from typing import Final

# The emulated machine has enough to do with reading pictures; unpacking more of them is no use.
WIDE, HIGH, A_SECOND = 640, 480, 5
INTERVAL: Final = 10_000_000 // A_SECOND
PAYLOAD: Final = 16384
LARGEST: Final = WIDE * HIGH * 2
# Of the port: high speed, and the number under which USB devices are known there.
PORT: Final = Path("/sys/devices/platform/vhci_hcd.0/attach")
DEVICE_ID, HIGH_SPEED = 0x10002, 3
SUBMIT, UNLINK, SUBMITTED, UNLINKED = 1, 2, 3, 4
GET_DESCRIPTOR: Final = (0x80, 6)
STREAMING: Final = 1
ASKS_ON_S: Final = 2.0
# Below the kernel's threads, above all else.
PRIORITY: Final = 5


def _short(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}H", *numbers)


def _long(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def _control_interface() -> bytes:
    """The camera and the plug that its pictures come out of."""
    camera = bytes((18, 0x24, 2, 1)) + _short(0x0201) + bytes((0, 0)) + bytes(6) + bytes((3, 0, 0, 0))
    plug = bytes((9, 0x24, 3, 2)) + _short(0x0101) + bytes((0, 1, 0))
    head = bytes((13, 0x24, 1)) + _short(0x0100, 13 + len(camera + plug)) + _long(48_000_000) + bytes((1, 1))
    return bytes((9, 4, 0, 0, 0, 14, 1, 0, 0)) + head + camera + plug


def _streaming_interface() -> bytes:
    """JPEG of one size, through one bulk endpoint."""
    size = _short(WIDE, HIGH) + _long(LARGEST * 8, LARGEST * 8 * A_SECOND, LARGEST, INTERVAL)
    formats = (
        bytes((11, 0x24, 6, 1, 1, 1, 1, 0, 0, 0, 0)) + bytes((30, 0x24, 7, 1, 0)) + size + b"\1" + _long(INTERVAL)
    )
    head = bytes((14, 0x24, 1, 1)) + _short(14 + len(formats)) + bytes((0x81, 0, 2, 0, 0, 0, 1, 0))
    endpoint = bytes((7, 5, 0x81, 2)) + _short(512) + b"\0"
    return bytes((9, 4, 1, 0, 1, 14, 2, 0, 0)) + head + formats + endpoint


def _configuration() -> bytes:
    both = bytes((8, 11, 0, 2, 14, 3, 0, 0))
    body = both + _control_interface() + _streaming_interface()
    return bytes((9, 2)) + _short(9 + len(body)) + bytes((2, 1, 0, 0x80, 50)) + body


NAMES: Final = ("", "table companion", "Drawn webcam", "1")
DEVICE: Final = bytes((18, 1, 0, 2, 0xEF, 2, 1, 64)) + _short(0x1D6B, 0x0102, 1) + bytes((1, 2, 3, 1))
QUALIFIER: Final = bytes((10, 6, 0, 2, 0xEF, 2, 1, 64, 1, 0))
# What both sides agree on: the only format and size there are.
AGREED: Final = _short(1) + b"\1\1" + _long(INTERVAL) + bytes(10) + _long(LARGEST, PAYLOAD)
INFO, LENGTH = 0x86, 0x85


def _descriptor(kind: int, number: int) -> bytes | None:
    match kind:
        case 1:
            return DEVICE
        case 2:
            return _configuration()
        case 3:
            name = NAMES[number].encode("utf-16le")
            return bytes((2 + len(name), 3)) + name if number else b"\4\3\x09\4"
        case 6:
            return QUALIFIER
        case _:
            return None


def answer(setup: bytes) -> bytes | None:
    """To a control request; None where it makes no sense."""
    kind, request, value, index, length = struct.unpack("<BBHHH", setup)
    if (kind, request) == GET_DESCRIPTOR:
        said = _descriptor(value >> 8, value & 255)
        return None if said is None else said[:length]
    if kind == 0xA1 and index & 255 == STREAMING:
        return {LENGTH: _short(len(AGREED)), INFO: b"\3"}.get(request, AGREED)[:length]
    return bytes(length) if kind & 0x80 else b""


class Film:
    def __init__(self, folder: Path) -> None:
        self._shown_until = folder / "shown"
        self._pictures = (folder / "pictures").open("rb")
        self._frames: deque[tuple[int, int, int]] = deque(
            map(tuple, json.loads((folder / "film.json").read_text()))
        )
        self._shown = self._next()

    def now(self) -> bytes:
        t = self._time()
        while self._frames and self._frames[0][0] <= t:
            self._shown = self._next()
        return self._shown

    def _time(self) -> int:
        if not self._shown_until.exists():
            return -1
        begun, end = map(int, self._shown_until.read_text().split())
        return min(time.monotonic_ns() - begun, end)

    def _next(self) -> bytes:
        _, start, size = self._frames.popleft()
        self._pictures.seek(start)
        return self._pictures.read(size)


@dataclass
class Webcam:
    """USB requests come through a socket, as they would from another machine (usbip)."""

    port: socket.socket
    picture: Callable[[], bytes]
    _asked: deque[tuple[int, int]] = field(default_factory=deque[tuple[int, int]])
    """What asks for pieces of pictures: number and room."""
    _came: Condition = field(default_factory=Condition)
    _speaking: Lock = field(default_factory=Lock)

    def run(self) -> None:
        Thread(target=self._film, daemon=True).start()
        while True:
            command, number, _, inwards, endpoint = struct.unpack(">5I", self._read(20))
            rest = self._read(28)
            if command == SUBMIT:
                room, setup = int.from_bytes(rest[4:8], "big"), rest[20:28]
                # Nothing that the driver sends along has a choice in it.
                self._read(0 if inwards else room)
                self._submitted(number, endpoint, room, setup)
            elif command == UNLINK:
                self._unlink(number, int.from_bytes(rest[:4], "big"))

    def _submitted(self, number: int, endpoint: int, room: int, setup: bytes) -> None:
        if endpoint:
            with self._came:
                self._asked.append((number, room))
                self._came.notify()
            return
        said = answer(setup)
        out = not setup[0] & 0x80
        self._reply(number, said or b"", 0 if said is not None else -errno.EPIPE, room if out else None)

    def _unlink(self, number: int, other: int) -> None:
        with self._came:
            kept = deque(one for one in self._asked if one[0] != other)
            found, self._asked = len(kept) < len(self._asked), kept
        with self._speaking:
            self.port.sendall(struct.pack(">5Ii24x", UNLINKED, number, 0, 0, 0, -errno.ECONNRESET if found else 0))

    def _reply(self, number: int, data: bytes, status: int = 0, length: int | None = None) -> None:
        many = len(data) if length is None else length
        with self._speaking:
            self.port.sendall(struct.pack(">5IiIIII8x", SUBMITTED, number, 0, 0, 0, status, many, 0, 0, 0) + data)

    def _film(self) -> None:
        due, toggle = time.monotonic(), 0
        while True:
            with self._came:
                self._came.wait_for(lambda: self._asked)
            due = max(due + 1 / A_SECOND, time.monotonic())
            time.sleep(max(0.0, due - time.monotonic()))
            self._send(self.picture(), toggle)
            toggle ^= 1

    def _send(self, jpeg: bytes, toggle: int) -> None:
        step = PAYLOAD - 2
        pieces = [jpeg[start : start + step] for start in range(0, len(jpeg), step)]
        for left, piece in zip(range(len(pieces) - 1, -1, -1), pieces, strict=True):
            with self._came:
                # Nobody asks on: the camera was closed in the middle of a picture.
                if not self._came.wait_for(lambda: self._asked, ASKS_ON_S):
                    return
                number, room = self._asked.popleft()
            head = bytes((2, 0x80 | toggle | (0 if left else 2)))
            self._reply(number, (head + piece)[:room])

    def _read(self, size: int) -> bytes:
        some = b""
        while len(some) < size:
            more = self.port.recv(size - len(some))
            if not more:
                sys.exit("unplugged")
            some += more
        return some


def main(folder: str) -> None:
    # A real one does not wait for whoever looks through it to leave it some of the processor.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    ours, theirs = socket.socketpair()
    webcam = Webcam(ours, Film(Path(folder)).now)
    with theirs:
        PORT.write_text(f"0 {theirs.fileno()} {DEVICE_ID} {HIGH_SPEED}")
    webcam.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
