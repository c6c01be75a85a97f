"""`companion demo` as somebody starts it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from companion.__main__ import cli
from companion.errors import PortTaken
from companion.web.server import listen

# What the issue asks, and room for a machine on which others work too.
FIRST_PAGE_S = 3 * 4
ENDS_S = 1 * 4


@contextmanager
def demo(*options: str) -> Generator[subprocess.Popen[str]]:
    program = subprocess.Popen(
        [sys.executable, "-m", "companion", "demo", "--bind", "127.0.0.1", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    try:
        yield program
    finally:
        program.kill()
        program.communicate()


def line_with(program: subprocess.Popen[str], begin: str) -> str:
    assert program.stdout is not None
    for line in program.stdout:
        if line.startswith(begin):
            return line.removeprefix(begin).strip()
    raise AssertionError(program.stderr.read() if program.stderr else "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_shows_its_page_plays_and_ends(number: int, tmp_path: Path) -> None:
    """It prints where the page is when it answers, then the code, then what happens; a signal ends it with 0."""
    begun = time.monotonic()
    with demo("--speed", "50", "--data", str(tmp_path)) as program:
        url = line_with(program, "page: ")
        with urlopen(url) as page:  # noqa: S310 - its own
            assert 200 == page.status
        assert time.monotonic() - begun < FIRST_PAGE_S
        code = line_with(program, "pairing code: ")
        assert 6 == len(code)
        assert code.isdigit()
        assert "lays a card" in line_with(program, " ")
        ending = time.monotonic()
        program.send_signal(number)
        _, errors = program.communicate(timeout=60)
        assert ("", 0) == (errors, program.returncode)
        assert time.monotonic() - ending < ENDS_S
    assert (tmp_path / "journal.db").is_file()


def test_a_port_that_is_asked_for_and_taken_is_named() -> None:
    """Nothing is begun on a port that another program has; it says so and ends with 1."""
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        arguments = ["demo", "--bind", "127.0.0.1", "--port", str(port)]
        with pytest.raises(PortTaken, match=str(port)):
            CliRunner().invoke(cli, arguments, catch_exceptions=False, standalone_mode=False)


def test_a_seat_that_does_not_exist_can_not_be_yours() -> None:
    """Whoever asks for a seat that nobody plays at is told which there are."""
    answer = CliRunner().invoke(cli, ["demo", "--seats", "2", "--seat", "2"])
    assert 2 == answer.exit_code
    assert "there are seats 0 to 1" in answer.output
