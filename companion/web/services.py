"""What the page lives on: the table and what is around it. `companion.app.serve_page` builds it, the page only
asks."""

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
    """What the page may show of the camera's pictures: never a hidden cell, never a card not surely read."""

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
    """What whoever builds it sees and tries."""
    language: str = "en"
    """Of the page, for a browser that speaks none of its languages."""
    wired: int = 0
    """At how many places of the table a button is, or would be."""
    log: Ring = field(default_factory=Ring)
    """The newest lines of the log."""
    crew: Crew = field(default_factory=Crew)
    """All threads, and the board of what is wrong."""
    archive: Archive | None = None
    """Where earlier games are added up by a worker; if not, by whoever asks."""
    config: Path | None = None
    """The rig.toml, where it is not the one beside the journal."""
    token: str = ""
    """What another program of ours on this machine shows to read the log; see `companion.app.running_file`."""

    @property
    def troubles(self) -> Troubles:
        return self.crew.troubles

    @property
    def has_buttons(self) -> bool:
        """Whether fingers press real ones; if not, phones are what people slap."""
        return self.buttons is not None and self.buttons.exists

    def has_button_at(self, place: int) -> bool:
        """Whether fingers press a real one there; where not, the phone of whoever sits there stands in for it."""
        return self.has_buttons and place < self.wired

    def count_places(self, game: Game) -> int:
        """At how many places of the table somebody can sit and play that game; a phone needs no wires."""
        return max(self.wired, *game.seats)
