"""Pairing. Everybody on the network may look; to send events, a phone must prove that its owner sits at the table.
The owner presses the seat's button, or types the code that the program shows.

The first phone paired in an evening is the host's; the host can pass this on. After two minutes without any
request from the host's phone (empty battery, gone home), the next phone that asks becomes host.
"""

import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from threading import Lock
from typing import Final, Protocol

from companion.core.seating import MOST_PLACES
from companion.errors import InvalidEvent, NotAllowed, RateLimited
from companion.table.uptime import boot_id, uptime
from companion.threads.troubles import Troubles
from companion.web.paired_phones import EVENING_S, Phone, UptimeClock, digest
from companion.web.phones_file import PhonesFile
from companion.web.rate_limit import A_MINUTE, PairingAttempts

_log: Final = logging.getLogger(__name__)

PRESS_WITHIN_S: Final = 10.0
# A waiting phone polls every half second. After this pause its attempt starts again.
COMES_BACK_S: Final = 5.0
SILENT_S: Final = 120.0
NO_BUTTONS: Final = "This table has no buttons; type the code that the program shows."
NO_BUTTON_THERE: Final = "That seat has no button; press another seat's to pair this phone, then choose that seat."


class Buttons(Protocol):
    """The seats' buttons, as far as pairing needs them."""

    @property
    def exists(self) -> bool:
        """Whether real buttons are connected: drawn or unplugged ones prove nothing."""
        ...

    def pressed_ago(self, seat: int, /) -> float | None:
        """Seconds since the newest press at that place; None before its first."""
        ...


@dataclass(frozen=True, slots=True)
class _Wait:
    """One phone that waits for a press of its seat's button."""

    key: str
    address: str
    since: float

    @property
    def until(self) -> float:
        return self.since + PRESS_WITHIN_S


