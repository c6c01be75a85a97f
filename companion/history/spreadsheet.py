"""Games and races as CSV, for whoever wants to count for themselves."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from companion.core.names import clean_name
from companion.games.goat.history import Finish
from companion.history.brief import Brief
from companion.history.kept_game import KeptGame

GAMES = (
    "game",
    "kind",
    "begun",
    "minutes",
    "over",
    "seat",
    "name",
    "starter",
    "won",
    "races",
    "slowest",
    "peak_deck",
)
RACES = ("game", "begun", "finish", "t_ns", "seat", "name", "verdict", "place", "reaction_us", "slowest", "took")
# A table program takes what begins so for a formula, and runs it.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int | float | None


def games_csv(briefs: Iterable[Brief]) -> Iterator[str]:
    """A row for each seat of each game."""
    yield _row(GAMES)
    for game in briefs:
        for seat, name in enumerate(game.seats):
            tally = game.tally
            yield _row(
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
                    tally.races if tally else None,
                    tally.slowest[seat] if tally else None,
                    tally.peaks[seat] if tally else None,
                )
            )


def races_csv(rows: Iterable[str]) -> Iterator[str]:
    """`rows`: of each game those for its races."""
    yield _row(RACES)
    yield from rows


def race_rows(kept: KeptGame, finishes: Iterable[Finish]) -> Iterator[str]:
    """A row for each press of each photo finish."""
    for finish in finishes:
        yield from _presses(kept, finish)


def _presses(kept: KeptGame, finish: Finish) -> Iterator[str]:
    for mark in finish.marks:
        slowest = mark.seat == finish.slowest
        yield _row(
            (
                kept.number,
                _moment(kept.begun),
                finish.number,
                mark.t,
                mark.seat,
                clean_name(kept.seats[mark.seat]),
                mark.verdict,
                mark.place,
                mark.reaction_us,
                int(slowest),
                finish.took if slowest else None,
            )
        )


def _moment(wall: int) -> str:
    return datetime.fromtimestamp(wall // 1_000_000_000).astimezone().isoformat()


def _row(cells: Sequence[Cell]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([_safe(cell) for cell in cells])
    return out.getvalue()


def _safe(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell
