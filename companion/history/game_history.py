"""What a game tells the history. `result` is all that it must tell: then its evenings, people and winners are
shown. Whatever else it has (totals, a part of the pages, tables to take home) is declared here as well."""

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
    """Ended by the host, before anybody had won or lost."""
    lasted: int | None = None
    """Nanoseconds on the table's clock; None: from the first event to the one that ended it."""
    tally: object = None
    """What is worth keeping for totals over all games: JSON, or a dataclass of what JSON knows. It comes back
    through `read_tally`."""
    rows: Mapping[str, Iterable[Sequence[Cell]]] = field(default_factory=dict[str, Iterable[Sequence[Cell]]])
    """Of each of the game's own tables those of this game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A table that only this game has: `/history/<name>.csv`."""

    name: str
    """No two games may call a table the same."""
    title: LazyString
    columns: tuple[str, ...]
    """What stands after the game's number and the moment at which it began."""


class PagePart(Protocol):
    """What the template finds under `part`."""

    @property
    def template(self) -> str: ...


class GameHistory(Protocol):
    tables: ClassVar[Sequence[OwnTable]] = ()
    seat_columns: ClassVar[Sequence[str]] = ()
    """What it adds to the table of all games, which has a row for each seat."""
    column_titles: ClassVar[Mapping[str, LazyString]] = {}
    """How people call the columns of its tables."""
    cell_words: ClassVar[Mapping[str, Mapping[str, LazyString]]] = {}
    """How people call what stands in them, by column."""

    def result(self, game: JudgedGame) -> GameResult: ...

    def read_tally(self, stored: object) -> object:
        """The tally, from what JSON has made of it: lists for tuples, mappings for dataclasses."""
        return stored

    def seat_cells(self, summary: GameSummary, seat: int) -> Mapping[str, Cell]:
        """What stands in its `seat_columns`."""
        del summary, seat
        return {}

    def add_up(self, totals: "Totals") -> object:
        """What all of its games come to: `totals.own` of `history_part`, computed once for many pages."""
        del totals

    def game_part(self, game: JudgedGame, camera: "TablePictures | None") -> PagePart | None:
        """Of the page of one game, beside what every game has."""
        del game, camera

    def history_part(self, totals: "Totals") -> PagePart | None:
        """Of the page about all games."""
        del totals

    def drawings(self) -> Markup:
        """SVG definitions that its part of a game's page refers to."""
        return Markup()

    def seat_mark(self, seat: int) -> Markup:
        """A drawing that stands beside the name of whoever sat there."""
        circle = Markup('<circle r="26" class="seat seat-{0}"/>').format(seat + 1)
        return Markup('<svg class="seat-{0}" viewBox="-27 -27 54 54" aria-hidden="true">{1}</svg>').format(
            seat + 1, circle
        )
