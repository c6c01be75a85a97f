"""Makes what is stored of a judged game: its summary and the rows of its own tables."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from companion.games.registry import GAMES
from companion.history.game_summary import GameSummary
from companion.history.judged_game import JudgedGame
from companion.history.spreadsheet import own_rows

# Packages whose code can change a summary.
_SOURCES: Final = ("companion.core", "companion.games", "companion.history", "companion.table")


@dataclass(frozen=True, slots=True)
class StoredGame:
    """What the summary file stores of a game."""

    summary: GameSummary
    rows: Mapping[str, str]
    """CSV text, by the name of the table."""


def summarize(kept: JudgedGame) -> StoredGame:
    result = GAMES[kept.game].history().result(kept)
    summary = GameSummary(
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
    return StoredGame(summary, rows)


@cache
def code_version() -> str:
    """A hash of that code: it changes with any rule and any statistic."""
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


def summary_to_json(summary: GameSummary) -> str:
    return json.dumps(asdict(summary), ensure_ascii=False, separators=(",", ":"))


def summary_from_json(text: str) -> GameSummary:
    fields: dict[str, Any] = json.loads(text)
    for key in ("seats", "places", "winners"):
        fields[key] = tuple(fields[key])
    if fields["tally"] is not None:
        fields["tally"] = GAMES[fields["game"]].history().read_tally(fields["tally"])
    return GameSummary(**fields)
