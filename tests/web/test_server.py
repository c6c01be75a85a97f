"""Real sockets: many live pages, slow and vanished ones, two phones at once, and an end within a second."""

import errno
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier, Thread

import pytest

from companion.errors import CannotListen, PortTaken
from companion.live import feed as feeds
from companion.live.connection_limits import IN_ALL, ConnectionLimit
from companion.web import server as servers
from companion.web import waitress_parts
from companion.web.server import Server, addresses_of, listen

from .aboard import GAME, SOON, Aboard, Event, aboard, card, until
from .served import HERE, Asked, Page, ask, served


@pytest.fixture
def sea(tmp_path: Path) -> Iterator[tuple[Aboard, int]]:
    with served(tmp_path) as (ship, port, _):
        yield ship, port


def test_a_live_page_hears_everything_in_order(sea: tuple[Aboard, int]) -> None:
    """Then its line breaks, and with the number it had it misses nothing."""
    ship, port = sea
    with Page(port) as page:
        page.until(0)
        ship.tell(GAME, card(4))
        assert 2 == page.until(2)["no"]
        assert ["turn", "placed", "turn"] == [said["ruling"] for said in page.rulings]
    ship.tell(card(5), card(6))
    with Page(port, last=2) as page:
        assert 4 == page.until(4)["no"]
        assert ["placed", "turn"] * 2 == [said["ruling"] for said in page.rulings]


@pytest.mark.parametrize(
    ("query", "header", "missed"),
    [
        ("?last=2", None, 2),
        ("?last=2", "3", 1),
        ("?last=3", "2", 2),
        ("?last=4", None, 0),
        # Whoever says nothing that could be meant begins with what is true now.
        ("?last=2", "goat", 0),
        ("", None, 0),
        ("?last=", None, 0),
        ("?last=-1", None, 0),
        ("?last=%2B2", None, 0),
        ("?last=2.0", None, 0),
        ("?last=%D9%A2", None, 0),
        ("?last=" + "0" * 20, None, 0),
        ("?last=" + "9" * 19, None, 0),
        ("?last=goat&last=2", None, 0),
    ],
)
def test_a_new_line_goes_on_where_the_old_one_ended(
    sea: tuple[Aboard, int], query: str, header: str | None, missed: int
) -> None:
    """A phone says in the address how far it had come; what its browser says by itself comes before that."""
    ship, port = sea
    ship.tell(GAME, card(4), card(5), card(6))
    with Page(port) as other:
        other.until(4)
    with Page(port, last=header, query=query) as page:
        assert 4 == page.until(4)["no"]
        assert ["placed", "turn"] * missed == [said["ruling"] for said in page.rulings]


def test_a_restart_brings_the_page_back_to_the_truth(tmp_path: Path) -> None:
    """The numbers go on where they were."""
    with served(tmp_path) as (ship, port, _):
        ship.tell(GAME, card(4))
        with Page(port) as page:
            assert 2 == page.until(2)["no"]
    with served(tmp_path) as (ship, port, _), Page(port, last=2) as page:
        assert 2 == page.until(2)["no"]
        ship.tell(card(5))
        assert 3 == page.until(3)["no"]
        assert ["placed", "turn"] == [said["ruling"] for said in page.rulings]


def test_of_two_phones_at_once_one_is_noted(sea: tuple[Aboard, int]) -> None:
    """The other one is told what is true now, whichever it is."""
    ship, port = sea
    number = ship.tell(GAME)
    cookie = paired(port, ship)
    for turn in (1, 2, 0, 1, 2):
        answers = at_once(2, lambda no=number, turn=turn: said(port, cookie, no, {"type": "fix", "turn": turn}))
        number += 1
        assert [(200, number), (409, number)] == sorted(answers)


def at_once(people: int, say: Callable[[], tuple[int, int]]) -> list[tuple[int, int]]:
    answers: list[tuple[int, int]] = []
    together = Barrier(people)

    def wait_and_say() -> None:
        together.wait(SOON)
        answers.append(say())

    threads = [Thread(target=wait_and_say, name=f"phone {phone}") for phone in range(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)
    return answers


def paired(port: int, ship: Aboard) -> str:
    with Asked(port) as line:
        body = json.dumps({"code": ship.services.pairing.code})
        line.request("POST", "/api/pair", body, {"Content-Type": "application/json"})
        answer = line.getresponse()
        answer.read()
        return answer.headers["Set-Cookie"].split(";")[0]


def said(port: int, cookie: str, no: int, event: Event) -> tuple[int, int]:
    with Asked(port) as line:
        body = json.dumps({"no": no, "event": event})
        line.request("POST", "/api/events", body, {"Content-Type": "application/json", "Cookie": cookie})
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())["no"]


