"""Runs the drawn world on a thread of its own, at the wanted speed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from queue import Empty, Full, Queue
from threading import Event as Signal
from time import monotonic
from typing import Final

from companion.demo.world import World
from companion.errors import TableClosed
from companion.threads.troubles import DEMO
from companion.threads.worker import Crew, Policy, Worker
from companion.units import SECOND, Ns

# A world that is further behind than this skips the lost time instead of running faster.
LAG_S: Final = 0.25
# The speed is measured over stretches of this length, so that one slow picture does not count as a slow world.
MEASURED_S: Final = 15.0
# Below this share of the wanted speed the page says that the machine is too slow.
SLOWER: Final = 0.9
# A timeout for a step: drawing and reading a picture takes a slow machine seconds.
HANGS_AFTER_S: Final = 60.0
# The size of the key buffer: nobody hits more before the next step; further keys are dropped.
KEYS: Final = 64


class Pace:
    """Converts between the drawn world's time (ns) and our monotonic clock (seconds)."""

    def __init__(self, speed: float, now: Ns, at: float) -> None:
        self._speed = speed
        self._now = now
        self._at = at

    def ahead(self, t: Ns, at: float) -> float:
        """How many seconds of ours are left until the world's time `t`; 0 if it is long past, which is skipped."""
        left = (t - self._now) / SECOND / self._speed + self._at - at
        if left < -LAG_S:
            self._at -= left
            return 0.0
        return left

    def world_time(self, at: float) -> Ns:
        return self._now + round((at - self._at) * self._speed * SECOND)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The time between two steps of the world; `time` stays within it."""

    pace: Pace
    begins: Ns
    ends: Ns

    def time(self, at: float) -> Ns:
        return min(max(self.pace.world_time(at), self.begins), self.ends)


class Measure:
    """Measures how fast the world really goes."""

    def __init__(self, now: Ns, at: float) -> None:
        self._begun = now, at
        self.reached: float | None = None
        """The newest measured speed: 1 is as fast as people play. None before the first measurement."""

    def look(self, now: Ns, at: float) -> None:
        before, begun = self._begun
        if at - begun >= MEASURED_S:
            self._begun = now, at
            self.reached = (now - before) / SECOND / (at - begun)


class Player(Worker):
    """The worker thread that builds the drawn world and runs it at the wanted speed."""

    def __init__(
        self,
        build: Callable[[], World],
        speed: float,
        crew: Crew | None = None,
        chores: Iterable[Callable[[], object]] = (),
    ) -> None:
        """`build` is called on this worker's thread, because drawing the table takes longer than a page may take.
        Before it, each of the `chores` is a turn of its own: `close` waits for at most one of them."""
        super().__init__(
            DEMO,
            Policy.FATAL,
            crew=crew,
            sentence="The drawn people have stopped; the program begins anew.",
            hangs_after_s=HANGS_AFTER_S,
        )
        self._chores = iter(chores)
        self._build = build
        self._speed = speed
        self._pace = Pace(speed, 0, 0.0)
        self._keys: Queue[tuple[float, str]] = Queue(KEYS)
        self._wake = Signal()
        self._measure: Measure | None = None
        self.world: World | None = None
        """None until it is built. Other threads may only read its time; the rest after the thread has ended."""

    def key(self, key: str) -> None:
        """Pass on a key that was hit just now; the game's cast decides what it does."""
        try:
            self._keys.put_nowait((monotonic(), key))
        except Full:
            return
        self._wake.set()

    @property
    def reached(self) -> float | None:
        """How fast it really goes, where the machine can't keep the speed; None while it can."""
        reached = self._measure.reached if self._measure is not None else None
        return reached if reached is not None and reached < SLOWER * self._speed else None

    def close(self) -> None:
        self._closing.set()
        self._wake.set()
        super().close()

    def turn(self) -> None:
        if self.world is not None and self._measure is not None:
            self._play(self.world, self._measure)
        elif (chore := next(self._chores, None)) is not None:
            chore()
        else:
            world = self._build()
            world.beat = self._beat_within_turn
            self._pace = Pace(self._speed, world.now, monotonic())
            self._measure, self.world = Measure(world.now, monotonic()), world

    def _beat_within_turn(self) -> None:
        """Called by a turn that waits for room in the journal: beat, and end the wait when the worker closes."""
        self.beat()
        if self._closing.is_set():
            raise TableClosed("The drawn people have gone home.")

    def _play(self, world: World, measure: Measure) -> None:
        measure.look(world.now, monotonic())
        left = self._pace.ahead(world.next, monotonic())
        stretch = Stretch(self._pace, world.now, world.next)
        world.clock.flows = lambda: stretch.time(monotonic())
        with self.resting():
            is_woken = self._wake.wait(max(left, 0))
        if is_woken:
            self._wake.clear()
            self._hear_keys(world, stretch)
        else:
            world.step()

    def _hear_keys(self, world: World, stretch: Stretch) -> None:
        while True:
            try:
                at, key = self._keys.get_nowait()
            except Empty:
                return
            world.hit_key(key, max(stretch.time(at), world.now))
