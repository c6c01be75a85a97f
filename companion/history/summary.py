"""What is kept of a game once it has been judged: its brief, and its rows of the table of all presses."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, cast

from companion.games.goat.history import Closest, GameTally, story_of
from companion.games.goat.rules import Record
from companion.history.brief import Brief, brief_of
from companion.history.kept_game import KeptGame
from companion.history.spreadsheet import race_rows

# What any of them says may change what comes out.
_SOURCES: Final = ("companion.core", "companion.games", "companion.history")


@dataclass(frozen=True, slots=True)
class Summary:
    brief: Brief
    rows: str
    """CSV."""


def summary_of(kept: KeptGame) -> Summary:
    if not isinstance(kept.record, Record):
        return Summary(brief_of(kept, None), "")
    story = story_of(kept.record)
    return Summary(brief_of(kept, story), "".join(race_rows(kept, story.finishes)))


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
    told: dict[str, Any] = {key: _tupled(value) for key, value in json.loads(text).items()}
    if told["tally"] is not None:
        counted: dict[str, Any] = {key: _tupled(value) for key, value in told["tally"].items()}
        if counted["closest"] is not None:
            closest: dict[str, Any] = {key: _tupled(value) for key, value in counted["closest"].items()}
            counted["closest"] = Closest(**closest)
        told["tally"] = GameTally(**counted)
    return Brief(**told)


def _tupled(value: object) -> object:
    return tuple(map(_tupled, cast("list[object]", value))) if isinstance(value, list) else value
