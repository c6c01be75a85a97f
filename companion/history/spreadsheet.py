"""CSV tables for people's own calculations: all games, and each game's own tables."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from companion.core.names import clean_name
from companion.games.registry import GAMES
from companion.history.game_summary import GameSummary

COLUMNS = ("game", "kind", "begun", "minutes", "over", "seat", "name", "starter", "won")
"""The columns of the table of all games; those that games add come after them."""
OWN_COLUMNS = ("game", "begun")
"""The first columns of each game's own tables."""
# Spreadsheet programs take cells that begin like this for formulas, and run them.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int | float | None


def games_csv(summaries: Iterable[GameSummary]) -> Iterator[str]:
    """A row for each seat of each game."""
    histories = {name: game.history() for name, game in GAMES.items()}
    added = tuple(dict.fromkeys(column for history in histories.values() for column in history.seat_columns))
    yield to_row((*COLUMNS, *added))
    for game in summaries:
        for seat, name in enumerate(game.seats):
            cells = histories[game.game].seat_cells(game, seat)
            yield to_row(
                (
                    game.number,
                    game.game,
                    _moment(game.begun),
                    round(game.lasted / 60e9, 1),
                    int(game.over),
                    seat,
                    clean_name(name),
                    int(seat == game.starter),
                    int(seat in game.winners),
                    *(cells.get(column) for column in added),
                )
            )


def own_table_csv(columns: Sequence[str], rows: Iterable[str]) -> Iterator[str]:
    """`rows`: what `own_rows` has made of each game."""
    yield to_row((*OWN_COLUMNS, *columns))
    yield from rows


def own_rows(number: int, begun: int, rows: Iterable[Sequence[Cell]]) -> str:
    """The rows that one game adds to a table of its own."""
    return "".join(to_row((number, _moment(begun), *row)) for row in rows)


def to_row(cells: Sequence[Cell]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([_safe(cell) for cell in cells])
    return out.getvalue()


def _moment(wall: int) -> str:
    return datetime.fromtimestamp(wall // 1_000_000_000).astimezone().isoformat()


def _safe(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell
