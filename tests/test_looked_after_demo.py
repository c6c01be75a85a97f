"""Threads of the demo that die, hang or fail in the middle of a race, and eyes that read no picture any more: what
each one's policy says happens, the drawn people's race is judged, and whoever asks is told."""

from pathlib import Path
from threading import Event
from typing import Any

import cv2
import pytest

from companion.app.serve_page import JOURNAL
from companion.demo import player
from companion.demo.player import Player
from companion.history.summary_worker import SummaryWorker
from companion.journal import Journal
from companion.live.feed import Feed
from companion.logs.console import Console
from companion.rig.misread_photos import MisreadPhotos
from companion.rig.race_photos import RacePhotos
from companion.rig.vision import Vision
from companion.table.live_table import Table
from companion.threads import worker as workers
from companion.threads.supervisor import Supervisor
from companion.threads.worker import Worker
from companion.units import SECOND
from companion.web.live_pages import Lines
from companion.web.waitress_parts import Loop

from .befallen import HOWS, STEP_S, Program, demo_up, heard_of, shorten_waits, spoiling
from .kinds import mostly_slow
from .waiting import SOON, until

GAME: dict[str, object] = {"type": "game", "game": "goat", "seats": ["Ada", "Ben", "Cy"], "starter": 0}
PINKS = ("raft", "ring", "jetski")


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_waits(monkeypatch)


@pytest.fixture
def set_lies(tmp_path: Path) -> Path:
    """Whoever sits down there slaps at once."""
    with Journal.open(tmp_path / JOURNAL) as journal, Table(journal, clock=lambda: SECOND) as table:
        table.tell(GAME).result(SOON)
        for cell, boat in enumerate(PINKS):
            card = {"type": "card", "t": (cell + 2) * SECOND, "cell": cell, "boat": boat, "colour": "pink"}
            table.tell(card).result(SOON)
    return tmp_path


def pictures(data: Path) -> list[str]:
    """Those of the first race, without the time at which it began."""
    names = [path.stem for path in sorted((data / "finishes").glob("*.jpg"))]
    return [name.rpartition("-")[2] for name in names if name.rpartition("-")[0] == names[0].rpartition("-")[0]]


RESTARTED: list[tuple[type[Worker], str, str]] = [
    (who, key, how)
    for how in HOWS
    for who, key in (
        (RacePhotos, "photos"),
        (Feed, "feed"),
        (Lines, "live"),
        (SummaryWorker, "history"),
        (MisreadPhotos, "misread"),
        (Console, "telling"),
    )
]


@pytest.mark.parametrize(
    ("kind", "key", "how"), mostly_slow(RESTARTED), ids=[f"{key}-{how}" for _, key, how in RESTARTED]
)
def test_who_is_begun_again_costs_the_drawn_people_nothing(
    set_lies: Path, monkeypatch: pytest.MonkeyPatch, kind: type[Worker], key: str, how: str
) -> None:
    """They slap and are judged while it is down, and everybody is told of it; afterwards the race's pictures are
    kept, and what happened is told."""
    with spoiling(monkeypatch, kind, how) as spoil:
        spoil.is_on = True
        with demo_up(set_lies, monkeypatch) as (program, built):
            program.telling.say("first")
            assert spoil.struck.wait(SOON)
            if how == "hang":
                program.pass_by(key, workers.HANGS_AFTER_S + 2 * STEP_S)
            until(lambda: key in program.health()[1])
            status, wrong = program.health()
            assert (503, False) == (status, wrong["ok"])
            assert len(wrong[key]) > 20
            until(lambda: key in program.pages_health())
            until(lambda: spoil.errors >= 2)
            until(lambda: built.table.snapshot.evening.game is not None and is_judged(built.table))
            program.telling.say("second")
            before = len(program.alive)
            program.pass_by(key, 4 * STEP_S)
            assert len(program.alive) > before
            spoil.end()
            until(lambda: program.health()[0] == 200)
            until(lambda: program.pages_health() == [])
            until(lambda: ["after", "before"] == pictures(set_lies))
            until(lambda: [line for line in program.told if line in {"first", "second"}] == ["first", "second"])
            number = built.table.snapshot.number
            until(lambda: built.table.snapshot.number > number)
            assert not program.stop.said


