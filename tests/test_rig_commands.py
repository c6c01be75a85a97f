"""`companion run`, `check` and `timing`, as people type them."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .said import Run

NOTHING = 'buttons = "none"\ncamera = "none"\n'


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    """A rig of phones only."""
    path = tmp_path / "rig.toml"
    path.write_text(NOTHING)
    return path


def test_check_goes_through_everything(run: Run, rig: Path) -> None:
    """A line a part, and 0 where all is well."""
    said = run("check", "--config", rig)
    assert (0, "") == (said.code, said.err)
    parts = [line.split()[1].rstrip(":") for line in said.out.splitlines()]
    assert ["buttons", "lamps", "camera", "clock", "disk", "warmth", "power"] == parts


def test_check_ends_with_1_where_something_is_wrong(run: Run, rig: Path) -> None:
    """Here a camera that is not there."""
    rig.write_text('buttons = "none"\ncamera = "usb:77"\n')
    said = run("check", "--config", rig)
    assert 1 == said.code
    assert "WRONG camera: There is no USB camera at /dev/video77" in said.out


def test_the_rig_in_the_data_folder_is_taken(run: Run, tmp_path: Path) -> None:
    """And its mistakes are said with their line."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "rig.toml").write_text(f'{NOTHING}kamera = "pi"\n')
    said = run("check")
    assert 1 == said.code
    assert "line 3: 'kamera' is not known here; did you mean 'camera'?" in said.err


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("--output", "4"), 2, "belong together"),
        ((), 1, "no buttons to press"),
        (("--output", "4", "--inputs", "18", "7"), 1, "GPIO"),
    ],
)
def test_what_can_not_be_measured_is_said(
    run: Run, rig: Path, arguments: tuple[str, ...], code: int, word: str
) -> None:
    """In one line, and nothing is written down."""
    said = run("timing", "--config", rig, *arguments)
    assert (code, 1) == (said.code, said.err.count("\n"))
    assert word in said.err
    assert not list(rig.parent.rglob("timing.json"))


@pytest.mark.parametrize(
    "plan", [NOTHING, 'buttons = "demo"\ncamera = "demo"\n[[seats]]\ngrab=1\n[[seats]]\ngrab=2\n']
)
def test_a_rig_runs_until_it_is_stopped(rig: Path, plan: str) -> None:
    """Its page's address on a line of its own; SIGTERM ends it with 0."""
    rig.write_text(f'{plan.partition("[[")[0]}address = "127.0.0.1"\n{"".join(plan.partition("[[")[1:])}')
    command = [sys.executable, "-m", "companion", "run", "--config", str(rig), "--data", str(rig.parent / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        page = next(line for line in program.stdout if line.startswith("page: "))
        assert re.fullmatch(r"page: http://127\.0\.0\.1:\d+/\n", page)
        program.send_signal(signal.SIGTERM)
        program.stdout.read()
    assert 0 == program.returncode
