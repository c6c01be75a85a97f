"""The companion on a machine with real lines, a real webcam's driver and systemd."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import pytest

from companion.table.replay import replay
from hardware.gpio.factory_choice import VARIABLE

from ..spoils import SPOILS
from .drawn_game import film_game
from .machine import ROOT, Machine, cache
from .spoilt_table import film_spoilt

pytestmark = pytest.mark.rig

MINUTE: Final = 60
SET_UP: Final = "sh -e /rig/guest/set_up.sh || exit; "
PYTHON: Final = "/opt/table-companion/.venv/bin/python"
COMPANION: Final = "/opt/table-companion/.venv/bin/companion"
# A short game with races, a false grab and calls in which nobody lays a card in the middle of a race: between two
# pictures only people know what was first.
SEED: Final = 21
PAIRS: Final = 25
# The emulated machine does 500 million instructions a second; a core of a Pi 4 does at least three times as many.
AS_FAST_AS_A_PI: Final = 3
CPU: Final = 0.3
# The emulated machine's own threads for interrupts come late at times, and stamp the edge when they come.
LATE: Final = 20_000_000
# Reactions are counted from when the camera saw a card lie still, and pictures come as they come.
MEASURED: Final = frozenset({"t", "reaction_us"})


def ruled(recording: Path) -> Iterator[dict[str, Any]]:
    for line in replay(recording.read_bytes().splitlines()):
        yield {key: value for key, value in json.loads(line).items() if key not in MEASURED}


def presses_in(recording: Path) -> list[tuple[int, int]]:
    """Seat and time of each."""
    events = map(json.loads, recording.read_text().splitlines())
    return [(event["seat"], event["t"]) for event in events if event["type"] == "press"]


def is_of_a_press(ruling: Mapping[str, object]) -> bool:
    return ruling.get("ruling") in ("safe", "slowest", "late", "false_grab", "dead_heat", "void")


def came_of(machine: Machine, script: str, limit_s: float) -> Path:
    """What came of it; the companion was not started again meanwhile."""
    ended = machine.run(f"{SET_UP} exec {PYTHON} /rig/guest/{script}", limit_s)
    assert 0 == ended.code, ended.said
    assert "0" == (machine.folder / "out/restarts").read_text()
    return machine.folder / "out"


@pytest.mark.timeout(40 * MINUTE)
def test_a_whole_game_is_judged_as_it_was_drawn(machine: Machine) -> None:
    """Six lines pressed, pictures through a USB camera, the service of systemd: every ruling up to the win."""
    film = machine.folder / "film"
    film_game(film, seats=6, seed=SEED)
    out = came_of(machine, "game.py /rig/film /rig/out usb:0", 36 * MINUTE)
    drawn, judged = [*ruled(film / "game.jsonl")], [*ruled(out / "game.jsonl")]
    # A lonely slap while a card is still under the hand comes before or after it, as the pictures came.
    assert [one for one in drawn if is_of_a_press(one)] == [one for one in judged if is_of_a_press(one)]
    assert [one for one in drawn if not is_of_a_press(one)] == [one for one in judged if not is_of_a_press(one)]
    pressed, heard = json.loads((out / "presses.json").read_text()), presses_in(out / "game.jsonl")
    # Whoever comes after the win is not heard any more.
    assert [one["seat"] for one in pressed[: len(heard)]] == [seat for seat, _ in heard]
    assert all(one["before"] <= t for one, (_, t) in zip(pressed, heard, strict=False))


@pytest.mark.timeout(30 * MINUTE)
def test_a_camera_pulled_out_in_a_race_and_put_back(machine: Machine) -> None:
    """The race is judged, the page says that the camera is gone and that it is back, and nothing restarts."""
    film_game(machine.folder / "film", seats=6, seed=SEED)
    out = came_of(machine, "pulled_out.py /rig/film /rig/out pi", 26 * MINUTE)
    assert json.loads((out / "same").read_text())
    rulings = [ruling["ruling"] for ruling in ruled(out / "game.jsonl") if "ruling" in ruling]
    assert 1 == rulings.count("slowest")


@pytest.fixture(scope="module")
def tried(new_machine: Callable[[], Machine]) -> Path:
    """What came of everything that is soon tried, one after the other on one machine."""
    machine = new_machine()
    names = ("encoder", "wire", "other_factory", "bounce", "storm")
    scripts = " && ".join(f"{PYTHON} /rig/guest/{name}.py /rig/out" for name in names)
    ended = machine.run(
        f"{SET_UP} {scripts} && {COMPANION} bench race --pairs {PAIRS} > /rig/out/race", 26 * MINUTE
    )
    assert 0 == ended.code, ended.said
    return machine.folder / "out"


@pytest.mark.timeout(30 * MINUTE)
def test_an_encoder_is_unplugged_and_plugged_in_again(tried: Path) -> None:
    """Its presses bear the kernel's time before and after, and between them it is said what is wrong."""
    before, trouble, after = json.loads((tried / "encoder.json").read_text())
    assert [{"button": 0, "exact": True}, {"button": 1, "exact": True}] == [before, after]
    assert "unplugged" in trouble


