"""What is true for everybody, and what a paired phone may say."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games.goat import GOAT
from companion.rig.protocols import ClockReport, Rig
from companion.table import evening as evening_of_games
from companion.web import permissions
from companion.web.downloads import AT_ONCE

from .aboard import BLIND, GAME, JPEG, PINKS, Aboard, Event, Pictures, aboard, card, until

ENGLISH = {"Accept-Language": "en"}


class Buttons:
    """They are there; a test's finger is on one or on none."""

    exists = True

    def __init__(self, pressed: int | None = None) -> None:
        self.pressed = pressed

    def pressed_ago(self, seat: int) -> float | None:
        return 0.0 if seat == self.pressed else None


@pytest.fixture
def pictures() -> Pictures:
    return Pictures()


@pytest.fixture
def ship(tmp_path: Path, pictures: Pictures) -> Iterator[Aboard]:
    with aboard(tmp_path, camera=pictures) as ship:
        yield ship


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Aboard]:
    """Neither camera nor buttons."""
    with aboard(tmp_path) as ship:
        yield ship


def get(client: FlaskClient, path: str) -> Any:
    answer = client.get(path)
    assert 200 == answer.status_code
    return json.loads(answer.data)


def test_everybody_may_see_the_state(ship: Aboard) -> None:
    """As the contract writes it, with what the page draws beside it, and without the sets."""
    client = ship.client()
    assert (0, None) == (get(client, "/api/state")["no"], get(client, "/api/state")["state"])
    ship.tell(GAME, *PINKS)

    state = get(client, "/api/state")
    assert 4 == state["no"]
    assert ["Ada", "Ben", "Cy"] == state["names"]
    assert [1, 1, 1, 0, 0, 0, 0, 0, 0] == state["state"]["piles"]
    assert "sets" not in state["state"]
    assert [None] * 9 == state["page"]["cutouts"]


def test_a_state_that_has_not_changed_is_not_sent_again(ship: Aboard) -> None:
    """Until something has."""
    client = ship.client()
    ship.tell(GAME)
    tag = client.get("/api/state").headers["ETag"]
    again = client.get("/api/state", headers={"If-None-Match": tag})
    assert (304, b"", tag) == (again.status_code, again.data, again.headers["ETag"])
    ship.tell(card(4))
    changed = client.get("/api/state", headers={"If-None-Match": tag})
    assert 200 == changed.status_code
    assert tag != changed.headers["ETag"]


def test_a_name_is_a_name(ship: Aboard) -> None:
    """Whatever it looks like."""
    name = "<script>alert(1)</script>"
    ship.tell({**GAME, "seats": [name, "Ben"]})
    assert name == get(ship.client(), "/api/state")["names"][0]
    assert name == get(ship.client(), "/api/games")["games"][0]["seats"][0]


def test_the_host_corrects_and_takes_back(ship: Aboard) -> None:
    """The answer is the number under which it is durable."""
    host = ship.paired()
    assert (200, {"no": 1}) == ship.say(host, GAME)
    assert (200, {"no": 2}) == ship.say(host, {"type": "fix", "turn": 2})
    assert 2 == get(host, "/api/state")["state"]["turn"]
    assert (200, {"no": 3}) == ship.say(host, {"type": "undo"})
    assert 0 == get(host, "/api/state")["state"]["turn"]


def test_a_stale_command_is_answered_with_what_is_true(ship: Aboard) -> None:
    """Two phones saw the same; the second one's word is about a table that has passed."""
    ship.tell(GAME)
    host, ben = ship.paired(0), ship.paired(1)
    assert (200, {"no": 2}) == ship.say(host, {"type": "fix", "turn": 2}, no=1)
    status, answer = ship.say(ben, {"type": "call", "seat": 1}, no=1)
    assert 409 == status
    assert (2, 2) == (answer["no"], answer["state"]["turn"])
    assert "sets" not in answer["state"]
    assert "moved on" in answer["error"]
    assert 409 == ship.say(host, {"type": "undo"}, no=3)[0]
    assert 2 == ship.number


