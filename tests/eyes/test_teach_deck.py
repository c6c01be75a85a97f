"""A lesson, and what people get wrong in one: each is said with the picture and the cell."""

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from companion.core.cards import CARDS
from companion.errors import CompanionError, GridNotFound, InvalidLabels, LessonFailed, NotAPicture
from companion.eyes.deck.teach_deck import teach_deck
from companion.eyes.image.picture import read_picture

from ..kinds import mostly_slow
from .conftest import Taught
from .lessons import FILES, Labels, Name, as_json, laid_out, written

# The drawn lessons show the cards in the order of their names: place 5 is in cell 5 of the first picture, place 9
# in cell 1 of the second.
NAMES: tuple[Name, ...] = tuple(sorted(CARDS))
RING_BLUE, RING_PINK, RING_YELLOW, RAFT_BLUE, RAFT_PINK = (
    NAMES.index(name)
    for name in (("ring", "blue"), ("ring", "pink"), ("ring", "yellow"), ("raft", "blue"), ("raft", "pink"))
)


def relabelled(taught: Taught, change: Callable[[Labels], None], folder: Path) -> Path:
    labels = copy.deepcopy(taught.labels)
    change(labels)
    return written(labels, folder)


def swapped(one: int, other: int) -> Callable[[Labels], None]:
    def swap(labels: Labels) -> None:
        here, there = labels[FILES[one // 8]]["cells"], labels[FILES[other // 8]]["cells"]
        here[one % 8], there[other % 8] = there[other % 8], here[one % 8]

    return swap


def refused(kind: type[CompanionError], taught: Taught, labels: Path) -> str:
    with pytest.raises(kind) as caught:
        teach_deck("ours", labels, taught.pictures)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_all_sixteen_are_learnt(on_mat: Taught, on_table: Taught) -> None:
    """Sixteen labelled cards make a deck of sixteen, on the mat and without it, and nothing is remarked."""
    for taught in (on_mat, on_table):
        assert NAMES == tuple((one.card.boat, one.card.colour) for one in taught.lesson.deck.cards)
        assert () == taught.lesson.remarks
    assert on_mat.lesson.deck.white_known
    assert not on_table.lesson.deck.white_known


@pytest.mark.parametrize("where", mostly_slow(["on_mat", "on_table"]))
def test_a_label_for_an_empty_cell_is_named(where: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """A card that is labelled in an empty cell is refused, on paper as on a patterned cloth."""
    taught: Taught = request.getfixturevalue(where)

    def move(labels: Labels) -> None:
        cells = labels["second.png"]["cells"]
        cells[8], cells[3] = cells[3], None

    said = refused(LessonFailed, taught, relabelled(taught, move, tmp_path))
    assert f"{taught.pictures[1]}, cell 8 (bottom right): " in said
    assert "like none of the cards" in said


@pytest.mark.parametrize("others", mostly_slow([1, 2, 8]))
def test_a_label_for_an_empty_cell_is_named_in_a_short_lesson(others: int, on_mat: Taught, tmp_path: Path) -> None:
    """However few cards lie beside it, it is the empty cell that is blamed."""

    def label_nothing(labels: Labels) -> None:
        cells = labels["first.png"]["cells"]
        cells[others:] = [*[None] * (8 - others), as_json(NAMES[15])]

    path = relabelled(on_mat, label_nothing, tmp_path)
    with pytest.raises(LessonFailed) as failed:
        teach_deck("ours", path, on_mat.pictures[:1])
    assert str(failed.value).startswith(f"{on_mat.pictures[0]}, cell 8 (bottom right): ")


@pytest.mark.parametrize("where", mostly_slow(["on_mat", "on_table"]))
def test_two_labels_of_different_boats_mixed_up_are_named(
    where: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """A card with another boat's print is refused with what it looks like; both that were mixed up are named."""
    taught: Taught = request.getfixturevalue(where)
    said = refused(LessonFailed, taught, relabelled(taught, swapped(RAFT_PINK, RING_PINK), tmp_path))
    assert f"cell {RAFT_PINK % 8} (bottom left): it is labelled ring pink, but looks like a raft" in said
    assert f"cell {RING_PINK % 8} (top right): it is labelled raft pink, but looks like a ring" in said


@pytest.mark.parametrize("where", mostly_slow(["on_mat", "on_table"]))
def test_two_colours_mixed_up_are_named(where: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Two colours that differ on one boat the other way round than on the others are refused."""
    taught: Taught = request.getfixturevalue(where)
    said = refused(LessonFailed, taught, relabelled(taught, swapped(RING_PINK, RING_YELLOW), tmp_path))
    assert f"{taught.pictures[1]}, cell {RING_PINK % 8} (top right)" in said
    assert f"{taught.pictures[1]}, cell {RING_YELLOW % 8} (left)" in said
    assert "swapped" in said


def test_the_same_card_twice_under_two_names_is_named(tmp_path: Path) -> None:
    """Two cards of one boat that look the same can't be told apart, in one picture as in two."""
    laid = laid_out("harbour", mat=True, lie={RING_YELLOW: ("ring", "pink")})
    with pytest.raises(LessonFailed, match="ring pink and ring yellow can't be told apart") as caught:
        teach_deck("ours", written(laid.labels, tmp_path), laid.write(tmp_path))
    assert f"second.png, cell {RING_PINK % 8} (top right)" in str(caught.value)
    assert f"second.png, cell {RING_YELLOW % 8} (left)" in str(caught.value)


@pytest.mark.slow
def test_a_card_upside_down_is_turned(tmp_path: Path) -> None:
    """A card that lies the other way round than its like is learnt the right way up."""
    upright = laid_out("harbour", mat=True)
    laid = laid_out("harbour", mat=True, turned=[RAFT_BLUE])
    expected = teach_deck("ours", written(upright.labels, tmp_path), upright.write(tmp_path)).deck
    actual = teach_deck("ours", written(laid.labels, tmp_path), laid.write(tmp_path)).deck
    one, other = expected.cards[RAFT_BLUE].root, actual.cards[RAFT_BLUE].root
    high, wide = (min(sides) for sides in zip(one.shape[:2], other.shape[:2], strict=True))
    assert abs(one[:high, :wide] - other[:high, :wide]).mean() < 0.04


def test_a_card_labelled_twice_is_named(on_mat: Taught, tmp_path: Path) -> None:
    """Both places are said."""

    def double(labels: Labels) -> None:
        labels["second.png"]["cells"][0] = as_json(NAMES[5])

    said = refused(InvalidLabels, on_mat, relabelled(on_mat, double, tmp_path))
    assert f"{on_mat.pictures[1]}, cell 0 (top left)" in said
    assert f"{on_mat.pictures[0]}, cell 5 (right)" in said


def test_what_nobody_showed_is_remarked(on_mat: Taught, tmp_path: Path) -> None:
    """A card without a label is missed by name, and the cell in which it lies is named; the rest is learnt."""

    def forget(labels: Labels) -> None:
        labels["first.png"]["cells"][5] = None

    learnt = teach_deck("ours", relabelled(on_mat, forget, tmp_path), on_mat.pictures)
    assert 15 == len(learnt.deck.cards)
    missing, lying = learnt.remarks
    assert f"Nobody has shown {NAMES[5][0]} {NAMES[5][1]}" in missing
    assert f"{on_mat.pictures[0]}, cell 5 (right): a card lies there that has no label; it is not learnt." == lying


def test_one_picture_is_a_lesson_too(on_mat: Taught, tmp_path: Path) -> None:
    """Eight cards make a deck of eight; labels of pictures that aren't given are no matter."""
    learnt = teach_deck("ours", written(on_mat.labels, tmp_path), on_mat.pictures[:1])
    assert list(NAMES[:8]) == [(one.card.boat, one.card.colour) for one in learnt.deck.cards]


def test_one_colour_of_each_boat_is_a_lesson_too(on_mat: Taught, tmp_path: Path) -> None:
    """Where no boat has another colour, the print alone tells the cards."""

    def label_two(labels: Labels) -> None:
        cells = labels["first.png"]["cells"]
        cells[1:4], cells[5:] = [None] * 3, [None] * 4

    learnt = teach_deck("ours", relabelled(on_mat, label_two, tmp_path), on_mat.pictures[:1])
    assert [NAMES[0], NAMES[4]] == [(one.card.boat, one.card.colour) for one in learnt.deck.cards]


def test_neither_mat_nor_corners_is_named(on_table: Taught, tmp_path: Path) -> None:
    """A picture in which nothing says where the grid is, is named with what to do."""

    def without(labels: Labels) -> None:
        del labels["second.png"]["corners"]

    said = refused(GridNotFound, on_table, relabelled(on_table, without, tmp_path))
    assert said.startswith(f"{on_table.pictures[1]}: ")
    assert "`corners`" in said


@pytest.mark.parametrize(
    ("corners", "problem"),
    [
        ([[0, 0], [900, 900], [900, 0], [0, 900]], "no square"),
        ([[0, 900], [900, 900], [900, 0], [0, 0]], "wrong way"),
        ([[0, 0], [900, 0], [300, 300], [0, 900]], "no square"),
        ([[5, 5]] * 4, "no square"),
        ([[0, 0], [50, 0], [50, 50], [0, 50]], "too close"),
        ([[0, 0], [9000, 0], [9000, 9000], [0, 9000]], "outside of the picture"),
        ([[0, 0], [900, 0], [900, 900]], "four"),
        ([[0, 0], [900, 0], [900, 900], [0, "900"]], "two numbers"),
        ([[0, 0], [900, 0], [900, 900], [0, 900, 1]], "two numbers"),
        ([[0, 0], [900, 0], [900, 900], 7], "two numbers"),
        ([[0, 0], [900, 0], [900, 900], [0, float("nan")]], "two numbers"),
        ("0,0", "four"),
    ],
)
def test_corners_that_can_not_be_are_named(
    corners: object, problem: str, on_table: Taught, tmp_path: Path
) -> None:
    """Corners that cross, lie outside or in one place are refused with the picture's name."""

    def change(labels: Labels) -> None:
        labels["first.png"]["corners"] = corners

    said = refused(CompanionError, on_table, relabelled(on_table, change, tmp_path))
    assert said.startswith(f"{on_table.pictures[0]}: ")
    assert problem in said


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "for each picture"),
        ('{"first.png": {}, "first.png": {}}', "twice"),
        ("{}", "don't say what lies in it"),
        ('{"first.png": []}', "must be an object"),
        ('{"first.png": {}}', "list of nine"),
        ('{"first.png": {"cells": [null]}}', "list of nine"),
        ('{"first.png": {"cells": [7, 0, 0, 0, 0, 0, 0, 0, 0]}}', "cell 0 (top left): must be"),
        ('{"first.png": {"cells": [null, {}, 0, 0, 0, 0, 0, 0, 0]}}', "cell 1 (top): `boat` must be one of"),
    ],
)
def test_labels_that_make_no_sense_are_named(content: str, problem: str, on_mat: Taught, tmp_path: Path) -> None:
    """What is written wrong is said in one line with where it stands."""
    path = tmp_path / "labels.json"
    path.write_text(content, encoding="utf-8")
    assert problem in refused(InvalidLabels, on_mat, path)


@pytest.mark.parametrize(("boat", "colour"), [("canoe", "pink"), ("raft", "black"), ("raft", ["pink"]), (None, 1)])
def test_an_unknown_card_is_named(boat: object, colour: object, on_mat: Taught, tmp_path: Path) -> None:
    """Boats and colours are those of the game, and are listed."""

    def change(labels: Labels) -> None:
        labels["first.png"]["cells"][4] = {"boat": boat, "colour": colour}

    said = refused(InvalidLabels, on_mat, relabelled(on_mat, change, tmp_path))
    assert f"{on_mat.pictures[0]}, cell 4 (middle): " in said
    assert "rowboat, raft, ring, jetski" in said or "yellow, pink, blue, orange" in said


def test_a_deck_needs_two_cards(on_mat: Taught, tmp_path: Path) -> None:
    """One card alone is no deck."""
    cells = [as_json(NAMES[0]), *[None] * 8]
    labels = written({"first.png": {"cells": cells}, "second.png": {"cells": [None] * 9}}, tmp_path)
    assert "two cards at least" in refused(InvalidLabels, on_mat, labels)


def test_a_byte_order_mark_is_no_matter(on_mat: Taught, tmp_path: Path) -> None:
    """Labels from a Windows editor are read."""
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(on_mat.labels), encoding="utf-8-sig")
    assert 8 == len(teach_deck("ours", path, on_mat.pictures[:1]).deck.cards)


def test_what_is_no_picture_is_named(on_mat: Taught, tmp_path: Path) -> None:
    """A lesson with a picture that can't be read says which."""
    shutil.copy(on_mat.pictures[0], tmp_path)
    cv2.imwrite(str(tmp_path / "second.png"), read_picture(on_mat.pictures[1])[:4])
    with pytest.raises(NotAPicture, match=r"second\.png: it is too small"):
        teach_deck("ours", written(on_mat.labels, tmp_path), [tmp_path / "first.png", tmp_path / "second.png"])
