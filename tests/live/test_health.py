"""What a phone must know of the rig besides the game is told when it changes, not only now and then."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.journal import Journal
from companion.live import health as healths
from companion.live.feed import Feed
from companion.live.health import Health
from companion.rig.protocols import Button
from companion.table.live_table import Table
from companion.threads.worker import Crew

from .sailing import Camera, Frame, fix, frames, game, until

WELL: dict[str, object] = {"camera": None, "buttons": [], "disk": None, "host": None, "troubles": []}


@dataclass
class Switches:
    now: dict[int, Button] = field(default_factory=dict[int, Button])
    gone: bool = False

    def buttons(self) -> Mapping[int, Button]:
        return self.now


def test_a_button_that_is_left_out_is_told(tmp_path: Path) -> None:
    """By its seat and its stable name; one that only bounces is well."""
    switches = Switches({0: Button(presses=3, bounces=9)})
    health = Health(tmp_path, switches)
    assert {"buttons": [], "disk": None, "host": None, "troubles": []} == health()
    switches.now[2] = Button(wrong="button_stuck")
    assert [{"seat": 2, "wrong": "button_stuck"}] == health()["buttons"]


def test_buttons_that_are_gone_are_told(tmp_path: Path) -> None:
    """All at once, whatever was wrong with one of them."""
    health = Health(tmp_path, Switches({2: Button(wrong="button_stuck")}, gone=True))
    assert [{"seat": None, "wrong": "gone"}] == health()["buttons"]


def test_a_disk_that_runs_full_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the journal has to stop; and so is a folder that is gone."""
    now = 0.0
    health = Health(tmp_path / "kept", clock=lambda: now)
    assert "gone" == health()["disk"]
    (tmp_path / "kept").mkdir()
    now += healths.DISK_S
    assert health()["disk"] is None
    monkeypatch.setattr(healths, "LOW_DISK", shutil.disk_usage(tmp_path).total)
    now += healths.DISK_S
    assert "low" == health()["disk"]


def test_the_disk_is_not_asked_ten_times_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as the feed asks how the rig is: a slow disk would hold up whatever is new."""
    now, asked, usage = 0.0, 0, shutil.disk_usage

    def ask(folder: Path) -> object:
        nonlocal asked
        asked += 1
        return usage(folder)

    monkeypatch.setattr(healths.shutil, "disk_usage", ask)
    health = Health(tmp_path, clock=lambda: now)
    for _ in range(100):
        assert health()["disk"] is None
        now += 0.1
    assert 3 > asked


def test_what_stands_on_the_board_is_told(tmp_path: Path) -> None:
    """By its stable name, with a sentence; and who has died without a word stands there too."""
    crew = Crew()
    health = Health(tmp_path, wrong=crew.wrong)
    crew.troubles.raise_trouble("photos", "No room for photo finishes: free some space.")
    told = {"key": "photos", "sentence": "No room for photo finishes: free some space."}
    assert [told] == health()["troubles"]
    crew.add(Dead())
    assert [told, {"key": "lamps", "sentence": "It is dark."}] == health()["troubles"]
    crew.troubles.raise_trouble("lamps", "It has been dark for long.")
    assert [told, {"key": "lamps", "sentence": "It has been dark for long."}] == health()["troubles"]


class Dead:
    name, sentence, is_alive, can_go_on = "lamps", "It is dark.", False, True

    def check(self) -> None:
        """Nothing helps."""

    def excuse(self) -> None:
        """There is no excuse."""


def test_health_is_told_when_it_changes(tmp_path: Path) -> None:
    """At once, with the state, and not again while it stays as it is."""
    camera, switches = Camera(), Switches()
    with (
        Journal.open(tmp_path / "journal.db") as journal,
        Table(journal, clock=lambda: 0) as table,
        Feed(table, camera, health=Health(tmp_path, switches)) as feed,
    ):
        phone = feed.stream()
        assert Frame(None, "health", WELL) in frames(next(phone))
        switches.now[1] = Button(wrong="button_chatters")
        stuck = {**WELL, "buttons": [{"seat": 1, "wrong": "button_chatters"}]}
        assert [stuck] == [frame.data for frame in frames(next(phone)) if frame.event == "health"]
        table.tell(game()).result()
        assert ["state"] == [frame.event for frame in frames(next(phone)) if frame.event != "ruling"]
        camera.trouble = "blur"
        assert [{**stuck, "camera": "blur"}] == [
            frame.data for frame in frames(next(phone)) if frame.event == "health"
        ]
        camera.trouble, switches.now = None, {}
        assert [WELL] == [frame.data for frame in frames(next(phone)) if frame.event == "health"]


def test_a_phone_that_was_away_hears_how_it_is_now(tmp_path: Path) -> None:
    """However much it has slept through."""
    switches = Switches()
    with (
        Journal.open(tmp_path / "journal.db") as journal,
        Table(journal, clock=lambda: 0) as table,
        Feed(table, health=Health(tmp_path, switches)) as feed,
    ):
        phone = feed.stream()
        next(phone)
        switches.now[1] = Button(wrong="button_stuck")
        until(lambda: b"button_stuck" in next(feed.stream()))
        for turn in range(300):
            table.tell(game() if turn == 0 else fix(turn % 2)).result()
        newest = table.snapshot.number
        until(lambda: feed.stream().__next__().count(b'"no":%d,' % newest) == 1)
        assert b"button_stuck" in next(phone)
