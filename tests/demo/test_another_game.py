"""Another game than those there are is played in the demo, though nothing in it knows that game."""

import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any, cast
from urllib.request import urlopen

import pytest

from companion.demo.build_demo import DemoOptions, demo
from companion.demo.cast import Company
from companion.demo.terminal import Live
from companion.games.registry import GAMES
from companion.threads.shutdown import Stop
from companion.threads.worker import Crew

from ..started import started
from ..waiting import until
from .bells import BELLS, NAMES, ROUNDS, Bells
from .started import line_with

# As somebody would start it whose game is in the registry; afterwards it says whether OpenCV was loaded.
PROGRAM = """
import sys
from companion.games.registry import GAMES
from tests.demo.bells import BELLS
GAMES["bells"] = BELLS
from companion.__main__ import main
try:
    main()
finally:
    print("loaded:", *sorted({"cv2", "companion.drawn"} & sys.modules.keys()))
"""


@pytest.fixture(autouse=True)
def bells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast("dict[str, Any]", GAMES), "bells", BELLS)


def page(url: str) -> str:
    with urlopen(url) as answer:  # noqa: S310 - its own
        return answer.read().decode()


def program(*options: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM, "demo", "--bind", "127.0.0.1", "--game", "bells", *options]


def test_nine_people_play_it_on_the_real_page_and_no_camera_is_loaded() -> None:
    """As a command: their names are on the page, their rulings in the pipe, and OpenCV is never loaded."""
    with started(program("--seats", "9", "--speed", "100")) as running:
        url = line_with(running, "page: ")
        assert line_with(running, "   ").endswith("Ada rings")
        live = page(url)
        assert all(f"<li>{name}</li>" in live for name in NAMES)
        assert "<h1>Ivy</h1>" in page(f"{url}seat/8")
        running.send_signal(signal.SIGTERM)
        out, errors = running.communicate(timeout=60)
        assert ("", 0) == (errors, running.returncode)
        assert "loaded:\n" in out


def test_more_than_the_game_seats_are_refused() -> None:
    """As the game declares them."""
    told = subprocess.run(program("--seats", "10"), capture_output=True, text=True, check=False)
    assert 2 == told.returncode
    assert "10 is not in the range 2<=x<=9" in told.stderr


@pytest.mark.parametrize("yours", [None, 1])
def test_it_is_played_to_its_end(tmp_path: Path, yours: int | None) -> None:
    """Everybody rings twice; at your seat nobody does, until you hit the key."""
    stop = Stop()
    options = DemoOptions(Company("bells", 3, seed=1, yours=yours), 1000.0, "127.0.0.1", None, tmp_path)
    with demo(options, Crew(stop)) as built, built.playing:

        def game() -> Bells:
            game = built.table.snapshot.evening.game
            assert isinstance(game, Bells)
            return game

        if yours is not None:
            for rung in (1, 4):
                until(lambda rung=rung: len(game().rang) == rung)
                number = built.table.snapshot.number
                assert () == built.table.wait(number, 0)
                built.playing.key(" ")
                until(lambda number=number: built.table.snapshot.number > number)
        until(lambda: game().over)
        rang = [(0, "ring"), (1, "ring"), (2, "toll")] * ROUNDS
        assert rang == [(one.seat, one.how) for one in game().rang]
        assert "Rung 6 times" in page(built.url)
        world = built.playing.world
    stop.raise_death()
    assert world is not None
    assert ((), ()) == (world.refused, world.mismatches)


def test_a_terminal_shows_its_seats(tmp_path: Path) -> None:
    """By the lines and words that the game gives."""
    out = StringIO()
    live = Live(out, width=lambda: 80, yours=1)
    options = DemoOptions(Company("bells", 3, seed=1), 1000.0, "127.0.0.1", None, tmp_path)
    with demo(options, Crew(Stop())) as built, built.playing:
        until(lambda: built.table.snapshot.number > 2)
    for snapshot in built.table.wait(0, 0)[:3]:
        live.show(snapshot)
    *_, ada, ben, cy, last = (
        out.getvalue().replace("\x1b[4F", "").replace("\x1b[2K", "").replace("\x1b[J", "").splitlines()
    )
    assert ada.endswith("rings")
    assert ada.startswith("  Ada           1 ▮")
    assert ben.startswith("  Ben (you)     1 ▮")
    assert cy.startswith("> Cy            0  ")
    assert "Ben rings" == last
