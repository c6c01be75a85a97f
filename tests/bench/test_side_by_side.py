"""Two checkouts are measured in turns, and what is compared is found in what each prints."""

from collections import Counter
from pathlib import Path

import pytest

from companion.bench import side_by_side
from companion.bench.answer_score import Marked, Verdict
from companion.bench.results_table import Result, report
from companion.bench.side_by_side import HERE, compare, cost_of_event, cost_of_picture

REFEREE = """Row Your Goat, whole games from text to rulings in one thread:
 evenings    events  events/s  us/event
       10      2000     50000      20.0
     1000    200000     47619      21.0
an event among 1000 evenings costs 1.05 times one among 10
"""


def test_the_cost_of_an_event_is_found() -> None:
    """That among the many evenings."""
    assert 21.0 == cost_of_event(REFEREE)


def test_the_cost_of_a_picture_is_found() -> None:
    """The median of all, of the eyes and not of what they are compared with."""
    marked = Marked((Verdict.RIGHT,) * 9, frozenset(), 0)
    results = [
        Result(
            "a",
            "dim",
            "A",
            mat=True,
            eyes=marked,
            orb=marked,
            eyes_ns=23_500_000,
            orb_ns=10_000_000,
            why=Counter(),
            mistakes=[],
        )
    ]
    assert 23.5 == cost_of_picture("\n".join(report(results, [])))


def test_both_are_measured_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ratio is that of the best of each."""
    other, measured = Path("elsewhere"), list[Path]()

    def printed(checkout: Path, bench: list[str]) -> str:
        assert ["referee"] == bench
        measured.append(checkout)
        return f"{len(measured) * (1 if checkout == HERE else 2)}"

    monkeypatch.setattr(side_by_side, "_run_bench", printed)
    *_, best = compare(other, ["referee"], float, rounds=2)
    assert [HERE, other] * 2 == measured
    assert ["best", "1.00", "4.00", "0.250"] == best.split()
