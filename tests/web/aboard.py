"""A table with its page, for tests: everything real but the camera and the buttons."""

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Gate
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion.journal import Journal
from companion.live.connection_limits import ConnectionLimit
from companion.live.feed import Feed
from companion.rig.protocols import Rig
from companion.table.live_table import Table
from companion.threads.worker import Crew
from companion.web import create_app
from companion.web.game_page import page_of
from companion.web.pairing import Pairing
from companion.web.services import Buttons, Services, TablePictures

SOON = 20.0
Event = dict[str, Any]
JPEG = b"\xff\xd8 a goat \xff\xd9"


@dataclass
class Pictures:
    """A camera that shows what a test lets it."""

    versions: list[int | None] = field(default_factory=lambda: [None] * 9)
    trouble: str | None = None

    def cutouts(self) -> tuple[int | None, ...]:
        return tuple(self.versions)

    def cutout(self, cell: int) -> bytes | None:
        return JPEG if self.versions[cell] is not None else None

    def finish(self, game: int, t: int, which: str) -> bytes | None:
        return JPEG if (game, t) == (1, 0) and which == "before" else None

    def words(self) -> str | None:
        return self.trouble


@dataclass
class Aboard:
    app: Flask
    services: Services

    @property
    def number(self) -> int:
        return self.services.table.snapshot.number

    def tell(self, *events: Event) -> int:
        return [self.services.table.tell(event).result(SOON).number for event in events][-1]

    def client(self) -> FlaskClient:
        return self.app.test_client()

    def paired(self, seat: int | None = None) -> FlaskClient:
        """A phone; the first one is the host's."""
        client = self.client()
        code = self.services.pairing.code
        assert 200 == client.post("/api/pair", json={"code": code, "seat": seat}).status_code
        return client

    def say(self, client: FlaskClient, event: Event, no: int | None = None) -> tuple[int, Any]:
        said = {"no": self.number if no is None else no, "event": event}
        answer = client.post("/api/events", json=said)
        return answer.status_code, json.loads(answer.data)


@contextmanager
def aboard(  # noqa: PLR0913 - each test its own table
    folder: Path,
    *,
    camera: TablePictures | None = None,
    buttons: Buttons | None = None,
    places: ConnectionLimit | None = None,
    addresses: tuple[str, ...] = ("http://192.168.77.7:8080/",),
    rig: Rig | None = None,
    language: str = "en",
    health: Callable[[], Mapping[str, object]] = dict,
    crew: Crew | None = None,
    wired: int = 6,
) -> Generator[Aboard]:
    folder.mkdir(exist_ok=True)
    path = folder / "journal.db"
    crew = crew or Crew()
    with ExitStack() as parts:
        table = parts.enter_context(Table(parts.enter_context(Journal.open(path)), crew=crew))
        feed = parts.enter_context(Feed(table, camera, page_of, health, crew))
        pairing = Pairing(buttons, folder / "phones.json", wired=wired)
        services = Services(
            table,
            path,
            feed,
            pairing,
            camera,
            buttons,
            addresses,
            rig=rig or Rig(),
            language=language,
            wired=wired,
            crew=crew,
        )
        yield Aboard(create_app(services, places), services)


def until(true: Callable[[], bool]) -> None:
    waits = Gate()
    for _ in range(2000):
        if true():
            return
        waits.wait(0.01)
    raise AssertionError("it never came true")


GAME: Event = {"type": "game", "game": "goat", "seats": ["Ada", "Ben", "Cy"], "starter": 0}
BLIND: Event = {**GAME, "grid": "none"}


def card(cell: int, boat: str = "raft", colour: str = "pink") -> Event:
    return {"type": "card", "cell": cell, "boat": boat, "colour": colour}


PINKS = [card(0, "raft"), card(1, "ring"), card(2, "jetski")]
