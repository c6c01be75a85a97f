"""A disk whose power can be cut.

The journal's own writer runs once on a SQLite whose every write, truncation, sync, creation and deletion is noted
down. From the notes the disk can then be set up as a power cut after any of them may leave it: what was synced is
there, and each thing that wasn't has been lost, kept or torn.
"""

import random
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, pairwise
from pathlib import Path
from typing import Any, cast

import apsw

SECTOR = 512


@dataclass(frozen=True, slots=True)
class Write:
    file: int
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    file: int
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    file: int


@dataclass(frozen=True, slots=True)
class Name:
    """The folder's entry of that name leads to that file from now on, or to none."""

    name: str
    file: int | None


@dataclass(frozen=True, slots=True)
class SyncFolder:
    pass


@dataclass(frozen=True, slots=True)
class Found:
    """Was on the disk before anything was noted down."""

    name: str
    file: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """The writer has acknowledged everything up to this number."""

    last: int


Note = Write | Truncate | Sync | Name | SyncFolder | Found | Told


class Recorder(apsw.VFS):
    def __init__(self) -> None:
        self.vfs = f"recorder-{id(self)}"
        self.notes: list[Note] = []
        self._files: dict[str, int] = {}
        self._numbers = count(1)
        self._is_deaf = False
        super().__init__(self.vfs, "unix")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name or "")
        content = path.read_bytes() if path.exists() else b""
        file = RecordedFile(self, name, flags)
        if path.name not in self._files and not self._is_deaf:
            file.number = self._files[path.name] = next(self._numbers)
            found = Found(path.name, file.number, content)
            self.note(found if content else Name(path.name, file.number))
        file.number = self._files[path.name]
        return file

    def note(self, note: Note) -> None:
        if not self._is_deaf:
            self.notes.append(note)

    @contextmanager
    def deaf(self) -> Generator[None]:
        """What happens meanwhile never reached this disk: the process was killed before it."""
        self._is_deaf = True
        yield
        self._is_deaf = False

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802
        super().xDelete(filename, syncdir)
        if not self._is_deaf:
            self._files.pop(Path(filename).name)
        self.note(Name(Path(filename).name, None))
        if syncdir:
            self.note(SyncFolder())


class RecordedFile(apsw.VFSFile):
    # SQLite's own driver syncs the folder with the first sync of a file that it has opened for one of these.
    _SYNCS_FOLDER = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_SUPER_JOURNAL

    def __init__(self, disk: Recorder, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        self.number = 0
        self._syncs_folder = bool(flags[0] & self._SYNCS_FOLDER)
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        cast("Any", super()).xWrite(data, offset)  # apsw's stubs name a type that came with Python 3.12
        self._disk.note(Write(self.number, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        self._disk.note(Truncate(self.number, newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._disk.note(Sync(self.number))
        if self._syncs_folder:
            self._disk.note(SyncFolder())
            self._syncs_folder = False


class Wired:
    """apsw's connection with the face of sqlite3's."""

    def __init__(self, path: Path, vfs: str, *before_each_transaction: str) -> None:
        self._db: Any = apsw.Connection(str(path), vfs=vfs, flags=apsw.SQLITE_OPEN_READWRITE)
        self._before = before_each_transaction

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def execute(self, sql: str, parameters: Sequence[int | str] = (), /) -> Iterator[Any]:
        try:
            for also in self._before if sql.startswith("BEGIN") else ():
                self._db.execute(also)
            return iter(self._db.execute(sql, parameters).fetchall())
        except apsw.Error as error:
            told = sqlite3.OperationalError(str(error))
            told.sqlite_errorcode = cast("Any", error).extendedresult
            raise told from error

    def close(self) -> None:
        with suppress(apsw.Error):  # as sqlite3 does: a checkpoint that fails at closing is made up for later
            self._db.close()


@dataclass(slots=True)
class Disk:
    """What of the notes, so far, is safe and what still floats."""

    safe: dict[int, bytearray] = field(default_factory=dict[int, bytearray])
    floating: dict[int, list[Write | Truncate]] = field(default_factory=dict[int, list[Write | Truncate]])
    names: dict[str, int | None] = field(default_factory=dict[str, int | None])
    floating_names: list[Name] = field(default_factory=list[Name])
    told: int = 0

    def note(self, note: Note) -> None:
        match note:
            case Write(file) | Truncate(file):
                self.floating.setdefault(file, []).append(note)
            case Sync(file):
                for each in self.floating.pop(file, []):
                    apply(each, self.safe.setdefault(file, bytearray()))
            case Name():
                self.floating_names.append(note)
            case SyncFolder():
                self.names.update((each.name, each.file) for each in self.floating_names)
                self.floating_names.clear()
            case Found(name, file, content):
                self.names[name] = file
                self.safe[file] = bytearray(content)
            case Told(last):
                self.told = last

    def cut(self, folder: Path, chance: random.Random) -> None:
        """Sets up in that empty folder what the cut leaves."""
        names = dict(self.names)
        names.update((each.name, each.file) for each in self.floating_names if chance.random() < 0.5)
        for name, file in names.items():
            if file is not None:
                content = bytearray(self.safe.get(file, b""))
                for each in self.floating.get(file, []):
                    for part in fate(each, chance):
                        apply(part, content)
                (folder / name).write_bytes(content)


def apply(change: Write | Truncate, content: bytearray) -> None:
    end = change.size if isinstance(change, Truncate) else change.offset + len(change.data)
    content.extend(bytes(max(0, end - len(content))))
    if isinstance(change, Truncate):
        del content[end:]
    else:
        content[change.offset : end] = change.data


def fate(change: Write | Truncate, chance: random.Random) -> list[Write] | list[Write | Truncate]:
    if isinstance(change, Truncate):
        return chance.choice([[], [change]])
    return chance.choice([_lost, _kept, _prefix, _some_sectors, _garbage])(change, chance)


def _lost(_write: Write, _chance: random.Random) -> list[Write]:
    return []


def _kept(write: Write, _chance: random.Random) -> list[Write]:
    return [write]


def _prefix(write: Write, chance: random.Random) -> list[Write]:
    return [Write(write.file, write.offset, write.data[: chance.randrange(len(write.data))])]


def _some_sectors(write: Write, chance: random.Random) -> list[Write]:
    return [sector for sector in _sectors(write) if chance.random() < 0.5]


def _garbage(write: Write, chance: random.Random) -> list[Write]:
    sectors = _sectors(write)
    hit = chance.randrange(len(sectors))
    garbage = chance.randbytes(len(sectors[hit].data))
    return [*sectors[:hit], Write(write.file, sectors[hit].offset, garbage), *sectors[hit + 1 :]]


def _sectors(write: Write) -> list[Write]:
    """Cut where the disk's sectors begin, not where the write does."""
    bounds = [0, *range(SECTOR - write.offset % SECTOR, len(write.data), SECTOR), len(write.data)]
    return [Write(write.file, write.offset + start, write.data[start:end]) for start, end in pairwise(bounds)]
