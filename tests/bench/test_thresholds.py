"""Both sides of the eyes' thresholds, as `companion bench thresholds` prints them."""

import pytest

from companion.bench import drawn_samples
from companion.bench.deck_lessons import School
from companion.bench.threshold_bench import FOREIGN, LIKENESS, THRESHOLDS, Sides, measure, report


def test_a_threshold_may_be_the_least_or_the_most() -> None:
    """Of likeness cards have at least so much, of what is foreign bare cells have less."""
    assert LIKENESS.is_ours(LIKENESS.value)
    assert not LIKENESS.is_ours(LIKENESS.value - 0.01)
    assert FOREIGN.is_ours(FOREIGN.value - 0.01)
    assert not FOREIGN.is_ours(FOREIGN.value)


def test_what_is_on_the_wrong_side_is_counted() -> None:
    """Of ours below it and of others above it, each for itself."""
    sides = Sides()
    for likeness in (0.1, 0.7, 0.8):
        sides.add(LIKENESS, likeness, ours=True)
        sides.add(LIKENESS, likeness, ours=False)
    lines = [*report(sides)]
    at = lines.index(f"card_candidate.CARD_LIKENESS = {LIKENESS.value:g}")
    assert "3 of them, 1 on the wrong side" in lines[at + 1]
    assert "3 of them, 2 on the wrong side" in lines[at + 2]
    assert 3 * len(THRESHOLDS) == len(lines)


@pytest.mark.slow
def test_drawn_pictures_show_both_sides() -> None:
    """A table in good light, an empty one and one of backs have something to say of every threshold."""
    kinds = ("neutral", "empty", "face down")
    sides = measure(School(drawn_samples.lesson), (drawn_samples.picture_of(kind, 0) for kind in kinds))
    for one in THRESHOLDS:
        assert sides.ours[one], one.name
        assert sides.others[one], one.name
    assert all(LIKENESS.is_ours(number) for number in sides.ours[LIKENESS])
