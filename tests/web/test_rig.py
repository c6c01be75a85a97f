"""The builder's page: everybody sees how the rig is doing, only the host looks through the camera."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.core.languages import LANGUAGES
from companion.rig.preview import Preview
from companion.rig.protocols import Button, Rig

from .aboard import GAME, Pictures, aboard
from .workshop import CELLS, PICTURE, Workshop, workshop

SQUARE = [[0.2, 0.1], [0.8, 0.1], [0.8, 0.9], [0.2, 0.9]]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workshop]:
    with workshop(tmp_path) as shop:
        yield shop


def get(client: FlaskClient, path: str = "/rig", language: str = "en") -> str:
    answer = client.get(path, headers={"Accept-Language": language})
    assert 200 == answer.status_code
    return answer.text


def text(html: str) -> str:
    """What is there to be read."""
    body = re.sub(r"<script.*?</script>|<[^>]*>", " ", html.partition("<main")[2], flags=re.DOTALL)
    return re.sub(r"\s+", " ", body).replace("&#39;", "'")


def test_everybody_sees_how_the_rig_is_doing(shop: Workshop) -> None:
    """What the camera reads in each cell, every button and lamp, the clock, the disk and what is well."""
    shop.ship.tell(GAME)
    shop.switches.now = {1: Button(down=True, presses=2, bounces=1, ago_ms=1500, lost=3)}
    said = text(get(shop.ship.client()))
    for words in (
        "Raft, Pink 98 % sure",
        "Empty",
        "Unreadable a hand is over it",
        "Ada Lamp: pulsing Button: never pressed",
        "Ben Lamp: dark Button: down, pressed 1.5 s ago, 2 presses, 1 bounce, 3 signals lost",
        "Presses at least 38 µs apart can be told apart.",
        "Camera clock corrected by -1,234 µs to match the buttons.",
        "Table all is well",
        "are free.",
    ):
        assert words in said.replace("\u202f", " "), words


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_whole_in_every_language(shop: Workshop, language: str) -> None:
    """Also while things are wrong; no gap of a sentence is left."""
    shop.switches.now = {0: Button(wrong="button_stuck"), 1: Button(ago_ms=5, wrong="button_chatters")}
    host = shop.ship.paired()
    for path in ("/rig", "/rig/now"):
        said = re.sub(r"<script.*?</script>", "", get(host, path, language), flags=re.DOTALL)
        assert [] == re.findall(r"\{[a-z]\w*\}|%\(\w+\)s|None|Undefined", said)


def test_what_is_wrong_is_said_in_words(shop: Workshop) -> None:
    """A camera's stable name is for programs; a stuck button says what to do."""
    shop.switches.now = {2: Button(wrong="button_stuck")}
    camera = shop.ship.services.camera
    assert isinstance(camera, Pictures)
    for trouble, words in (("covered", "The camera is covered."), ("sung", "Something is wrong with the camera.")):
        camera.trouble = trouble
        assert words in text(get(shop.ship.client()))
    assert "see whether something lies on it" in text(get(shop.ship.client()))
    shop.ship.services.table.close()
    assert "The table has stopped." in text(get(shop.ship.client()))


def test_it_says_which_of_a_seat_s_buttons_is_left_out(shop: Workshop) -> None:
    """The other one may be well."""
    stuck = "Stays pressed, so it is ignored"
    shop.switches.now = {0: Button(wrong="button_stuck"), 1: Button(call_wrong="button_stuck")}
    said = text(get(shop.ship.client()))
    assert (2, 1) == (said.count(stuck), said.count(f"Call button: {stuck}"))
    shop.switches.now = {0: Button(), 2: Button(call_wrong="button_stuck")}
    assert "2" == shop.ship.client().get("/healthz").get_json()["buttons"]


def test_pictures_that_could_not_be_read_are_counted(shop: Workshop) -> None:
    """Where it stands whether the grid is found."""
    assert "could not be read" not in text(get(shop.ship.client()))
    shop.glass.dropped = 1
    assert "1 picture could not be read." in text(get(shop.ship.client()))
    shop.glass.dropped = 1200
    assert "1,200 pictures could not be read." in text(get(shop.ship.client()))


