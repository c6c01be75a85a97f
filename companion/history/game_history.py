"""What a game provides for the history. Only `result` is required: it gives evenings, people and winners. Optional
parts are declared here too: statistics, parts of the pages, CSV tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

from flask_babel.speaklater import LazyString
from markupsafe import Markup

from companion.history.game_summary import GameSummary
from companion.history.judged_game import JudgedGame
from companion.history.spreadsheet import Cell

if TYPE_CHECKING:
    from companion.history.totals import Totals
    from companion.web.services import TablePictures


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """How a game went, as far as it is known."""

    winners: tuple[int, ...] = ()
    starter: int | None = None
    put_away: bool = False
    """Ended by the host before anybody had won or lost."""
    lasted: int | None = None
    """Nanoseconds on the table's clock; None means from the first event to the one that ended it."""
    tally: object = None
    """What to store for statistics over all games: JSON, or a dataclass of JSON values. It is given back through
    `read_tally`."""
    rows: Mapping[str, Iterable[Sequence[Cell]]] = field(default_factory=dict[str, Iterable[Sequence[Cell]]])
    """This game's rows of each of its own tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A CSV table of one kind of game: `/history/<name>.csv`."""

    name: str
    """Unique among all games."""
    title: LazyString
    columns: tuple[str, ...]
    """The columns after the game's number and its begin."""


class PagePart(Protocol):
    """A part of a page; the template sees it as `part`."""

    @property
    def template(self) -> str: ...


class GameHistory(Protocol):
    """The interface between the history and one game."""

    tables: ClassVar[Sequence[OwnTable]] = ()
    seat_columns: ClassVar[Sequence[str]] = ()
    """The columns that it adds to the table of all games, which has a row for each seat."""
    column_titles: ClassVar[Mapping[str, LazyString]] = {}
    """The columns' titles in the reader's language."""
    cell_words: ClassVar[Mapping[str, Mapping[str, LazyString]]] = {}
    """The words in their cells in the reader's language, by column."""

    def result(self, game: JudgedGame) -> GameResult: ...

    def read_tally(self, stored: object) -> object:
        """The tally, from parsed JSON, in which tuples have become lists and dataclasses mappings."""
        return stored

    def seat_cells(self, summary: GameSummary, seat: int) -> Mapping[str, Cell]:
        """The values for its `seat_columns`."""
        del summary, seat
        return {}

    def add_up(self, totals: "Totals") -> object:
        """The statistics of all its games: `totals.own` in `history_part`, computed once and cached."""
        del totals

    def game_part(self, game: JudgedGame, camera: "TablePictures | None") -> PagePart | None:
        """Its part of the page about one game."""
        del game, camera

    def history_part(self, totals: "Totals") -> PagePart | None:
        """Its part of the page about all games."""
        del totals

    def drawings(self) -> Markup:
        """SVG definitions for its part of a game's page."""
        return Markup()

    def seat_mark(self, seat: int) -> Markup:
        """A drawing beside the name of the player at that seat."""
        circle = Markup('<circle r="26" class="seat seat-{0}"/>').format(seat + 1)
        return Markup('<svg class="seat-{0}" viewBox="-27 -27 54 54" aria-hidden="true">{1}</svg>').format(
            seat + 1, circle
        )
