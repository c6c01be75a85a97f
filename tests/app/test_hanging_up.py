"""A terminal that is closed, be it a window or a line to another machine: what runs in it ends in order."""

import fcntl
import os
import signal
import subprocess
import sys
import termios
from pathlib import Path
from urllib.request import urlopen

import pytest

from companion.threads.shutdown import HUNG_UP

from ..kinds import mostly_slow
from ..said import Run
from ..started import started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there a window takes what runs in it with it")
NOTHING = 'address = "127.0.0.1"\nbuttons = "none"\ncamera = "none"\n'


@pytest.fixture(params=mostly_slow(["run", "demo"]))
def command(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    (tmp_path / "rig.toml").write_text(NOTHING)
    options = {"run": [], "demo": ["--bind", "127.0.0.1", "--speed", "50"]}[request.param]
    return [sys.executable, "-m", "companion", request.param, "--data", str(tmp_path), *options]


def page_of(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    line = next(line for line in program.stdout if line.startswith("page: "))
    return line.removeprefix("page: ").strip()


def test_hanging_up_ends_it_in_order_and_is_said(command: list[str]) -> None:
    """Where what it says goes to a file, it stands there why it has ended; that is no failure."""
    with started(command) as program:
        page_of(program)
        program.send_signal(signal.SIGHUP)
        told, errors = program.communicate(timeout=60)
    assert (0, "") == (program.returncode, errors)
    assert 1 == told.splitlines().count(HUNG_UP)


def test_a_terminal_that_is_gone_ends_it_in_order(command: list[str]) -> None:
    """Though it can neither be written to nor be put back as it was."""
    terminal, inside = os.openpty()

    def take_terminal() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    program = subprocess.Popen(
        command,
        stdin=inside,
        stdout=inside,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=take_terminal,  # noqa: PLW1509 - it only asks the kernel
    )
    os.close(inside)
    with os.fdopen(terminal, "rb", buffering=0) as reading:
        seen = b""
        while b"pairing code: " not in seen:
            seen += reading.read(4096)
    _, errors = program.communicate(timeout=60)
    assert (b"", 0) == (errors, program.returncode)


def test_whoever_asked_to_be_left_alone_is(command: list[str]) -> None:
    """Under nohup it goes on, and ends when it is told to."""
    with started(["nohup", *command]) as program:
        url = page_of(program)
        program.send_signal(signal.SIGHUP)
        with urlopen(url) as page:  # noqa: S310 - its own
            assert 200 == page.status
        program.send_signal(signal.SIGTERM)
        told, _ = program.communicate(timeout=60)
    assert 0 == program.returncode
    assert HUNG_UP not in told


def test_what_ends_by_itself_is_hung_up_on_as_anything(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that has something to give has not given it: only what runs for ever takes it as its end."""
    heard: list[object] = []

    def look(_: str) -> None:
        heard.append(signal.getsignal(signal.SIGHUP))
        raise SystemExit(0)

    monkeypatch.setattr("companion.cli.lazy_group.import_module", look)
    assert 0 == run("replay").code
    assert [signal.SIG_DFL] == heard
