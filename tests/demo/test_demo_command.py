"""`companion demo` as somebody starts it."""

import signal
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from companion.__main__ import cli
from companion.errors import PortTaken
from companion.web.server import listen

from .started import demo, line_with


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
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
