"""`companion run`, `check` and `timing`, as people type them."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TextIO
from urllib.request import Request, urlopen

import pytest

from ..kinds import mostly_slow
from ..said import Run
from ..started import started
from ..told import wait_for_its_end

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


def test_check_says_more_to_whoever_looks_for_a_fault(run: Run, rig: Path) -> None:
    """Where it went wrong in the program, beside what was found."""
    rig.write_text('buttons = "none"\ncamera = "usb:77"\n')
    said = run("check", "--config", rig, "-v")
    assert "debug    companion.app.doctor: Looking at the camera has failed." in said.err
    assert "Traceback (most recent call last):" in said.err
    assert 7 == said.out.count("\n")


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


DEMO = 'buttons = "demo"\ncamera = "demo"\n'


def test_what_nobody_foresaw_is_one_sentence(
    run: Run, rig: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what to do; what led to it stands in the log, which is kept."""

    def fail(_: object) -> None:
        raise KeyError("goat")

    monkeypatch.setattr("companion.app.build_rig.Supervisor", fail)
    rig.write_text(f'address = "127.0.0.1"\n{NOTHING}')
    said = run("run", "--config", rig)
    wait_for_its_end()
    assert (1, 1) == (said.code, said.err.count("\n"))
    assert said.err.startswith("companion: Something unforeseen has ended it (KeyError: 'goat'). Start it anew")
    log = (tmp_path / "data" / "companion.log").read_text()
    assert ", in fail\n    raise KeyError" in log


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no journald")
def test_journald_is_told_levels_and_people_find_the_page(rig: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines that other programs look for stay as they are, also with all that is to be said."""
    rig.write_text(f'address = "127.0.0.1"\n{NOTHING}')
    command = [sys.executable, "-m", "companion", "run", "-v", "--config", str(rig), "--data", str(rig.parent)]
    reading, writing = os.pipe()
    pipe = os.fstat(writing)
    monkeypatch.setenv("JOURNAL_STREAM", f"{pipe.st_dev}:{pipe.st_ino}")
    with os.fdopen(reading) as told, started(command, out=writing) as program:
        os.close(writing)
        before = list(_until_the_code(told))
        program.send_signal(signal.SIGTERM)
        _, errors = program.communicate(timeout=60)
    *log, page, code = before
    assert re.fullmatch(r"page: http://127\.0\.0\.1:\d+/\n", page)
    assert re.fullmatch(r"pairing code: \d{6}\n", code)
    assert log[0].startswith("<6>companion.app.build_rig: Table companion ")
    assert all(re.match(r"<[2-7]>[\w.]+: ", line) for line in log)
    assert (0, "") == (program.returncode, errors)


def _until_the_code(told: TextIO) -> Iterator[str]:
    for line in told:
        yield line
        if line.startswith("pairing code: "):
            return


def running(rig: Path, plan: str) -> AbstractContextManager[subprocess.Popen[str]]:
    rig.write_text(f'address = "127.0.0.1"\n{plan}')
    options = ("--config", str(rig), "--data", str(rig.parent / "data"))
    return started([sys.executable, "-m", "companion", "run", *options])


def page_of(program: subprocess.Popen[str]) -> str:
    """Its address, and after it the code."""
    assert program.stdout is not None
    page, code = program.stdout.readline(), program.stdout.readline()
    assert re.fullmatch(r"page: http://127\.0\.0\.1:\d+/\n", page)
    assert re.fullmatch(r"pairing code: \d{6}\n", code)
    return page.removeprefix("page: ").strip()


@pytest.mark.parametrize("plan", mostly_slow([NOTHING, f"{DEMO}[[seats]]\ngrab=17\n[[seats]]\ngrab=5\n"]))
def test_a_rig_runs_until_it_is_stopped(rig: Path, plan: str) -> None:
    """Its page's address on a line of its own, and the code on the next; SIGTERM ends it with 0."""
    with running(rig, plan) as program:
        page_of(program)
        program.send_signal(signal.SIGTERM)
        _, errors = program.communicate(timeout=60)
    assert (0, "") == (program.returncode, errors)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has systemd")
def test_one_that_systemd_gives_up_tells_where_it_hung(rig: Path) -> None:
    """Its watchdog ends it by a signal that no Python can catch: what each thread was doing is told."""
    with running(rig, NOTHING) as program:
        page_of(program)
        program.send_signal(signal.SIGABRT)
        _, errors = program.communicate(timeout=60)
    assert -signal.SIGABRT == program.returncode
    assert errors.startswith("Fatal Python error: Aborted")
    assert re.search(r'^  File ".*table\.py", line \d+ in ', errors, re.MULTILINE)


@pytest.mark.parametrize("plan", mostly_slow([DEMO, NOTHING]))
def test_whoever_reads_along_may_hang_up(rig: Path, plan: str) -> None:
    """The rig goes on without a word, speaks the language of rig.toml, and ends with 0."""
    with running(rig, f'language = "de"\n{plan}') as program:
        url = page_of(program)
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        with urlopen(Request(url, headers={"Accept-Language": "fi"})) as page:  # noqa: S310 - its own
            assert b'lang="de"' in page.read()
        program.send_signal(signal.SIGTERM)
        assert "" == program.stderr.read()
        assert 0 == program.wait(60)
