"""`companion teach` and `companion look`, as people type them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import NoSuchDeck
from companion.eyes.deck.deck_shelf import find_deck

from ..said import Run
from .conftest import Taught
from .lessons import written


def labels_of(taught: Taught) -> Path:
    return taught.folder / "labels.json"


def tapped(taught: Taught, file: str) -> str:
    return " ".join(f"{x},{y}" for x, y in taught.labels[file]["corners"])


def cards(line: dict[str, Any]) -> list[dict[str, str] | None]:
    return [cell and {"boat": cell["boat"], "colour": cell["colour"]} for cell in line["cells"]]


def test_what_was_taught_is_seen(run: Run, on_mat: Taught, tmp_path: Path) -> None:
    """A deck is taught into the data folder and is then the one that is looked with: a line for each picture."""
    taught = run("teach", "ours", "--labels", labels_of(on_mat), *on_mat.pictures)
    assert (0, "") == (taught.code, taught.err)
    assert f"16 cards of ours are taught, in {tmp_path / 'data' / 'models' / 'ours.deck'}.\n" == taught.out
    looked = run("look", "--deck", "ours", *on_mat.pictures)
    assert (0, "") == (looked.code, looked.err)
    for path, line in zip(on_mat.pictures, looked.lines, strict=True):
        assert ["picture", "grid", "cells", "sets", "ms"] == list(line)
        assert (str(path), "mat") == (line["picture"], line["grid"])
        assert on_mat.labels[path.name]["cells"] == cards(line)
        assert all(cell is None or 0.5 <= cell["sure"] <= 1 for cell in line["cells"])
        assert line["ms"] > 0


def test_sets_are_lines_of_one_boat_or_one_colour(run: Run, on_mat: Taught) -> None:
    """The first picture shows four jetskis and four rafts in the order of their colours."""
    (line,) = run("look", "--deck", on_mat.deck, on_mat.pictures[0]).lines
    assert [[0, 1, 2]] == line["sets"]


def test_corners_serve_where_there_is_no_mat(run: Run, on_table: Taught, tmp_path: Path) -> None:
    """On a bare table the corners say where the grid is, at the teaching and at the looking."""
    out = tmp_path / "elsewhere.deck"
    assert 0 == run("teach", "theirs", "--labels", labels_of(on_table), "--out", out, *on_table.pictures).code
    path = on_table.pictures[1]
    looked = run("look", "--deck", out, "--corners", tapped(on_table, path.name), path)
    assert 0 == looked.code
    assert "corners" == looked.lines[0]["grid"]
    assert on_table.labels[path.name]["cells"] == cards(looked.lines[0])


def test_corners_that_are_given_go_before_the_mat(run: Run, on_mat: Taught) -> None:
    """Somebody who says where the grid is, is believed."""
    corners = "300,150 1000,150 1000,850 300,850"
    looked = run("look", "--deck", on_mat.deck, "--corners", corners, on_mat.pictures[0])
    assert "corners" == looked.lines[0]["grid"]


def test_what_is_no_picture_spoils_no_other(run: Run, on_mat: Taught, tmp_path: Path) -> None:
    """Text, nothing, a table without a grid: a line each with the reason, exit code 1, and the rest is read."""
    text, bare = tmp_path / "text.jpg", tmp_path / "bare.png"
    text.write_text("Dear diary", encoding="utf-8")
    cv2.imwrite(str(bare), np.full((480, 640, 3), 130, np.uint8))
    looked = run("look", "--deck", on_mat.deck, text, on_mat.pictures[0], tmp_path / "none.jpg", bare)
    assert 1 == looked.code
    assert ["none", "mat", "none", "none"] == [line["grid"] for line in looked.lines]
    for line in (looked.lines[0], *looked.lines[2:]):
        assert [True] * 9 == [cell["hidden"] for cell in line["cells"]]
        assert [] == line["sets"]
    reasons = looked.err.splitlines()
    assert 3 == len(reasons)
    for path, reason in zip((text, tmp_path / "none.jpg", bare), reasons, strict=True):
        assert reason.startswith(f"companion: {path}: ")


@pytest.mark.parametrize(
    "corners",
    ["", "1,2", "a,b c,d e,f g,h", "0,0 9,0 9,9 0,nan", "0,0 900,900 900,0 0,900", "0,900 900,900 900,0 0,0"],
)
def test_corners_that_make_no_sense_end_it(corners: str, run: Run, on_mat: Taught) -> None:
    """They are a slip of the command line: one line, exit code 2."""
    said = run("look", "--deck", on_mat.deck, "--corners", corners, on_mat.pictures[0])
    assert (2, "", 1) == (said.code, said.out, said.err.count("\n"))


def test_corners_outside_are_said_of_the_picture(run: Run, on_mat: Taught) -> None:
    """Corners that another picture may have are refused for this one."""
    said = run("look", "--deck", on_mat.deck, "--corners", "0,0 9000,0 9000,9000 0,9000", on_mat.pictures[0])
    assert (1, ["none"]) == (said.code, [line["grid"] for line in said.lines])
    assert "outside of the picture" in said.err


def test_a_mistake_in_the_lesson_leaves_no_deck(run: Run, on_mat: Taught, tmp_path: Path) -> None:
    """What the labels get wrong is one line, and nothing is written."""
    wrong = written({"first.png": {"cells": [{"boat": "canoe", "colour": "pink"}, *[None] * 8]}}, tmp_path)
    said = run("teach", "ours", "--labels", wrong, on_mat.pictures[0])
    assert (2, "", 1) == (said.code, said.out, said.err.count("\n"))
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("name", ["", "../ours", "a/b", ".hidden", "x" * 41, "a\nb"])
def test_a_name_that_can_be_no_file_is_refused(name: str, run: Run, on_mat: Taught) -> None:
    """A deck's file bears its name."""
    said = run("teach", "--labels", labels_of(on_mat), "--", name, on_mat.pictures[0])
    assert (2, 1) == (said.code, said.err.count("\n"))


