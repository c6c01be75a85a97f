"""Golden numbers: how many next cards make how many sets.

They stand in golden/counts.json for anybody's program to reproduce. Here they are counted twice: by the referee,
and by a few lines that share nothing with it."""

import json
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from companion.table.evening import Evening

from ....kinds import mostly_slow
from .play import Event, fix, game, heard, state_of

BOATS = ("rowboat", "raft", "ring", "jetski")
COLOURS = ("yellow", "pink", "blue", "orange")
KINDS = tuple(product(BOATS, COLOURS))
# Three cells are in line exactly when their numbers in the magic square add up to fifteen.
MAGIC = (2, 7, 6, 9, 5, 1, 4, 3, 8)
GRIDS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "counts.json").read_text(encoding="utf-8")
)

Kind = tuple[str, str]
Grid = tuple[Kind | None, ...]


def grid_of(name: str) -> Grid:
    return tuple((top[0], top[1]) if top else None for top in GRIDS[name]["tops"])


def brute_sets(grid: Grid) -> int:
    sets = 0
    for line in combinations(range(9), 3):
        cards = [card for card in (grid[cell] for cell in line) if card is not None]
        if sum(MAGIC[cell] for cell in line) == 15 and len(cards) == 3:
            sets += any(len(set(same)) == 1 for same in zip(*cards, strict=True))
    return sets


def brute_next(grid: Grid, kind: Kind, cell: int) -> Grid:
    """A card on a pile does not count while a cell is empty."""
    if grid[cell] and None in grid:
        return grid
    return (*grid[:cell], kind, *grid[cell + 1 :])


def brute_counts(grid: Grid, depth: int) -> Counter[int]:
    if not depth:
        return Counter([brute_sets(grid)])
    # Many continuations lead to the same grid; each is counted once and taken as often as it comes.
    following = Counter(brute_next(grid, kind, cell) for kind, cell in product(KINDS, range(9)))
    total: Counter[int] = Counter()
    for reached, times in following.items():
        for sets, ways in brute_counts(reached, depth - 1).items():
            total[sets] += ways * times
    return total


def referee_at(grid: Grid) -> Evening:
    tops = {str(cell): {"boat": kind[0], "colour": kind[1]} for cell, kind in enumerate(grid) if kind}
    piles = [int(kind is not None) for kind in grid]
    return heard([game(), fix(0, tops=tops, piles=piles, decks=[30 - sum(piles), 30])])


def next_card(kind: Kind, cell: int) -> Event:
    return {"t": 1, "type": "card", "cell": cell, "boat": kind[0], "colour": kind[1]}


def referee_counts(evening: Evening, depth: int) -> Counter[int]:
    if not depth:
        return Counter([len(state_of(evening)["sets"])])
    total: Counter[int] = Counter()
    for kind, cell in product(KINDS, range(9)):
        total += referee_counts(evening.hear(next_card(kind, cell)), depth - 1)
    return total


def divided(name: str) -> dict[str, dict[int, int]]:
    """What each first card leads to, for finding the rule that is wrong."""
    evening, grid = referee_at(grid_of(name)), grid_of(name)
    found: dict[str, dict[int, int]] = {}
    for kind, cell in product(KINDS, range(9)):
        ours = referee_counts(evening.hear(next_card(kind, cell)), 0)
        if ours != brute_counts(brute_next(grid, kind, cell), 0):
            found[f"{kind} on {cell}"] = dict(ours)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_slow(GRIDS))
def test_the_brute_count_agrees_with_the_golden_numbers(name: str) -> None:
    """Both depths of every grid, by the few lines above."""
    grid = grid_of(name)

    assert GRIDS[name]["sets"] == brute_sets(grid)
    for depth in (1, 2):
        counted = {str(sets): ways for sets, ways in sorted(brute_counts(grid, depth).items())}
        assert GRIDS[name][f"depth {depth}"] == counted
        assert sum(counted.values()) == 144**depth


@pytest.mark.parametrize("name", mostly_slow(GRIDS))
def test_the_referee_agrees_with_the_golden_numbers(name: str) -> None:
    """Both depths of every grid, by the rules themselves; a difference is shown by first card."""
    evening = referee_at(grid_of(name))
    for depth in (1, 2):
        counted = {str(sets): ways for sets, ways in sorted(referee_counts(evening, depth).items())}
        assert GRIDS[name][f"depth {depth}"] == counted, divided(name)