class Pairing:
    """Which phone may speak for which place, and which phone is the host's."""

    def __init__(  # noqa: PLR0913 - each has a default
        self,
        buttons: Buttons | None = None,
        kept: Path | None = None,
        *,
        wired: int = MOST_PLACES,
        clock: Callable[[], float] = uptime,
        wall: Callable[[], float] = time.time,
        boot: str | None = None,
        troubles: Troubles | None = None,
    ) -> None:
        """`kept`: the file of the paired phones. `wired`: how many places have a button. `boot`: the boot's id, if
        not the machine's own."""
        self._buttons = buttons
        self._wired = wired
        self._code = f"{secrets.randbelow(10**6):06}"
        self._clock = UptimeClock(clock, wall, boot or boot_id())
        self._lock = Lock()
        self._file = PhonesFile(kept, self._clock, troubles or Troubles())
        self._phones = self._file.read()
        self._tries = PairingAttempts(clock)
        # After a reboot, the earlier host's phone gets no two minutes to come back.
        self._host_heard = -inf if self._phones.of_another_boot else clock()
        self._waits: dict[int, _Wait] = {}

    @property
    def code(self) -> str | None:
        """The six-digit code for the program's output; None while buttons are used for pairing."""
        return self._code if self._there() is None else None

    def host(self) -> int | None:
        """The place of the host's phone. None if there is no host and also if the host has no seat: `has_host`
        tells these apart."""
        with self._lock:
            return None if self._phones.host is None else self._phones.places[self._phones.host]

    @property
    def has_host(self) -> bool:
        with self._lock:
            return self._phones.host is not None

    def _there(self) -> Buttons | None:
        return self._buttons if self._buttons is not None and self._buttons.exists else None

    def phone(self, token: str | None) -> Phone | None:
        """The phone with this token; None if it is unknown."""
        found = self.hear(token)
        if self._file.is_due():
            self._keep()
        return found

    def hear(self, token: str | None) -> Phone | None:
        """Like `phone`, and counts as a heartbeat of that phone, also from a page that is just open. Never waits
        for the disk."""
        with self._lock:
            self._phones.forget_before(self._clock.seconds() - EVENING_S)
            key = digest(token) if token else ""
            if key not in self._phones.places:
                return None
            if key == self._phones.host:
                self._host_heard = self._clock.seconds()
            return Phone(self._phones.places[key], key == self._phones.host)

    def knows(self, token: str) -> bool:
        """Whether a phone with this token is paired or waits for a button."""
        key = digest(token)
        with self._lock:
            return key in self._phones.places or any(wait.key == key for wait in self._waits.values())

    def by_code(self, address: str, token: str, code: str, place: int | None) -> Phone:
        """Pairs with the code. Raises `NotAllowed` for a wrong code, `RateLimited` after too many attempts."""
        with self._lock:
            self._tries.check(address)
            if self._there() is not None:
                raise NotAllowed("At this table a seat's button pairs a phone, not a code.")
            if not secrets.compare_digest(code.encode("utf-8", "surrogatepass"), self._code.encode()):
                self._tries.note_failure(address)
                raise NotAllowed("That's not the code that the program shows.")
            paired = self._paired(digest(token), place)
        self._keep()
        return paired

    def by_button(self, address: str, token: str, place: int) -> Phone | None:
        """Pairs with a press. None while it still waits for the press; raises `NotAllowed` if it timed out,
        `RateLimited` after too many attempts."""
        with self._lock:
            paired = self._asked(address, digest(token), place)
        if paired is not None:
            self._keep()
        return paired

    def pressed_instead(self, token: str, place: int) -> int | None:
        """The place where somebody pressed while this phone waited for the button at `place`: people at a new
        table may count the places differently."""
        buttons, now = self._there(), self._clock.seconds()
        with self._lock:
            wait = self._waits.get(place)
        if buttons is None or wait is None or wait.key != digest(token):
            return None
        ago = {other: buttons.pressed_ago(other) for other in range(MOST_PLACES) if other != place}
        pressed = {other: since for other, since in ago.items() if _is_awaited_press(wait, since, now)}
        return min(pressed, key=lambda other: pressed[other] or 0.0, default=None)

    def _asked(self, address: str, key: str, place: int) -> Phone | None:
        buttons = self._there()
        if buttons is None or place >= self._wired:
            return self._sit_down(key, place)
        wait, now = self._waits.get(place), self._clock.seconds()
        if wait is None or wait.key != key or now > wait.until + COMES_BACK_S:
            self._ask(wait, _Wait(key, address, now), place)
            return None
        if _is_awaited_press(wait, buttons.pressed_ago(place), now):
            del self._waits[place]
            return self._paired(key, place)
        if now <= wait.until:
            return None
        self._give_up(place)
        raise NotAllowed("Nobody pressed that seat's button within ten seconds; ask again.")

    def pass_host(self, token: str, place: int) -> None:
        """Makes the phone host that was paired last for that place. Raises `NotAllowed`."""
        key = digest(token)
        with self._lock:
            known = key in self._phones.places
            if not known or (self._phones.host != key and not self._host_is_silent()):
                raise NotAllowed("Only the host can pass that on.")
            there = [one for one, sits in self._phones.places.items() if sits == place]
            if not there:
                raise InvalidEvent(f"No phone is paired for seat {place + 1}; whoever sits there pairs first.")
            self._make_host(there[-1])
        self._keep()

    def _keep(self) -> None:
        self._file.write(self._text)

    def _text(self) -> str:
        with self._lock:
            return self._phones.text(self._clock)

    def _sit_down(self, key: str, place: int) -> Phone:
        """Pairs for that place. Without buttons, the phone's own choice of a place is accepted."""
        if key not in self._phones.places:
            raise NotAllowed(NO_BUTTONS if self._there() is None else NO_BUTTON_THERE)
        return self._paired(key, place)

    def _paired(self, key: str, place: int | None) -> Phone:
        self._phones.add(key, place, self._clock.seconds())
        if self._phones.host is None or (self._phones.host != key and self._host_is_silent()):
            self._make_host(key)
        _log.debug("A phone is paired for seat %s.", "none" if place is None else place + 1)
        return Phone(place, self._phones.host == key)

    def _make_host(self, key: str) -> None:
        self._phones.host, self._host_heard = key, self._clock.seconds()

    def _host_is_silent(self) -> bool:
        return self._clock.seconds() - self._host_heard > SILENT_S

    def _ask(self, before: _Wait | None, wait: _Wait, place: int) -> None:
        """An abandoned attempt counts as a failed one; otherwise a stranger could block a seat for ever."""
        if before is not None and wait.since > before.until:
            self._give_up(place)
        self._tries.check(wait.address)
        if place in self._waits and before is not None and before.key != wait.key:
            raise NotAllowed("Another phone is just waiting for that seat's button; try again in ten seconds.")
        self._waits = {at: one for at, one in self._waits.items() if one.key != wait.key}
        pending = [one for one in self._waits.values() if one.address == wait.address and wait.since <= one.until]
        if len(pending) >= A_MINUTE:
            raise RateLimited("This device waits for enough buttons already; press one.", int(PRESS_WITHIN_S))
        self._waits[place] = wait

    def _give_up(self, place: int) -> None:
        self._tries.note_failure(self._waits.pop(place).address)


def _is_awaited_press(wait: _Wait, ago: float | None, now: float) -> bool:
    """A press from before the phone asked was meant for the game."""
    return ago is not None and wait.since < now - ago <= wait.until
