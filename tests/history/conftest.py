"""What several tests of the history watch."""

from pathlib import Path

import pytest

from companion.history import archive
from companion.history.kept_game import KeptGame
from companion.history.summary import Summary, summary_of

from .past import Book


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The games that were judged, in that order."""
    numbers: list[int] = []

    def noted(kept: KeptGame) -> Summary:
        numbers.append(kept.number)
        return summary_of(kept)

    monkeypatch.setattr(archive, "summary_of", noted)
    return numbers
