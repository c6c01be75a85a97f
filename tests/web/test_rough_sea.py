"""Nonsense is refused in one sentence, on every route, and the game never hears of it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from ..exploring import examples
from .aboard import GAME, Aboard, Pictures, aboard, card


@dataclass(frozen=True)
class Sea:
    ship: Aboard
    host: FlaskClient


@pytest.fixture(scope="module")
def rough_sea(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sea]:
    """With a game on."""
    with aboard(tmp_path_factory.mktemp("sea"), camera=Pictures()) as ship:
        ship.tell(GAME, card(4))
        yield Sea(ship, ship.paired())


SENSELESS: list[tuple[int, bytes]] = [
    (422, b""),
    (422, b"{"),
    (422, b"\xff"),
    (422, b"[]"),
    (422, b"{}"),
    (422, b'{"no":2}'),
    (422, b'{"no":true,"event":{"type":"undo"}}'),
    (422, b'{"no":-1,"event":{"type":"undo"}}'),
    (422, b'{"no":"1","event":{"type":"undo"}}'),
    (422, b'{"no":2,"no":2,"event":{"type":"undo"}}'),
    (422, b'{"no":2,"event":[]}'),
    (422, b'{"no":2,"event":{}}'),
    (422, b'{"no":2,"event":{"type":"dance"}}'),
    (422, b'{"no":2,"event":{"type":["undo"]}}'),
    (422, b'{"no":2,"event":{"type":"fix","turn":7}}'),
    (422, b'{"no":2,"event":{"type":"fix","turn":NaN}}'),
    (422, b'{"no":2,"event":{"type":"undo","\\ud800":1}}'),
    (422, b'{"no":2,"event":' + b"[" * 5000 + b"}"),
    (422, b'{"no":' + b"9" * 5000 + b',"event":{"type":"undo"}}'),
]


@pytest.mark.parametrize(("status", "said"), SENSELESS, ids=[str(number) for number in range(len(SENSELESS))])
def test_nonsense_is_refused_in_one_sentence(rough_sea: Sea, status: int, said: bytes) -> None:
    """Also the host's."""
    answer = rough_sea.host.post("/api/events", data=said, content_type="application/json")
    assert status == answer.status_code
    error = json.loads(answer.data)["error"]
    assert "\n" not in error
    assert 0 < len(error) < 300
    assert 2 == rough_sea.ship.number


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"[]",
        b"{}",
        b'{"code":123456}',
        b'{"seat":-1}',
        b'{"seat":"2"}',
        b'{"code":"1","seat":99}',
        b'{"host":null}',
    ],
)
def test_nonsense_pairs_nobody(rough_sea: Sea, said: bytes) -> None:
    """And counts as no guess."""
    client = rough_sea.ship.client()
    for _ in range(4):
        answer = client.post("/api/pair", data=said, content_type="application/json")
        assert 422 == answer.status_code


METHODS = st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
SPOKEN_TO = ["/api/events", "/api/pair", "/language", "/api/rig/corners", "/api/rig/lamp"]
PAGES = [
    "/rig",
    "/rig/now",
    "/rig/picture.jpg",
    "/",
    "/tv",
    "/host",
    "/host/undoes",
    "/join",
    "/history",
    "/healthz",
    "/static/base.css",
]
FILES = ["/api/state", "/api/games", "/history/games.csv", "/history/races.csv", "/history/backup.db"]
FOLDERS = ["/seat/", "/game/", "/api/games/", "/cut/", "/cut/4/", "/join/", "/static/", "/api/", "/game/1/finish/"]
# Escaped, as a browser asks for it: a bare `?` would be no name but the beginning of the query.
NAMES = (
    st.integers(-1, 2**70).map(str)
    | st.text(max_size=8).map(partial(quote, safe=""))
    | st.sampled_from(["../x", "%00", "%ff", "%3F", "1/2/3", "1"])
)
ENDS = st.sampled_from(["", ".jsonl", ".jpg", ".svg", "/", "/times", "/before.jpg", "/0/before.jpg"])
PATHS = st.one_of(
    st.sampled_from(SPOKEN_TO),
    st.sampled_from(PAGES + FILES),
    st.builds("{}{}{}".format, st.sampled_from(FOLDERS), NAMES, ENDS),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=6,
)
KINDS = ["card", "lift", "grid", "press", "call", "accuse", "foul", "take", "laid", "game", "dance", ""]
# No seat that there is: the host might rightly say something.
SEATS = JSON.filter(lambda seat: seat not in range(3))
EVENTS = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS) | JSON},
    optional={"seat": SEATS, "cell": JSON, "cells": JSON, "t": JSON, "cards": JSON},
)
SAID = st.fixed_dictionaries({"no": st.just(2) | JSON, "event": EVENTS | JSON})
HANDED = st.fixed_dictionaries({}, optional={"code": JSON, "seat": JSON, "host": JSON, "lang": JSON})
BODIES = st.binary(max_size=60) | (JSON | SAID | HANDED).map(lambda value: json.dumps(value).encode())
ASKED_WITH = st.sampled_from(
    [
        "Accept",
        "Accept-Encoding",
        "Accept-Language",
        "Content-Type",
        "Cookie",
        "Host",
        "If-None-Match",
        "If-Modified-Since",
        "Last-Event-ID",
        "Origin",
        "Range",
        "Transfer-Encoding",
        "Content-Length",
    ]
)
ODD = st.sampled_from(
    [
        "localhost",
        "http://localhost",
        "http://[",
        "application/x-www-form-urlencoded",
        "text/html",
        "gzip",
        "*",
        "es,de;q=x",
        "bytes=0-",
        "bytes=9-1",
        "lang=xx;phone=ÿ",
        "99999999999999999999",
        "-1",
    ]
)
HEADERS = st.dictionaries(
    ASKED_WITH, ODD | st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=20), max_size=4
)
REQUESTS = st.fixed_dictionaries(
    {
        "method": METHODS,
        "path": PATHS,
        "query_string": st.text(max_size=12) | st.text(max_size=12).map("last={}".format),
        "data": BODIES,
        "headers": HEADERS.map(lambda said: {"Content-Type": "application/json", **said}),
    }
)


@settings(max_examples=examples(1000))
@given(asked=REQUESTS, known=st.sampled_from([True, False]))
def test_malformed_requests_change_nothing(rough_sea: Sea, asked: dict[str, Any], *, known: bool) -> None:
    """On every route, by strangers and by the host's phone: no 500, no trace, the game untouched."""
    table = rough_sea.ship.services.table
    before = table.snapshot
    client = rough_sea.host if known else rough_sea.ship.client()
    with client.open(**asked) as answer:
        assert answer.status_code != 500
        if answer.mimetype != "text/event-stream":
            assert b"Traceback" not in answer.data
    assert before is table.snapshot
