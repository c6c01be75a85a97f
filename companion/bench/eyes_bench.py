"""How well the eyes read, how fast, and what one would build first on the same pictures in the same run."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time_ns

import cv2

from companion.bench import drawn_samples
from companion.bench.answer_score import mark_answers, mistakes, reasons
from companion.bench.deck_lessons import Pupil, School, grid_of
from companion.bench.film_bench import film_report
from companion.bench.labelled_folder import Stored
from companion.bench.labelled_picture import LabelledPicture
from companion.bench.machine import blas_threads, peak_memory
from companion.bench.measured_game import measured_deck
from companion.bench.reread_cost import RereadCost, measure_reread, tables
from companion.bench.results_table import Result, report, reread_report
from companion.core.reading import Sight, without_grid
from companion.drawn.painter import Scene
from companion.eyes.look import Eyes


def bench_eyes(folder: Path | None, of_each: int) -> Iterator[str]:
    with _one_thread():
        yield f"Threads: OpenCV 1, the matrix library {blas_threads()}. {peak_memory()} before the first picture."
        yield ""
        # First, because the drawn pictures take more memory, and the peak is measured.
        yield from _bench_labelled(folder)
        yield ""
        yield "DRAWN PICTURES, our own deck"
        school = School(drawn_samples.lesson)
        yield from _measure(school, drawn_samples.pictures(of_each))
        yield from reread_report([_measure_reread(school, scene) for scene in tables(max(1, of_each // 2))])
        yield f"{peak_memory()} so far, most of it for drawing."


def _bench_labelled(folder: Path | None) -> Iterator[str]:
    if folder is None:
        yield "NO LABELLED PICTURES: name their folder with --data or COMPANION_EYES_DATA."
        return
    stored = Stored(folder)
    if not stored.is_there:
        yield f"NO LABELLED PICTURES in {folder}: it has no dev/labels.json."
        return
    yield f"LABELLED PICTURES in {folder}"
    school = School(stored.lesson)
    yield from _measure(school, stored.pictures())
    yield from film_report(school, folder)
    yield f"{peak_memory()} so far."


def _measure_reread(school: School, scene: Scene) -> RereadCost:
    return measure_reread(school.pupil(measured_deck().name, scene.mat).eyes, scene)


@contextmanager
def _one_thread() -> Generator[None]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)


def _measure(school: School, pictures: Iterable[LabelledPicture]) -> Iterator[str]:
    results = [_result(told, school.pupil(told.deck, told.mat)) for told in pictures]
    yield from report(results, [pupil.taught for pupil in school.pupils.values()])


def _look(eyes: Eyes, told: LabelledPicture) -> tuple[Sight, ...]:
    grid = grid_of(told)
    return without_grid(0).cells if grid is None else eyes.look(told.picture, grid).sights


def _result(told: LabelledPicture, pupil: Pupil) -> Result:
    begin = process_time_ns()
    ours = _look(pupil.eyes, told)
    between = process_time_ns()
    theirs = pupil.orb.look(told.picture, told.corners)
    end = process_time_ns()
    return Result(
        told.name,
        told.kind,
        told.deck,
        told.mat,
        mark_answers(told.cells, ours, told.apart),
        mark_answers(told.cells, theirs, told.apart),
        between - begin,
        end - between,
        reasons(told.cells, ours, told.apart),
        mistakes(told.cells, ours),
    )
