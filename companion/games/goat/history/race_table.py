"""Each press of each photo finish as a row of a table."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from companion.core.names import clean_name
from companion.games.goat.history.finish import Finish
from companion.history.spreadsheet import Cell

COLUMNS: Final = ("finish", "t_ns", "seat", "name", "verdict", "place", "reaction_us", "slowest", "took")


def race_rows(seats: Sequence[str], finishes: Iterable[Finish]) -> Iterator[tuple[Cell, ...]]:
    for finish in finishes:
        for mark in finish.marks:
            slowest = mark.seat == finish.slowest
            yield (
                finish.number,
                mark.t,
                mark.seat,
                clean_name(seats[mark.seat]),
                mark.verdict,
                mark.place,
                mark.reaction_us,
                int(slowest),
                finish.took if slowest else None,
            )