def test_strangers_say_nothing(ship: Aboard) -> None:
    """They look."""
    ship.tell(GAME)
    client = ship.client()
    assert 403 == ship.say(client, {"type": "call", "seat": 0})[0]
    client.set_cookie("phone", "x" * 43)
    assert 403 == ship.say(client, {"type": "undo"})[0]
    assert 1 == ship.number


SEAT: list[Event] = [{"type": "call", "seat": 1}, {"type": "accuse", "seat": 1, "target": 0}]
HOST: list[Event] = [
    {"type": "call", "seat": 0},
    {"type": "accuse", "seat": 0, "target": 1},
    {"type": "foul", "seat": 1, "reason": "peeked"},
    {"type": "fix", "turn": 1},
    {"type": "undo"},
    GAME,
]


@pytest.mark.parametrize("event", SEAT, ids=lambda event: event["type"])
def test_a_seats_phone_speaks_for_its_seat(ship: Aboard, event: Event) -> None:
    """The player's own mouth."""
    ship.tell(GAME)
    ship.paired()
    assert 200 == ship.say(ship.paired(1), event)[0]


@pytest.mark.parametrize("event", HOST, ids=lambda event: event["type"])
def test_a_seats_phone_speaks_for_nobody_else(ship: Aboard, event: Event) -> None:
    """Neither for another seat nor for the host; nor does a phone that has no seat."""
    ship.tell(GAME)
    ship.paired()
    assert 403 == ship.say(ship.paired(1), event)[0]
    assert 403 == ship.say(ship.paired(), event)[0]
    assert 1 == ship.number


def test_true_is_no_seat(ship: Aboard) -> None:
    """Though Python takes it for the number one."""
    ship.tell(GAME)
    ship.paired()
    assert 422 == ship.say(ship.paired(1), {"type": "call", "seat": True})[0]


@pytest.mark.parametrize("event", [*SEAT, *HOST[:-1]], ids=lambda event: event["type"])
def test_the_host_speaks_for_everybody(ship: Aboard, event: Event) -> None:
    """Not every player has a phone."""
    ship.tell(GAME, card(4))
    assert 200 == ship.say(ship.paired(), event)[0]


def test_without_a_camera_people_say_what_they_do(blind: Aboard) -> None:
    """Whoever has the turn has laid, and each seat takes its own cards; nobody for another."""
    blind.tell(BLIND)
    host, ben = blind.paired(0), blind.paired(1)
    assert 403 == blind.say(ben, {"type": "laid"})[0]
    assert 200 == blind.say(host, {"type": "laid"})[0]
    assert 200 == blind.say(ben, {"type": "laid"})[0]
    blind.tell({"type": "press", "seat": 0}, {"type": "press", "seat": 2})
    [debt] = get(blind.client(), "/api/state")["state"]["owed"]
    assert 1 == debt["seat"]
    assert 403 == blind.say(ben, {"type": "take", "seat": 0, "cards": 1})[0]
    assert 200 == blind.say(ben, {"type": "take", "seat": 1, "cards": 2})[0]


@pytest.mark.parametrize("kind", ["card", "lift", "grid", "seen"])
def test_the_host_stands_in_for_a_camera_that_does_not_see(ship: Aboard, pictures: Pictures, kind: str) -> None:
    """While it sees, though a hand is in its way, nobody does; a seat's phone never."""
    events: dict[str, Event] = {
        "card": card(4),
        "lift": {"type": "lift", "cells": [0]},
        "grid": {"type": "grid", "cells": [None] * 9},
        "seen": {"type": "seen"},
    }
    ship.tell(GAME)
    host, ben = ship.paired(), ship.paired(1)
    assert 403 == ship.say(host, events[kind])[0]
    pictures.trouble = "moving"
    assert 403 == ship.say(host, events[kind])[0]
    pictures.trouble = "lost"
    assert 403 == ship.say(ben, events[kind])[0]
    assert 200 == ship.say(host, events[kind])[0]


