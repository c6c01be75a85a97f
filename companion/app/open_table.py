"""What the rig and the demo open in the same way before anything is wired to it: the page's address, the journal,
the table that goes on where the journal stands, and the folder of the photo finishes.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Final, Generic, TypeVar

from companion.app.serve_page import JOURNAL
from companion.rig.race_photos import RacePhotos
from companion.table.live_table import Table
from companion.table.open_journal import open_journal
from companion.threads.worker import Crew
from companion.units import Ns
from companion.web.server import listen

PHOTOS: Final = "finishes"

Clock = TypeVar("Clock", bound=Callable[[], Ns])


@dataclass(frozen=True, slots=True)
class TablePlace:
    """Where the data is kept, and the address of the page (None: the default)."""

    data: Path
    bind: str | None = None
    port: int | None = None


@dataclass(frozen=True, slots=True)
class OpenTable(Generic[Clock]):
    """The opened socket, clock, table and photos."""

    data: Path
    listening: socket
    """The page's listening socket; early connections wait in its backlog until the page answers."""
    clock: Clock
    table: Table
    photos: RacePhotos
    last_game: int
    """The journal's number of the game that was played last; 0 before the first."""


def open_table(
    place: TablePlace,
    start_clock: Callable[[Ns], Clock],
    crew: Crew,
    parts: ExitStack,
    *,
    table_time: Callable[[Clock], Callable[[], Ns]] = lambda clock: clock,
) -> OpenTable[Clock]:
    """Opens everything, until `parts` are closed. The page's address comes first: if it can't be used, nothing is
    written.

    `start_clock` makes the clock of edges and pictures; it is given the latest time in the journal and must start
    after it. `table_time`: the table's own time, where that is not the same clock."""
    listening = parts.enter_context(listen(place.bind, place.port))
    place.data.mkdir(parents=True, exist_ok=True)
    kept = parts.enter_context(open_journal(place.data / JOURNAL, crew.troubles))
    clock = start_clock(kept.left.latest)
    table = parts.enter_context(Table(kept.journal, left=kept.left, clock=table_time(clock), crew=crew))
    photos = parts.enter_context(RacePhotos(place.data / PHOTOS, crew))
    return OpenTable(place.data, listening, clock, table, photos, kept.journal.last_game)