def is_judged(table: Table) -> bool:
    """The slowest owes the set's piles, or has taken them already."""
    state: Any = table.snapshot.state
    return state["phase"] == "pickup" or not all(state["piles"][: len(PINKS)])


FATAL: list[tuple[type[Worker], str, str]] = [
    (who, key, how) for how in HOWS[::-1] for who, key in ((Player, "demo"), (Table, "table"), (Loop, "web"))
]


@pytest.mark.parametrize(("kind", "key", "how"), mostly_slow(FATAL), ids=[f"{key}-{how}" for _, key, how in FATAL])
def test_who_is_fatal_ends_the_demo_and_in_the_next_one_the_race_is_judged(
    set_lies: Path, monkeypatch: pytest.MonkeyPatch, kind: type[Worker], key: str, how: str
) -> None:
    """Within seconds, and systemd hears of no life any more."""
    with spoiling(monkeypatch, kind, how) as spoil, demo_up(set_lies, monkeypatch) as (program, _):
        until(lambda: program.health()[0] == 200)
        spoil.is_on = True
        assert spoil.struck.wait(SOON)
        if how == "hang":
            program.pass_by(key, player.HANGS_AFTER_S + 2 * STEP_S, waits="demo")
        until(lambda: program.stop.said)
        assert not program.crew.can_go_on
        told = len(program.alive)
        program.clock.now += 60
        Supervisor(program.crew, program.clock).look()
        assert told == len(program.alive)
        if kind is not Loop:
            assert key in program.health()[1]
        spoil.end()
    with pytest.raises(BaseException, match=r".*") as death:
        program.stop.raise_death()
    assert {"kill": "SystemExit", "hang": "WorkerHangs", "raise": "ZeroDivisionError"}[how] == death.type.__name__
    with demo_up(set_lies, monkeypatch) as (_, built):
        until(lambda: is_judged(built.table))


def slaps_at_nothing(program: Program) -> int:
    """Whether there was a pile or none."""
    said = heard_of(program.phone)
    return said.count('"false_grab"') + said.count('"void"')


@pytest.mark.slow
def test_eyes_that_read_no_picture_let_the_drawn_people_go_on_by_their_presses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that can't be read is counted, ten are told; the first that can be read is the end of it."""
    see, left = Vision.see, [0.0]
    sees = Event()

    def see_or_fail(self: Vision, *seen: Any) -> Any:
        if left[0] > 0:
            left[0] -= 1
            raise cv2.error("(-215:Assertion failed) !_src.empty()")
        sees.set()
        return see(self, *seen)

    monkeypatch.setattr(Vision, "see", see_or_fail)
    with demo_up(tmp_path, monkeypatch, yours=0) as (program, built):
        assert sees.wait(SOON)
        left[0] = 1
        until(lambda: "1 picture could not be read" in program.phone.page("/rig"))
        assert "eyes" not in program.health()[1]
        left[0] = float("inf")
        until(lambda: "eyes" in program.health()[1])
        until(lambda: program.pages_health() == ["eyes"])
        before = slaps_at_nothing(program)
        built.playing.key(" ")
        until(lambda: slaps_at_nothing(program) > before)
        assert program.crew.can_go_on
        left[0] = 0
        until(lambda: program.health()[0] == 200)
        until(lambda: program.pages_health() == [])
        number = built.table.snapshot.number
        until(lambda: built.table.snapshot.number > number + 2)
        assert not program.stop.said
        assert built.playing.world is not None
        assert () == built.playing.world.refused
