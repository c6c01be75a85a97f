"""What holds for every test: it leaves no thread and no connection behind, computes with one thread, and what is
left out is said aloud.
"""

import os

# The processors are busy with other tests: several threads for one small product would mostly wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

import gc
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import __main__ as command_line
from companion.drawn import painter
from companion.threads.troubles import WEB
from hardware.gpio.chips import Header
from hardware.gpio.simchip import SimChip

from .exploring import load_profile
from .kinds import LeftOut
from .remembered import MEMORY, surface
from .said import Run, Said
from .sockets import open_sockets

load_profile()


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(LeftOut(config.option.markexpr, config.option.keyword))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """One more than processors, for a test that waits for a thread leaves its processor to another. Who runs a
    single file waits longer for more processes to begin than for the tests."""
    return 0 if len(config.args) == 1 and ".py" in config.args[0] else (os.cpu_count() or 1) + 1


def pytest_collection() -> None:
    """What is collected is needed to the end: to look for what could be freed of it takes a tenth of the time."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        MEMORY.forget_the_oldest()


@pytest.fixture(scope="session", autouse=True)
def surfaces_are_drawn_once() -> Iterator[None]:
    """A wooden table takes longer than all that is done with it."""
    with pytest.MonkeyPatch.context() as remembered:
        remembered.setattr(painter, "surface_picture", surface)
        yield


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread.name for thread in threading.enumerate() if thread not in before]
    assert left == []


@pytest.fixture(autouse=True)
def no_socket_left() -> Iterator[None]:
    """Else some other test fails, in which the garbage happens to be collected."""
    before = open_sockets()
    serves_others = any(thread.name == WEB for thread in threading.enumerate())
    yield
    # A page that is served to several tests lets go of a phone in its own time.
    assert serves_others or open_sockets() <= before


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> SimChip:
    """The one that whoever asks for the machine's pins is given."""
    chip = SimChip()

    def find(_: str | None) -> Header:
        return Header(chip, "/dev/gpiochip0", chip.label)

    monkeypatch.setattr("hardware.gpio.pins.find_header", find)
    return chip


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The program as its user starts it, in an empty data folder."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))

    def run_it(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["companion", *map(str, arguments)])
        code: object = 0
        try:
            command_line.main()
        except SystemExit as done:
            code = done.code
        out, err = capsys.readouterr()
        assert isinstance(code, int)
        return Said(code, out, err)

    return run_it
