"""Films of a hand that lays a card or lifts a pile: whether the live eyes tell it, and nothing else, and how
soon."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from cv2.typing import MatLike

from companion.bench.deck_lessons import School
from companion.bench.labelled_folder import LABELS, MAT
from companion.core.observe import Event
from companion.eyes.grid.grid_from_corners import parse_corners
from companion.footage.picture_folder import Folder
from companion.rig.watch_pictures import watch_pictures

FILMS: Final = "video-dev"
# How many pictures after the hand has left the event must have been reported.
SOON: Final = 3


@dataclass(frozen=True, slots=True)
class LabelledFilm:
    folder: Path
    labels: dict[str, Any]

    @property
    def on_mat(self) -> bool:
        return self.labels["scene"] == MAT


def films_in(folder: Path) -> Iterator[LabelledFilm]:
    for labels in sorted(folder.glob(f"{FILMS}/*/{LABELS}")):
        yield LabelledFilm(labels.parent, json.loads(labels.read_text()))


def film_report(school: School, folder: Path) -> Iterator[str]:
    for film in films_in(folder):
        remarks: list[str] = []
        times: list[int] = []
        eyes = school.pupil(film.labels["deck"], film.on_mat).eyes
        corners = None if film.on_mat else parse_corners(film.labels["corners"])
        told = [
            *watch_pictures(_note_times(Folder(film.folder, remarks.append), times), eyes, corners, remarks.append)
        ]
        said = f"; {' '.join(remarks)}" if remarks else ""
        yield f"film {film.labels['name']}: {judge_film(film.labels, times, told)}{said}"


def _note_times(pictures: Folder, times: list[int]) -> Iterator[tuple[int, MatLike]]:
    for t, picture in pictures:
        times.append(t)
        yield t, picture


def judge_film(labels: dict[str, Any], times: Sequence[int], told: Sequence[Event]) -> str:
    """Compares the reported events with what happened, in words."""
    happened = [event for event in told if event["type"] not in {"grid", "seen"}]
    wrong = [str(event) for event in happened if not _is_true(event, labels, times)]
    expected = len(labels["changed_cells"])
    late = [_pictures_after(event, labels, times) for event in happened]
    found = len(happened) - len(wrong)
    words = f"{found} of {expected} found"
    if late:
        words += f", at the latest {max(late)} pictures after the hand has left (at most {SOON})"
    return f"{words}; wrong: {'; '.join(wrong)}" if wrong else f"{words}, nothing else told"


def _is_true(event: Event, labels: dict[str, Any], times: Sequence[int]) -> bool:
    if _pictures_after(event, labels, times) > SOON:
        return False
    if event["type"] == "lift":
        return all(cell in labels["changed_cells"] for cell in cast("list[int]", event["cells"]))
    cell, t = event["cell"], event["t"]
    if cell not in labels["changed_cells"]:
        return False
    card = labels["cells_after"][cell]
    same = (event["boat"], event["colour"]) == (card["boat"], card["colour"])
    earliest = event["from"]
    return same and isinstance(earliest, int) and isinstance(t, int) and earliest <= labels["rest_t_ns"] <= t


def _pictures_after(event: Event, labels: dict[str, Any], times: Sequence[int]) -> int:
    t = event["t"]
    assert isinstance(t, int)
    return times.index(t) - int(labels["hand_left_frame"])
