"""The whole program, at a rig or as a demo, and what befalls one of its threads in the middle of a race."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from companion.app.build_rig import RunOptions, rig
from companion.app.config import RigPlan, SeatPlan
from companion.demo.build_demo import Demo, DemoOptions, demo
from companion.demo.cast import Company
from companion.history import summary_worker
from companion.live import feed as feeds
from companion.logs.console import Console
from companion.logs.logging_setup import logging_to
from companion.table import live_table as tables
from companion.threads import systemd
from companion.threads import worker as workers
from companion.threads.shutdown import Stop
from companion.threads.supervisor import Supervisor
from companion.threads.troubles import Troubles
from companion.threads.worker import Crew, Worker
from companion.web import waitress_parts

from .app.test_build_rig import Phone
from .told import wait_for_its_end
from .waiting import SOON, until

# Less than hangs; between two steps everybody who is well gives a sign of life.
STEP_S = 4.0
HOWS = ("hang", "kill", "raise")
PLAN = RigPlan((SeatPlan(17, None, 22), SeatPlan(5, None, 13), SeatPlan(19)), camera="none")
WITH_CAMERA = RigPlan(PLAN.seats, camera="pi")


class Ticks:
    """The heartbeats' clock: nothing hangs but what a test lets hang, however busy the machine is."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Spoil:
    """What befalls one kind of worker: the first thread in its own way, those in its place by an error, until it
    is over."""

    kind: type[Worker]
    how: str
    is_on: bool = False
    struck: Event = field(default_factory=Event)
    over: Event = field(default_factory=Event)
    thread: threading.Thread | None = None
    """The first."""
    errors: int = 0
    """So often those in its place have failed."""

    def strike(self, turn: Callable[[Worker], None], one: Worker) -> None:
        if self.is_on and self.thread is None:
            self.thread = threading.current_thread()
            self.struck.set()
            if self.how == "kill":
                raise SystemExit
            if self.how == "hang":
                assert self.over.wait(SOON)
                # Longer than anybody waits for it: it awakes, and its turn goes on as if nothing had been.
                turn(one)
                return
        if self.is_on:
            self.errors += 1
            raise ZeroDivisionError
        turn(one)

    def end(self) -> None:
        self.is_on = False
        self.over.set()


@contextmanager
def spoiling(monkeypatch: pytest.MonkeyPatch, kind: type[Worker], how: str) -> Generator[Spoil]:
    spoil, turn = Spoil(kind, how), kind.turn

    def strike(one: Any) -> None:
        spoil.strike(turn, one)

    monkeypatch.setattr(kind, "turn", strike)
    yield spoil
    spoil.end()
    if spoil.thread is not None:
        spoil.thread.join(SOON)
        assert not spoil.thread.is_alive() or how == "raise"


@dataclass
class Program:
    phone: Phone
    crew: Crew
    clock: Ticks
    stop: Stop
    telling: Console
    told: list[str]
    """To whoever reads along."""
    alive: list[float]
    """When systemd was told that all is well."""
    boards: list[list[str]]
    """What stood on the board of what is wrong, each time that it changed."""

    def health(self) -> tuple[int, dict[str, Any]]:
        return self.phone.ask("/healthz")

    def pages_health(self) -> list[str]:
        """The troubles of which a page is told that is opened now."""
        connection = HTTPConnection(self.phone.place, timeout=SOON)
        connection.request("GET", "/api/events")
        answer, event = connection.getresponse(), b""
        try:
            for line in answer:
                event = line[7:].strip() if line.startswith(b"event: ") else event
                if line.startswith(b"data: ") and event == b"health":
                    return [trouble["key"] for trouble in json.loads(line[6:])["troubles"]]
        finally:
            answer.close()
            connection.close()
        raise AssertionError("the page was told nothing of its health")

    def looks(self) -> bool:
        """The main thread, once."""
        self.crew.check()
        return True

    def pass_by(self, hung: str, seconds: float, waits: str = "") -> None:
        """As the main thread does: it looks after all of them, again and again. `waits`: who waits for the hung
        one."""
        others = [one for one in self.crew.watched if isinstance(one, Worker) and one.name not in {hung, waits}]
        supervisor = Supervisor(self.crew, self.clock)
        end = self.clock.now + seconds
        while self.clock.now < end and not self.stop.said:
            self.clock.now += STEP_S
            until(lambda: self.stop.said or all(one.silent_s < STEP_S for one in others))
            supervisor.look()


@contextmanager
def read_along(monkeypatch: pytest.MonkeyPatch) -> Generator[Program]:
    """All that the program has before its table is built."""
    clock, stop, told, alive, boards = Ticks(), Stop(), list[str](), list[float](), list[list[str]]()
    board = Troubles(lambda: boards.append([trouble.key for trouble in board.current()]))
    crew = Crew(stop, board, clock)

    def tell(_: str) -> None:
        alive.append(clock.now)

    monkeypatch.setattr(systemd, "tell", tell)
    try:
        with Console(told.append, crew) as telling, logging_to(telling.say):
            yield Program(Phone(""), crew, clock, stop, telling, told, alive, boards)
    finally:
        wait_for_its_end()


@contextmanager
def up(data: Path, monkeypatch: pytest.MonkeyPatch, plan: RigPlan = PLAN) -> Generator[Program]:
    """At a rig."""
    with (
        read_along(monkeypatch) as program,
        rig(RunOptions(plan, data, "127.0.0.1"), program.crew, program.telling.say) as built,
    ):
        program.phone = Phone(built.url)
        yield program


@contextmanager
def demo_up(
    data: Path, monkeypatch: pytest.MonkeyPatch, yours: int | None = None
) -> Generator[tuple[Program, Demo]]:
    """The drawn people play, but at your seat."""
    options = DemoOptions(Company("goat", 3, 0, yours), 20.0, "127.0.0.1", None, data)
    with read_along(monkeypatch) as program, demo(options, program.crew) as built, built.playing:
        program.phone = Phone(built.url)
        yield program, built


def heard_of(phone: Phone) -> str:
    """All that was ruled in the game, as a page that comes back hears it."""
    connection = HTTPConnection(phone.place, timeout=SOON)
    connection.request("GET", "/api/events?last=1")
    answer, said = connection.getresponse(), b""
    for line in answer:
        said += line
        if line.startswith(b"event: health"):
            break
    answer.close()
    connection.close()
    return said.decode()


def shorten_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(workers, "LONGEST_PAUSE_S", 0.05)
    monkeypatch.setattr(workers, "CLOSE_S", 0.5)
    monkeypatch.setattr(tables, "CLOSE_S", 0.5)
    # How often those give a sign of life who have nothing to do.
    monkeypatch.setattr(feeds, "GONE_S", 0.05)
    monkeypatch.setattr(summary_worker, "POLL_S", 0.05)
    monkeypatch.setattr(waitress_parts, "LOOP_S", 0.05)
