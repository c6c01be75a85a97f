"""What is wrong stands on the board as long as it is, and is said once."""

import logging

import pytest

from companion.threads.troubles import Trouble, Troubles


def test_a_trouble_is_said_once_when_it_comes_and_once_when_it_goes(caplog: pytest.LogCaptureFixture) -> None:
    changes: list[int] = []
    board = Troubles(lambda: changes.append(len(board.current())))
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            board.raise_trouble("photos", "No room for photo finishes.")
        assert board.current() == (Trouble("photos", "No room for photo finishes."),)
        assert board.find("photos") == board.current()[0]
        for _ in range(3):
            board.clear("photos")
    assert changes == [1, 0]
    assert caplog.messages == ["No room for photo finishes.", "This is over: No room for photo finishes."]
    assert board.find("photos") is None


def test_another_sentence_is_news() -> None:
    changes: list[str] = []
    board = Troubles(lambda: changes.append(board.current()[0].sentence))
    board.raise_trouble("photos", "No room.")
    board.raise_trouble("photos", "The card can't be written.")
    assert changes == ["No room.", "The card can't be written."]


def test_the_oldest_comes_first() -> None:
    board = Troubles()
    board.raise_trouble("photos", "a")
    board.raise_trouble("disk", "b")
    board.raise_trouble("photos", "c")
    assert [(trouble.key, trouble.sentence) for trouble in board.current()] == [("photos", "c"), ("disk", "b")]
