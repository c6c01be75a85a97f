"""A CSV as the table program of somebody's own country opens it by a double click: its separator and decimal sign,
the clock on its wall, heads and rulings in its language, seats counted as people count them."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final

# Where decimals are parted by a comma, table programs part the cells by a semicolon.
WITH_COMMAS: Final = frozenset({"de", "es"})


@dataclass(frozen=True, slots=True)
class Country:
    """How a table is written there."""

    language: str
    heads: Mapping[str, str] = field(default_factory=dict[str, str])
    """What stands above the columns, by the plain table's own names; what is missing stays."""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """What stands in them, by column; what is missing stays."""

    @property
    def separator(self) -> str:
        return ";" if self.language in WITH_COMMAS else ","

    def decimal(self, number: str) -> str:
        return number.replace(".", ",") if self.language in WITH_COMMAS else number


def local_table(rows: Iterable[str], country: Country) -> Iterator[str]:
    """`rows`: a plain table, its heads first, one or many to a string; no cell has a line break."""
    plain = csv.reader(row for some in rows for row in some.splitlines())
    heads = next(plain)
    yield _row([country.heads.get(head, head) for head in heads], country)
    writers = _writers(country)
    for cells in plain:
        known = zip(heads, cells, strict=True)
        yield _row([writers[head](cell) if head in writers and cell else cell for head, cell in known], country)


def _writers(country: Country) -> Mapping[str, Callable[[str], str]]:
    return {
        "begun": _on_the_wall,
        "minutes": country.decimal,
        "seat": lambda seat: str(int(seat) + 1),
        **{column: partial(_translate, words) for column, words in country.words.items()},
    }


def _translate(words: Mapping[str, str], cell: str) -> str:
    return words.get(cell, cell)


def _on_the_wall(moment: str) -> str:
    """Without the zone, which no table program takes for a part of a time."""
    return datetime.fromisoformat(moment).strftime("%Y-%m-%d %H:%M:%S")


def _row(cells: Iterable[str], country: Country) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=country.separator).writerow(cells)
    return out.getvalue()
