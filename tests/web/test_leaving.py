"""A phone that leaves without a word costs the others nothing and writes one line."""

import errno
import json
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Semaphore
from typing import Any

import pytest

from companion.live import feed as feeds
from companion.live.connection_limits import ConnectionLimit
from companion.live.feed import Feed, FeedCursor
from companion.threads.worker import Crew, Worker
from companion.web import server as servers
from companion.web import waitress_parts
from companion.web.server import Server, listen
from companion.web.waitress_parts import Channel

from ..thread_names import thread_named, unreported
from .aboard import GAME, SOON, Aboard, aboard, until
from .served import HERE, Page, ask, served

# What the kernel says of a phone that is out of the house, asleep or without power; waitress knows none of them.
LEFT = (errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN, errno.ENOBUFS)
# What it takes for a hang-up by itself.
HUNG_UP = (errno.ECONNRESET, errno.EPIPE)


class Gone:
    """The socket to a phone that has left."""

    def __init__(self, line: socket.socket, number: int) -> None:
        self._line = line
        self._number = number

    def send(self, _: bytes) -> int:
        raise OSError(self._number, os.strerror(self._number))

    def recv(self, _: int) -> bytes:
        raise OSError(self._number, os.strerror(self._number))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._line, name)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Channel]:
    """Every connection that is opened."""
    lines: list[Channel] = []
    begin = Channel.__init__

    def note(self: Channel, *rest: Any, **more: Any) -> None:
        begin(self, *rest, **more)
        lines.append(self)

    monkeypatch.setattr(Channel, "__init__", note)
    return lines


def leave(opened: list[Channel], page: Page, number: int) -> None:
    port = page.socket.getsockname()[1]
    line: Any = next(line for line in opened if line.addr[1] == port)
    line.socket = Gone(line.socket, number)


@pytest.mark.parametrize("number", [*LEFT, *HUNG_UP], ids=errno.errorcode.get)
def test_who_leaves_takes_nobody_along(
    tmp_path: Path, opened: list[Channel], caplog: pytest.LogCaptureFixture, number: int
) -> None:
    """Whatever the kernel says of it: its place is free again, the others hear everything, and it is one line."""
    caplog.set_level(logging.INFO)
    places = ConnectionLimit()
    with aboard(tmp_path, places=places) as ship, Server(ship.app, listening := listen(HERE, 0)):
        port = listening.getsockname()[1]
        ship.tell(GAME)
        with Page(port) as stays, Page(port) as leaves:
            assert {1} == {page.until(1)["no"] for page in (stays, leaves)}
            until(lambda: places.taken == 2)
            caplog.clear()
            leave(opened, leaves, number)
            for turn in range(4):
                told = ship.tell({"type": "fix", "turn": turn % 3})
                assert told == stays.until(told)["no"]
            until(lambda: places.taken == 1)
            assert 200 == ask(port, "/healthz")[0]
            assert leaves.ended()
    said = [
        record for record in caplog.records if record.name.startswith(("companion.web.waitress_parts", "waitress"))
    ]
    assert (number in LEFT) == len([record for record in said if "has left" in record.getMessage()])
    assert [] == [record.getMessage() for record in said if record.levelno > logging.INFO or record.exc_info]


@pytest.mark.parametrize("number", LEFT, ids=errno.errorcode.get)
def test_who_leaves_in_the_middle_of_a_request_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, number: int
) -> None:
    """Waitress reads and writes it then."""
    caplog.set_level(logging.INFO)
    recv = Channel.recv

    def gone(self: Channel, size: int) -> bytes:
        if self.addr[1] in leaving:
            line: Any = self
            line.socket = Gone(line.socket, number)
        return recv(self, size)

    monkeypatch.setattr(Channel, "recv", gone)
    leaving: set[int] = set()
    with served(tmp_path) as (_, port, _), socket.create_connection((HERE, port), SOON) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        leaving.add(line.getsockname()[1])
        line.sendall(b"\r\n")
        assert is_hung_up(line)
        assert 200 == ask(port, "/healthz")[0]
    said = [
        record for record in caplog.records if record.name.startswith(("companion.web.waitress_parts", "waitress"))
    ]
    assert [f"A phone has left without a word ({os.strerror(number)})."] == [one.getMessage() for one in said]
    assert [None] == [one.exc_info for one in said]


