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
from companion.journal.connection import translate_errors

DAMAGED, REPLACED, NEW = "damaged", "replaced", "new"
_SUCCESSOR = ".successor"
_BESIDE = ("", "-wal", "-shm", "-journal")


def add_suffix(path: Path, suffix: str) -> Path:
    """
    >>> add_suffix(Path("journal.db"), "-wal").name
    'journal.db-wal'
    """
    return path.with_name(path.name + suffix)


def install(path: Path, build: Callable[[Path], None], reason: str, wall: int) -> Path:
    """Build a file and put it at `path`; return where the file that was there lies now.

    `reason` (DAMAGED, REPLACED, NEW) and the wall-clock time become part of that name.
    """
    draft = add_suffix(path, ".draft")
    with translate_errors(path):
        try:
            remove_draft(draft)
            build(draft)
            sync_file(draft)
            aside = _find_free_name(path, reason, wall)
            draft.rename(add_suffix(aside, _SUCCESSOR))
        finally:
            remove_draft(draft)
        sync_folder(path.parent)
        _move_in(path, aside)
    return aside


def finish_install(path: Path) -> Path | None:
    """Finish an `install` that a power cut interrupted; return where it moved a damaged file, if it did."""
    damaged = None
    with translate_errors(path):
        for successor in sorted(path.parent.glob("*" + _SUCCESSOR)):
            aside = successor.with_name(successor.name.removesuffix(_SUCCESSOR))
            name, _, reason = aside.name.rpartition(".")
            if name == path.name:
                _move_in(path, aside)
                damaged = aside if reason.startswith(DAMAGED) else damaged
    return damaged


def sync_file(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def _move_in(path: Path, aside: Path) -> None:
    for suffix in _BESIDE:
        if add_suffix(path, suffix).exists():
            add_suffix(path, suffix).rename(add_suffix(aside, suffix))
    sync_folder(path.parent)
    add_suffix(aside, _SUCCESSOR).rename(path)
    sync_folder(path.parent)


def _find_free_name(path: Path, reason: str, wall: int) -> Path:
    when = datetime.fromtimestamp(wall // 10**9, tz=UTC)
    first = f".{reason}-{when:%Y%m%d-%H%M%SZ}"
    names = (add_suffix(path, first + (f"-{number}" if number > 1 else "")) for number in count(1))
    return next(name for name in names if not _is_taken(name))


def _is_taken(aside: Path) -> bool:
    return any(add_suffix(aside, suffix).exists() for suffix in (*_BESIDE, _SUCCESSOR))


def remove_draft(draft: Path) -> None:
    for suffix in _BESIDE:
        add_suffix(draft, suffix).unlink(missing_ok=True)
