"""A second game goes through every door that a game has, and nothing outside its folder knows of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from companion.core.lamp import Lamp
from companion.demo.cast import Company
from companion.demo.schedule import WorldClock
from companion.demo.world import World
from companion.games.game import Game
from companion.games.registry import GAMES
from companion.history import bgstats
from companion.history.archive import Archive
from companion.journal import Journal
from companion.rig.button_stats import ButtonStats
from companion.rig.button_worker import ButtonWorker, Wire
from companion.rig.lamp_board import LampBoard
from companion.table.live_table import Table, resume
from companion.table.replay import replay
from companion.table.table_clock import TableClock
from companion.units import SECOND
from hardware.gpio.chips import Header
from hardware.gpio.gpio_buttons import GpioButtons
from hardware.gpio.pins import GpiodFactory
from hardware.gpio.simchip import SimChip

from ..web.aboard import Aboard, Event, aboard
from .dummy import DUMMY

NINE: Event = {"type": "game", "game": "dummy", "seats": list("ABCDEFGHI")}
SOON = 20.0


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast("dict[str, Game]", GAMES), "dummy", DUMMY)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Aboard]:
    with aboard(tmp_path) as table:
        yield table


def played(*more: Event) -> list[Event]:
    """By nine, until the fourth has taken the last card."""
    moves = ({"type": "draw", "seat": seat, "from": "bottom"} for seat in range(4))
    return [{"t": n * SECOND, **event} for n, event in enumerate((NINE, *moves, *more))]


def test_it_is_replayed() -> None:
    """From text to rulings and the last state."""
    said = [json.loads(line) for line in replay(json.dumps(event).encode() for event in played())]
    assert {"ruling": "card", "t": SECOND, "seat": 0, "end": "bottom"} == said[0]
    assert {"state": {"game": "dummy", "turn": 4, "pile": 0}} == said[-1]


def test_it_is_written_down_and_taken_up_again(tmp_path: Path) -> None:
    """Whoever pulls the plug finds it as it was, and a card can be given back."""
    with aboard(tmp_path) as table:
        table.tell(NINE, {"type": "draw", "seat": 0}, {"type": "draw", "seat": 1})
    with aboard(tmp_path) as table:
        assert {"game": "dummy", "turn": 2, "pile": 2} == table.services.table.snapshot.state
        table.tell({"type": "undo"})
        assert {"game": "dummy", "turn": 1, "pile": 3} == table.services.table.snapshot.state


def test_phones_show_it_and_play_it(table: Aboard) -> None:
    """With a face of its own for all, for a seat and for the host; whoever has the turn draws from the bottom."""
    host = table.paired()
    assert 200 == table.say(host, NINE)[0]
    first, last = table.paired(0), table.paired(8)
    for path in ("/", "/tv", "/seat/8", "/host"):
        assert "4 cards lie there" in host.get(path).text, path
    assert 403 == table.say(last, {"type": "draw", "seat": 0})[0]
    assert 200 == table.say(first, {"type": "draw", "seat": 0, "from": "bottom"})[0]
    assert 422 == table.say(host, {"type": "draw", "seat": 0, "from": "bottom"})[0]
    assert "3 cards lie there" in first.get("/").text


def test_it_is_looked_back_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the page of all games and on its own; in the tables; and for BG Stats."""
    monkeypatch.setattr(Archive.list_games, "__defaults__", (float("inf"),))
    with aboard(tmp_path) as table:
        table.tell(NINE, *({"type": "press", "seat": seat} for seat in range(4)))
        phone = table.client()
        pages = [" ".join(phone.get(path).text.split()) for path in ("/history", "/game/1", "/history/games.csv")]
    assert "<b>D</b> won" in pages[0]
    assert "<h1>The Last Card" in pages[1]
    assert 9 == pages[2].count(",dummy,")
    [brief] = Archive(tmp_path / "journal.db").list_games().summaries
    assert "The%20Last%20Card" in (bgstats.play_link(brief) or "")


def test_drawn_people_play_it(tmp_path: Path) -> None:
    """Without a camera; their fingers press what buttons they have."""
    with Journal.open(tmp_path / "journal.db") as journal:
        clock = WorldClock(resume(journal).latest + SECOND)
        with Table(journal, clock=clock) as table:
            world = World(table, clock, None, Company(game="dummy", seats=9))
            for _ in range(2000):
                world.step()
                if table.snapshot.evening.begun > 1:
                    break
            assert () == world.refused
            past = table.snapshot.evening.past
            assert past is not None
            assert [0, 1, 2, 3] == [said.as_json()["seat"] for _, said in past.rulings()]


def test_buttons_play_it_and_lamps_show_it(tmp_path: Path) -> None:
    """Nine of them on a chip: a short press takes the topmost card, a long one the lowest; one by another seat is
    refused, and changes nothing."""
    now = [SECOND]
    clock = TableClock(ahead=0, kernel=lambda: now[0])
    chip = SimChip(clock=lambda: now[0])
    factory = GpiodFactory(Header(chip, "/dev/gpiochip0", chip.label))
    pins = tuple(range(4, 13))
    with Journal.open(tmp_path / "journal.db") as journal, Table(journal, clock=clock) as table:
        wires = [Wire(place) for place in range(9)]
        worker = ButtonWorker(table, GpioButtons(pins, factory), wires, ButtonStats(clock), clock)
        table.tell(NINE).result(SOON)
        for pin, held in ((pins[0], SECOND // 10), (pins[1], 2 * SECOND), (pins[8], SECOND // 10)):
            for high, after in ((False, held), (True, SECOND)):
                chip.drive(pin, high=high, at_ns=now[0])
                for _ in range(3):
                    worker.step(0.05)
                now[0] += after
                worker.step(0)
        game = table.snapshot.evening.game
        assert game is not None
        assert ["top", "bottom"] == [said.as_json()["end"] for _, said in game.rulings()]
        assert [seat == 2 for seat in range(9)] == [lamp is Lamp.SOLID for lamp in LampBoard(table, 9).lamps()]
        worker.close()
    factory.close()