def is_hung_up(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_whole_house_leaves_and_the_one_that_stays_never_waits(
    tmp_path: Path, opened: list[Channel], monkeypatch: pytest.MonkeyPatch
) -> None:
    """180 phones one after the other while sixty never read, with something new all the time."""
    monkeypatch.setattr(waitress_parts, "OF_ONE_DEVICE", 1000)
    with served(tmp_path) as (ship, port, _), ExitStack() as held:
        ship.tell(GAME)
        stays = held.enter_context(Page(port))
        for _ in range(60):
            held.enter_context(Page(port, room=2048))
        leaving = [held.enter_context(Page(port)) for _ in range(180)]
        until(lambda: len([line for line in opened if line.stays]) == 241)
        longest = 0.0
        for number, page in enumerate(leaving):
            leave(opened, page, LEFT[number % len(LEFT)])
            begin = time.monotonic()
            told = ship.tell({"type": "fix", "turn": number % 3})
            assert told == stays.until(told)["no"]
            longest = max(longest, time.monotonic() - begin)
        assert longest < 2
        assert 200 == ask(port, "/healthz")[0]


def test_a_page_that_fails_is_closed_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its phone comes back in half a second; the reason stands in the log once."""
    monkeypatch.setattr(feeds, "GONE_S", 0.02)

    class Fails:
        """What one phone is told."""

        def __init__(self, line: FeedCursor) -> None:
            self.first = line.first

        def news(self) -> bytes:
            raise KeyError("kittens")

    def line_that_fails(self: Feed, last: int | None = None) -> Any:
        return Fails(line(self, last))

    line = Feed.open_cursor

    with served(tmp_path) as (ship, port, _):
        ship.tell(GAME)
        with Page(port) as well:
            well.until(1)
            with monkeypatch.context() as once:
                once.setattr(Feed, "open_cursor", line_that_fails)
                with Page(port) as fails:
                    assert fails.ended()
            told = ship.tell({"type": "fix", "turn": 1})
            assert told == well.until(told)["no"]
    assert 1 == len([record for record in caplog.records if "can't be served" in record.getMessage()])


def test_nobody_stays_connected_to_a_page_that_has_ended(
    tmp_path: Path, opened: list[Channel], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where the loop is held up until it has to end, so that it never comes to hang up."""
    crew, held, recv = Crew(), Event(), Channel.recv

    def late(self: Channel, size: int) -> bytes:
        held.set()
        until(lambda: loop.is_left_behind)
        return recv(self, size)

    with ExitStack() as lines, served(tmp_path, crew=crew) as (ship, port, server):
        [loop] = [one for one in crew.watched if isinstance(one, waitress_parts.Loop)]
        ship.tell(GAME)
        page = lines.enter_context(Page(port))
        assert 1 == page.until(1)["no"]
        assert asked(lines, port).recv(1)
        monkeypatch.setattr(Channel, "recv", late)
        asking = asked(lines, port)
        assert held.wait(SOON)
        # This one is not even let in.
        coming = asked(lines, port)
        server.close()
        assert [None] * 3 == [channel.socket for channel in opened]
        assert page.ended()
        assert is_hung_up(asking)
        assert is_hung_up(coming)


@pytest.fixture
def sea(tmp_path: Path) -> Iterator[tuple[Aboard, int]]:
    with served(tmp_path) as (ship, port, _):
        yield ship, port


def test_a_phone_that_cannot_be_let_in_does_not_shut_the_door(
    sea: tuple[Aboard, int], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever went wrong with it; the next one is answered."""
    _, port = sea

    def fail(*_: object) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    with monkeypatch.context() as broken:
        broken.setattr(waitress_parts.LiveServer, "has_too_many", fail)
        socket.create_connection((HERE, port), SOON).close()
        until(lambda: "could not be let in" in caplog.text)
    assert 200 == ask(port, "/api/state")[0]
    assert json.dumps(ask(port, "/healthz")[1]["live"]) == "null"


def test_a_thread_that_answers_and_dies_gets_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until none is left: whoever asked is hung up on, and asks again."""
    monkeypatch.setattr(threading, "excepthook", unreported)
    monkeypatch.setattr(waitress_parts.Threads, "logger", Deadly())
    with ExitStack() as lines, served(tmp_path) as (ship, port, _):
        crew = ship.services.crew
        threads = [thread_named(f"web-{number}") for number in range(servers.THREADS)]
        with monkeypatch.context() as broken:
            broken.setattr(Feed, "newest", property(leave_the_thread))
            for _ in threads:
                assert is_hung_up(asked(lines, port))
        for thread in threads:
            thread.join(SOON)
        assert ("web",) == crew.dead()
        crew.check()
        assert () == crew.dead()
        assert 200 == ask(port, "/api/state")[0]


def leave_the_thread(_: object) -> None:
    raise SystemExit


class Deadly:
    """What waitress's thread tells of an answer that has failed is the end of it."""

    def exception(self, *_: object) -> None:
        raise SystemExit

    def warning(self, *_: object) -> None:
        """Nothing is left over."""


def asked(lines: ExitStack, port: int) -> socket.socket:
    line = lines.enter_context(socket.create_connection((HERE, port), SOON))
    line.sendall(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return line


def test_a_long_answer_on_its_way_does_not_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup for a slow phone takes its minutes; each piece of it is a sign of life."""
    now, wanted = 0.0, Semaphore(0)
    crew, ends = Crew(clock=lambda: now), Event()

    def pieces() -> Iterator[bytes]:
        while not ends.is_set():
            assert wanted.acquire(timeout=SOON)
            yield b"piece"

    def answer(_environ: object, start_response: Callable[[str, list[object]], object]) -> Iterator[bytes]:
        start_response("200 OK", [])
        return pieces()

    def hangs() -> bool:
        return any(one.sentence.startswith("Some of what phones ask") for one in crew.wrong())

    with ExitStack() as lines, served(tmp_path, crew=crew) as (ship, port, _), monkeypatch.context() as long:
        long.setattr(ship.app, "wsgi_app", answer)
        line = asked(lines, port)
        read = line.makefile("rb")
        for _ in range(5):
            wanted.release()
            while read.readline() != b"piece\r\n":
                pass
            now += 0.6 * waitress_parts.ANSWERED_WITHIN_S
            assert not hangs()
        now += waitress_parts.ANSWERED_WITHIN_S
        assert hangs()
        ends.set()
        wanted.release()
        while read.readline():
            pass


def test_answers_that_hang_are_told_and_where_all_do_the_program_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One costs nobody else anything."""
    now, deaths = 0.0, list[BaseException]()
    crew, over, hanging = Crew(deaths.append, clock=lambda: now), Event(), Semaphore(0)
    monkeypatch.setattr(waitress_parts, "LOOP_S", 0.02)
    monkeypatch.setattr(feeds, "GONE_S", 0.02)

    def hang(*_: object) -> str:
        hanging.release()
        assert over.wait(SOON)
        return ""

    def pass_by(seconds: int) -> None:
        nonlocal now
        for _ in range(seconds // 4):
            now += 4.0
            until(lambda: all(not isinstance(one, Worker) or one.silent_s < 4 for one in crew.watched))
            crew.check()

    monkeypatch.setattr("companion.web.api._check_journal", hang)
    with ExitStack() as lines, served(tmp_path, crew=crew) as (_, port, _):
        for number in range(servers.THREADS):
            line = lines.enter_context(socket.create_connection((HERE, port), SOON))
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert hanging.acquire(timeout=SOON)
            if number == 0:
                pass_by(round(waitress_parts.ANSWERED_WITHIN_S))
                assert () == crew.wrong()
                pass_by(4)
                assert ["web"] == [trouble.key for trouble in crew.wrong()]
                assert 200 == ask(port, "/api/state")[0]
                assert crew.can_go_on
        pass_by(round(waitress_parts.ANSWERED_WITHIN_S) + 4)
        assert not crew.can_go_on
        assert deaths
        over.set()