@pytest.mark.parametrize(
    "event",
    [
        {"type": "card", "cell": 9, "boat": "raft", "colour": "pink"},
        {"type": "card", "cell": 4, "boat": "raft", "colour": "mauve"},
        {"type": "press", "seat": 7},
        {"type": "dance"},
        {"type": "call"},
        {"type": "call", "seat": True},
    ],
)
def test_what_makes_no_sense_is_refused_as_that(ship: Aboard, event: Event) -> None:
    """By whoever it is said, and whoever may say the like."""
    ship.tell(GAME)
    host, ben = ship.paired(), ship.paired(1)
    assert [422, 422] == [ship.say(who, event)[0] for who in (host, ben)]
    assert 403 == ship.say(ship.client(), event)[0]


def test_a_phone_is_a_button_only_where_there_is_none(tmp_path: Path) -> None:
    """A press over Wi-Fi would be no fair one beside real buttons."""
    press, other, sprint = {"type": "press", "seat": 1}, {"type": "press", "seat": 2}, {"type": "sprint"}
    with aboard(tmp_path) as ship:
        ship.tell(BLIND)
        host, ben = ship.paired(), ship.paired(1)
        assert [200, 403, 403] == [ship.say(ben, event)[0] for event in (press, other, sprint)]
        assert [200, 200, 200] == [ship.say(host, event)[0] for event in (press, other, sprint)]
    with aboard(tmp_path / "buttons", buttons=Buttons(pressed=1)) as ship:
        ship.tell(BLIND)
        host = ship.client()
        until(lambda: host.post("/api/pair", json={"seat": 1}).status_code == 200)
        assert get(host, "/api/pair")["host"]
        assert [403] * 3 == [ship.say(host, event)[0] for event in (press, other, sprint)]


class Measured:
    """A clock that tells apart what is 73 us from each other."""

    def report(self) -> ClockReport:
        return ClockReport(offset_us=0.0, resolution_us=73.0)


@pytest.mark.parametrize(("said", "us"), [({}, 73), ({"resolution_us": 20}, 20)])
def test_a_game_is_judged_by_what_the_clock_tells_apart(tmp_path: Path, said: Event, us: int) -> None:
    """As it was measured on this rig, unless the host says otherwise."""
    with aboard(tmp_path, rig=Rig(clocks=Measured())) as ship:
        assert 200 == ship.say(ship.paired(), {**BLIND, **said})[0]
        (line,) = get_lines(ship.client(), "/api/games/1.jsonl")
        assert us == json.loads(line)["resolution_us"]


def test_a_game_without_races_is_not_told_how_its_clock_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rules would refuse the word."""
    monkeypatch.setattr(permissions, "GAMES", {"goat": replace(GOAT, is_raced=False)})
    with aboard(tmp_path, rig=Rig(clocks=Measured())) as ship:
        assert 200 == ship.say(ship.paired(), BLIND)[0]
        (line,) = get_lines(ship.client(), "/api/games/1.jsonl")
        assert "resolution_us" not in json.loads(line)


def get_lines(client: FlaskClient, path: str) -> list[bytes]:
    return client.get(path).data.splitlines()


@pytest.mark.parametrize(("key", "when"), [("t", 1), ("t", "now"), ("from", 1)])
def test_no_phone_says_when(ship: Aboard, key: str, when: object) -> None:
    """That is the table's clock's to know."""
    ship.tell(GAME)
    status, answer = ship.say(ship.paired(), {"type": "fix", "turn": 1, key: when})
    assert 422 == status
    assert "clock" in answer["error"]


def test_a_phone_may_say_from_where(ship: Aboard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `from` is no time: which end of a pile it was is for the game's rules to judge."""
    monkeypatch.setattr(evening_of_games, "GAMES", {"goat": replace(GOAT, instants=frozenset({"t"}))})
    ship.tell(GAME)
    status, answer = ship.say(ship.paired(), {"type": "draw", "seat": 0, "from": "bottom"})
    assert 422 == status
    assert "clock" not in answer["error"]
    assert "draw" in answer["error"]


