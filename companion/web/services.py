"""What the pages depend on: the table and the parts around it. Built by `companion.app.serve_page`."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from companion.games.game import Game
from companion.history.archive import Archive
from companion.live.feed import Feed
from companion.logs.log_lines import Ring
from companion.rig.protocols import Rig
from companion.table.live_table import Table
from companion.threads.troubles import Troubles
from companion.threads.worker import Crew
from companion.web.pairing import Buttons, Pairing

__all__ = ["Buttons", "Services", "TablePictures"]


class TablePictures(Protocol):
    """What pages may show of the camera's pictures: never a hidden cell, never a card that was not read surely."""

    def cutouts(self) -> tuple[int | None, ...]:
        """Nine version numbers, row by row; None where nothing may be shown."""
        ...

    def cutout(self, cell: int) -> bytes | None:
        """A JPEG of the card there."""
        ...

    def finish(self, game: int, t: int, which: str) -> bytes | None:
        """A JPEG of the grid just `before` or `after` the first grab at `t` of the game with that number."""
        ...

    def words(self) -> str | None:
        """What is wrong with it, as a stable key ("lost", "dark"); None while all is well."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    table: Table
    journal: Path
    feed: Feed
    pairing: Pairing
    camera: TablePictures | None = None
    buttons: Buttons | None = None
    addresses: tuple[str, ...] = ()
    """Where phones find the page, as whole addresses ("http://192.168.1.7:8080/"); the first one is the best."""
    demo: bool = False
    rig: Rig = field(default_factory=Rig)
    """The parts that the builder's page shows and tries out."""
    language: str = "en"
    """The language for browsers that speak none of ours."""
    wired: int = 0
    """How many places of the table have a button, or would have one."""
    log: Ring = field(default_factory=Ring)
    """The newest lines of the log."""
    crew: Crew = field(default_factory=Crew)
    """All worker threads, and the current troubles."""
    archive: Archive | None = None
    """The archive whose worker judges earlier games. If None, each request judges them itself."""
    config: Path | None = None
    """The rig.toml, if it is not the one beside the journal."""
    token: str = ""
    """The token by which another program of ours on this machine may read the log; see
    `companion.app.running_file`."""

    @property
    def troubles(self) -> Troubles:
        return self.crew.troubles

    @property
    def has_buttons(self) -> bool:
        """Whether there are real buttons; if not, players press on their phones."""
        return self.buttons is not None and self.buttons.exists

    def has_button_at(self, place: int) -> bool:
        """Whether that place has a real button; if not, the phone paired there replaces it."""
        return self.has_buttons and place < self.wired

    def count_places(self, game: Game) -> int:
        """How many places of the table can play that game. A phone needs no wires, so it counts without a
        button."""
        # A race is run with buttons: a place without one is no place for it.
        return self.wired if game.is_raced and self.has_buttons else max(self.wired, *game.seats)
