"""Atomic file writes, and plain words for why a file could not be written.

A file is written to a draft beside it, synced to disk, and only then renamed: after a power cut or on a full disk
there is either the old file or the new one, never half of it.
"""

import errno
import os
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

# The suffix of a draft. A power cut may leave one behind.
DRAFT: Final = ".draft"
# Errors of the disk itself rather than of the request: a retry may succeed later.
OF_THE_DISK: Final[Mapping[int, str]] = {
    errno.ENOSPC: "the disk under {where} is full: make room there",
    errno.EDQUOT: "this user may keep no more under {where}: make room there, or have the quota raised",
    errno.EFBIG: "no file may grow so large under {where}: make room there, or have the limit raised",
    errno.EROFS: "the disk under {where} can only be read: its card may be locked, or worn out",
    errno.EIO: "the disk under {where} fails: look at the card and its reader, and make a backup",
    errno.EACCES: "this user may not write to {where}: have it belong to them",
    errno.EPERM: "this user may not write to {where}: have it belong to them",
    errno.ENOENT: "the folder {where} is gone: put it back",
    errno.ENOTDIR: "{where} is no folder any more: put it back",
    errno.ENODEV: "the disk under {where} is gone: plug it in again",
    errno.ENXIO: "the disk under {where} is gone: plug it in again",
    errno.ESTALE: "the disk under {where} is gone: plug it in again",
    errno.EMFILE: "the program has too many files open: start it anew",
    errno.ENFILE: "this machine has too many files open: end other programs",
}


def why_not(error: OSError, where: Path) -> str:
    """The reason as half a sentence: what is wrong, and what to do."""
    words = OF_THE_DISK.get(error.errno or 0, f"{error.strerror or error} at {{where}}")
    return words.format(where=where)


def write_whole(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Replaces the file's content atomically. `mode`: its permissions, before the user's umask. Raises `OSError`
    that names `path`."""
    with whole_file(path, mode=mode) as file:
        file.write(content)


@contextmanager
def whole_file(path: Path, *, mode: int = 0o666) -> Generator[BinaryIO]:
    """Like `write_whole`, for content written step by step. If the block raises, the old file stays."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        # A pipe or a device can't be replaced, so it is written directly.
        with target.open("wb") as file:
            yield file
        return
    # A short name that no other thread or process uses at the same time.
    draft = target.with_name(f".{os.getpid()}-{threading.get_native_id()}{DRAFT}")
    try:
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        if error.filename == str(draft) or (error.filename is None and error.errno is not None):
            # Report the target path, not the draft's.
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


if sys.platform == "win32":  # pragma: no cover  (Windows opens no folders; NTFS journals its names)

    def sync_folder(folder: Path) -> None:
        del folder
else:

    def sync_folder(folder: Path) -> None:
        """Makes sure that a new name in the folder is on the disk."""
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        except OSError as error:
            # Some network and USB file systems can't sync a folder; nothing better can be done there.
            if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
                raise
        finally:
            os.close(descriptor)
