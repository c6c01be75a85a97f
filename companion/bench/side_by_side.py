"""The same measurement of this checkout and of another one, in turns and each in a process of its own: whatever
else the machine does befalls both."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import companion

HERE: Final = Path(companion.__file__).parents[1]
ROUNDS: Final = 3


def compare(
    other: Path, bench: Sequence[str], figure: Callable[[str], float], rounds: int = ROUNDS
) -> Iterator[str]:
    """`bench`: the words after `companion bench`. `figure` finds the number to compare in the printed output; less
    is better."""
    ours: list[float] = []
    theirs: list[float] = []
    yield f"{'round':>6} {'here':>9} {'there':>9} {'ratio':>6}"
    for number in range(1, rounds + 1):
        ours.append(figure(_run_bench(HERE, bench)))
        theirs.append(figure(_run_bench(other, bench)))
        yield _row(str(number), ours[-1], theirs[-1])
    yield _row("best", min(ours), min(theirs))


def _row(name: str, ours: float, theirs: float) -> str:
    return f"{name:>6} {ours:>9.2f} {theirs:>9.2f} {ours / theirs:>6.3f}"


def _run_bench(checkout: Path, bench: Sequence[str]) -> str:
    command = [sys.executable, "-m", "companion", "bench", *bench]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(  # noqa: S603 - our own program
        command, cwd=checkout, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def cost_of_event(printed: str) -> float:
    """From `companion bench referee`: microseconds an event with the many evenings."""
    rows = [line.split() for line in printed.splitlines() if line.strip()[:1].isdigit()]
    return float(rows[-1][-1])


def cost_of_picture(printed: str) -> float:
    """Of `companion bench eyes`: the median in milliseconds of all pictures of the last table, the drawn ones."""
    row = [line for line in printed.splitlines() if line.startswith("all  ")][-1]
    return float(row.split("|")[1].split()[-2])