@pytest.mark.timeout(30 * MINUTE)
def test_the_clock_is_measured_by_a_wire(tried: Path) -> None:
    """A wire that is a program is slow, and what is told apart by it is coarse, but it is measured."""
    code, *_, said = (tried / "timing").read_text().splitlines()
    assert "0" == code
    assert "us (by a wire, 50 pairs); written to" in said


@pytest.mark.timeout(30 * MINUTE)
def test_what_spoils_a_picture_is_said_on_the_page(machine: Machine) -> None:
    """By its name, also where somebody else has the camera; and that all is well again."""
    film_spoilt(machine.folder / "film")
    out = came_of(machine, "spoilt.py /rig/film /rig/out", 26 * MINUTE)
    told = json.loads((out / "spoilt.json").read_text())
    assert [*SPOILS, "busy"] == [name for name, _ in told]


@pytest.mark.timeout(30 * MINUTE)
def test_lgpio_serves_too(tried: Path) -> None:
    """With its kernel's time, and what it can't promise is said."""
    told = json.loads((tried / "lgpio.json").read_text())
    assert "LGPIOFactory" == told["factory"]
    assert "a signal that the kernel loses is not noticed" in told["doubts"][0]
    for pair in told["pairs"]:
        assert pair == sorted(pair, key=itemgetter("t"))
        assert all(one["before"] <= one["t"] <= one["after"] + LATE for one in pair)


@pytest.mark.timeout(2 * MINUTE)
def test_gpiozeros_own_tests_of_pins(built: None) -> None:  # noqa: ARG001 - which brings them
    """All that apply to ours; the one that measures a dimmed lamp from the same interpreter that dims it needs the
    machine for itself, and a test of ours does that by a clock of its own."""
    own = cache() / "gpiozero/tests/test_real_pins.py"
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.emulator.joined", "-k", "gpiod and not duty_cycles", own],
        env={**os.environ, VARIABLE: "gpiod", "PYTHONPATH": str(ROOT)},
        cwd=own.parent,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert 0 == ran.returncode, ran.stdout
    assert "18 passed, 1 skipped" in ran.stdout.splitlines()[-1]


@pytest.mark.timeout(30 * MINUTE)
def test_switches_rattle(tried: Path) -> None:
    """Each press is heard once, at its first edge; one that this machine has torn apart counts for nothing."""
    pressed = json.loads((tried / "bounce.json").read_text())
    heard = presses_in(tried / "bounce.jsonl")
    ends = [*(one["before"] for one in pressed[1:]), inf]
    as_drawn = [(one, end) for one, end in zip(pressed, ends, strict=True) if one["as_drawn"]]
    assert len(as_drawn) > len(pressed) / 10, "this machine is too slow for switches that rattle"
    for one, end in as_drawn:
        ((seat, t),) = [press for press in heard if one["before"] <= press[1] < end]
        assert seat == one["seat"]
        assert t <= one["after"] + LATE


@pytest.mark.timeout(30 * MINUTE)
def test_a_loose_wire_costs_the_others_nothing(tried: Path) -> None:
    """Each press at another seat is heard, with its time; the loose one is reported once and left out, and takes
    less than a third of a Pi's core."""
    told = json.loads((tried / "storm.json").read_text())
    heard = [t for seat, t in presses_in(tried / "game.jsonl") if seat == 1]
    assert len(told["pressed"]) == len(heard)
    assert all(one["before"] <= t <= one["after"] + LATE for one, t in zip(told["pressed"], heard, strict=True))
    assert told["cpu"] < CPU * AS_FAST_AS_A_PI
    assert 1 == (tried / "journal").read_text().count("The button at seat 1 flickers faster than any hand")


@pytest.mark.timeout(30 * MINUTE)
def test_the_kernels_time_knows_who_was_first(tried: Path) -> None:
    """Idle and busy, of every pair, and none is lost."""
    ours = [line.split()[-5:] for line in (tried / "race").read_text().splitlines() if "(ours)" in line]
    assert [[str(PAIRS), "0", "0"]] * 2 == [line[:3] for line in ours]
