"""Who was first, as our buttons tell it and as a program would that asks for the time when it hears of a press.

Two lines of the kernel's simulated chip are pressed one shortly after the other by a process of its own, which
writes down when. Each way of reading buttons has two lines of its own and gets its turn in every round, so that
whatever else the machine does befalls all of them.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Condition, Event, Thread
from typing import Any, Final, Protocol

from gpiozero import Button

from companion.units import MICROSECOND
from hardware.gpio.gpio_buttons import GpioButtons
from hardware.gpio.pins import GpiodFactory
from hardware.gpio.simlines import SimLines, sim_lines
from hardware.ports import PRESSED

CHIP: Final = "race"
# The closest gap, which decides a sprint, and the widest, that of slow hands.
CLOSEST_NS, WIDEST_NS = 60 * MICROSECOND, 10_000 * MICROSECOND
# The timeout after which a press counts as lost; a busy emulator can be later than 0.3 s.
LOST_S: Final = 1.0
REST_S: Final = 0.004
POLL_S: Final = 0.001
BUSY_LOOPS: Final = 4
# Above all busy processes, below the kernel's threads that stamp the edges.
PRIORITY: Final = 10
HELD_S: Final = 0.013

Pair = tuple[int, int]


@dataclass(slots=True)
class Stamps:
    """When each of two buttons was pressed, according to one way of reading them."""

    _first: dict[int, int] = field(default_factory=dict[int, int])
    _came: Condition = field(default_factory=Condition)

    def note(self, button: int, t_ns: int) -> None:
        with self._came:
            self._first.setdefault(button, t_ns)
            self._came.notify()

    def take(self) -> dict[int, int]:
        with self._came:
            self._came.wait_for(lambda: len(self._first) == 2, LOST_S)
            taken, self._first = self._first, {}
            return taken


class Way(Protocol):
    """A way of reading two buttons."""

    name: str

    def take(self) -> dict[int, int]:
        """When each was first pressed since the last call."""
        ...

    def attend(self, *, turn: bool) -> None:
        """Begins or ends its turn; outside of it, it must not cost the others any time."""
        ...

    def close(self) -> None: ...


class Ours:
    name = "the kernel's time (ours)"

    def __init__(self, pins: Pair, factory: GpiodFactory) -> None:
        self._buttons = GpioButtons(pins, factory)

    def take(self) -> dict[int, int]:
        first: dict[int, int] = {}
        end = time.monotonic() + LOST_S
        while len(first) < 2 and time.monotonic() < end:
            for edge in self._buttons.read(0.02):
                if edge.level == PRESSED:
                    first.setdefault(edge.button, edge.t_ns)
        return first

    def attend(self, *, turn: bool) -> None:
        if turn:
            self._buttons.read(0)

    def close(self) -> None:
        self._buttons.close()


class ByCallback:
    name = "when_pressed"

    def __init__(self, pins: Pair, factory: GpiodFactory) -> None:
        self._stamps = Stamps()
        self._buttons = [Button(pin, pin_factory=factory) for pin in pins]
        for number, button in enumerate(self._buttons):
            button.when_pressed = self._noting(number)

    def _noting(self, number: int) -> Callable[[], None]:
        return lambda: self._stamps.note(number, time.monotonic_ns())

    def take(self) -> dict[int, int]:
        return self._stamps.take()

    def attend(self, *, turn: bool) -> None:
        """Nothing to do: a handler costs nothing while it waits."""

    def close(self) -> None:
        for button in self._buttons:
            button.close()


class Threaded:
    """A thread for each of `asks`; `_ask` runs in it until it is told to stop."""

    def __init__(self, pins: Pair, factory: GpiodFactory, asks: Sequence[tuple[int, ...]]) -> None:
        self._stamps = Stamps()
        # gpiozero creates most of a button's methods at import time, unseen by type checkers.
        self._buttons: list[Any] = [Button(pin, pin_factory=factory) for pin in pins]
        self._turn, self._ending = Event(), Event()
        self._threads = [Thread(target=self._until_end, args=[numbers], daemon=True) for numbers in asks]
        for thread in self._threads:
            thread.start()

    def take(self) -> dict[int, int]:
        return self._stamps.take()

    def attend(self, *, turn: bool) -> None:
        (self._turn.set if turn else self._turn.clear)()

    def close(self) -> None:
        self._ending.set()
        self._turn.set()
        for thread in self._threads:
            thread.join()
        for button in self._buttons:
            button.close()

    def _until_end(self, numbers: tuple[int, ...]) -> None:
        while not self._ending.is_set():
            self._turn.wait()
            self._ask(numbers)

    def _ask(self, numbers: tuple[int, ...]) -> None:
        raise NotImplementedError


class Waiting(Threaded):
    name = "a thread each in wait_for_press"

    def __init__(self, pins: Pair, factory: GpiodFactory) -> None:
        super().__init__(pins, factory, [(0,), (1,)])

    def _ask(self, numbers: tuple[int, ...]) -> None:
        (number,) = numbers
        button = self._buttons[number]
        if button.wait_for_press(LOST_S):
            self._stamps.note(number, time.monotonic_ns())
            button.wait_for_release(LOST_S)


class Polling(Threaded):
    name = "looking every millisecond"

    def __init__(self, pins: Pair, factory: GpiodFactory) -> None:
        super().__init__(pins, factory, [(0, 1)])

    def _ask(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            if self._buttons[number].is_pressed:
                self._stamps.note(number, time.monotonic_ns())
        time.sleep(POLL_S)


WAYS: Final[tuple[Callable[[Pair, GpiodFactory], Way], ...]] = (Ours, ByCallback, Waiting, Polling)


@dataclass(slots=True)
class RaceScore:
    pairs: int = 0
    wrong: int = 0
    lost: int = 0
    errors: list[int] = field(default_factory=list[int])

    def add(self, gap_ns: int, first: int, stamps: dict[int, int]) -> None:
        self.pairs += 1
        if len(stamps) < 2:
            self.lost += 1
            return
        told = stamps[1 - first] - stamps[first]
        self.wrong += told <= 0
        self.errors.append(abs(told - gap_ns))

    def line(self, name: str) -> str:
        errors = sorted(self.errors) or [0]
        p50, p99 = (errors[len(errors) * share // 100] / MICROSECOND for share in (50, 99))
        return f"{name:<33} {self.pairs:>6} {self.wrong:>6} {self.lost:>6} {p50:>10.0f} {p99:>10.0f}"


def bench_race(pairs: int, seed: int = 0) -> Iterator[str]:
    """Raises `NoSimLines` where no lines can be simulated."""
    pins = [(2 * number, 2 * number + 1) for number in range(1, len(WAYS) + 1)]
    with ExitStack() as parts:
        chip = parts.enter_context(sim_lines(CHIP, CHIP))
        press = parts.enter_context(_presser())
        factory = GpiodFactory(chip=str(chip.chip), consumer="companion bench")
        parts.callback(factory.close)
        ways: list[Way] = []
        for build, two in zip(WAYS, pins, strict=True):
            ways.append(build(two, factory))
            parts.callback(ways[-1].close)
        closest, widest = CLOSEST_NS // MICROSECOND, WIDEST_NS // MICROSECOND
        yield f"two presses {closest} to {widest} us apart, {pairs} pairs each:"
        for what, load in (("an idle machine", _idle), (f"{BUSY_LOOPS} busy loops and a busy thread", _busy)):
            yield ""
            yield f"{what:<33} {'pairs':>6} {'wrong':>6} {'lost':>6} {'us off p50':>10} {'p99':>10}"
            with load():
                scores = _race(ways, pins, press, pairs, random.Random(seed))
            for way, score in zip(ways, scores, strict=True):
                yield score.line(way.name)


Press = Callable[[Pair, int], int]


def _race(
    ways: Sequence[Way], pins: Sequence[Pair], press: Press, pairs: int, chance: random.Random
) -> list[RaceScore]:
    scores = [RaceScore() for _ in ways]
    for _ in range(pairs):
        for way, two, score in zip(ways, pins, scores, strict=True):
            first = chance.randrange(2)
            gap = round(CLOSEST_NS * (WIDEST_NS / CLOSEST_NS) ** chance.random())
            way.attend(turn=True)
            real = press((two[first], two[1 - first]), gap)
            score.add(real, first, way.take())
            way.attend(turn=False)
            time.sleep(REST_S)
    return scores


@contextmanager
def _idle() -> Generator[None]:
    yield


@contextmanager
def _busy() -> Generator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY_LOOPS)]
    ending = Event()

    def toil() -> None:
        while not ending.is_set():
            sum(range(1000))

    thread = Thread(target=toil)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()
        for loop in loops:
            loop.kill()
            loop.wait()


@contextmanager
def _presser() -> Generator[Press]:
    """A process that presses two lines, the second a given time later, and returns the real gap."""
    command = [sys.executable, "-m", "companion.bench.race_bench"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:  # noqa: S603
        asked, told = child.stdin, child.stdout
        assert asked is not None
        assert told is not None

        def press(two: Pair, gap_ns: int) -> int:
            asked.write(f"{two[0]} {two[1]} {gap_ns}\n")
            asked.flush()
            return int(told.readline())

        yield press
        asked.close()


def _press_as_asked() -> None:
    lines = SimLines(CHIP)
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    for asked in sys.stdin:
        first, second, gap_ns = map(int, asked.split())
        one = lines.press(first)
        while time.monotonic_ns() < one.before + gap_ns:
            pass
        other = lines.press(second)
        time.sleep(HELD_S)
        lines.let_go(first)
        lines.let_go(second)
        sys.stdout.write(f"{other.before - one.before}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _press_as_asked()
