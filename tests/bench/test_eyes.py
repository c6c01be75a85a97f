"""The measurement of the eyes, from its pictures to what it prints."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.bench import drawn_samples
from companion.bench.deck_lessons import School
from companion.bench.labelled_folder import LABELS, Stored
from companion.bench.labelled_picture import LabelledPicture, Other
from companion.bench.orb_baseline import Orb
from companion.bench.reread_cost import measure_reread
from companion.cli.bench_commands import bench_group
from companion.core.cards import CARDS, Card
from companion.core.reading import Bare, Shown
from companion.drawn.painter import paint as paint_anew
from companion.errors import InvalidLabels
from companion.games.goat.cast.goat_cast import DECK_NAME

from ..kinds import mostly_slow
from ..remembered import paint


def label_of(told: LabelledPicture) -> dict[str, Any]:
    return {
        "cells": [{**lies.as_json(), "burnt": 0.0} if isinstance(lies, Card) else None for lies in told.cells],
        "corners": told.corners,
        "light": told.kind,
        "deck": "ours",
        "scene": "M" if told.mat else "T",
        "occluded": [],
        "overexposed": [],
        "camera": "of no interest",
    }


def store(folder: Path, *pictures: LabelledPicture) -> None:
    folder.mkdir(parents=True)
    for number, told in enumerate(pictures):
        cv2.imwrite(str(folder / f"{number}.png"), told.picture)
    labels = {f"{number}.png": label_of(told) for number, told in enumerate(pictures)}
    (folder / LABELS).write_text(json.dumps(labels), encoding="utf-8")


def relabel(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Of the first picture."""
    labels = json.loads((folder / LABELS).read_text(encoding="utf-8"))
    change(labels["0.png"])
    (folder / LABELS).write_text(json.dumps(labels), encoding="utf-8")


@pytest.fixture(autouse=True)
def pictures_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_samples, "paint", paint)


@pytest.fixture
def few_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        drawn_samples, "KINDS", {kind: drawn_samples.KINDS[kind] for kind in ("neutral", "face down")}
    )
    monkeypatch.setattr(sys.modules["companion.bench.reread_cost"], "LIGHTS", ("neutral",))


def test_a_lesson_shows_every_card_once() -> None:
    """Sixteen different cards on two pictures, and no cell of them apart."""
    lesson = drawn_samples.lesson(DECK_NAME, mat=True)
    shown = [card for told in lesson for card in told.cards if card is not None]
    assert set(CARDS.values()) == set(shown)
    assert (16, 2, frozenset()) == (len(shown), len(lesson), lesson[0].apart | lesson[1].apart)


