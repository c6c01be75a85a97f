"""Real sockets in rough hands: lines that dawdle, talk, never read or are too many; requests that are none."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.live import feed as feeds
from companion.live.connection_limits import OF_ONE
from companion.web import server as servers
from companion.web import waitress_parts

from .aboard import GAME, SOON, Aboard, card, until
from .served import HERE, Asked, Page, ask, served


@pytest.fixture
def sea(tmp_path: Path) -> Iterator[tuple[Aboard, int]]:
    with served(tmp_path) as (ship, port, _):
        yield ship, port


def test_a_request_that_never_ends_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though a byte comes now and then: hundreds of such would leave no line for anybody."""
    monkeypatch.setattr(waitress_parts, "ASKED_WITHIN_S", 0.2)
    monkeypatch.setattr(waitress_parts, "CLEANUP_S", 0)
    with served(tmp_path) as (_, port, _), socket.create_connection((HERE, port), SOON) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        until(lambda: trickles(line))
        assert 200 == ask(port, "/api/state")[0]


def trickles(line: socket.socket) -> bool:
    """Whether it has been cut off."""
    try:
        line.sendall(b"X")
        line.settimeout(0.02)
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_a_line_that_is_kept_open_for_later_is_not(
    sea: tuple[Aboard, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser's own, between two requests."""
    _, port = sea
    monkeypatch.setattr(waitress_parts, "ASKED_WITHIN_S", 0.0)
    with Asked(port) as line:
        for _ in range(3):
            line.request("GET", "/api/state")
            answer = line.getresponse()
            answer.read()
            assert 200 == answer.status


def test_one_device_has_only_so_many_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next is hung up on; one that ends makes room. Others have their own."""
    monkeypatch.setattr(waitress_parts, "OF_ONE_DEVICE", 3)
    monkeypatch.setattr(waitress_parts, "is_this_machine", HERE.__eq__)
    with served(tmp_path) as (_, port, _), ExitStack() as opened:
        held = [opened.enter_context(from_address("127.0.0.2", port)) for _ in range(3)]
        assert all(answers(line) for line in held)
        assert not answers(opened.enter_context(from_address("127.0.0.2", port)))
        assert answers(opened.enter_context(from_address("127.0.0.3", port)))
        assert 200 == ask(port, "/api/state")[0]
        held[0].close()
        until(lambda: answers(opened.enter_context(from_address("127.0.0.2", port))))


@pytest.mark.parametrize("bind", [None, HERE])
def test_the_machine_itself_may_have_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bind: str | None
) -> None:
    """Also where the page listens on all addresses, of both kinds, and is told of it as of an IPv6 device."""
    monkeypatch.setattr(waitress_parts, "OF_ONE_DEVICE", 3)
    with served(tmp_path, bind) as (ship, port, _), ExitStack() as opened:
        pages = [opened.enter_context(Page(port)) for _ in range(OF_ONE + 2)]
        number = ship.tell(GAME)
        assert all(page.until(number)["no"] == number for page in pages)


def from_address(address: str, port: int) -> socket.socket:
    return socket.create_connection((HERE, port), SOON, source_address=(address, 0))


def answers(line: socket.socket) -> bool:
    try:
        line.sendall(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return line.recv(1 << 16).startswith(b"HTTP/1.1 200")
    except ConnectionError:
        return False


def test_who_does_not_read_holds_no_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More of them than there are threads ask for pages and never take them; everybody else is answered."""
    monkeypatch.setattr(waitress_parts, "_socket_options", lambda: [(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)])
    with served(tmp_path) as (ship, port, _), ExitStack() as opened:
        ship.tell(GAME)
        for _ in range(servers.THREADS + 4):
            line = opened.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            line.connect((HERE, port))
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert 200 == ask(port, "/api/state")[0]
        with Page(port) as page:
            assert 1 == page.until(1)["no"]


def test_what_is_said_on_a_live_line_is_not_heard(sea: tuple[Aboard, int]) -> None:
    """A live page listens; whoever talks into it spoils nothing, not even its own."""
    ship, port = sea
    with Page(port) as page:
        page.until(0)
        page.socket.sendall(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3)
        number = ship.tell(GAME, card(4))
        assert number == page.until(number)["no"]
        assert ["turn", "placed", "turn"] == [said["ruling"] for said in page.rulings]


def test_a_quiet_line_gives_signs_of_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a phone knows that it is not cut off; and it is told how the rig is."""
    monkeypatch.setattr(feeds, "GONE_S", 0.02)
    monkeypatch.setattr(feeds, "PING_S", 0.05)
    with served(tmp_path) as (_, port, _), socket.create_connection((HERE, port), SOON) as line:
        line.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with line.makefile("rb") as text:
            healths = (row for row in text if row == b"event: health\n")
            assert [b"event: health\n"] * 4 == [next(healths) for _ in range(4)]


def test_an_old_program_hears_it_too(sea: tuple[Aboard, int]) -> None:
    """HTTP/1.0 knows no pieces: the lines come as they are."""
    ship, port = sea
    with socket.create_connection((HERE, port), SOON) as line, line.makefile("rb") as text:
        line.sendall(b"GET /api/events HTTP/1.0\r\nHost: localhost\r\n\r\n")
        head = b"".join(iter(text.readline, b"\r\n"))
        assert b"chunked" not in head
        assert b"retry: 500\n" == text.readline()
        ship.tell(GAME)
        data = [
            json.loads(row[6:]) for row in iter(text.readline, b"event: ruling\n") if row.startswith(b"data: ")
        ]
        assert [0] == [said["no"] for said in data if "no" in said]


def test_nobody_gets_more_tries_by_naming_others(sea: tuple[Aboard, int]) -> None:
    """What a request itself says of whom it comes from is not believed: there is no gatekeeper that would know."""
    ship, port = sea
    wrong = json.dumps({"code": "000000" if ship.services.pairing.code != "000000" else "111111"})
    statuses: list[int] = []
    for number in range(5):
        with Asked(port) as line:
            other = f"192.168.1.{number}"
            named = {"X-Forwarded-For": other, "Forwarded": f"for={other}", "X-Real-IP": other}
            line.request("POST", "/api/pair", wrong, {"Content-Type": "application/json", **named})
            statuses.append(line.getresponse().status)
    assert [403, 403, 403, 429, 429] == statuses


@pytest.mark.parametrize(
    "request_line",
    [
        "GET /?" + "x" * 20_000,
        "GET /" + "../" * 100 + "etc/passwd",
        "GET /static/../../journal.db",
        "GET /static/%2e%2e/%2e%2e/journal.db",
        "GET /api/games/..%2f..%2fjournal.db.jsonl",
        "GET /api/games/1.jsonl%00.html",
        "TRACE /",
        "CONNECT localhost:22",
        "PROPFIND /",
        "GET http://goats.example.com/",
    ],
)
def test_odd_requests_are_refused(sea: tuple[Aboard, int], request_line: str) -> None:
    """Without a trace and without a file; the next one is answered."""
    _, port = sea
    with socket.create_connection((HERE, port), SOON) as line:
        line.sendall(f"{request_line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        with line.makefile("rb") as text:
            status = int(text.readline().split()[1])
            said = text.read()
    assert 400 <= status < 500 or request_line.startswith("GET http:")
    assert b"Traceback" not in said
    assert b"root:" not in said
    assert b"SQLite" not in said
    assert 200 == ask(port, "/api/state")[0]
