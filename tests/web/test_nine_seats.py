"""A game of nine seats, though six buttons are wired: as many places are offered as its declaration allows."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from companion.games.game import Rights
from companion.games.registry import GAMES

from ..demo.bells import BELLS, NAMES
from .aboard import BLIND, Aboard, Event, aboard, until

RIGHTS = Rights(left_to_buttons=frozenset({"ring"}), by_anyone=frozenset({"toll"}))
BELLS_GAME: Event = {"type": "game", "game": "bells", "seats": list(NAMES)}


class Buttons:
    """Real ones, and a test's finger is on that of the first seat."""

    exists = True

    def pressed_ago(self, seat: int) -> float | None:
        return 0.0 if seat == 0 else None


@pytest.fixture(autouse=True)
def bells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast("dict[str, Any]", GAMES), "bells", replace(BELLS, rights=RIGHTS))


def rows(ship: Aboard, address: str) -> int:
    return ship.client().get(address).text.count('<input name="seat"')


def offered(page: str) -> list[int]:
    """The places for which a phone can be paired there."""
    return [int(place) for place in re.findall(r'data-pair-seat="(\d+)"', page)]


@pytest.mark.parametrize("buttons", [None, Buttons()])
def test_the_host_names_as_many_as_can_play(tmp_path: Path, buttons: Buttons | None) -> None:
    """Of the game that is chosen, before any has been played; and of one that is on, though it seats fewer."""
    with aboard(tmp_path, buttons=buttons) as ship:
        assert 9 == rows(ship, "/host?game=bells")
        assert 6 == ship.client().get("/host?game=goat").text.count('name="seat"')
        ship.tell({**BELLS_GAME, "seats": ["Ada", "Ben"]})
        assert 9 == rows(ship, "/host")


def test_more_buttons_than_can_play_are_offered_too(tmp_path: Path) -> None:
    """As many as are wired, for whom it is to say where they sit."""
    with aboard(tmp_path, buttons=Buttons(), wired=8) as ship:
        assert 8 == ship.client().get("/host?game=goat").text.count('name="seat"')


def test_whoever_has_no_button_plays_by_phone(tmp_path: Path) -> None:
    """It is paired by another seat's button and then moves to the place without one."""
    with aboard(tmp_path, buttons=Buttons()) as ship:
        ship.tell(BELLS_GAME)
        phone = ship.client()
        assert [*range(6)] == offered(phone.get("/").text)
        assert 403 == phone.post("/api/pair", json={"seat": 8}).status_code
        until(lambda: phone.post("/api/pair", json={"seat": 0}).status_code == 200)
        assert [*range(9)] == offered(phone.get("/").text)
        assert 200 == phone.post("/api/pair", json={"seat": 8}).status_code
        assert [403, 200] == [ship.say(phone, {"type": "ring", "seat": seat})[0] for seat in (0, 8)]


def test_some_events_any_paired_phone_may_tell(tmp_path: Path) -> None:
    """Of every seat, and also a phone that has none; but no stranger, and nothing in a game that lets nobody."""
    toll = {"type": "toll", "seat": 0}
    with aboard(tmp_path) as ship:
        ship.tell(BELLS_GAME)
        host, seated, seatless, stranger = ship.paired(), ship.paired(1), ship.paired(), ship.client()
        assert [200, 200, 200, 403] == [ship.say(one, toll)[0] for one in (host, seated, seatless, stranger)]
        assert 403 == ship.say(seatless, {"type": "ring", "seat": 0})[0]
    with aboard(tmp_path / "goats") as ship:
        ship.tell(BLIND)
        ship.paired()
        assert 403 == ship.say(ship.paired(), {"type": "call", "seat": 0})[0]