def test_a_phone_that_does_not_read_slows_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its line is full long since; the other hears every step, and in the end both know the same."""
    monkeypatch.setattr(waitress_parts, "PHONES_LINE", 4096)
    monkeypatch.setattr(waitress_parts, "_socket_options", lambda: [(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)])
    with served(tmp_path) as (ship, port, _), Page(port, room=2048) as slow, Page(port) as quick:
        quick.until(0)
        number = ship.tell(GAME)
        for turn in range(100):
            number = ship.tell({"type": "fix", "turn": turn % 3})
            assert number == quick.until(number)["no"]
        assert number == slow.until(number)["no"]
        assert quick.rulings == slow.rulings
        assert slow.states < quick.states


def test_what_is_stuck_in_a_full_line_does_not_delay_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is cut off."""
    monkeypatch.setattr(waitress_parts, "PHONES_LINE", 4096)
    monkeypatch.setattr(waitress_parts, "_socket_options", lambda: [(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)])
    with served(tmp_path) as (ship, port, server), Page(port, room=2048):
        ship.tell(GAME)
        for turn in range(100):
            ship.tell({"type": "fix", "turn": turn % 3})
        assert stopped_within(server) < 1


def stopped_within(server: Server) -> float:
    begin = time.monotonic()
    server.close()
    return time.monotonic() - begin


def test_with_every_place_taken_it_ends_within_a_second(tmp_path: Path) -> None:
    """All pages see the end of their line; the next that wanted a place was told so."""
    with served(tmp_path) as (ship, port, server), ExitStack() as opened:
        ship.tell(GAME)
        pages = [opened.enter_context(Page(port)) for _ in range(IN_ALL)]
        assert {1} == {page.until(1)["no"] for page in pages}
        assert 503 == opened.enter_context(Page(port)).status
        assert 200 == ask(port, "/api/state")[0]
        assert stopped_within(server) < 1
        assert all(page.ended() for page in pages)


def test_pages_that_vanish_give_their_places_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred phones lose the Wi-Fi at once, again and again; nobody finds the house full."""
    monkeypatch.setattr(feeds, "GONE_S", 0.02)
    places = ConnectionLimit()
    with aboard(tmp_path, places=places) as ship, Server(ship.app, listening := listen(HERE, 0)):
        port = listening.getsockname()[1]
        ship.tell(GAME)
        for _ in range(4):
            pages = [Page(port) for _ in range(100)]
            assert {1} == {page.until(1)["no"] for page in pages}
            for page in pages:
                page.close()
            until(lambda: places.taken == 0)


def test_looking_at_the_head_only_takes_no_place(tmp_path: Path) -> None:
    """Some programs ask like that whether somebody is there."""
    places = ConnectionLimit()
    with aboard(tmp_path, places=places) as ship, Server(ship.app, listening := listen(HERE, 0)):
        with Asked(listening.getsockname()[1]) as line:
            line.request("HEAD", "/api/events")
            assert 200 == line.getresponse().status
        until(lambda: places.taken == 0)


def test_a_taken_port_is_left_to_who_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next free one is taken, unless one was asked for."""
    with listen(HERE, 0) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(servers, "PORT", port)
        with pytest.raises(PortTaken, match=f"port {port} of {HERE}: another program"):
            listen(HERE, port)
        with listen(HERE) as free:
            assert port < free.getsockname()[1] < port + servers.PORTS
        monkeypatch.setattr(servers, "PORTS", 1)
        with pytest.raises(PortTaken, match="name a free one"):
            listen(HERE)


@pytest.mark.parametrize(
    ("bind", "port", "what"),
    [
        ("192.0.2.77", 0, r"that is no address of this machine; it has .*, or leave it away to listen on all"),
        (
            "nobody.invalid",
            0,
            r"no machine of that name is known here; it has .*, or leave it away to listen on all",
        ),
        (HERE, 65536, "ports end at 65535"),
    ],
)
def test_an_address_that_is_none_of_ours_is_refused(bind: str, port: int, what: str) -> None:
    """In one sentence, which says what to write."""
    with pytest.raises(CannotListen, match=rf"^The page can't listen on port {port} of {bind}: {what}"):
        listen(bind, port)


def test_a_port_that_only_the_system_may_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With which may be had."""

    def forbidden(*_: object, **__: object) -> socket.socket:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(socket, "create_server", forbidden)
    with pytest.raises(CannotListen, match="ports below 1024 are the system's; take one from 1024 on, like 8080"):
        listen(HERE, 80)


def test_on_all_addresses_it_is_found_under_each() -> None:
    """Over both kinds of addresses; what phones are shown is a number, as not every phone resolves names."""
    with listen(None, 0) as listening:
        port = listening.getsockname()[1]
        addresses = addresses_of(listening)
        assert f"http://127.0.0.1:{port}/" == addresses[-1]
        for host in (HERE, "::1") if socket.has_dualstack_ipv6() else (HERE,):
            socket.create_connection((host, port), SOON).close()
    with listen(HERE, 0) as listening:
        assert (f"http://{HERE}:{listening.getsockname()[1]}/",) == addresses_of(listening)
