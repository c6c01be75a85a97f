"""One process a journal.

SQLite would let a second writer in between two transactions, and both would number on from the same event. The
file beside the journal that carries the lock stays there for good, and with it the knowledge that the file it
belongs to is a journal, even when that one's own beginning has been destroyed.
"""

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.errors import JournalBusy
from companion.journal.connection import in_plain_words

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


def lock_file(journal: Path) -> Path:
    return journal.with_name(journal.name + ".lock")


class Lock:
    def __init__(self, journal: Path) -> None:
        with in_plain_words(journal), ExitStack() as undo:
            journal.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(lock_file(journal), os.O_RDWR | os.O_CREAT, 0o644)
            undo.callback(self.release)
            try:
                _seize(self._descriptor)
            except OSError as error:
                raise JournalBusy(
                    f"Another process (number {self._keeper()}) already keeps the journal {journal}: end it first."
                ) from error
            # Always the same length: overwriting needs no room, and this must work on a full disk too.
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, f"The journal beside this is kept by process {os.getpid():<10}\n".encode())
            undo.pop_all()

    def _keeper(self) -> str:
        signed = os.read(self._descriptor, 100).decode(errors="replace").split()
        return signed[-1] if signed else "unknown"

    def release(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
