"""A served table, for tests: live pages as a browser has them, and requests as anybody might write them."""

import json
import socket
from collections.abc import Generator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Self

from companion.threads.worker import Crew
from companion.web.server import Server, listen

from .aboard import SOON, Aboard, aboard

HERE = "127.0.0.1"


@contextmanager
def served(
    folder: Path, bind: str | None = HERE, crew: Crew | None = None
) -> Generator[tuple[Aboard, int, Server]]:
    with aboard(folder, crew=crew) as ship, Server(ship.app, listening := listen(bind, 0)) as server:
        yield ship, listening.getsockname()[1], server


class Page:
    """A live page, as a browser has it."""

    def __init__(
        self, port: int, last: int | str | None = None, *, query: str = "", room: int | None = None
    ) -> None:
        self.socket = socket.socket()
        if room is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self.socket.settimeout(SOON)
        self.socket.connect((HERE, port))
        back = f"Last-Event-ID: {last}\r\n" if last is not None else ""
        self.socket.sendall(f"GET /api/events{query} HTTP/1.1\r\nHost: localhost:{port}\r\n{back}\r\n".encode())
        self._lines = self.socket.makefile("rb")
        self.rulings: list[Any] = []
        self.states = 0

    @property
    def status(self) -> int:
        return int(self._lines.readline().split()[1])

    def until(self, number: int) -> Any:
        """Reads on until that state is there."""
        event = b""
        while line := self._lines.readline():
            if line.startswith(b"event: "):
                event = line[7:].strip()
            elif line.startswith(b"data: "):
                said = json.loads(line[6:])
                if event == b"ruling":
                    self.rulings.append(said)
                elif event == b"state":
                    self.states += 1
                    if said["no"] >= number:
                        return said
        raise AssertionError("the line ended before")

    def ended(self) -> bool:
        while self._lines.readline():
            pass
        return True

    def close(self) -> None:
        self._lines.close()
        self.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def ask(port: int, path: str, **headers: str) -> tuple[int, Any]:
    with Asked(port) as line:
        line.request("GET", path, headers=headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())


class Asked(HTTPConnection):
    def __init__(self, port: int) -> None:
        super().__init__(HERE, port, timeout=SOON)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