def test_pictures_are_the_same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs read the same pictures, and their truth is the same."""
    monkeypatch.setattr(drawn_samples, "paint", paint_anew)
    one, other = drawn_samples.picture_of("neutral", 0), drawn_samples.picture_of("neutral", 0)
    assert np.array_equal(one.picture, other.picture)
    assert one.cells == other.cells


def test_negatives_have_no_card_that_could_be_read() -> None:
    """An empty table is empty; where cards lie face down none can be named; a hand covers some cells."""
    assert {None} == set(drawn_samples.picture_of("empty", 0).cells)
    assert {None, Other.FACE_DOWN} == set(drawn_samples.picture_of("face down", 0).cells)
    assert drawn_samples.picture_of("hand", 0).apart


def test_orb_tells_the_cards_it_was_taught_from_an_empty_cell() -> None:
    """On its own lesson the comparison knows every boat, most colours, and the empty cell."""
    lesson = drawn_samples.lesson(DECK_NAME, mat=True)
    orb = Orb(lesson)
    boats = colours = 0
    for told in lesson:
        sights = orb.look(told.picture, told.corners)
        assert isinstance(sights[8], Bare)
        for card, sight in zip(told.cards[:8], sights[:8], strict=True):
            assert isinstance(sight, Shown)
            assert card is not None
            boats += sight.card.boat == card.boat
            colours += sight.card.colour == card.colour
    assert 16 == boats
    assert 14 <= colours


@pytest.mark.slow
def test_a_deck_is_taught_once_for_each_kind_of_table() -> None:
    """Whoever asks again gets the same eyes; for a bare table other ones."""
    asked: list[tuple[str, bool]] = []

    def lesson(deck: str, mat: bool) -> tuple[LabelledPicture, ...]:  # noqa: FBT001 (as a school asks)
        asked.append((deck, mat))
        return drawn_samples.lesson(deck, mat)

    school = School(lesson)
    first = school.pupil("goats", mat=True)
    assert first is school.pupil("goats", mat=True)
    assert first is not school.pupil("goats", mat=False)
    assert [("goats", True), ("goats", False)] == asked


def test_a_lesson_without_its_mat_is_refused() -> None:
    """What can't be taught from is said with the picture's name."""
    bare = drawn_samples.lesson(DECK_NAME, mat=False)
    blind = [replace(one, mat=True) for one in bare]
    with pytest.raises(InvalidLabels, match="lesson 0"):
        School(lambda _deck, _mat: tuple(blind)).pupil("goats", mat=True)


def test_a_card_that_is_laid_is_told_from_the_next_two_pictures() -> None:
    """In neutral light the eyes that follow a table know the new card as soon as it lies still."""
    eyes = School(drawn_samples.lesson).pupil(DECK_NAME, mat=True).eyes
    scene = drawn_samples.scene_of("neutral", 0)
    again = measure_reread(eyes, scene)
    assert again.read
    assert (4, 2) == (len(again.unchanged_ns), len(again.changed_ns))


def test_stored_pictures_are_read_with_what_is_apart(tmp_path: Path) -> None:
    """The cells that a label calls occluded or overexposed, and those whose card is burnt, are apart."""
    told = drawn_samples.picture_of("neutral", 0)
    store(tmp_path / "dev", told)
    burnt = next(cell for cell, card in enumerate(told.cards) if card is not None)
    cells = label_of(told)["cells"]
    cells[burnt]["burnt"] = 0.06
    relabel(tmp_path / "dev", lambda label: label.update(occluded=[7], overexposed=[8], cells=cells))
    (again,) = Stored(tmp_path).pictures()
    assert told.cells == again.cells
    assert frozenset({burnt, 7, 8}) == again.apart
    assert ("neutral", "ours", told.mat) == (again.kind, again.deck, again.mat)
    assert np.array_equal(told.picture, again.picture)


@pytest.mark.parametrize(
    ("key", "says"),
    [("corners", "`corners`"), ("cells", "`cells`"), ("light", "lacks light"), ("scene", "lacks scene")],
)
def test_a_label_that_lacks_something_is_refused(tmp_path: Path, key: str, says: str) -> None:
    """It is said what is missing, and for which picture."""
    store(tmp_path / "dev", drawn_samples.picture_of("empty", 0))
    relabel(tmp_path / "dev", lambda label: label.pop(key))
    with pytest.raises(InvalidLabels, match=rf"0\.png: .*{says}"):
        list(Stored(tmp_path).pictures())


@pytest.mark.slow
@pytest.mark.usefixtures("few_kinds")
def test_the_command_reads_drawn_and_labelled_pictures(tmp_path: Path) -> None:
    """Two tables, each with both readers side by side; taught from the folder's own pictures."""
    told = drawn_samples.picture_of("neutral", 0)
    store(tmp_path / "dev", told)
    store(tmp_path / "teach" / "ours" / "M", *drawn_samples.lesson(DECK_NAME, mat=True))
    said = CliRunner().invoke(bench_group, ["eyes", "--pictures", "1", "--data", str(tmp_path)])
    assert said.exception is None
    lines = said.output.splitlines()
    assert f"LABELLED PICTURES in {tmp_path}" in lines
    assert "DRAWN PICTURES, our own deck" in lines
    assert 2 == sum(line.startswith("all  ") for line in lines)
    assert 1 == sum(line.startswith("face down  |") for line in lines)
    assert 120 >= max(len(line) for line in lines if "|" in line)


@pytest.mark.slow
@pytest.mark.usefixtures("few_kinds")
@pytest.mark.parametrize("arguments", mostly_slow([[], ["--data", "nowhere"]]))
def test_without_labelled_pictures_it_says_so_and_goes_on(arguments: list[str]) -> None:
    """One line aloud, then the drawn ones."""
    said = CliRunner(env={"COMPANION_EYES_DATA": ""}).invoke(bench_group, ["eyes", "--pictures", "1", *arguments])
    assert said.exception is None
    assert 1 == said.output.count("NO LABELLED PICTURES")
    assert "DRAWN PICTURES, our own deck" in said.output
