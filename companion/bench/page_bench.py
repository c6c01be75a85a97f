"""How soon everybody's phone shows what has happened, and what so many phones cost."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from companion.bench.machine import memory
from companion.bench.measured_game import measured_game
from companion.bench.results_table import p99
from companion.demo.cast import BenchStep
from companion.journal import Journal
from companion.live.feed import Feed
from companion.table.live_table import Table
from companion.web import create_app
from companion.web.game_page import page_of
from companion.web.pairing import Pairing
from companion.web.server import Server, listen
from companion.web.services import Services

FEW, MANY = 100, 250
ROUNDS: Final = 10
# The pause between events: people do nothing faster.
PAUSE_S: Final = 0.05
SOON: Final = 20.0
TIMES: Final = f"{'median':>9}{'p99':>9}{'longest':>9}"
HEAD: Final = (
    f"{'':10}|{'press to ruling, ms':^27}|{'any update, ms':^27}|",
    f"{'phones':>10}|{TIMES}|{TIMES}|{'CPU us':>9}{'missed':>9}{'MB more':>9}{'stop s':>9}",
)
RULE: Final = "+".join("-" * wide for wide in (10, 27, 27, 36))
LEGEND: Final = (
    "From telling the table until the phone has read it. The disk's time is in it: nothing is shown before it is",
    "durable. CPU us: what this program spends on one update for one phone. Missed: updates that did not reach a",
    "phone, nor any newer one. MB more: this program's memory with the phones against without. Stop: until the",
    "last of the server's threads has ended.",
)


@dataclass(frozen=True, slots=True)
class Measured:
    phones: int
    presses_ms: Sequence[float]
    updates_ms: Sequence[float]
    durable_ms: Sequence[float]
    thence_ms: Sequence[float]
    """From the event's sync to disk to its arrival at each phone."""
    cpu_us: float
    missed: int
    more_bytes: int | None
    longest_update: int
    """The size of the largest update in bytes."""
    stop_s: float


def bench_page(rounds: int = ROUNDS) -> Iterator[str]:
    yield "A game on everybody's phone, over this machine's own network:"
    yield from HEAD
    yield RULE
    both: list[Measured] = []
    for phones in (FEW, MANY):
        both.append(measure(phones, rounds))
        yield row(both[-1])
    yield from LEGEND
    durable = [late for measured in both for late in measured.durable_ms]
    yield f"Until it was durable: {median(durable):.1f} ms, p99 {p99(durable):.1f}."
    thence = [late for measured in both for late in measured.thence_ms]
    yield f"From then on until a phone has read it: {median(thence):.1f} ms, p99 {p99(thence):.1f}."
    yield f"An update has {max(measured.longest_update for measured in both)} bytes at most."


def row(measured: Measured) -> str:
    more = "-" if measured.more_bytes is None else f"{measured.more_bytes / 1e6:.1f}"
    return (
        f"{measured.phones:>10}|{_three(measured.presses_ms)}|{_three(measured.updates_ms)}"
        f"|{measured.cpu_us:>9.1f}{measured.missed:>9}{more:>9}{measured.stop_s:>9.2f}"
    )


def _three(times: Sequence[float]) -> str:
    return f"{median(times):>9.1f}{p99(times):>9.1f}{max(times):>9.1f}"


def measure(phones: int, rounds: int) -> Measured:
    with ExitStack() as parts:
        folder = Path(parts.enter_context(TemporaryDirectory(prefix="companion-bench-")))
        table = parts.enter_context(Table(parts.enter_context(Journal.open(folder / "journal.db"))))
        feed = parts.enter_context(Feed(table, None, page_of))
        services = Services(table, folder / "journal.db", feed, Pairing())
        listening = listen("127.0.0.1", 0)
        server = parts.enter_context(Server(create_app(services), listening))
        samples = measured_game()[1]
        table.tell(samples.begin).result(SOON)
        before = memory()
        lookers = _look(parts, listening.getsockname()[1], phones)
        told, busy = NewsTimes(table, feed), time.process_time()
        for _ in range(rounds):
            for step in samples.page_round():
                told.tell(step)
        busy = time.process_time() - busy
        after = memory()
        begin = time.monotonic()
        server.close()
        stop = time.monotonic() - begin
        seen = [{int(number): t for number, t in one.items()} for one in json.loads(lookers.communicate()[0])]
    return Measured(
        phones,
        [late for number in told.presses for late in _lateness(number, told.at[number], seen)],
        [late for number, t in told.at.items() for late in _lateness(number, t, seen)],
        [(durable - told.at[number]) / 1e6 for number, durable in told.durable.items()],
        [max(0.0, late) for number, t in told.durable.items() for late in _lateness(number, t, seen)],
        busy * 1e6 / (phones * len(told.at)),
        sum(max(one) < number for number in told.at for one in seen),
        after - before if before is not None and after is not None else None,
        told.longest,
        stop,
    )


class NewsTimes:
    """When each event was sent to the table, and the number under which phones see it."""

    def __init__(self, table: Table, feed: Feed) -> None:
        self._table = table
        self._feed = feed
        self.at: dict[int, int] = {}
        self.durable: dict[int, int] = {}
        self.presses: list[int] = []
        self.longest = 0

    def tell(self, step: BenchStep) -> None:
        """Sends the step's events; their time counts from the first."""
        begin = time.monotonic_ns()
        number = [self._table.tell(event).result(SOON).number for event in step.events][-1]
        self.at[number], self.durable[number] = begin, time.monotonic_ns()
        time.sleep(PAUSE_S)
        self.longest = max(self.longest, len(self._feed.open_cursor(number - len(step.events)).first))
        if step.is_press:
            self.presses.append(number)


def _look(parts: ExitStack, port: int, phones: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "companion.bench.live_page_clients", str(port), str(phones)]
    lookers = parts.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))  # noqa: S603
    assert lookers.stdout is not None
    lookers.stdout.readline()
    return lookers


def _lateness(number: int, told: int, seen: Sequence[Mapping[int, int]]) -> Iterator[float]:
    """For each phone the delay in milliseconds until it saw that number or a newer one."""
    for one in seen:
        times = [at for shown, at in one.items() if shown >= number]
        if times:
            yield (min(times) - told) / 1e6