def test_a_phone_learns_who_it_is(ship: Aboard) -> None:
    """Before and after it was paired."""
    client = ship.client()
    assert {"paired": False, "seat": None, "host": False, "by": "code"} == get(client, "/api/pair")
    host = ship.paired(2)
    assert {"paired": True, "seat": 2, "host": True, "by": "code"} == get(host, "/api/pair")
    ship.paired(1)
    assert 200 == host.post("/api/pair", json={"host": 1}).status_code
    assert {"paired": True, "seat": 2, "host": False, "by": "code"} == get(host, "/api/pair")
    assert 403 == host.post("/api/pair", json={"host": 2}).status_code


def test_a_phone_waits_for_its_button(tmp_path: Path) -> None:
    """202 until somebody presses; the phone is known again by what it was given."""
    with aboard(tmp_path, buttons=Buttons()) as ship:
        client = ship.client()
        assert [202, 202] == [client.post("/api/pair", json={"seat": 2}).status_code for _ in range(2)]
        assert "button" == get(client, "/api/pair")["by"]
        assert 403 == ship.client().post("/api/pair", json={"seat": 2}).status_code
        assert 403 == client.post("/api/pair", json={"code": "123456"}).status_code


def test_the_games_and_their_recordings(ship: Aboard) -> None:
    """The very events that were told, which everybody at the table has seen; the running game's too."""
    assert {"games": []} == get(ship.client(), "/api/games")
    ship.tell(GAME, card(4))
    [game] = get(ship.client(), "/api/games")["games"]
    assert (1, "goat", ["Ada", "Ben", "Cy"], 2) == (game["id"], game["game"], game["seats"], game["events"])
    answer = ship.client().get("/api/games/1.jsonl")
    assert ["game", "card"] == [json.loads(line)["type"] for line in answer.text.splitlines()]
    assert 'attachment; filename="game-1.jsonl"' == answer.headers["Content-Disposition"]
    for nothing in ("0", "2", "9" * 19, "9" * 40, "x"):
        assert 404 == ship.client().get(f"/api/games/{nothing}.jsonl").status_code


def test_a_cut_out_is_shown_while_it_is_true(ship: Aboard, pictures: Pictures) -> None:
    """Of a version that has passed, or a cell of which nothing may be shown, there is no picture, and that is no
    error; what never can be is one."""
    pictures.versions[4] = 7
    answer = ship.client().get("/cut/4/7.webp")
    assert (JPEG, "image/webp") == (answer.data, answer.mimetype)
    for path in ("/cut/4/6.webp", "/cut/5/7.webp"):
        passed = ship.client().get(path)
        assert (204, b"") == (passed.status_code, passed.data)
    for path in ("/cut/9/7.webp", f"/cut/4/{'9' * 30}.webp"):
        assert 404 == ship.client().get(path).status_code


def test_without_a_camera_there_are_no_cut_outs(blind: Aboard) -> None:
    """Rather than an error."""
    assert 404 == blind.client().get("/cut/4/7.webp").status_code


def test_the_address_as_a_code_to_scan(ship: Aboard) -> None:
    """A drawing without script or style; for an address that there is not, nothing."""
    answer = ship.client().get("/join/0.svg")
    assert "image/svg+xml" == answer.mimetype
    assert answer.text.startswith("<svg")
    assert "style" not in answer.text
    assert 404 == ship.client().get("/join/1.svg").status_code


