"""Files that are there as a whole or not at all, and in plain words why one could not be kept.

What is written goes into a draft beside the file, to the disk, and only then under the file's name: after a pulled
plug and on a full disk there is what was there before, or all of the new, and never half of it.
"""

import errno
import os
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

# The power may leave one behind.
DRAFT: Final = ".draft"
# What the disk itself says, rather than what was asked of it: whoever goes on trying may succeed later.
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
    """Half a sentence: what is wrong, and what to do."""
    words = OF_THE_DISK.get(error.errno or 0, f"{error.strerror or error} at {{where}}")
    return words.format(where=where)


def write_whole(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """`mode`: who may read it, as far as the user's own setting allows. Raises `OSError`, which names `path`."""
    with whole_file(path, mode=mode) as file:
        file.write(content)


@contextmanager
def whole_file(path: Path, *, mode: int = 0o666) -> Generator[BinaryIO]:
    """The same for what is written bit by bit; what is raised within leaves everything as it was."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        # A pipe, or a device: there is nothing to be put in its place.
        with target.open("wb") as file:
            yield file
        return
    # Of a name that no other thread or program has at the same time, and that is no longer than any.
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
            # Whoever reads of it has never heard of a draft.
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
        """A new name in it is on the disk."""
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        except OSError as error:
            # Not every file system on a network or a stick can do that; there is nothing better then.
            if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
                raise
        finally:
            os.close(descriptor)
