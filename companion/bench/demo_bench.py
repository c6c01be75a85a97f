"""Whether a drawn evening holds for as long as anybody lets it run: memory, threads, journal, and the truth.

It is the whole program of `companion demo`, with its page and one phone that looks on. The drawn table knows how
the cards truly lie, so every moment in which the referee believed otherwise is counted.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

from companion.app.serve_page import JOURNAL
from companion.bench.machine import memory
from companion.demo.build_demo import Demo, DemoOptions, demo
from companion.demo.cast import Company
from companion.journal import Journal
from companion.table.live_table import resume
from companion.threads.shutdown import Stop
from companion.threads.worker import Crew
from companion.units import SECOND

# The warm-up: until then parts of the picture are drawn for the first time and cached.
WARM_S: Final = 60.0
# Allowed growth of memory: snapshots kept for phones that slept, and pictures of presses; all of these are
# bounded.
FLAT_BYTES: Final = 30_000_000
# Twice the longest time that people take to celebrate, clear the table, shuffle and deal.
SILENCE: Final = 60 * SECOND
LOOK_S: Final = 1.0
PHONE_S: Final = 20.0


@dataclass(slots=True)
class SoakResult:
    """What a soak test found. Memory in bytes, None where the system does not say."""

    threads_before: int
    threads_after: int = 0
    at_start: int | None = None
    warm: int | None = None
    at_end: int | None = None
    real_s: float = 0.0
    virtual_ns: int = 0
    silence_ns: int = 0
    """The longest time of the drawn world without a ruling."""
    games: int = 0
    rulings: Counter[str] = field(default_factory=Counter[str])
    apart: tuple[object, ...] = ()
    refused: tuple[str, ...] = ()
    replayed: bool = False

    def faults(self) -> Iterator[str]:
        for one in self.apart:
            yield f"apart: {one}"
        for one in self.refused:
            yield f"refused: {one}"
        if self.threads_after != self.threads_before:
            yield f"{self.threads_after - self.threads_before} threads are left over"
        if not self.replayed:
            yield "the journal replays to another state than the live one"
        if self.warm is not None and self.at_end is not None and self.at_end - self.warm > FLAT_BYTES:
            yield f"memory has grown by {(self.at_end - self.warm) / 1e6:.0f} MB since it was warm"
        if self.silence_ns > SILENCE:
            yield f"for {self.silence_ns / SECOND:.0f} s of the drawn table nothing was ruled"

    def report(self) -> Iterator[str]:
        megabytes = ["-" if one is None else f"{one / 1e6:.0f}" for one in (self.at_start, self.warm, self.at_end)]
        yield f"memory: {megabytes[0]} MB at the start, {megabytes[1]} warm, {megabytes[2]} at the end"
        yield f"threads: {self.threads_before} before, {self.threads_after} after"
        yield f"journal replayed: {'the live state' if self.replayed else 'another state'}"
        yield f"moments apart from the drawn truth: {len(self.apart)}; events refused: {len(self.refused)}"
        ruled = ", ".join(f"{number} {ruling}" for ruling, number in sorted(self.rulings.items()))
        yield f"games begun: {self.games}; ruled: {ruled}"
        yield f"longest silence: {self.silence_ns / SECOND:.0f} s of {self.virtual_ns / SECOND:.0f}"
        yield f"speed: {self.virtual_ns / SECOND / self.real_s:.1f} times, for {self.real_s:.0f} s"


def soak(company: Company, speed: float, seconds: float) -> SoakResult:
    soaked = SoakResult(threading.active_count())
    with ExitStack() as parts:
        data = Path(parts.enter_context(TemporaryDirectory(prefix="companion-bench-")))
        stop = Stop()
        with demo(DemoOptions(company, speed, "127.0.0.1", None, data), Crew(stop)) as built:
            with built.playing:
                _look_on(built, stop, seconds, soaked)
            world, live = built.playing.world, built.table.snapshot
        stop.raise_death()
        assert world is not None
        soaked.games = live.evening.begun
        soaked.apart, soaked.refused = world.mismatches, world.refused
        with Journal.open(data / JOURNAL) as journal:
            soaked.replayed = resume(journal).snapshot.digest == live.digest
    soaked.threads_after = threading.active_count()
    return soaked


def _look_on(built: Demo, stop: Stop, seconds: float, soaked: SoakResult) -> None:
    while built.playing.world is None and not stop.said:
        stop.wait(LOOK_S / 10)
    world = built.playing.world
    if world is None:
        return
    begun, first, newest = time.monotonic(), world.now, built.table.snapshot.number
    ruled = first
    soaked.at_start = memory()
    while soaked.real_s < seconds and not stop.said:
        stop.wait(min(LOOK_S, seconds - soaked.real_s))
        for snapshot in built.table.wait(newest, 0):
            newest = snapshot.number
            for said in snapshot.news:
                ruling = said.as_json()
                soaked.rulings[str(ruling["ruling"])] += 1
                t = ruling["t"]
                assert isinstance(t, int)
                soaked.silence_ns, ruled = max(soaked.silence_ns, t - ruled), max(ruled, t)
        _glance(built.url)
        soaked.real_s = time.monotonic() - begun
        if soaked.warm is None and soaked.real_s >= min(WARM_S, seconds / 2):
            soaked.warm = memory()
    soaked.virtual_ns, soaked.at_end = world.now - first, memory()
    soaked.silence_ns = max(soaked.silence_ns, world.now - ruled)


def _glance(url: str) -> None:
    """Asks for the state, as a phone would."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=PHONE_S)
    connection.request("GET", "/api/state")
    answer = connection.getresponse()
    assert answer.status == 200, answer.status
    answer.read()
    connection.close()


def bench_demo(company: Company, speed: float, minutes: float) -> Iterator[str]:
    """Yields the report; it ends with a line for each fault."""
    yield f"{company.seats} drawn people at speed {speed:g}, for {minutes:g} minutes:"
    soaked = soak(company, speed, minutes * 60)
    yield from soaked.report()
    yield from (f"wrong: {fault}" for fault in soaked.faults())
