"""Putting one file into the place of another so that the power may go at any moment.

The successor is finished under a name of its own; giving it the name `….successor` is the decision. From then on
whoever opens the journal carries it through: the present file and what SQLite keeps beside it move out of the way
under a telling name, and the successor moves in. Nothing is ever removed but drafts.
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from companion.files import sync_folder
from companion.journal.connection import in_plain_words

DAMAGED, REPLACED, NEW = "damaged", "replaced", "new"
_SUCCESSOR = ".successor"
_BESIDE = ("", "-wal", "-shm", "-journal")


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def install(path: Path, build: Callable[[Path], None], reason: str, wall: int) -> Path:
    """Where the file lies now that lay at `path` before."""
    draft = beside(path, ".draft")
    with in_plain_words(path):
        try:
            remove(draft)
            build(draft)
            sync(draft)
            aside = _free_name(path, reason, wall)
            draft.rename(beside(aside, _SUCCESSOR))
        finally:
            remove(draft)
        sync_folder(path.parent)
        _carry_through(path, aside)
    return aside


def finish(path: Path) -> Path | None:
    """Carries through what the power has interrupted; returns where a damaged file went by it."""
    damaged = None
    with in_plain_words(path):
        for successor in sorted(path.parent.glob("*" + _SUCCESSOR)):
            aside = successor.with_name(successor.name.removesuffix(_SUCCESSOR))
            name, _, reason = aside.name.rpartition(".")
            if name == path.name:
                _carry_through(path, aside)
                damaged = aside if reason.startswith(DAMAGED) else damaged
    return damaged


def sync(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def _carry_through(path: Path, aside: Path) -> None:
    for suffix in _BESIDE:
        if beside(path, suffix).exists():
            beside(path, suffix).rename(beside(aside, suffix))
    sync_folder(path.parent)
    beside(aside, _SUCCESSOR).rename(path)
    sync_folder(path.parent)


def _free_name(path: Path, reason: str, wall: int) -> Path:
    when = datetime.fromtimestamp(wall // 10**9, tz=UTC)
    first = f".{reason}-{when:%Y%m%d-%H%M%SZ}"
    names = (beside(path, first + (f"-{number}" if number > 1 else "")) for number in count(1))
    return next(name for name in names if not _taken(name))


def _taken(aside: Path) -> bool:
    return any(beside(aside, suffix).exists() for suffix in (*_BESIDE, _SUCCESSOR))


def remove(draft: Path) -> None:
    for suffix in _BESIDE:
        beside(draft, suffix).unlink(missing_ok=True)