def test_a_deck_that_is_not_there_is_named(run: Run, on_mat: Taught, tmp_path: Path) -> None:
    """It is said which there are, and how to teach one."""
    models = tmp_path / "data" / "models"
    models.mkdir(parents=True)
    (models / "ours.deck").write_bytes(on_mat.deck.read_bytes())
    said = run("look", "--deck", "theirs", on_mat.pictures[0])
    assert (1, "") == (said.code, said.out)
    assert "ours" in said.err
    assert "companion teach" in said.err


def test_the_only_deck_is_taken(tmp_path: Path) -> None:
    """The family's own is taken before the one that was supplied, and of two somebody must choose."""
    own, supplied = tmp_path / "own", tmp_path / "supplied"
    own.mkdir()
    supplied.mkdir()
    with pytest.raises(NoSuchDeck, match="No deck has been taught yet"):
        find_deck(None, own, [supplied])
    goats = supplied / "goats.deck"
    goats.touch()
    assert goats == find_deck(None, own, [supplied])
    ours = own / "ours.deck"
    ours.touch()
    assert ours == find_deck(None, own, [supplied])
    assert goats == find_deck("goats", own, [supplied])
    assert ours == find_deck(str(ours), own, [supplied])
    (own / "theirs.deck").touch()
    with pytest.raises(NoSuchDeck, match="ours, theirs"):
        find_deck(None, own, [supplied])
    with pytest.raises(NoSuchDeck, match="goats, ours, theirs"):
        find_deck("mine", own, [supplied])
    (own / "goats.deck").touch()
    assert own / "goats.deck" == find_deck("goats", own, [supplied])


def test_decoders_are_not_heard(on_mat: Taught, tmp_path: Path) -> None:
    """Nothing stands on standard error but our own line, whatever the libraries beneath have to say."""
    broken = tmp_path / "broken.jpg"
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    whole = cv2.imencode(".jpg", noise)[1].tobytes()
    broken.write_bytes(whole[:4000] + bytes(900) + whole[9000:])
    said = subprocess.run(
        [sys.executable, "-m", "companion", "look", "--deck", str(on_mat.deck), str(broken)],
        capture_output=True,
        check=False,
        env={**os.environ, "COMPANION_DATA": str(tmp_path)},
        text=True,
    )
    assert 1 == said.returncode
    assert [f"companion: {broken}: it is damaged; copy or take it again."] == said.stderr.splitlines()
