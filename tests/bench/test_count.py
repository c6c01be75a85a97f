"""Answers held against the truth."""

from collections import Counter

import pytest

from companion.bench.answer_score import Verdict, add_up, mark_answers, mistakes, reasons, verdict
from companion.bench.labelled_picture import Lies, Other
from companion.core.cards import CARDS
from companion.core.reading import Bare, Hidden, Shown, Sight, Why

PINK_RAFT, BLUE_RAFT, PINK_RING = CARDS["raft", "pink"], CARDS["raft", "blue"], CARDS["ring", "pink"]
NOTHING, HAND, DARK = Bare(), Hidden(Why.HAND), Hidden(Why.DARK)
BARE_TABLE: tuple[Lies, ...] = (None,) * 9


def shown(*names: tuple[str, str]) -> list[Sight]:
    return [Shown(CARDS[name], 0.9) for name in names]


@pytest.mark.parametrize(
    ("lies", "sight", "expected"),
    [
        (PINK_RAFT, Shown(PINK_RAFT, 0.6), Verdict.RIGHT),
        (PINK_RAFT, Shown(BLUE_RAFT, 0.9), Verdict.COLOUR),
        (PINK_RAFT, Shown(PINK_RING, 0.9), Verdict.BOAT),
        (PINK_RAFT, NOTHING, Verdict.LIES),
        (PINK_RAFT, DARK, Verdict.HIDDEN),
        (None, NOTHING, Verdict.RIGHT),
        (None, Shown(PINK_RAFT, 0.9), Verdict.LIES),
        (None, HAND, Verdict.HIDDEN),
        (Other.FACE_DOWN, HAND, Verdict.RIGHT),
        (Other.FACE_DOWN, NOTHING, Verdict.LIES),
        (Other.FACE_DOWN, Shown(PINK_RAFT, 0.9), Verdict.LIES),
    ],
)
def test_every_answer_has_its_verdict(lies: Lies, sight: Sight, expected: Verdict) -> None:
    """A card, nothing and a card face down, each answered rightly, wrongly and not at all."""
    assert expected is verdict(lies, sight)


def test_a_wrong_boat_is_no_wrong_colour_besides() -> None:
    """Boat and colour both wrong count once, as another boat."""
    assert Verdict.BOAT is verdict(PINK_RAFT, Shown(CARDS["ring", "blue"], 0.9))


def test_cells_apart_spoil_no_picture() -> None:
    """A picture is whole if every cell that counts is right; hidden is not right."""
    sights = [HAND, *[NOTHING] * 8]
    assert not mark_answers(BARE_TABLE, sights).whole
    assert mark_answers(BARE_TABLE, sights, frozenset({0})).whole


def test_only_sets_that_are_not_there_are_invented() -> None:
    """A set that lies there and is answered is none; one by a misread card is, whether that counts or not."""
    row = shown(("raft", "pink"), ("raft", "blue"), ("raft", "yellow"))
    cells: list[Lies] = [PINK_RAFT, BLUE_RAFT, CARDS["raft", "yellow"], *[None] * 6]
    assert 0 == mark_answers(cells, [*row, *[NOTHING] * 6]).invented
    cells[1] = PINK_RING
    assert 1 == mark_answers(cells, [*row, *[NOTHING] * 6]).invented
    assert 1 == mark_answers(cells, [*row, *[NOTHING] * 6], frozenset({1})).invented


def test_scores_add_up_over_pictures() -> None:
    """Cells, right and wrong ones, whole pictures, and what is apart by itself."""
    good = mark_answers(BARE_TABLE, [NOTHING] * 9)
    bad = mark_answers(BARE_TABLE, [Shown(PINK_RAFT, 0.9), HAND, DARK, *[NOTHING] * 6], frozenset({1, 3}))
    score = add_up([good, bad])
    assert (2, 1, 0) == (score.pictures, score.whole, score.invented)
    assert (16, 14, 1, 1) == (score.cells, score.right, score.wrong, score.counted[Verdict.HIDDEN])
    assert Counter({Verdict.HIDDEN: 1, Verdict.RIGHT: 1}) == score.apart


def test_reasons_are_told_of_what_counts_and_should_have_been_read() -> None:
    """Not of cells apart, not of cards face down, and with cards separate from empty cells."""
    cells: list[Lies] = [PINK_RAFT, None, None, Other.FACE_DOWN, *[None] * 5]
    sights = [DARK, DARK, HAND, HAND, *[NOTHING] * 5]
    assert Counter({(Why.DARK, True): 1, (Why.DARK, False): 1}) == reasons(cells, sights, frozenset({2}))


def test_mistakes_name_cell_truth_and_answer() -> None:
    """Every wrong answer in words, hidden ones not."""
    cells: list[Lies] = [PINK_RAFT, None, Other.FACE_DOWN, PINK_RING, *[None] * 5]
    sights = [Shown(BLUE_RAFT, 0.9), Shown(PINK_RING, 0.9), NOTHING, HAND, *[NOTHING] * 5]
    assert [
        (0, "pink raft answered as blue raft"),
        (1, "nothing answered as pink ring"),
        (2, "a card face down answered as nothing"),
    ] == mistakes(cells, sights)


def test_what_is_alike_by_warm_light_can_be_counted_by_itself() -> None:
    """Pink, orange and yellow cards; blue ones, empty cells and those set apart are left out."""
    names = (("raft", "pink"), ("raft", "blue"), ("ring", "yellow"), ("ring", "orange"))
    cells: list[Lies] = [*(CARDS[name] for name in names), *[None] * 5]
    sights = [*shown(("raft", "orange")), *[NOTHING] * 8]
    alone = mark_answers(cells, sights, frozenset({3})).only_alike
    assert [Verdict.COLOUR, Verdict.LIES] == alone.counted
