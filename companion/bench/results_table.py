"""The results as a table for a terminal of 120 columns."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from companion.bench.answer_score import ALIKE_IF_WARM, Marked, Score, Verdict, add_up
from companion.bench.deck_lessons import TaughtPupil
from companion.bench.reread_cost import RereadCost
from companion.core.reading import Why

MOST_MISTAKES = 12
WARM_LIGHT = ("ceiling", "evening", "dim", "dimmest", "edge")
EYES, ORB, RATIO = 61, 28, 15
_COLUMNS = "cells  right boat colour lies hidden  whole sets    ms   p99", " right wrong whole sets    ms"
HEAD = (
    f"{'':11}|{'the eyes':^{EYES}}|{'ORB and hue, told the corners':^{ORB}}|{'eyes : ORB':^{RATIO}}",
    f"{'':11}|{_COLUMNS[0]}|{_COLUMNS[1]}|right wrong  ms",
)
RULE = "+".join("-" * wide for wide in (11, EYES, ORB, RATIO))
LEGEND = (
    "right: of the cells, in percent; boat, colour: a card answered as another; lies: a card answered where none",
    "lies, or none where one does; whole: pictures without any fault; sets: answered, but not on the table;",
    "ms: of one processor for a fresh picture, the search for the mat included, median and p99.",
    f"*: of these only the {', '.join(ALIKE_IF_WARM)} cards, by {', '.join(WARM_LIGHT)} light.",
    "Cells that a hand covers or the lamp has burnt are counted apart, below.",
)


@dataclass(frozen=True, slots=True)
class Result:
    """One picture, read by the eyes and by the baseline."""

    name: str
    kind: str
    deck: str
    mat: bool
    eyes: Marked
    orb: Marked
    eyes_ns: int
    orb_ns: int
    why: Counter[tuple[Why, bool]]
    mistakes: Sequence[tuple[int, str]]


def report(results: Sequence[Result], taught: Sequence[TaughtPupil]) -> Iterator[str]:
    yield from HEAD
    for key in (_kind, _table, _deck, _all):
        yield RULE
        yield from (row(name, some) for name, some in _group(results, key).items())
    warm = [
        replace(one, eyes=one.eyes.only_alike, orb=one.orb.only_alike) for one in results if one.kind in WARM_LIGHT
    ]
    if warm:
        yield RULE
        yield row("warm *", warm)
    yield from LEGEND
    yield ""
    yield from _apart(results)
    yield from _hidden_rows(results)
    yield from _mistakes(results)
    for one in taught:
        yield (
            f"taught deck {one.deck}, {'mat' if one.mat else 'bare table'}: "
            f"{one.spent_ns / 1e9:.2f} s, ready to read {one.ready_ns / 1e9:.2f} s later; "
            f"its file has {one.file_bytes / 1e3:.0f} kB"
        )


def reread_report(many: Sequence[RereadCost]) -> Iterator[str]:
    """The cost of pictures that follow one already read."""
    unchanged = [spent / 1e6 for one in many for spent in one.unchanged_ns]
    changed = [spent / 1e6 for one in many for spent in one.changed_ns]
    read = sum(one.read for one in many)
    yield f"the next picture, nothing changed: {median(unchanged):.1f} ms, p99 {p99(unchanged):.1f}"
    yield (
        f"the next two, a card laid on one cell: {median(changed):.1f} ms each, p99 {p99(changed):.1f}; "
        f"{read} of {len(many)} such cards told by then"
    )


def _table(one: Result) -> str:
    return "mat" if one.mat else "bare table"


def _kind(one: Result) -> str:
    return one.kind


def _deck(one: Result) -> str:
    return f"deck {one.deck}"


def _all(_: Result) -> str:
    return "all"


def _group(results: Sequence[Result], key: Callable[[Result], str]) -> dict[str, list[Result]]:
    groups: dict[str, list[Result]] = {}
    for one in results:
        groups.setdefault(key(one), []).append(one)
    return groups


def row(name: str, results: Sequence[Result]) -> str:
    eyes, orb = add_up(one.eyes for one in results), add_up(one.orb for one in results)
    eyes_ms, orb_ms = [one.eyes_ns / 1e6 for one in results], [one.orb_ns / 1e6 for one in results]
    counted = eyes.counted
    whole = f"{eyes.whole}/{eyes.pictures}"
    return (
        f"{name:11}|{eyes.cells:5}{_share(eyes):>7}{counted[Verdict.BOAT]:5}{counted[Verdict.COLOUR]:7}"
        f"{counted[Verdict.LIES]:5}{counted[Verdict.HIDDEN]:7}{whole:>8}{eyes.invented:4}"
        f"{median(eyes_ms):7.1f}{p99(eyes_ms):6.1f}"
        f"|{_share(orb):>6}{orb.wrong:6}{orb.whole:6}{orb.invented:5}{median(orb_ms):6.1f}"
        f"|{_ratio(eyes.right, orb.right)}{_ratio(eyes.wrong, orb.wrong)}{_ratio(median(eyes_ms), median(orb_ms))}"
    )


def _share(score: Score) -> str:
    return f"{100 * score.right / score.cells:.1f}" if score.cells else "-"


def _ratio(ours: float, theirs: float) -> str:
    return f"{ours / theirs:5.2f}" if theirs else "    -"


def p99(times: Sequence[float]) -> float:
    """The 99th percentile: the smallest value that at most one in a hundred exceeds."""
    return sorted(times)[math.ceil(0.99 * len(times)) - 1]


def _apart(results: Sequence[Result]) -> Iterator[str]:
    for who, score in (
        ("the eyes", add_up(one.eyes for one in results)),
        ("ORB", add_up(one.orb for one in results)),
    ):
        apart = score.apart
        wrong = sum(apart[one] for one in Verdict if one.wrong)
        yield (
            f"covered or burnt, {apart.total()} cells, {who}: "
            f"{apart[Verdict.RIGHT]} right, {apart[Verdict.HIDDEN]} hidden, {wrong} wrong"
        )


def _hidden_rows(results: Sequence[Result]) -> Iterator[str]:
    every = sum((one.why for one in results), Counter[tuple[Why, bool]]())
    for why in Why:
        if every[why, True] + every[why, False]:
            kinds = Counter({one.kind: 0 for one in results})
            for one in results:
                kinds[one.kind] += one.why[why, True] + one.why[why, False]
            where = ", ".join(f"{kind} {many}" for kind, many in kinds.items() if many)
            yield f"hidden, {why.value}: {every[why, True]} with a card, {every[why, False]} without ({where})"


def _mistakes(results: Sequence[Result]) -> Iterator[str]:
    every = [(one, cell, how) for one in results for cell, how in one.mistakes]
    for one, cell, how in every[:MOST_MISTAKES]:
        apart = ", counted apart" if cell in one.eyes.apart else ""
        yield f"wrong: {one.name} ({one.kind}, {_table(one)}, deck {one.deck}{apart}), cell {cell}: {how}"
    if len(every) > MOST_MISTAKES:
        yield f"wrong: {len(every) - MOST_MISTAKES} more"
