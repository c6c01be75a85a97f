"""Disks that are full or fail: a real tiny one, where this machine lets us mount it, and any folder's at will."""

import errno
import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from functools import partialmethod
from pathlib import Path
from typing import Any, cast

import apsw
import pytest

from companion import files


@contextmanager
def tiny_disk(folder: Path, size_kb: int = 512) -> Generator[Path]:
    """A file system of that size, in memory; skips the test, aloud, where only root may have one."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size_kb}k", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no tiny disk: this machine lets nobody but root mount one")
    try:
        yield folder
    finally:
        unmount = ["umount", "--lazy", str(folder)]
        subprocess.run(unmount, check=True)


def fill(folder: Path, leave_kb: int = 0) -> Path:
    """Until there is so much room; the file that has to go for there to be more."""
    ballast = folder / "ballast"
    with ballast.open("ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError as error:
            assert error.errno == errno.ENOSPC  # noqa: PT017 - whatever else it is, is a mistake of the test
    os.truncate(ballast, max(0, ballast.stat().st_size - leave_kb * 1024))
    return ballast


class Failing:
    """While it is switched on, nothing can be written under a folder that goes through `companion.files`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self.error: int | None = None
        self._open, self._mkdir = os.open, Path.mkdir
        monkeypatch.setattr(files.os, "open", self._opened)
        monkeypatch.setattr(Path, "mkdir", partialmethod(_made, self))

    def _opened(self, path: str, flags: int, mode: int = 0o777) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            self._refuse(Path(path))
        return self._open(path, flags, mode)

    def make(self, path: Path, mode: int, *, parents: bool, exist_ok: bool) -> None:
        if not path.is_dir():
            self._refuse(path)
        self._mkdir(path, mode, parents=parents, exist_ok=exist_ok)

    def _refuse(self, path: Path) -> None:
        if self.error is not None and path.is_relative_to(self._folder):
            raise OSError(self.error, os.strerror(self.error), str(path))


def _made(path: Path, disk: Failing, mode: int = 0o777, *, parents: bool = False, exist_ok: bool = False) -> None:
    disk.make(path, mode, parents=parents, exist_ok=exist_ok)


class Card(apsw.VFS):
    """A memory card that takes so many more bytes, or fails at what is named."""

    def __init__(self) -> None:
        self.vfs = f"card-{id(self)}"
        self.room = 1 << 40
        self.fails_at = ""
        super().__init__(self.vfs, "unix")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return CardFile(self, name, flags)


class CardFile(apsw.VFSFile):
    def __init__(self, card: Card, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._card = card
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        if self._card.fails_at == "write":
            raise apsw.exception_for(apsw.SQLITE_IOERR)
        if offset + len(data) > self._card.room:
            raise apsw.exception_for(apsw.SQLITE_FULL)
        cast("Any", super()).xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        if self._card.fails_at == "sync":
            raise apsw.exception_for(apsw.SQLITE_IOERR)
        super().xSync(flags)
