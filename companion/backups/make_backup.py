"""Makes a backup of everything while the table keeps running."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from companion.backups.backup_contents import CONFIG, JOURNAL, MANIFEST, BackupItem, Manifest, found_in
from companion.errors import CannotBackUp, CompanionError
from companion.files import whole_file, why_not
from companion.journal import backup

_CHUNK: Final = 1 << 16
# Already compressed files, which are stored as they are.
_PACKED: Final = frozenset({".jpg", ".deck"})


@dataclass(frozen=True, slots=True)
class Made:
    files: int
    size: int
    """Its size in bytes."""


def back_up(
    data: Path, target: Path, *, config: Path | None = None, wall: Callable[[], int] = time.time_ns
) -> Made:
    """Writes the backup. `config`: the rig.toml, if it is not in the data folder."""
    if target.exists():
        raise CannotBackUp(f"{target} is there already: give the backup another name.")
    found = [*found_in(data, config or data / CONFIG)]
    has_journal = (data / JOURNAL).exists()
    if not found and not has_journal:
        raise CannotBackUp(f"There is nothing in {data} to make a backup of.")
    try:
        # The journal is copied beside the target, where there must be room for it anyway.
        with TemporaryDirectory(prefix=".backup-", dir=target.parent) as folder, whole_file(target) as out:
            if has_journal:
                backup(data / JOURNAL, Path(folder) / JOURNAL)
                found.append((JOURNAL, Path(folder) / JOURNAL))
            files = _write(out, found, wall())
        return Made(files, target.stat().st_size)
    except OSError as error:
        if isinstance(error, CompanionError):
            raise
        raise CannotBackUp(f"No backup can be made: {why_not(error, target.parent)}.") from error


def _write(out: BinaryIO, found: list[tuple[str, Path]], wall: int) -> int:
    files: dict[str, BackupItem] = {}
    with ZipFile(out, "w", allowZip64=True) as packed:
        for name, path in found:
            # The oldest photo finishes may be deleted meanwhile.
            with suppress(FileNotFoundError), path.open("rb") as file:
                files[name] = _pack(packed, name, file)
        said = json.dumps(Manifest(wall, files).as_json(), indent=1)
        packed.writestr(_info(MANIFEST), said)
    return len(files)


def _pack(packed: ZipFile, name: str, file: BinaryIO) -> BackupItem:
    digest, size = sha256(), 0
    with packed.open(_info(name), "w", force_zip64=True) as into:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
            into.write(chunk)
    return BackupItem(size, digest.hexdigest())


def _info(name: str) -> ZipInfo:
    info = ZipInfo(name, time.localtime()[:6])
    info.compress_type = ZIP_STORED if Path(name).suffix in _PACKED else ZIP_DEFLATED
    return info