def test_whatever_else_is_wrong_is_said_too(shop: Workshop) -> None:
    """In the page's words; also of buttons whose thread has failed, none of which is left out."""
    board = shop.ship.services.troubles
    board.raise_trouble("photos", "No room for photo finishes.")
    board.raise_trouble("buttons", "Nobody hears the buttons.")
    shown = text(get(shop.ship.client()))
    assert "Besides" in shown
    assert 2 == shown.count("Photo finishes can't be kept at the moment")
    assert 2 == shown.count("The buttons are not heard at the moment")
    assert "ignored" not in shown


def test_buttons_that_are_left_out_are_no_health(shop: Workshop) -> None:
    """Which seats' it is stands in /healthz, and beside each on the page; unplugged ones are said as such."""

    def health() -> tuple[int, str]:
        answer = shop.ship.client().get("/healthz")
        return answer.status_code, answer.get_json()["buttons"]

    shop.switches.now = {0: Button(), 2: Button(wrong="button_stuck"), 3: Button(wrong="button_chatters")}
    assert (503, "2, 3") == health()
    assert "One or more are ignored" in text(get(shop.ship.client()))
    shop.switches.gone = True
    assert (503, "gone") == health()
    assert "The buttons don't answer" in text(get(shop.ship.client()))


def test_a_journal_that_is_gone_is_said(shop: Workshop) -> None:
    """The page itself still comes."""
    journal = shop.ship.services.journal
    journal.rename(journal.with_name("gone.db"))
    assert "Journal and disk Something is wrong:" in text(get(shop.ship.client()))


def test_a_table_without_anything_has_the_page_too(tmp_path: Path) -> None:
    """It says what is not there; there is nothing to try."""
    with aboard(tmp_path) as ship:
        said = text(get(ship.client()))
        assert "This table has no camera." in said
        assert "This table has no buttons and no lamps: phones stand in for them." in said
        host = ship.paired()
        assert 404 == host.get("/rig/picture.jpg").status_code
        assert 404 == host.post("/api/rig/corners", json={"corners": SQUARE}).status_code
        assert 404 == host.post("/api/rig/lamp", json={"seat": 0}).status_code


def test_before_the_first_picture_there_is_none(shop: Workshop) -> None:
    """The page comes all the same."""
    shop.glass.now = None
    host = shop.ship.paired()
    assert "No picture has come yet." in text(get(host))
    assert 404 == host.get("/rig/picture.jpg").status_code


def test_only_the_host_sees_the_picture(shop: Workshop) -> None:
    """It shows what is not to be shown: not to strangers, not to another seat's phone, and no page links it."""
    host, ben, guest = shop.ship.paired(0), shop.ship.paired(1), shop.ship.client()
    answer = host.get("/rig/picture.jpg?t=7")
    assert (PICTURE, "image/jpeg", "no-store") == (answer.data, answer.mimetype, answer.headers["Cache-Control"])
    assert 'src="/rig/picture.jpg?t=7"' in get(host)
    assert 'points="0.25,0.125 0.75,0.1 0.75,0.9 0.25,0.9 "' in get(host, "/rig/now")
    for other in (ben, guest):
        assert 403 == other.get("/rig/picture.jpg").status_code
        for path in ("/rig", "/rig/now"):
            html = get(other, path)
            assert "picture.jpg" not in html
            assert "<polygon" not in html
    assert "Pair this phone" in get(guest)
    assert "data-try" not in get(ben)


def test_the_host_taps_the_grids_corners(shop: Workshop) -> None:
    """In fractions of the picture; with null the mat is looked for again."""
    host = shop.ship.paired()
    assert 200 == host.post("/api/rig/corners", json={"corners": SQUARE}).status_code
    assert 200 == host.post("/api/rig/corners", json={"corners": None}).status_code
    assert [[(0.2, 0.1), (0.8, 0.1), (0.8, 0.9), (0.2, 0.9)], None] == shop.glass.tapped


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"corners": 4},
        {"corners": SQUARE[:3]},
        {"corners": [*SQUARE[:3], [0.2]]},
        {"corners": [*SQUARE[:3], [0.2, "0.9"]]},
        {"corners": [*SQUARE[:3], [0.2, True]]},
        {"corners": [*SQUARE[:3], [0.2, 3]]},
        {"corners": [*SQUARE[:3], [0.2, 10**400]]},
        {"corners": [*SQUARE[:3], [0.2, None]]},
        {"corners": {"0": 1}},
        [],
    ],
)
def test_corners_that_are_none_are_refused(shop: Workshop, said: Any) -> None:
    """In one sentence, and nothing is tapped."""
    answer = shop.ship.paired().post("/api/rig/corners", json=said)
    assert 422 == answer.status_code
    assert answer.json is not None
    assert "\n" not in answer.json["error"]
    assert [] == shop.glass.tapped


