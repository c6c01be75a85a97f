"""The table that a measurement prints."""

from collections import Counter

import pytest

from companion.bench.answer_score import Marked, Verdict
from companion.bench.deck_lessons import TaughtPupil
from companion.bench.reread_cost import RereadCost
from companion.bench.results_table import MOST_MISTAKES, Result, p99, report, reread_report, row
from companion.core.reading import Why

RIGHT, HIDDEN, COLOUR, BOAT, LIES = Verdict.RIGHT, Verdict.HIDDEN, Verdict.COLOUR, Verdict.BOAT, Verdict.LIES


def a_result(
    name: str, ours: list[Verdict], theirs: list[Verdict], *, kind: str = "dim", mat: bool = True
) -> Result:
    def filled(verdicts: list[Verdict]) -> tuple[Verdict, ...]:
        return (*verdicts, *[RIGHT] * (9 - len(verdicts)))

    wrong = [(cell, "pink raft answered as nothing") for cell, one in enumerate(ours) if one.wrong]
    return Result(
        name,
        kind,
        "A",
        mat,
        Marked(filled(ours), frozenset({8}), 0),
        Marked(filled(theirs), frozenset({8}), 2),
        20_000_000,
        10_000_000,
        Counter({(Why.DARK, True): ours.count(HIDDEN)}),
        wrong,
    )


SOME = [a_result("a", [HIDDEN, COLOUR], [LIES] * 4), a_result("b", [BOAT], [], kind="sun", mat=False)]


def test_a_row_counts_both_and_says_their_ratio() -> None:
    """Right in percent, each kind of wrong, hidden, whole, sets; then the same of ORB; then ours : theirs."""
    cells = " ".join(row("dim", SOME).replace("|", " ").split())
    eyes = "16 81.2 1 1 0 1 0/2 0 20.0 20.0"
    assert f"dim {eyes} 75.0 4 1 4 10.0 1.08 0.50 2.00" == cells


def test_where_orb_makes_no_mistake_there_is_no_ratio() -> None:
    """Nothing is divided by nothing."""
    assert row("sun", [a_result("a", [], [])]).endswith("| 1.00    - 2.00")


def test_rows_for_lights_tables_decks_and_all() -> None:
    """Lights as they come, then mat and bare table, the deck, all together, and what is hard by warm light."""
    names = [line.split("|")[0].strip() for line in report(SOME, []) if "|" in line]
    assert ["", "", "dim", "sun", "mat", "bare table", "deck A", "all", "warm *"] == names


def test_no_line_is_wider_than_a_terminal() -> None:
    """120 columns are enough, also for many pictures."""
    many = [a_result(f"{number:03}.jpg", [HIDDEN, COLOUR, BOAT, LIES], [LIES] * 9) for number in range(999)]
    lines = [*report(many, [TaughtPupil("A", mat=True, spent_ns=10**9, ready_ns=10**8, file_bytes=10**6)])]
    assert 120 >= max(map(len, lines))
    assert 1 == len({line.index("|") for line in lines if "|" in line})


def test_mistakes_and_reasons_are_listed_under_the_table() -> None:
    """What was hidden and why, every mistake by picture and cell, and of many how many more."""
    lines = list(report(SOME, []))
    assert "hidden, too dim to tell colours: 1 with a card, 0 without (dim 1)" in lines
    assert "wrong: a (dim, mat, deck A), cell 1: pink raft answered as nothing" in lines
    assert "covered or burnt, 2 cells, the eyes: 2 right, 0 hidden, 0 wrong" in lines
    many = list(report([a_result("a", [BOAT] * 8, [])] * 3, []))
    assert f"wrong: {24 - MOST_MISTAKES} more" == many[-1]


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (99, 99), (100, 99), (200, 198), (1000, 990)])
def test_one_in_a_hundred_is_slower_than_p99(count: int, expected: int) -> None:
    """Of the numbers from 1 to n, in any order."""
    assert expected == p99([float(number) for number in range(count, 0, -1)])


def test_the_next_pictures_are_told_by_what_has_changed() -> None:
    """Unchanged ones, those with a new card, and how many of the new cards were told."""
    many = [RereadCost((2_000_000,) * 4, (8_000_000, 10_000_000), read) for read in (True, False)]
    unchanged, changed = reread_report(many)
    assert "the next picture, nothing changed: 2.0 ms, p99 2.0" == unchanged
    assert changed.endswith("9.0 ms each, p99 10.0; 1 of 2 such cards told by then")
