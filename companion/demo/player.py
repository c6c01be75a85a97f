"""The drawn world on a thread of its own, at the speed that somebody wants to look at it."""

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

# Whoever is that far behind lets go of it instead of hurrying after.
LAG_S: Final = 0.25
# So long it takes to tell a speed from a stumble.
MEASURED_S: Final = 15.0
# Who looks on notices that much.
SLOWER: Final = 0.9
# To draw a picture and to read it takes a slow machine seconds.
HANGS_AFTER_S: Final = 60.0
# Nobody hits more keys before the world looks again; what comes beyond is no slap any more.
KEYS: Final = 64


class Pace:
    """How the world's time goes beside ours."""

    def __init__(self, speed: float, now: Ns, at: float) -> None:
        self._speed = speed
        self._now = now
        self._at = at

    def ahead(self, t: Ns, at: float) -> float:
        """So many seconds of ours until then; never much behind, for what is lost is lost."""
        left = (t - self._now) / SECOND / self._speed + self._at - at
        if left < -LAG_S:
            self._at -= left
            return 0.0
        return left

    def world_time(self, at: float) -> Ns:
        return self._now + round((at - self._at) * self._speed * SECOND)


@dataclass(frozen=True, slots=True)
class Stretch:
    """From one thing that happens to the next."""

    pace: Pace
    begins: Ns
    ends: Ns

    def time(self, at: float) -> Ns:
        return min(max(self.pace.world_time(at), self.begins), self.ends)


class Measure:
    """How fast the world really goes."""

    def __init__(self, now: Ns, at: float) -> None:
        self._begun = now, at
        self.reached: float | None = None
        """So many times as fast as people, in the newest stretch of time that was measured."""

    def look(self, now: Ns, at: float) -> None:
        before, begun = self._begun
        if at - begun >= MEASURED_S:
            self._begun = now, at
            self.reached = (now - before) / SECOND / (at - begun)


class Player(Worker):
    def __init__(
        self,
        build: Callable[[], World],
        speed: float,
        crew: Crew | None = None,
        chores: Iterable[Callable[[], object]] = (),
    ) -> None:
        """`build` is called on the world's own thread: drawing the table takes longer than a page may take to
        come. Before it all `chores` are done, small enough that whoever closes waits for one of them."""
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
        """Once it is built. It belongs to its own thread: whoever wants to know more than the time asks when that
        has ended."""

    def key(self, key: str) -> None:
        """Somebody has hit a key just now; what it does, the game's cast says."""
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
        """A turn in which nothing can be kept goes on until there is room, or until the end."""
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
