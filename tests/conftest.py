"""What holds for every test: it leaves no thread behind, and measuring data that is not there is said aloud."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from companion import __main__ as command_line
from hardware.chips import Header
from hardware.simchip import SimChip

from .said import Run, Said

# A machine that is busy is no failure; what a test finds it must find again.
settings.register_profile("table", deadline=None, derandomize=True)
settings.load_profile("table")


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread.name for thread in threading.enumerate() if thread not in before]
    assert left == []


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> SimChip:
    """The one that whoever asks for the machine's pins is given."""
    chip = SimChip()

    def find(_: str | None) -> Header:
        return Header(chip, "/dev/gpiochip0", chip.label)

    monkeypatch.setattr("hardware.pins.find_header", find)
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
