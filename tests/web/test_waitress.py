"""What `companion.web.waitress_parts` expects of names that are waitress's own affair: another version of it may
have changed them, and then this says which."""

import inspect
import logging
import re
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask
from waitress.utilities import queue_logger

from companion.web import waitress_parts

SOON = 20.0
HOUSE = Path(waitress_parts.__file__).parents[1]


def hello(_environ: object, start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"hello"]


@dataclass
class Served:
    """A server whose loop the test turns itself, and the connection to one phone."""

    server: Any
    sockets: dict[int, Any]
    phone: socket.socket
    done: list[Any] = field(default_factory=list[Any])

    @property
    def channel(self) -> Any:
        [channel] = self.server.active_channels.values()
        return channel

    def turn(self) -> None:
        wasyncore.loop(timeout=0.01, use_poll=True, map=self.sockets, count=1)
        self.server.task_dispatcher.do_all()

    def until(self, true: Any) -> None:
        for _ in range(2000):
            if true():
                return
            self.turn()
        raise AssertionError("it never came true")


class Tasks(ThreadedTaskDispatcher):
    """Has no threads."""

    def do_all(self) -> None:
        tasks: Any = self.queue
        while tasks:
            tasks.popleft().service()


@pytest.fixture
def served() -> Iterator[Served]:
    sockets: dict[int, Any] = {}
    with socket.create_server(("127.0.0.1", 0)) as listening:
        adjustments = Adjustments(sockets=[listening], asyncore_use_poll=True, log_socket_errors=False)
        server: Any = TcpWSGIServer(
            hello,
            sockets,
            _sock=listening,
            dispatcher=Tasks(),
            adj=adjustments,
            sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
            bind_socket=False,
        )
        with socket.create_connection(listening.getsockname(), SOON) as phone:
            served = Served(server, sockets, phone)
            served.until(lambda: server.active_channels)
            yield served
            for channel in list(server.active_channels.values()):
                channel.handle_close()
        server.close()


def test_a_server_takes_a_socket_that_listens_already(served: Served) -> None:
    """`_sock`, `dispatcher`, `adj`, `sockinfo`, `bind_socket`, `accepting`; and `loop` with `map` and `count`."""
    assert served.server.accepting
    served.phone.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    served.until(lambda: served.channel.last_activity > served.channel.creation_time)
    served.turn()
    assert served.phone.recv(4096).endswith(b"hello")


def test_active_channels_are_those_that_are_open(served: Served) -> None:
    assert served.channel.addr == served.phone.getsockname()
    served.phone.close()
    served.until(lambda: not served.server.active_channels)


def test_handle_close_closes_and_may_be_said_twice(served: Served) -> None:
    channel = served.channel
    channel.handle_close()
    assert not channel.connected
    assert {} == served.server.active_channels
    channel.handle_close()
    assert b"" == served.phone.recv(1)


def test_will_close_is_heeded_by_the_loop(served: Served) -> None:
    served.channel.will_close = True
    served.until(lambda: not served.server.active_channels)


def test_the_lock_of_what_is_to_be_sent_may_be_taken_twice(served: Served) -> None:
    """`outbuf_lock`: we hold it while waitress's own functions take it again."""
    with served.channel.outbuf_lock, served.channel.outbuf_lock:
        pass


def test_what_is_written_soon_waits_and_is_flushed(served: Served) -> None:
    """`write_soon`, `total_outbufs_len`, `_flush_some`; and `ClientDisconnected` where nobody is left."""
    channel = served.channel
    assert 0 == channel.total_outbufs_len
    with channel.outbuf_lock:
        served.server.adj.send_bytes = 100
        channel.write_soon(b"goat")
        assert 4 == channel.total_outbufs_len
        assert channel._flush_some(do_close=False)
    assert 0 == channel.total_outbufs_len
    assert b"goat" == served.phone.recv(4)
    channel.handle_close()
    with pytest.raises(ClientDisconnected):
        channel.write_soon(b"goat")


