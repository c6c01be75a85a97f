"""Whom the page answers, what it lets a browser do, and what it says when something is wrong."""

import csv
import gzip
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.live.connection_limits import ConnectionLimit
from companion.web.compression import WORTH_IT
from companion.web.security import LARGEST_BODY, PAGE_POLICY, POLICY

from .aboard import GAME, PINKS, Aboard, Event, Pictures, aboard

PAGES = ("/", "/tv", "/seat/0", "/seat/1", "/host", "/join", "/history")
JSON = {"Content-Type": "application/json"}
FIX = b'{"no":1,"event":{"type":"fix","turn":1}}'


@pytest.fixture
def ship(tmp_path: Path) -> Iterator[Aboard]:
    with aboard(tmp_path, camera=Pictures(), places=ConnectionLimit(in_all=3, of_one=2)) as ship:
        yield ship


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aboard]:
    """With a game on, for tests after which nothing is changed."""
    with aboard(tmp_path_factory.mktemp("calm"), camera=Pictures()) as ship:
        ship.tell(GAME)
        yield ship


@pytest.fixture(scope="module")
def host(calm: Aboard) -> FlaskClient:
    return calm.paired()


@pytest.mark.parametrize(
    "name",
    [
        "localhost",
        "localhost:8080",
        "127.0.0.1:8080",
        "[::1]:8080",
        "goats.local",
        "GOATS.local.:80",
        "[fe80::1]",
        "192.168.77.7:8080",
        socket.gethostname(),
    ],
)
def test_names_of_this_machine_are_answered(calm: Aboard, name: str) -> None:
    """Whichever of them somebody has typed or scanned."""
    assert 200 == calm.client().get("/api/state", headers={"Host": name}).status_code


