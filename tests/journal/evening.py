"""What the tests of the journal share: some events, and a journal nobody had the time to close."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.journal import Journal
from companion.journal.connection import connect

GAME = '{"t":0,"type":"game","game":"goat","seats":["Ada","Ben"],"starter":0}'


def press(t: int) -> str:
    return json.dumps({"t": t, "type": "press", "seat": t % 2, "note": "x" * 80})


def presses(number: int) -> list[str]:
    return [press(t) for t in range(1, number + 1)]


def keep(path: Path, *batches: list[str]) -> None:
    with Journal.open(path) as journal:
        for batch in batches:
            journal.append(batch)


def texts(path: Path) -> list[str]:
    with Journal.open(path) as journal:
        return [entry.event for entry in journal.entries()]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def unplugged(path: Path, *batches: list[str]) -> Path:
    """The journal as its files lie there when the plug is pulled: the log isn't yet in the file."""
    after = path.parent / "unplugged"
    with Journal.open(path) as journal:
        for batch in batches:
            journal.append(batch)
        shutil.copytree(path.parent, after, ignore=shutil.ignore_patterns("*-shm"))
    return after / path.name


class Failing:
    """sqlite3's connection, but at that event something happens."""

    def __init__(self, path: Path, number: int, happens: BaseException) -> None:
        self._db = connect(path)
        self._number, self._happens = number, happens

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def execute(self, sql: str, parameters: Sequence[int | str] = (), /) -> Iterator[Any]:
        if sql.startswith("INSERT INTO event") and parameters[0] == self._number:
            raise self._happens
        return self._db.execute(sql, parameters)

    def close(self) -> None:
        self._db.close()


def failing(number: int, happens: BaseException) -> Callable[[Path], Failing]:
    return lambda path: Failing(path, number, happens)


class PowerGone(BaseException):
    pass


def gone_after(renames: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets so many renames happen, and then nothing more."""
    real, left = Path.rename, iter(range(renames))

    def rename(path: Path, target: Path) -> Path:
        if next(left, None) is None:
            raise PowerGone
        return real(path, target)

    monkeypatch.setattr(Path, "rename", rename)
