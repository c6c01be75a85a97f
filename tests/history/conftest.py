"""What several tests of the history watch."""

from pathlib import Path

import pytest

from companion.history import archive
from companion.history.judged_game import JudgedGame
from companion.history.summarize import StoredGame, summarize

from .past import Book


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The games that were judged, in that order."""
    numbers: list[int] = []

    def noted(kept: JudgedGame) -> StoredGame:
        numbers.append(kept.number)
        return summarize(kept)

    monkeypatch.setattr(archive, "summarize", noted)
    return numbers
