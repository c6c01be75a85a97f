"""The benchmark of the history says what it measures, also of few games."""

from companion.bench.history_bench import AT_ONCE, bench_history


def test_it_measures_looks_and_downloads() -> None:
    """And of many downloads at once some are asked to come again, and nobody is left without an answer."""
    lines = [*bench_history(3)]

    assert "3 games, 504 events:" == lines[0]
    had, again = (int(word) for word in lines[-1].split() if word.isdecimal())
    assert AT_ONCE == had + again
    assert had
