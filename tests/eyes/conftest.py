"""What the tests of the eyes share, because it takes a while to draw."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.eyes.deck.deck_file import write_deck
from companion.eyes.deck.teach_deck import Lesson, teach_deck

from .lessons import Labels, laid_out, written


@dataclass(frozen=True)
class Taught:
    """A lesson that was drawn, written, learnt and kept."""

    folder: Path
    pictures: list[Path]
    labels: Labels
    lesson: Lesson
    deck: Path


def _taught(folder: Path, deck: str, *, mat: bool) -> Taught:
    laid = laid_out(deck, mat=mat)
    pictures = laid.write(folder)
    learnt = teach_deck(deck, written(laid.labels, folder), pictures)
    path = folder / f"{deck}.deck"
    write_deck(learnt.deck, path)
    return Taught(folder, pictures, laid.labels, learnt, path)


@pytest.fixture(scope="session")
def on_mat(tmp_path_factory: pytest.TempPathFactory) -> Taught:
    return _taught(tmp_path_factory.mktemp("mat"), "harbour", mat=True)


@pytest.fixture(scope="session")
def on_table(tmp_path_factory: pytest.TempPathFactory) -> Taught:
    return _taught(tmp_path_factory.mktemp("table"), "carnival", mat=False)
