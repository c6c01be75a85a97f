"""`companion demo` as somebody starts it."""

import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from companion.__main__ import cli
from companion.demo.build_demo import DemoOptions, run_demo
from companion.demo.cast import Company
from companion.errors import PortTaken
from companion.threads import systemd
from companion.web.server import listen

from ..kinds import mostly_slow
from ..told import wait_for_its_end
from .started import demo, line_with


@pytest.mark.parametrize("number", mostly_slow([signal.SIGTERM, signal.SIGINT]))
def test_it_shows_its_page_plays_and_ends(number: int, tmp_path: Path) -> None:
    """It prints where the page is when it answers, then the code, then what happens; a signal ends it with 0."""
    with demo("--speed", "50", "--data", str(tmp_path)) as program:
        url = line_with(program, "page: ")
        with urlopen(url) as page:  # noqa: S310 - its own
            assert 200 == page.status
        code = line_with(program, "pairing code: ")
        assert 6 == len(code)
        assert code.isdigit()
        assert "lays a card" in line_with(program, " ")
        program.send_signal(number)
        _, errors = program.communicate(timeout=60)
        assert ("", 0) == (errors, program.returncode)
    assert (tmp_path / "journal.db").is_file()


def wait_until_it_has_played(url: str) -> None:
    """Something has happened that is told."""
    number, decks = 0, 60
    while decks == 60:
        with urlopen(f"{url}api/state") as answer:  # noqa: S310 - its own
            said = json.load(answer)
        if said["no"] != number:
            number, decks = said["no"], sum(said["state"]["decks"])


@pytest.mark.slow
def test_whoever_reads_along_may_hang_up(tmp_path: Path) -> None:
    """The page is what counts: it plays on without a word, and ends with 0."""
    with demo("--speed", "50", "--data", str(tmp_path)) as program:
        url = line_with(program, "page: ")
        line_with(program, "pairing code: ")
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        wait_until_it_has_played(url)
        with urlopen(url) as page:  # noqa: S310 - its own
            assert 200 == page.status
        program.send_signal(signal.SIGTERM)
        assert "" == program.stderr.read()
        assert 0 == program.wait(60)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux opens the same pipe twice")
def test_a_pipe_that_nobody_empties_holds_up_nothing(tmp_path: Path) -> None:
    """It is full to the brim: it plays on, and a signal ends it with 0 all the same."""
    reading, writing = os.pipe()
    with demo("--speed", "50", "--data", str(tmp_path), out=writing) as program, os.fdopen(reading) as told:
        url = told.readline().removeprefix("page: ").strip()
        assert told.readline().startswith("pairing code: ")
        filling = os.open(f"/dev/fd/{writing}", os.O_WRONLY | os.O_NONBLOCK)
        with suppress(BlockingIOError):
            while True:
                os.write(filling, b" ")
        os.close(filling)
        wait_until_it_has_played(url)
        program.send_signal(signal.SIGTERM)
        assert 0 == program.wait(60)
        assert program.stderr is not None
        assert "" == program.stderr.read()
        os.close(writing)


def test_a_port_that_is_asked_for_and_taken_is_named() -> None:
    """Nothing is begun on a port that another program has; it says so and ends with 1."""
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        arguments = ["demo", "--bind", "127.0.0.1", "--port", str(port)]
        with pytest.raises(PortTaken, match=str(port)):
            CliRunner().invoke(cli, arguments, catch_exceptions=False, standalone_mode=False)


@pytest.mark.parametrize(
    ("option", "value", "word"),
    [
        ("--speed", "nan", "'nan' is no number"),
        ("--speed", "0", "is not in the range"),
        ("--speed", "fast", "'fast' is not a number."),
        ("--seats", "two", "'two' is not a whole number."),
        ("--seat", "0", "is not in the range"),
        ("--game", "skat", "'skat' is not to be had; there is goat."),
        ("--bind", "nonsense..x", "'nonsense..x' is no name of a machine"),
        ("--bind", "127.0.0.1:80", "is no address of a machine"),
    ],
)
def test_what_makes_no_sense_is_refused(option: str, value: str, word: str) -> None:
    """In a sentence, before anything begins."""
    answer = CliRunner().invoke(cli, ["demo", option, value])
    assert 2 == answer.exit_code
    assert word in answer.output


def test_a_seat_that_does_not_exist_can_not_be_yours() -> None:
    """Whoever asks for a seat that nobody plays at is told which there are."""
    answer = CliRunner().invoke(cli, ["demo", "--seats", "2", "--seat", "3"])
    assert 2 == answer.exit_code
    assert "there are seats 1 to 2" in answer.output


def test_systemd_hears_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That it is up, and that it is alive: a rig.toml may name the drawn table too."""
    told: list[str] = []

    def tell(what: str) -> None:
        told.append(what)
        if what == systemd.ALIVE:
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(systemd, "tell", tell)
    run_demo(DemoOptions(Company("goat", 2, 0, None), 50.0, "127.0.0.1", None, tmp_path))
    wait_for_its_end()
    assert [systemd.READY, systemd.ALIVE] == told
