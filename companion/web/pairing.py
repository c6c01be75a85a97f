"""Who is at the table. Looking is for everybody on the network; to say something, a phone first proves that
somebody holds it who sits there: that person presses the seat's button, or types the code that the program shows.

The first one paired of an evening is the host and can pass that on. If the host's phone has not been heard of for
two minutes (its battery is empty, it went home), the next that asks is host.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Final, Protocol, Self

from companion.errors import MayNot, SenselessEvent
from companion.web.phones import EVENING_S, Phone, Phones, digest
from companion.web.tries import Tries

PRESS_WITHIN_S: Final = 10.0
# A wait for a button can't be called off; it is cut into such pieces, so that the program can end.
PIECE_S: Final = 0.2
SILENT_S: Final = 120.0


class Buttons(Protocol):
    """The seats' buttons, where somebody proves with one to sit there."""

    exists: bool

    def await_press(self, seat: int, within_s: float) -> bool: ...


@dataclass(frozen=True, slots=True)
class _Wait:
    """One phone, waiting for its seat's button."""

    key: str
    until: float
    pressed: bool | None = None


class Pairing:
    def __init__(
        self,
        buttons: Buttons | None = None,
        kept: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._buttons = buttons if buttons is not None and buttons.exists else None
        self.code = None if self._buttons else f"{secrets.randbelow(10**6):06}"
        """Six figures for the program's own output; None where buttons do it."""
        self._clock = clock
        self._wall = wall
        self._lock = Lock()
        self._phones = Phones.kept(kept)
        self._tries = Tries(clock)
        self._host_heard = clock()
        self._waits: dict[int, _Wait] = {}
        self._threads: list[Thread] = []
        self._closing = Event()

    def phone(self, token: str | None) -> Phone | None:
        """What is known of the phone that carries this; None for a stranger."""
        with self._lock:
            self._phones.forget_before(self._wall() - EVENING_S)
            key = digest(token) if token else ""
            if key not in self._phones.seats:
                return None
            if key == self._phones.host:
                self._host_heard = self._clock()
            return Phone(self._phones.seats[key], key == self._phones.host)

    def by_code(self, address: str, token: str, code: str, seat: int | None) -> Phone:
        """Raises `MayNot` for a wrong code, `TooOften` for too many."""
        with self._lock:
            self._tries.check(address)
            if self.code is None:
                raise MayNot("At this table a seat's button pairs a phone, not a code.")
            if not secrets.compare_digest(code.encode("utf-8", "surrogatepass"), self.code.encode()):
                self._tries.failed(address)
                raise MayNot("That's not the code that the program shows.")
            return self._paired(digest(token), seat)

    def by_button(self, address: str, token: str, seat: int) -> Phone | None:
        """None while it waits for the press. Raises `MayNot` if nobody has pressed, `TooOften` for too many."""
        key = digest(token)
        with self._lock:
            if self._buttons is None:
                return self._sat_down(key, seat)
            wait = self._waits.get(seat)
            if wait is not None and wait.key == key and wait.pressed is not None:
                del self._waits[seat]
                return self._answered(wait, address, seat)
            self._tries.check(address)
            if wait is None or (wait.key != key and wait.until <= self._clock()):
                self._ask(self._buttons, key, seat)
            elif wait.key != key:
                raise MayNot("Another phone is just waiting for that seat's button; try again in ten seconds.")
            return None

    def pass_host(self, token: str, seat: int) -> None:
        """To the phone that was paired last for that seat. Raises `MayNot`."""
        key = digest(token)
        with self._lock:
            known = key in self._phones.seats
            if not known or (self._phones.host != key and not self._host_is_silent()):
                raise MayNot("Only the host can pass that on.")
            there = [one for one, sits in self._phones.seats.items() if sits == seat]
            if not there:
                raise SenselessEvent(f"No phone is paired for seat {seat}; whoever sits there pairs first.")
            self._make_host(there[-1])
            self._phones.keep()

    def close(self) -> None:
        self._closing.set()
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _sat_down(self, key: str, seat: int) -> Phone:
        """Where there are no buttons, one who has proved to be at the table sits where they say."""
        if key not in self._phones.seats:
            raise MayNot("This table has no buttons; type the code that the program shows.")
        return self._paired(key, seat)

    def _answered(self, wait: _Wait, address: str, seat: int) -> Phone:
        if wait.pressed:
            return self._paired(wait.key, seat)
        self._tries.failed(address)
        raise MayNot("Nobody pressed that seat's button within ten seconds; ask again.")

    def _paired(self, key: str, seat: int | None) -> Phone:
        self._phones.add(key, seat, self._wall())
        if self._phones.host is None or (self._phones.host != key and self._host_is_silent()):
            self._make_host(key)
        self._phones.keep()
        return Phone(seat, self._phones.host == key)

    def _make_host(self, key: str) -> None:
        self._phones.host, self._host_heard = key, self._clock()

    def _host_is_silent(self) -> bool:
        return self._clock() - self._host_heard > SILENT_S

    def _ask(self, buttons: Buttons, key: str, seat: int) -> None:
        self._waits[seat] = wait = _Wait(key, self._clock() + PRESS_WITHIN_S)
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = Thread(target=self._await, args=(buttons, wait, seat), name=f"pairing seat {seat}")
        self._threads.append(thread)
        thread.start()

    def _await(self, buttons: Buttons, wait: _Wait, seat: int) -> None:
        pressed = False
        while not pressed and not self._closing.is_set() and self._clock() < wait.until:
            pressed = buttons.await_press(seat, PIECE_S)
        with self._lock:
            if self._waits.get(seat) is wait:
                self._waits[seat] = replace(wait, pressed=pressed)