@pytest.mark.parametrize(
    "name",
    [
        "",
        "goats.example.com",
        "localhost.example.com",
        "local",
        ".local",
        "203.0.113.9",
        "[2001:db8::9]:80",
        "0.0.0.0",  # noqa: S104 - somebody types it, nobody binds it
        "[::]",
        "255.255.255.255",
        "224.0.0.1",
        "127.0.0.1@goats.example.com",
        "goats.example.com/localhost",
        "localhost:port",
        "localhost:99999",
        "[::1",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_other_names_are_not(calm: Aboard, name: str, method: str) -> None:
    """A page in the house's browser that has made its own name point at the rig is not taken for the rig's."""
    answer = calm.client().open("/api/state", method=method, headers={"Host": name})
    assert 400 == answer.status_code
    assert answer.is_json


@pytest.mark.parametrize(
    "origin",
    ["http://goats.example.com", "null", "http://localhost:81", "http://localhost.", "", "localhost", "[::1"],
)
@pytest.mark.parametrize("path", ["/api/events", "/api/pair", "/language", "/nowhere"])
def test_what_another_page_says_is_not_heard(calm: Aboard, host: FlaskClient, origin: str, path: str) -> None:
    """Even with the phone's own cookie."""
    answer = host.post(path, data=FIX, headers={**JSON, "Origin": origin})
    assert 403 == answer.status_code
    assert 1 == calm.number


def test_what_our_own_page_says_is_heard(ship: Aboard) -> None:
    """From whatever address of the rig's it came."""
    ship.tell(GAME)
    host = ship.paired()
    answer = host.post("/api/events", data=FIX, headers={**JSON, "Origin": "http://localhost"})
    assert 200 == answer.status_code


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_without_an_origin_is_not_heard(calm: Aboard, host: FlaskClient, kind: str) -> None:
    """That is all that a foreign page could make an old browser send."""
    answer = host.post("/api/events", data=FIX, headers={"Content-Type": kind} if kind else {})
    assert 415 == answer.status_code
    assert 1 == calm.number


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/nothing", "/nowhere", "/healthz", "/join/0.svg"])
def test_every_answer_tells_the_browser_what_it_may_not_do(calm: Aboard, path: str) -> None:
    """Also the answers that are errors."""
    headers = calm.client().get(path).headers
    assert headers["Content-Security-Policy"] == (PAGE_POLICY if path == "/" else POLICY)
    assert "unsafe" not in PAGE_POLICY
    assert all(policy.startswith("default-src 'none'") for policy in (PAGE_POLICY, POLICY))
    assert "nosniff" == headers["X-Content-Type-Options"]
    assert "same-origin" == headers["Referrer-Policy"]
    assert headers["Cache-Control"] in {"no-store", "no-cache"}


def test_no_script_can_read_what_a_phone_carries(ship: Aboard) -> None:
    """And no other page's request brings it along."""
    answer = ship.client().post("/api/pair", json={"code": ship.services.pairing.code})
    [cookie] = answer.headers.getlist("Set-Cookie")
    assert {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"} <= set(cookie.split("; "))


def test_what_a_phone_carries_is_not_its_own_choice(ship: Aboard) -> None:
    """Somebody else may have put it there."""
    client = ship.client()
    planted = "x" * 43
    client.set_cookie("phone", planted)
    client.post("/api/pair", json={"code": ship.services.pairing.code})
    assert ship.services.pairing.phone(planted) is None
    carried = client.get_cookie("phone")
    assert carried is not None
    assert ship.services.pairing.phone(carried.value) is not None


def test_a_guest_who_guesses_is_sent_away(ship: Aboard) -> None:
    """With the time after which to come back."""
    client = ship.client()
    wrong = "000000" if ship.services.pairing.code != "000000" else "111111"
    assert [403] * 3 == [client.post("/api/pair", json={"code": wrong}).status_code for _ in range(3)]
    answer = client.post("/api/pair", json={"code": ship.services.pairing.code})
    assert (429, True) == (answer.status_code, 0 < int(answer.headers["Retry-After"]) <= 60)


def test_a_body_that_is_too_large_is_not_read(ship: Aboard) -> None:
    """One sentence, and the next request is answered."""
    ship.tell(GAME)
    host = ship.paired()
    answer = host.post("/api/events", data=b" " * (LARGEST_BODY + 1), headers=JSON)
    assert 413 == answer.status_code
    assert answer.text.endswith('."}')
    assert 200 == host.post("/api/events", data=FIX + b" " * (LARGEST_BODY - len(FIX)), headers=JSON).status_code


def test_live_pages_have_their_limit(ship: Aboard) -> None:
    """Each device its own, and all together; a place that is left is free again."""

    def look(address: str) -> TestResponse:
        environment = {"REMOTE_ADDR": address}
        return ship.client().get("/api/events", environ_base=environment)

    pages = [look("192.168.7.7"), look("::ffff:192.168.7.7")]
    refused = look("192.168.7.7")
    assert (503, "5") == (refused.status_code, refused.headers["Retry-After"])
    pages.append(look("192.168.7.8"))
    assert [200] * 3 == [page.status_code for page in pages]
    assert 503 == look("192.168.7.9").status_code
    pages[0].close()
    again = look("192.168.7.7")
    assert 200 == again.status_code
    for page in [*pages[1:], again]:
        page.close()


@pytest.mark.parametrize("path", ["/api/games", "/api/games/1.jsonl"])
def test_what_nobody_foresaw_is_one_sentence(
    ship: Aboard, path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """To the phone; whoever looks after the rig finds the trace, once, in the program's own output."""

    def broken(_path: Path) -> None:
        raise ZeroDivisionError("a goat in the works")

    monkeypatch.setattr("companion.web.api.Reader.open", broken)
    answer = ship.client().get(path)
    assert 500 == answer.status_code
    assert answer.json is not None
    assert "goat" not in answer.text
    assert "the game goes on" in answer.json["error"]
    assert 1 == caplog.text.count("ZeroDivisionError: a goat in the works")


def test_an_error_is_said_in_the_form_that_was_asked_for(ship: Aboard) -> None:
    """JSON to a script, text to a person."""
    assert ship.client().get("/api/nothing").is_json
    assert not ship.client().get("/nothing").is_json


# As browsers ask for a page that somebody has typed, and for a picture in it.
PAGE = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"
PICTURE = "image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8"


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nowhere", 404, "Nichts als Wasser"),
        ("/seat/77", 404, "Nichts als Wasser"),
        ("/game/77", 404, "Nichts als Wasser"),
        ("/static/nothing.css", 404, "Nichts als Wasser"),
        ("/language", 405, "Nichts als Wasser"),
        ("/rig/picture.jpg", 403, "Nicht für dieses Handy"),
    ],
)
def test_who_is_lost_is_shown_the_way(calm: Aboard, path: str, status: int, words: str) -> None:
    """In their language, on a page like all the others; whoever asks for no page gets a sentence."""
    said = {"Accept-Language": "de"}
    answer = calm.client().get(path, headers={**said, "Accept": PAGE})
    assert (status, "text/html") == (answer.status_code, answer.mimetype)
    assert f"<h1>{words}</h1>" in answer.text
    assert '<html lang="de"' in answer.text
    assert '<a class="button" href="/">Zum Tisch</a>' in answer.text
    assert PAGE_POLICY == answer.headers["Content-Security-Policy"]
    assert [] == re.findall(r"<script|\sstyle=|\son\w+=", answer.text)
    for accept in (PICTURE, "*/*", ""):
        other = calm.client().get(path, headers={**said, "Accept": accept})
        assert (status, "text/plain") == (other.status_code, other.mimetype)
        assert 1 == other.text.count("\n")


def test_a_script_that_is_lost_is_told_in_json(calm: Aboard) -> None:
    """Whatever it says that it would like."""
    answer = calm.client().get("/api/nothing", headers={"Accept": PAGE})
    assert (404, True) == (answer.status_code, answer.is_json)


def test_who_comes_by_another_name_is_told_in_their_language(calm: Aboard) -> None:
    """In a sentence, for no style sheet would come under that name."""
    answer = calm.client().get("/", headers={"Host": "goats.lan", "Accept": PAGE, "Accept-Language": "es"})
    assert (400, "text/plain") == (answer.status_code, answer.mimetype)
    assert answer.text.startswith("Esta página no responde con ese nombre")


def test_a_journal_that_is_gone_is_no_bare_error(ship: Aboard) -> None:
    """The page says that it can't be answered just now."""
    ship.tell(GAME)
    journal = ship.services.journal
    journal.rename(journal.with_name("gone.db"))
    journal.write_text("no journal")
    answer = ship.client().get("/game/1", headers={"Accept": PAGE})
    assert (503, "1") == (answer.status_code, answer.headers["Retry-After"])
    assert "<h1>One moment</h1>" in answer.text
    journal.with_name("gone.db").rename(journal)


def test_answers_are_packed_for_those_who_can_unpack(ship: Aboard) -> None:
    """The same to the last letter; what is short, and what is live, goes as it is."""
    ship.tell(GAME)
    client = ship.client()
    plain = client.get("/join/0.svg")
    packed = client.get("/join/0.svg", headers={"Accept-Encoding": "gzip"})
    assert plain.data == gzip.decompress(packed.data)
    assert len(packed.data) < len(plain.data) > WORTH_IT
    assert ["Accept-Encoding"] * 2 == [plain.headers["Vary"], packed.headers["Vary"]]
    assert "Content-Encoding" not in plain.headers
    refused = client.get("/join/0.svg", headers={"Accept-Encoding": "gzip;q=0"})
    assert "Content-Encoding" not in refused.headers
    with client.get("/api/events", headers={"Accept-Encoding": "gzip"}) as live:
        assert "Content-Encoding" not in live.headers


def test_a_packed_answer_that_has_not_changed_is_not_sent_again(ship: Aboard) -> None:
    """Its tag still fits."""
    client = ship.client()
    with client.get("/static/base.css", headers={"Accept-Encoding": "gzip"}) as style:
        assert "gzip" == style.headers["Content-Encoding"]
        assert style.headers["ETag"].startswith("W/")
    with client.get("/static/base.css", headers={"If-None-Match": style.headers["ETag"]}) as again:
        assert (304, b"") == (again.status_code, again.data)


EVIL = ["</script><script>alert(1)</script>", "=cmd|'/C calc'!A0", '"><svg onload=alert(1)>']
RACE: list[Event] = [GAME, *PINKS, {"type": "press", "seat": 1}, {"type": "press", "seat": 2}, {"type": "seen"}]


def test_a_name_is_a_name_on_every_page(ship: Aboard) -> None:
    """Whatever it looks like to a browser or a table program: in pages, charts, data blocks and downloads."""
    for number, event in enumerate(RACE):
        ship.tell({**event, "t": number * 10**9, **({"seats": EVIL} if number == 0 else {})})
    ship.tell({"type": "lift", "cells": [0, 1, 2], "t": 10**10})
    host = ship.paired()
    for path in (*PAGES, "/game/1", "/rig", "/rig/now", "/history?page=1"):
        html = host.get(path).text
        assert "<script>alert" not in html, path
        assert "<svg onload" not in html, path
        assert "alert(1)</script>" not in html, path
    assert "&lt;svg onload=alert(1)&gt;" in host.get("/game/1").text
    for path in ("/history/games.csv", "/history/races.csv"):
        rows = [*csv.reader(host.get(path).text.lstrip("\ufeff").splitlines())]
        cells = [cell for row in rows for cell in row]
        assert [] == [cell for cell in cells if cell.startswith(("=", "@"))], path
        assert any(cell.endswith(EVIL[1]) for cell in cells), path


def test_what_nobody_listens_to_is_refused_as_that(calm: Aboard) -> None:
    """Whatever it brings along."""
    for path in ("/", "/api/state", "/healthz"):
        answer = calm.client().put(path)
        assert (405, True) == (answer.status_code, "GET" in answer.headers["Allow"])
    assert 404 == calm.client().post("/nowhere").status_code


@pytest.mark.parametrize(
    "path", ["/", "/api/events", "/api/pair", "/api/rig/lamp", "/rig/picture.jpg", "/nowhere"]
)
@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"])
def test_other_methods_do_nothing(calm: Aboard, host: FlaskClient, method: str, path: str) -> None:
    """Looking at the head or asking what is allowed changes nothing and says nothing; the rest is refused."""
    with host.open(path, method=method, json={"seat": 0}) as answer:
        assert answer.status_code in ({200, 404, 405} if method in {"HEAD", "OPTIONS"} else {404, 405})
        assert "Access-Control-Allow-Origin" not in answer.headers
        page = answer.mimetype == "text/html"
        assert answer.headers["Content-Security-Policy"] == (PAGE_POLICY if page else POLICY)
        assert method != "HEAD" or answer.data == b""
    assert 1 == calm.number


def test_the_hosts_picture_is_for_nobody_who_asks_from_elsewhere(calm: Aboard, host: FlaskClient) -> None:
    """No other page may draw it, frame it, or keep it."""
    headers = host.get("/rig/picture.jpg").headers
    assert ("same-origin", "DENY", "no-store") == (
        headers["Cross-Origin-Resource-Policy"],
        headers["X-Frame-Options"],
        headers["Cache-Control"],
    )
    assert calm.client().get("/rig/picture.jpg").status_code == 403
