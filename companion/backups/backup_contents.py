"""What a backup may contain, and under which names."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self, cast

from companion.errors import NotABackup

FORMAT: Final = "a backup of the table companion"
EDITION: Final = 1
MANIFEST: Final = "backup.json"
JOURNAL: Final = "journal.db"
CONFIG: Final = "rig.toml"
TIMING: Final = "timing.json"
FOLDERS: Final[Mapping[str, str]] = {"models": "*.deck", "finishes": "*.jpg"}
# What is moved into place, in this order. The journal comes last and completes the restore.
PLACES: Final = (*FOLDERS, TIMING, CONFIG, JOURNAL)
_NAME: Final = re.compile(
    rf"{JOURNAL}|{CONFIG}|{TIMING}|models/[^./\\:\0-\x1f][^/\\:\0-\x1f]*\.deck|finishes/[\w-]+\.jpg"
)
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class BackupItem:
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The backup's list of its own contents."""

    wall: int
    """When it was made, wall-clock nanoseconds."""
    files: Mapping[str, BackupItem]

    def as_json(self) -> dict[str, object]:
        files = {name: asdict(kept) for name, kept in self.files.items()}
        return {"format": FORMAT, "edition": EDITION, "wall": self.wall, "files": files}

    @classmethod
    def of(cls, said: object) -> Self:
        """Raises `NotABackup`, or `KeyError`, `TypeError` or `ValueError` if it is invalid."""
        told = cast("dict[str, Any]", said)
        if told["format"] != FORMAT:
            raise ValueError
        if told["edition"] > EDITION:
            raise NotABackup("A later companion has made this backup: update this one.")
        files = {name: _read_item(name, kept) for name, kept in told["files"].items()}
        return cls(int(told["wall"]), files)


def _read_item(name: str, said: Mapping[str, Any]) -> BackupItem:
    size, digest = said["size"], said["sha256"]
    if _NAME.fullmatch(name) is None or type(size) is not int or size < 0 or _SHA256.fullmatch(digest) is None:
        raise ValueError
    return BackupItem(size, digest)


def found_in(data: Path, config: Path) -> Iterator[tuple[str, Path]]:
    """All files but the journal, each with its name in the backup."""
    for folder, pattern in FOLDERS.items():
        for file in sorted((data / folder).glob(pattern)):
            if file.is_file() and _NAME.fullmatch(f"{folder}/{file.name}"):
                yield f"{folder}/{file.name}", file
    for name, file in ((TIMING, data / TIMING), (CONFIG, config)):
        if file.is_file():
            yield name, file
