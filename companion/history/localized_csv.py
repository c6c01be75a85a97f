"""CSV for a spreadsheet program in the reader's country: separator and decimal sign, local time, titles and words
in that language, seats counted from 1."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from babel.numbers import get_decimal_symbol


@dataclass(frozen=True, slots=True)
class CsvFormat:
    """How CSV tables are written in one language."""

    language: str
    heads: Mapping[str, str] = field(default_factory=dict[str, str])
    """The columns' titles, by their plain names; a missing one stays plain."""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """The words in the cells, by column; a missing one stays plain."""

    @property
    def decimal_sign(self) -> str:
        return get_decimal_symbol(self.language)

    @property
    def separator(self) -> str:
        # Where the decimal sign is a comma, spreadsheet programs separate cells with a semicolon.
        return ";" if self.decimal_sign == "," else ","

    def decimal(self, number: str) -> str:
        return number.replace(".", self.decimal_sign)


def localize_csv(rows: Iterable[str], format_: CsvFormat) -> Iterator[str]:
    """`rows`: a plain table, its header first, one row or many to a string; no cell has a line break."""
    plain = csv.reader(row for some in rows for row in some.splitlines())
    heads = next(plain)
    yield _row([format_.heads.get(head, head) for head in heads], format_)
    formatters = _cell_formatters(format_)
    for cells in plain:
        known = zip(heads, cells, strict=True)
        yield _row(
            [formatters[head](cell) if head in formatters and cell else cell for head, cell in known], format_
        )


def _cell_formatters(format_: CsvFormat) -> Mapping[str, Callable[[str], str]]:
    return {
        "begun": _local_time,
        "minutes": format_.decimal,
        "seat": lambda seat: str(int(seat) + 1),
        **{column: partial(_translate, words) for column, words in format_.words.items()},
    }


def _translate(words: Mapping[str, str], cell: str) -> str:
    return words.get(cell, cell)


def _local_time(moment: str) -> str:
    """Without the time zone, which spreadsheet programs would not take for a time."""
    return datetime.fromisoformat(moment).strftime("%Y-%m-%d %H:%M:%S")


def _row(cells: Iterable[str], format_: CsvFormat) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=format_.separator).writerow(cells)
    return out.getvalue()
