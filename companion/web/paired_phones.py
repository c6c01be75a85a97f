"""The paired phones, and the file format in which they are kept.

Only digests of the phones' tokens are stored, so a copy of the file lets nobody in. The age of each pairing is
counted by the machine's uptime, which nobody sets: a Pi without a clock battery boots with an old time, and NTP
then moves the wall clock by days, even in the middle of an evening.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from time import time
from typing import Final

from companion.core.seating import MOST_PLACES
from companion.core.strict_json import LAST_INSTANT, Raw, parse, raw_event, read_whole, whole_value
from companion.errors import InvalidEvent
from companion.table.uptime import boot_id, uptime

# A pairing lasts for one evening; the next day each phone pairs again.
EVENING_S: Final = 12 * 3600
# More than there are people at a table. Beyond this limit the oldest pairing is dropped.
MOST: Final = 64


@dataclass(frozen=True, slots=True)
class Phone:
    """One paired phone."""

    place: int | None
    """The place at the table, as rig.toml counts them, in whatever game. None if the phone has named none."""
    host: bool


@dataclass(frozen=True, slots=True)
class UptimeClock:
    """`seconds` counts within one boot; `wall` tells how much time may have passed between two boots."""

    seconds: Callable[[], float] = uptime
    wall: Callable[[], float] = time
    boot: str | None = field(default_factory=boot_id)


@dataclass(slots=True)
class Phones:
    """All paired phones, by the digest of their token."""

    host: str | None = None
    places: dict[str, int | None] = field(default_factory=dict[str, int | None])
    since: dict[str, float] = field(default_factory=dict[str, float])
    """When each phone was paired, in uptime seconds."""
    of_another_boot: bool = False
    """Whether they were stored before the machine was last switched on: their phones may not be there now."""

    def add(self, key: str, place: int | None, now: float) -> None:
        self.places.pop(key, None)
        self.places[key], self.since[key] = place, now
        while len(self.places) > MOST:
            self.remove(next(iter(self.places)))

    def remove(self, key: str) -> None:
        self.places.pop(key, None)
        self.since.pop(key, None)
        self.host = None if self.host == key else self.host

    def forget_before(self, then: float) -> None:
        for key in [key for key, since in self.since.items() if since < then]:
            self.remove(key)

    def text(self, clock: UptimeClock) -> str:
        """With both clocks, so that the age of a pairing survives a reboot."""
        phones = {key: {"seat": place, "since": _whole(self.since[key])} for key, place in self.places.items()}
        now = {"boot": clock.boot, "uptime": _whole(clock.seconds()), "wall": _whole(clock.wall())}
        return json.dumps({**now, "host": self.host, "phones": phones})


def read_phones(text: bytes, clock: UptimeClock) -> Phones:
    """A file that can't be parsed gives no phones: each phone can pair again."""
    try:
        return _read(raw_event(parse(text)), clock)
    except InvalidEvent:
        return Phones()


def _read(said: Raw, clock: UptimeClock) -> Phones:
    then, wall = _seconds(said, "uptime"), _seconds(said, "wall")
    is_same = clock.boot is not None and said.get("boot") == clock.boot
    # Only the wall clock can tell how long the machine was off. If it went back, that time counts as zero.
    now = clock.seconds()
    moved = 0.0 if is_same else now - then - max(0.0, clock.wall() - wall)
    phones = Phones(of_another_boot=not is_same)
    for key, phone in raw_event(said.get("phones")).items():
        one = raw_event(phone)
        place = None if one.get("seat") is None else whole_value(one.get("seat"), "a seat", 0, MOST_PLACES - 1)
        phones.add(key, place, min(_seconds(one, "since") + moved, now))
    host = said.get("host")
    phones.host = host if isinstance(host, str) and host in phones.places else None
    return phones


def _whole(seconds: float) -> int:
    return max(0, int(seconds))


def _seconds(said: Raw, key: str) -> int:
    return read_whole(said, "a time", key, 0, LAST_INSTANT)


def digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
