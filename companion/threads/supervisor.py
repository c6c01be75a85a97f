"""The main thread's job while the program runs: it supervises all other threads, and sends systemd's watchdog a
heartbeat as long as they are alive."""

import time
from collections.abc import Callable
from typing import Final

from companion.threads import systemd
from companion.threads.worker import Crew

CHECK_S: Final = 1.0


class Supervisor:
    """Checks the crew's threads and sends systemd's heartbeats."""

    def __init__(self, crew: Crew, clock: Callable[[], float] = time.monotonic) -> None:
        self._crew = crew
        self._clock = clock
        self._check_at = self._tell_at = clock()
        self.every_s: Final = min(CHECK_S, systemd.every_s())
        """The longest allowed time in seconds between two calls of `look`; more calls cost nothing."""

    def look(self) -> None:
        now = self._clock()
        if now < self._check_at:
            return
        self._check_at = now + self.every_s
        self._crew.check()
        if now >= self._tell_at and self._crew.can_go_on:
            self._tell_at = now + systemd.every_s()
            systemd.tell(systemd.ALIVE)
