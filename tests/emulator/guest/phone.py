"""A phone at the rig's table, in a few lines of the standard library."""

import json
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection
from typing import Any, Final

SOON_S: Final = 200.0
# Each answer is work for a machine that is slow and has others to do.
ASKS_S: Final = 0.5
STALE: Final = 409


class Phone:
    def __init__(self, place: str = "127.0.0.1:8080") -> None:
        self._place = place
        self._cookie = ""

    def ask(self, path: str, body: Mapping[str, object] | None = None) -> tuple[int, Any]:
        status, told = self._told(path, body)
        return status, json.loads(told) if told else None

    def _told(self, path: str, body: Mapping[str, object] | None) -> tuple[int, bytes]:
        connection = HTTPConnection(self._place, timeout=SOON_S)
        head = {"Cookie": self._cookie, "Origin": f"http://{self._place}", "Content-Type": "application/json"}
        method, said = ("GET", None) if body is None else ("POST", json.dumps(body))
        connection.request(method, path, said, head)
        answer = connection.getresponse()
        self._cookie = (answer.headers.get("Set-Cookie") or self._cookie).split(";")[0]
        told = answer.read()
        connection.close()
        return answer.status, told

    def say(self, event: Mapping[str, object]) -> None:
        """Again where somebody else was quicker."""
        status, told = STALE, None
        while status == STALE:
            number = self.ask("/api/state")[1]["no"]
            status, told = self.ask("/api/events", {"no": number, "event": event})
        assert status == 200, (event, told)

    def state(self) -> Any:
        return self.ask("/api/state")[1]["state"]

    def moves(self) -> int:
        """How many cards laid and piles lifted have been seen in the newest game, be it one by one or together."""
        told = self._events()
        return sum(len(event["cells"]) if event["type"] == "lift" else event["type"] == "card" for event in told)

    def presses(self, seat: int) -> int:
        """How many have been heard there in the newest game."""
        return sum(event["type"] == "press" and event["seat"] == seat for event in self._events())

    def _events(self) -> list[Any]:
        newest = max(game["id"] for game in self.ask("/api/games")[1]["games"])
        return [*map(json.loads, self._told(f"/api/games/{newest}.jsonl", None)[1].splitlines())]

    def empty_cells(self) -> int:
        """As the camera reads them."""
        return self._told("/rig/now", None)[1].count(b'class="read bare"')

    def health(self) -> Any:
        return self.ask("/healthz")[1]

    def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + SOON_S
        while not true():
            assert time.monotonic() < end, self.ask("/api/state")
            time.sleep(ASKS_S)
