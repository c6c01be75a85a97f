"""One process a journal.

SQLite would let a second writer in between two transactions, and both would number on from the same event. The
file beside the journal that carries the lock stays there for good, and with it the knowledge that the file it
belongs to is a journal, even when that one's own beginning has been destroyed, and how far that journal went: what
is cut off a file's end leaves no trace in the file.
"""

import os
import re
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from zlib import crc32

from companion.errors import JournalBusy
from companion.journal.connection import translate_errors

if sys.platform == "win32":  # pragma: no cover  (the other branch is what runs on the rig)
    import msvcrt

    _FAR = 1 << 30  # Windows forbids others to read a locked byte, and the text is to be read

    def _seize(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _seize(descriptor: int) -> None:
        # flock, not lockf: lockf lets the same process in twice, and forgets its lock at any close.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


_READABLE = 200
_KEEPER = re.compile(rb"kept by process (\d+)")
_NOTED = re.compile(rb"((Closed|Opened) at event (\d+)) *\((\w{8})\)")


def lock_path(journal: Path) -> Path:
    return journal.with_name(journal.name + ".lock")


@dataclass(frozen=True, slots=True)
class JournalEnd:
    """How far the journal went when a process last opened or closed it."""

    last: int = 0
    is_whole: bool = False
    """It was closed properly, so no event came after `last`."""


class Lock:
    """The exclusive lock on a journal, until `release`. `noted` is what the last holder wrote into the lock
    file."""

    def __init__(self, journal: Path) -> None:
        with translate_errors(journal), ExitStack() as undo:
            journal.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(lock_path(journal), os.O_RDWR | os.O_CREAT, 0o644)
            undo.callback(self.release)
            try:
                _seize(self._descriptor)
            except OSError as error:
                raise JournalBusy(
                    f"Another process (number {self._keeper()}) already keeps the journal {journal}: end it first."
                ) from error
            self.noted: Final = _parse_note(self._read())
            self.note(self.noted)
            undo.pop_all()

    def note(self, noted: JournalEnd) -> None:
        """Write into the lock file how far the journal goes."""
        # Always the same length: overwriting needs no room, and this must work on a full disk too.
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        far = f"{'Closed' if noted.is_whole else 'Opened'} at event {noted.last}"
        text = (
            f"The journal beside this is kept by process {os.getpid():<10}\n"
            f"{far:<36} ({crc32(far.encode()):08x})\n"
        )
        os.write(self._descriptor, text.encode())

    def _read(self) -> bytes:
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        return os.read(self._descriptor, _READABLE)

    def _keeper(self) -> str:
        found = _KEEPER.search(self._read())
        return found[1].decode() if found else "unknown"

    def release(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _parse_note(text: bytes) -> JournalEnd:
    found = _NOTED.search(text)
    if found is None or found[4] != b"%08x" % crc32(found[1]):
        return JournalEnd()
    return JournalEnd(int(found[3]), found[2] == b"Closed")
