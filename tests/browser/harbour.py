"""A served table that a test plays on: real table, journal, feed and web server, told an evening line by line."""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from companion.journal import Journal, Reader
from companion.live.feed import Feed
from companion.live.health import Health
from companion.table.live_table import Snapshot, Table
from companion.threads.troubles import Troubles
from companion.web import create_app
from companion.web.game_page import page_of
from companion.web.pairing import Pairing
from companion.web.server import Server, listen
from companion.web.services import Services, TablePictures

EVENING = Path(__file__).parents[2] / "companion" / "games" / "goat" / "evening.jsonl"
SOON = 20.0
Event = dict[str, Any]


def evening(names: Mapping[str, str] | None = None) -> list[Event]:
    """The recorded one; its people may be called otherwise."""
    events: list[Event] = [json.loads(line) for line in EVENING.read_text().splitlines()]
    events[0]["seats"] = [(names or {}).get(name, name) for name in events[0]["seats"]]
    return [one for event in events for one in _at_once(event)]


def _at_once(event: Event) -> list[Event]:
    """With a camera that has seen each press, so that the lamps light one after the other."""
    return [event, {"t": event["t"], "type": "seen"}] if event["type"] == "press" else [event]


class PaperCamera:
    """Shows of each cell what a test has put there."""

    def __init__(self) -> None:
        self.versions: tuple[int | None, ...] = (None,) * 9
        self.wrong: str | None = None
        self.pictures: tuple[bytes | None, ...] = (None,) * 9

    def cutouts(self) -> tuple[int | None, ...]:
        return self.versions

    def cutout(self, cell: int) -> bytes | None:
        return self.pictures[cell] if self.versions[cell] is not None else None

    def finish(self, game: int, t: int, which: str) -> bytes | None:  # noqa: ARG002 - none are kept
        return None

    def words(self) -> str | None:
        return self.wrong


class Harbour:
    def __init__(
        self, folder: Path, *, port: int = 0, camera: TablePictures | None = None, table: Table | None = None
    ) -> None:
        """`table`: another's, whose journal lies in that folder; else one of its own."""
        self.now = 10**15
        """The table's clock: no event of a recording is of the future."""
        self._undo = ExitStack()
        self._journal = folder / "journal.db"
        listening = listen("127.0.0.1", port)
        self.port: int = listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.table = table or self._own_table()
        self.pairing = Pairing()
        self.troubles = Troubles()
        health = Health(folder, host=self.pairing.host, wrong=self.troubles.current)
        self.feed = self._undo.enter_context(Feed(self.table, camera, page_of, health))
        services = Services(
            self.table,
            self._journal,
            self.feed,
            self.pairing,
            camera,
            addresses=(f"{self.url}/",),
            wired=6,
            demo=True,
        )
        self._undo.enter_context(Server(create_app(services), listening))

    def _own_table(self) -> Table:
        journal = self._undo.enter_context(Journal.open(self._journal))
        return self._undo.enter_context(Table(journal, clock=lambda: self.now))

    @property
    def told(self) -> list[Event]:
        """All that the table has noted, by whomever."""
        with Reader.open(self._journal) as reader:
            return [json.loads(entry.event) for entry in reader.entries()]

    def tell(self, *events: Event) -> Snapshot:
        answers = [self.table.tell(event) for event in events]
        return [answer.result(SOON) for answer in answers][-1]

    def until(self, events: Iterator[Event], phase: str) -> Event:
        """Plays on until that phase has come."""
        for event in events:
            state = self.tell(event).state
            if state is not None and state["phase"] == phase:
                return state
        raise AssertionError(f"the evening never comes to {phase}")

    def close(self) -> None:
        self._undo.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