def test_without_a_camera_nobody_knows_how_long_it_took(blind: Aboard) -> None:
    """What is counted from the first press is no reaction, and the first has none at all."""
    blind.tell(BLIND, {"type": "laid"}, {"type": "press", "seat": 0}, {"type": "press", "seat": 2})
    assert [] == get(blind.client(), "/seat/0/data")
    page = blind.client().get("/", headers=ENGLISH).text
    assert "Ada has lifebuoy 1.<" in page


def test_only_an_address_that_phones_find_is_shown(ship: Aboard) -> None:
    """Where this machine calls itself, nobody else gets; unless it has no other name."""
    own, house = "http://127.0.0.1:8080/", "http://192.168.1.7:8080/"
    for known, shown in (((house, own), [house]), ((own,), [own])):
        ship.app.extensions["companion"] = replace(ship.services, addresses=known)
        page = ship.client().get("/join").text
        assert shown == re.findall(r'<a href="(http[^"]+)">http', page)


def test_health_is_told_part_by_part(ship: Aboard, pictures: Pictures) -> None:
    """200 while all is well; else 503, with what is not."""
    parts = ("table", "live", "journal", "camera", "buttons")
    assert (200, {"ok": True, **dict.fromkeys(parts)}) == health(ship)
    pictures.trouble = "dark"
    assert (503, {"ok": False, **dict.fromkeys(parts), "camera": "dark"}) == health(ship)
    for passing in ("hand", "moving", "glare", "unknown_card"):
        pictures.trouble = passing
        assert 200 == health(ship)[0], passing
    pictures.trouble = None
    journal = ship.services.journal
    journal.rename(journal.with_name("gone.db"))
    assert "no journal" in health(ship)[1]["journal"]
    journal.with_name("gone.db").rename(journal)
    ship.services.feed.close()
    assert 503 == health(ship)[0]


def test_what_stands_on_the_board_is_no_health(ship: Aboard, pictures: Pictures) -> None:
    """Each by its key; of one that also tells of itself, its own name comes first."""
    board = ship.services.troubles
    board.raise_trouble("photos", "No room for photo finishes.")
    board.raise_trouble("camera", "The camera has failed.")
    pictures.trouble = "dark"
    answer = health(ship)
    assert (503, "No room for photo finishes.", "dark") == (answer[0], answer[1]["photos"], answer[1]["camera"])
    pictures.trouble = None
    assert "The camera has failed." == health(ship)[1]["camera"]
    for key in ("photos", "camera"):
        board.clear(key)
    assert 200 == health(ship)[0]


def test_of_very_long_games_only_so_many_are_written_at_once(
    ship: Aboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come all the same, word for word."""
    ship.tell(GAME)
    ship.tell({"type": "card", "cell": 0, "boat": "raft", "colour": "pink"})
    whole = ship.client().get("/api/games/1.jsonl").data
    monkeypatch.setattr("companion.web.api.LONG", 0)
    loading = [ship.client().get("/api/games/1.jsonl", buffered=False) for _ in range(AT_ONCE)]
    refused = ship.client().get("/api/games/1.jsonl")
    assert (429, True) == (refused.status_code, "Retry-After" in refused.headers)
    for answer in loading:
        assert (whole, len(whole)) == (answer.data, answer.content_length)
        answer.close()
    with ship.client().get("/api/games/1.jsonl") as answer:
        assert whole == answer.data


def health(ship: Aboard) -> tuple[int, Any]:
    answer = ship.client().get("/healthz")
    return answer.status_code, json.loads(answer.data)


def test_a_full_disk_is_no_health(ship: Aboard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said before the journal has to stop."""
    monkeypatch.setattr("companion.web.api.LOW_DISK", 10**18)
    assert "MB" in health(ship)[1]["journal"]


def test_a_table_that_has_stopped_says_so(ship: Aboard) -> None:
    """To whoever speaks, and in the health."""
    ship.tell(GAME)
    host = ship.paired()
    ship.services.table.close()
    status, answer = ship.say(host, {"type": "undo"})
    assert 503 == status
    assert "not noted" in answer["error"]
    assert "stopped" in health(ship)[1]["table"]
