"""Kinds of tests that the plain run leaves out: at its end it says how many, and how they are run."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, cast

import pytest

# What is of two kinds counts as the first. The marks are described in pyproject.toml.
KINDS = ("rig", "browser", "slow")
HOW = "`python -m pytest -m slow` runs one kind, `.ci/run` all of them"


def mostly_slow(values: Iterable[object], quick: int = 1) -> list[Any]:
    """To be tried one by one: so many of them, the first, in the plain run as well, the others only among the slow
    tests."""
    params: list[Any] = []
    for number, value in enumerate(values):
        several = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        params.append(pytest.param(*several, marks=() if number < quick else pytest.mark.slow))
    return params


def kind_of(item: pytest.Item) -> str | None:
    return next((kind for kind in KINDS if item.get_closest_marker(kind) is not None), None)


class LeftOut:
    """Counts what is left out, also in the processes that share the tests among them."""

    def __init__(self, marks: str, names: str) -> None:
        """`marks` and `names`: what was asked for by -m and -k. Whoever asks for a kind or for names knows what is
        left out."""
        self._kinds = () if names else tuple(kind for kind in KINDS if f"not {kind}" in marks)
        self._counts: Counter[str] = Counter()

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._counts.update(kind for item in items if (kind := kind_of(item)) is not None and kind in self._kinds)

    @pytest.hookimpl(optionalhook=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output: dict[str, object] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["left_out"] = dict(self._counts)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Each process has seen all the tests: what one says is true of all."""
        output: dict[str, dict[str, int]] = getattr(node, "workeroutput", {})
        self._counts = Counter(output.get("left_out")) or self._counts

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._counts:
            counts = ", ".join(f"{self._counts[kind]} {kind}" for kind in KINDS if self._counts[kind])
            terminalreporter.write_line(f"Left out: {counts} tests. {HOW}.", yellow=True)