def test_corners_that_cross_are_refused(tmp_path: Path) -> None:
    """Through them nothing could be read. The sentence says in which order they are tapped."""
    finder = Preview()
    finder.show(1, np.zeros((480, 640, 3), np.uint8), CELLS, None)
    with aboard(tmp_path, rig=Rig(view=finder)) as ship:
        host = ship.paired()
        a, b, c, d = SQUARE
        crossed = host.post("/api/rig/corners", json={"corners": [a, c, b, d]})
        assert 422 == crossed.status_code
        assert crossed.json is not None
        assert crossed.json["error"].endswith("top left, top right, bottom right, bottom left")
        assert finder.new_aim() is None
        assert 200 == host.post("/api/rig/corners", json={"corners": SQUARE}).status_code
        assert finder.new_aim() is not None


def test_the_host_tries_a_lamp(shop: Workshop) -> None:
    """It blinks; a lamp that is not there is refused."""
    host = shop.ship.paired()
    assert 200 == host.post("/api/rig/lamp", json={"seat": 2}).status_code
    assert 1 == text(get(host)).count("Lamp: blinking as a test")
    for seat in (3, -1, True, "2", None, 10**30):
        assert 422 == host.post("/api/rig/lamp", json={"seat": seat}).status_code
    assert 422 == host.post("/api/rig/lamp", json={}).status_code


@pytest.mark.parametrize(("path", "said"), [("corners", {"corners": SQUARE}), ("lamp", {"seat": 0})])
def test_nobody_else_tries_anything(shop: Workshop, path: str, said: Any) -> None:
    """Neither strangers nor seats, nor another page with the host's own cookie."""
    host, ben = shop.ship.paired(0), shop.ship.paired(1)
    for other in (ben, shop.ship.client()):
        assert 403 == other.post(f"/api/rig/{path}", json=said).status_code
    foreign = {"Origin": "http://goats.example.com"}
    assert 403 == host.post(f"/api/rig/{path}", json=said, headers=foreign).status_code
    assert 415 == host.post(f"/api/rig/{path}", data="{}", content_type="text/plain").status_code
    assert 413 == host.post(f"/api/rig/{path}", data=b" " * 20_000, content_type="application/json").status_code
    assert [] == shop.glass.tapped
    assert "blink" not in text(get(host))


def test_a_name_is_a_name_here_too(shop: Workshop) -> None:
    """Whatever it looks like."""
    shop.ship.tell({**GAME, "seats": ["<script>alert(1)</script>", "Ben", "Cy"]})
    html = get(shop.ship.paired())
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_nothing_is_inline_here_either(shop: Workshop) -> None:
    """The policy forbids scripts and styles in the page; there are none that it would have to stop."""
    html = get(shop.ship.paired())
    assert [] == re.findall(r"\son\w+=|\sstyle=|<style|javascript:", html)
    kinds = re.findall(r"<script([^>]*)>", html)
    assert [] == [kind for kind in kinds if 'type="application/json"' not in kind and "src=" not in kind]


def test_what_is_renewed_is_what_stands_there(shop: Workshop) -> None:
    """Each part that changes has its place on the page, so nothing is renewed in vain or stays old."""
    shop.ship.tell(GAME)
    for client in (shop.ship.paired(), shop.ship.client()):
        places = set(re.findall(r'data-live="([\w-]+)"', get(client)))
        assert places == set(re.findall(r'data-live="([\w-]+)"', get(client, "/rig/now")))
        assert {"health", "clock", "found", "cells", "seat-0", "seat-1", "seat-2"} <= places
