"""Whether the demo holds: measured on a short real one, and what is said when it does not."""

from collections import Counter
from dataclasses import replace
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from companion.bench import demo_bench as bench
from companion.bench.demo_bench import FLAT_BYTES, SILENCE, SoakResult, soak
from companion.cli.bench_commands import bench_group
from companion.demo.cast import Company

S = 1_000_000_000
WELL = SoakResult(
    threads_before=1,
    threads_after=1,
    at_start=200_000_000,
    warm=220_000_000,
    at_end=221_000_000,
    real_s=600.0,
    virtual_ns=5400 * S,
    silence_ns=16 * S,
    games=14,
    rulings=Counter(slowest=116, win=13),
    replayed=True,
)


@pytest.mark.slow
def test_a_short_evening_holds() -> None:
    """The whole program plays for seconds: cards are laid, and nothing is as it must not be. Memory is not judged:
    in seconds a busy machine does not even get warm."""
    soaked = soak(Company(seats=2, seed=1), 20.0, 4.0)
    assert soaked.at_end is not None
    assert [] == list(replace(soaked, warm=None, at_end=None).faults())
    assert soaked.virtual_ns > S
    assert 1 == soaked.games
    assert soaked.rulings["turn"] >= 1


def test_what_was_measured_is_said() -> None:
    """Memory, threads, journal, truth, games and speed, a line each."""
    lines = list(WELL.report())
    assert "memory: 200 MB at the start, 220 warm, 221 at the end" in lines
    assert "games begun: 14; ruled: 116 slowest, 13 win" in lines
    assert "longest silence: 16 s of 5400" in lines
    assert "speed: 9.0 times, for 600 s" in lines


def test_each_fault_is_said() -> None:
    """What is wrong has a line; what the system does not tell is not wrong."""
    assert [] == list(WELL.faults())
    assert [] == list(replace(WELL, at_start=None, warm=None, at_end=None).faults())
    wrong = {
        "apart: there": replace(WELL, apart=("there",)),
        "refused: that": replace(WELL, refused=("that",)),
        "2 threads are left over": replace(WELL, threads_after=3),
        "the journal replays to another state than the live one": replace(WELL, replayed=False),
        "memory has grown by 60 MB since it was warm": replace(WELL, at_end=220_000_000 + 2 * FLAT_BYTES),
        "for 120 s of the drawn table nothing was ruled": replace(WELL, silence_ns=2 * SILENCE),
    }
    assert [[words] for words in wrong] == [list(soaked.faults()) for soaked in wrong.values()]


def test_a_fault_ends_the_command_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs it in a script learns of it."""
    for soaked, code in ((WELL, 0), (replace(WELL, replayed=False), 1)):
        monkeypatch.setattr(bench, "soak", Mock(return_value=soaked))
        answer = CliRunner().invoke(bench_group, ["demo", "--minutes", "0.1"])
        assert code == answer.exit_code
        assert ("wrong: " in answer.output) == bool(code)
