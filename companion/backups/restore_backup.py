"""Restores a backup of everything. Existing files are set aside, never deleted.

All of it is first unpacked and checked in a draft folder. Renaming that folder commits the restore: from then on
it is completed, after a power cut by the next start.
"""

import json
import os
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError  # noqa: N812 - it has a name in small letters only

from companion.backups.backup_contents import CONFIG, JOURNAL, MANIFEST, PLACES, BackupItem, Manifest
from companion.errors import JournalDamaged, NotABackup
from companion.files import sync_folder
from companion.journal.backup import last_in
from companion.journal.check import check
from companion.journal.lock import JournalEnd, Lock

_DRAFT: Final = ".restoring"
_DECIDED: Final = ".restored-"
_CONFIG_PLACE: Final = "config"
_CHUNK: Final = 1 << 16
# A limit for the manifest: ten times what a hundred thousand photo finishes need.
_LONGEST_MANIFEST: Final = 1 << 27
# A limit against zip bombs: a journal that repeats one word a million times packs only a hundred to one.
_MOST_PACKED: Final = 500
_LEFT_OVER: Final = 50_000_000
_WITH_JOURNAL: Final = ("", "-wal", "-shm", "-journal", ".summaries")


def restore_all(
    backup: Path, data: Path, *, config: Path | None = None, wall: Callable[[], int] = time.time_ns
) -> tuple[Path, ...]:
    """Returns where the previous files are now. `config`: where the rig.toml belongs, if not in the data
    folder."""
    data.mkdir(parents=True, exist_ok=True)
    with Lock(data / JOURNAL) as lock:
        _finish(data, lock)
        draft = data / _DRAFT
        shutil.rmtree(draft, ignore_errors=True)
        try:
            _unpack(backup, draft)
            (draft / _CONFIG_PLACE).write_text(str((config or data / CONFIG).absolute()))
            _sync(draft)
            when = datetime.fromtimestamp(wall() // 10**9, tz=UTC)
            decided = _free_name(data, f"{when:%Y%m%d-%H%M%SZ}")
            draft.rename(decided)
            sync_folder(data)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return tuple(_carry_through(decided, data, lock))


def finish_restoring(data: Path) -> None:
    """Completes a restore that a power cut has interrupted."""
    if any(data.glob(f"{_DECIDED}*")):
        with Lock(data / JOURNAL) as lock:
            _finish(data, lock)


def _finish(data: Path, lock: Lock) -> None:
    for decided in sorted(data.glob(f"{_DECIDED}*")):
        for _ in _carry_through(decided, data, lock):
            pass


def _carry_through(decided: Path, data: Path, lock: Lock) -> Iterator[Path]:
    when = decided.name.removeprefix(_DECIDED)
    config = decided / _CONFIG_PLACE
    for name in PLACES:
        staged = decided / name
        if not staged.exists():
            continue
        place = Path(config.read_text()) if name == CONFIG else data / name
        aside = place.with_name(f"{place.name}.replaced-{when}")
        for suffix in _WITH_JOURNAL if name == JOURNAL else ("",):
            old, new = (each.with_name(each.name + suffix) for each in (place, aside))
            if old.exists():
                old.rename(_free(new))
        # The rig.toml's folder may be on another disk.
        shutil.move(staged, place)
        sync_folder(place.parent)
        if name == JOURNAL:
            # The lock still describes the end of the journal that was there before.
            lock.note(JournalEnd(last_in(place)))
        if aside.exists():
            yield aside
    config.unlink(missing_ok=True)
    decided.rmdir()
    sync_folder(data)


def _free(aside: Path) -> Path:
    """A free name for a set-aside file: after a power cut one may be there already, and it stays."""
    others = (aside.with_name(f"{aside.name}-{number}") for number in count(2))
    return aside if not aside.exists() else next(other for other in others if not other.exists())


def _free_name(data: Path, when: str) -> Path:
    names = (when if number == 1 else f"{when}-{number}" for number in count(1))
    taken = [path.name for path in data.iterdir()]
    free = next(name for name in names if not any(each.endswith(f"replaced-{name}") for each in taken))
    return data / f"{_DECIDED}{free}"


def _unpack(backup: Path, draft: Path) -> None:
    with _understood(backup), ZipFile(backup) as packed:
        manifest = _manifest(packed)
        _check_entries(backup, packed, manifest, draft.parent)
        draft.mkdir()
        for name, kept in manifest.files.items():
            (draft / name).parent.mkdir(exist_ok=True)
            _unpack_one(packed, name, kept, draft / name)
    journal = draft / JOURNAL
    if journal.exists():
        try:
            check(journal)
        except JournalDamaged as error:
            raise NotABackup(
                f"The journal in {backup} is damaged, so nothing is restored: take another."
            ) from error


@contextmanager
def _understood(backup: Path) -> Generator[None]:
    try:
        yield
    except (BadZipFile, ZlibError, NotImplementedError, RuntimeError, EOFError) as error:
        raise NotABackup(f"{backup} is no backup of everything, or it is damaged: name another file.") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, NotABackup):
            raise
        raise NotABackup(f"{backup} is no backup that the companion has made: name another file.") from error


def _manifest(packed: ZipFile) -> Manifest:
    if packed.getinfo(MANIFEST).file_size > _LONGEST_MANIFEST:
        raise ValueError
    return Manifest.of(json.loads(packed.read(MANIFEST)))


def _check_entries(backup: Path, packed: ZipFile, manifest: Manifest, data: Path) -> None:
    """Checks that the zip holds exactly what the manifest lists, with those sizes: no path leads elsewhere, and no
    file unpacks to more than it claims."""
    entries = packed.infolist()
    sizes = {info.filename: info.file_size for info in entries}
    said = {name: kept.size for name, kept in manifest.files.items()}
    if (
        len(sizes) != len(entries)
        or {**sizes, MANIFEST: 0} != {**said, MANIFEST: 0}
        or not all(map(_is_ours, entries))
    ):
        raise ValueError
    needed, free = sum(said.values()) + _LEFT_OVER, shutil.disk_usage(data).free
    if needed > free:
        raise NotABackup(
            f"{backup} needs {needed / 1e6:.0f} MB under {data}, where {free / 1e6:.0f} MB are free: make room."
        )


def _is_ours(info: ZipInfo) -> bool:
    is_packed_usually = info.file_size <= _MOST_PACKED * (info.compress_size + 1000)
    return info.compress_type in (ZIP_STORED, ZIP_DEFLATED) and not info.flag_bits & 1 and is_packed_usually


def _unpack_one(packed: ZipFile, name: str, kept: BackupItem, target: Path) -> None:
    digest, left = sha256(), kept.size
    with packed.open(name) as file, target.open("xb") as out:
        while chunk := file.read(min(_CHUNK, left)):
            digest.update(chunk)
            left -= len(chunk)
            out.write(chunk)
        out.flush()
        os.fsync(out.fileno())
    if left or digest.hexdigest() != kept.sha256:
        raise ValueError


def _sync(draft: Path) -> None:
    for folder in (*(path for path in draft.iterdir() if path.is_dir()), draft):
        sync_folder(folder)
