"""Labelled pictures in a folder: `teach/<deck>/<scene>/` and `dev/`, each with its `labels.json`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from companion.bench.labelled_picture import BURNT, LabelledPicture
from companion.errors import InvalidLabels
from companion.eyes.deck.labels import find_label, read_labels
from companion.eyes.image.picture import read_picture

LABELS: Final = "labels.json"
TEACH, DEV = "teach", "dev"
MAT, BARE = "M", "T"


@dataclass(frozen=True, slots=True)
class Stored:
    folder: Path

    @property
    def is_there(self) -> bool:
        return (self.folder / DEV / LABELS).is_file()

    def lesson(self, deck: str, mat: bool) -> tuple[LabelledPicture, ...]:  # noqa: FBT001 (a table is one or the other)
        return tuple(_read_folder(self.folder / TEACH / deck / (MAT if mat else BARE)))

    def pictures(self) -> Iterator[LabelledPicture]:
        return _read_folder(self.folder / DEV)


def _read_folder(folder: Path) -> Iterator[LabelledPicture]:
    labels = read_labels(folder / LABELS)
    for name in labels:
        yield _read_labelled(folder / name, labels)


def _read_labelled(file: Path, labels: Mapping[str, object]) -> LabelledPicture:
    label = find_label(labels, file)
    if label.corners is None:
        raise InvalidLabels(f"{file}: without the grid's `corners` it can't be measured upon.")
    # Fields that only benchmarks use; `find_label` has checked that this is an object with nine cells.
    more = cast("Mapping[str, object]", labels[file.name])
    missing = {"light", "deck", "scene", "occluded", "overexposed"} - more.keys()
    if missing:
        raise InvalidLabels(f"{file}: the label lacks {', '.join(sorted(missing))}.")
    return LabelledPicture(
        file.name,
        str(more["light"]),
        str(more["deck"]),
        more["scene"] == MAT,
        read_picture(file),
        label.corners,
        label.cards,
        _apart(more),
    )


def _apart(label: Mapping[str, object]) -> frozenset[int]:
    named = (cast("list[int]", label[key]) for key in ("occluded", "overexposed"))
    cells = enumerate(cast("list[Mapping[str, float] | None]", label["cells"]))
    burnt = (number for number, cell in cells if cell is not None and cell.get("burnt", 0) > BURNT)
    return frozenset(burnt).union(*named)
