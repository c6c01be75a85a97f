"""Whoever is measured is first taught the same deck, from the same pictures, on the same kind of table."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time_ns

from companion.bench.labelled_picture import LabelledPicture
from companion.bench.orb_baseline import Orb
from companion.errors import InvalidLabels
from companion.eyes.deck.card_samples import Sample, cut_samples, deck_from_samples
from companion.eyes.deck.deck_file import write_deck
from companion.eyes.deck.taught_deck import TaughtDeck
from companion.eyes.grid.grid_from_mat import Found, Grid, find_mat, grid_at_corners
from companion.eyes.look import Eyes

Lesson = Callable[[str, bool], tuple[LabelledPicture, ...]]


@dataclass(frozen=True, slots=True)
class TaughtPupil:
    deck: str
    mat: bool
    spent_ns: int
    ready_ns: int
    """CPU time each time the deck is loaded, before the first picture can be read."""
    file_bytes: int


@dataclass(frozen=True, slots=True, eq=False)
class Pupil:
    eyes: Eyes
    orb: Orb
    taught: TaughtPupil


@dataclass(frozen=True, slots=True, eq=False)
class School:
    lesson: Lesson
    pupils: dict[tuple[str, bool], Pupil] = field(default_factory=dict[tuple[str, bool], Pupil])

    def pupil(self, deck: str, mat: bool) -> Pupil:  # noqa: FBT001 (a table is one or the other)
        key = deck, mat
        if key not in self.pupils:
            self.pupils[key] = _pupil(deck, mat, self.lesson(*key))
        return self.pupils[key]


def grid_of(told: LabelledPicture) -> Grid | None:
    """The grid is detected on the mat; on a bare table it is taken from the labels."""
    return find_mat(told.picture) if told.mat else grid_at_corners(told.corners)


def _pupil(deck: str, mat: bool, lesson: tuple[LabelledPicture, ...]) -> Pupil:  # noqa: FBT001
    begin = process_time_ns()
    samples = [sample for told in lesson for sample in _samples(told)]
    learnt = deck_from_samples(deck, samples, Found.MAT if mat else Found.CORNERS)
    between = process_time_ns()
    eyes = Eyes(learnt)
    eyes.warm_up()
    end = process_time_ns()
    return Pupil(eyes, Orb(lesson), TaughtPupil(deck, mat, between - begin, end - between, _file_size(learnt)))


def _file_size(deck: TaughtDeck) -> int:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "deck"
        write_deck(deck, file)
        return file.stat().st_size


def _samples(told: LabelledPicture) -> list[Sample]:
    grid = grid_of(told)
    if grid is None:
        raise InvalidLabels(f"{told.name} is to teach the deck {told.deck}, but no mat can be found in it")
    return cut_samples(told.picture, grid, told.cards)
