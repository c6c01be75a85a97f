"""What is kept of a game once it has been judged: its brief, and its rows of the tables that only its game has."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from companion.games.registry import GAMES
from companion.history.brief import Brief
from companion.history.kept_game import KeptGame
from companion.history.spreadsheet import own_rows

# What any of them says may change what comes out.
_SOURCES: Final = ("companion.core", "companion.games", "companion.history", "companion.table")


@dataclass(frozen=True, slots=True)
class Summary:
    brief: Brief
    rows: Mapping[str, str]
    """CSV, by the name of the table."""


def summary_of(kept: KeptGame) -> Summary:
    result = GAMES[kept.game].history().result(kept)
    brief = Brief(
        kept.number,
        kept.newest,
        kept.begun,
        kept.ended,
        kept.lasted if result.lasted is None else result.lasted,
        kept.game,
        kept.seats,
        kept.record.seating.places,
        result.starter,
        kept.record.over,
        result.winners,
        result.put_away,
        result.tally,
        kept.lost,
        kept.torn,
    )
    rows = {name: own_rows(kept.number, kept.begun, rows) for name, rows in result.rows.items()}
    return Summary(brief, rows)


@cache
def code_version() -> str:
    """Another one as soon as any rule, or any way to add up, is another."""
    digest = sha256()
    for package in _SOURCES:
        for source in _sources(files(package)):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _sources(folder: Traversable) -> Iterable[Traversable]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            yield from _sources(each)
        elif each.name.endswith(".py"):
            yield each


def as_text(brief: Brief) -> str:
    return json.dumps(asdict(brief), ensure_ascii=False, separators=(",", ":"))


def brief_from(text: str) -> Brief:
    fields: dict[str, Any] = json.loads(text)
    for key in ("seats", "places", "winners"):
        fields[key] = tuple(fields[key])
    if fields["tally"] is not None:
        fields["tally"] = GAMES[fields["game"]].history().read_tally(fields["tally"])
    return Brief(**fields)