def test_send_and_recv_raise_what_they_do_not_know(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is why ours don't: a connection that timed out is none that waitress takes for closed."""
    channel = served.channel

    class TimedOut:
        def send(self, _: bytes) -> int:
            raise TimeoutError(110, "Connection timed out")

        def recv(self, _: int) -> bytes:
            raise TimeoutError(110, "Connection timed out")

    with monkeypatch.context() as gone:
        gone.setattr(channel, "socket", TimedOut())
        with pytest.raises(TimeoutError):
            channel.send(b"goat", do_close=False)
        with pytest.raises(TimeoutError):
            channel.recv(10)
    assert ["self", "data", "do_close"] == [*inspect.signature(HTTPChannel.send).parameters]


def test_received_goes_through_the_channel(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """`received` gets what came, and `request` is the one that is not complete yet."""
    got: list[bytes] = []
    received = HTTPChannel.received

    def hear(self: HTTPChannel, data: bytes) -> Any:
        got.append(data)
        return received(self, data)

    monkeypatch.setattr(HTTPChannel, "received", hear)
    served.phone.sendall(b"GET / HT")
    served.until(lambda: got)
    assert [b"GET / HT"] == got
    assert served.channel.request is not None
    served.phone.sendall(b"TP/1.1\r\n\r\n")
    served.until(lambda: served.channel.request is None)


def test_a_channel_s_service_answers_with_its_task(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """`service`, `task_class`; of the task `get_environment`, `service`, `finish`, `channel`, `chunked_response`,
    `close_on_finish`."""
    called: list[str] = []

    class Noted(WSGITask):
        def get_environment(self) -> dict[str, Any]:
            called.append("get_environment")
            return super().get_environment()

        def service(self) -> None:
            called.append("service")
            super().service()

        def finish(self) -> None:
            called.append("finish")
            assert self.channel is channel
            assert not self.chunked_response
            assert not self.close_on_finish
            super().finish()

    channel = served.channel
    monkeypatch.setattr(HTTPChannel, "task_class", Noted)
    served.phone.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    served.until(lambda: "finish" in called)
    assert ["service", "get_environment", "finish"] == called


def test_the_trigger_wakes_the_loop_and_does_what_it_is_told(served: Served) -> None:
    """`trigger.pull_trigger` with a function, `pull_trigger` without."""
    served.server.trigger.pull_trigger(lambda: served.done.append("told"))
    served.until(lambda: served.done)
    served.server.pull_trigger()
    served.turn()
    assert ["told"] == served.done


def test_maintenance_is_done_by_the_loop(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """And gets the time, as `time.time` has it."""
    monkeypatch.setattr(served.server, "next_channel_cleanup", 0)
    monkeypatch.setattr(served.server, "maintenance", served.done.append)
    served.until(lambda: served.done)
    assert isinstance(served.done[0], float)


def test_an_error_of_the_door_is_handed_to_handle_error(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which closes the door, if it is left to waitress."""

    def fail(_server: object, line: socket.socket, *_rest: object, **_more: object) -> None:
        line.close()
        raise ValueError("a phone")

    def note() -> None:
        served.done.append("error")

    monkeypatch.setattr(served.server, "channel_class", fail)
    monkeypatch.setattr(served.server, "handle_error", note)
    with socket.create_connection(served.server.socket.getsockname(), SOON):
        served.until(lambda: served.done)
    assert served.server.accepting


def test_socket_options_are_set_on_every_connection() -> None:
    """No keyword sets `socket_options`; the adjustments have them all the same."""
    adjustments: Any = Adjustments()
    assert all(len(option) == 3 for option in adjustments.socket_options)


def test_its_queue_warns_by_a_logger_of_its_own() -> None:
    """Which `build_server` makes quieter, by its name."""
    assert queue_logger is logging.getLogger("waitress.queue")
    assert queue_logger is ThreadedTaskDispatcher.queue_logger


def test_only_one_module_knows_waitress() -> None:
    """What is waitress' own affair is used in `waitress_parts.py` alone."""
    users = [
        path.name
        for path in HOUSE.rglob("*.py")
        if re.search(r"^(from|import) waitress", path.read_text(), re.MULTILINE)
    ]
    assert ["waitress_parts.py"] == users


def test_threads_are_begun_by_start_new_thread_and_counted_by_number() -> None:
    """`start_new_thread`, `set_thread_count`, `threads`, `lock`, `shutdown`; what a task raises ends no thread."""
    begun: list[threading.Thread] = []

    class Noted(ThreadedTaskDispatcher):
        def start_new_thread(self, target: Any, thread_no: int) -> None:
            thread = threading.Thread(target=target, args=(thread_no,), name=f"noted-{thread_no}")
            begun.append(thread)
            thread.start()

    class Raises:
        def service(self) -> None:
            served.set()
            raise SystemExit

        def cancel(self) -> None:
            """Nothing is left."""

    served = threading.Event()
    threads: Any = Noted()
    threads.logger = _Quiet()
    threads.set_thread_count(2)
    assert {0, 1} == threads.threads
    threads.add_task(Raises())
    assert served.wait(SOON)
    with threads.lock:
        threads.threads.discard(1)
    threads.set_thread_count(2)
    assert ["noted-0", "noted-1", "noted-1"] == [thread.name for thread in begun]
    threads.shutdown(timeout=5)
    with threads.lock:
        # For the one that was forgotten.
        threads.stop_count += 1
        threads.queue_cv.notify_all()
    for thread in begun:
        thread.join(SOON)
    assert not any(thread.is_alive() for thread in begun)


class _Quiet:
    def exception(self, *_: object) -> None:
        """What the task raised."""

    def warning(self, *_: object) -> None:
        """Nothing is left over."""
