"""The archive: each game judged once, nobody waits long, and what is new is seen."""

from itertools import count
from pathlib import Path

import pytest

from companion.errors import JournalError, NoSuchGame
from companion.history.archive import Archive
from companion.history.judged_game import judge_game

from .past import Book, won_game


def test_before_the_first_game_there_is_nothing(tmp_path: Path) -> None:
    """Nor is a journal made by looking for one."""
    found = Archive(tmp_path / "journal.db").list_games()

    assert ((), 0) == (found.summaries, found.waiting)
    assert [] == list(tmp_path.iterdir())


def test_each_game_is_judged_once(book: Book, judged: list[int]) -> None:
    """However often one looks."""
    book.add(won_game(), won_game(), won_game())
    shelves = [Archive(book.path)] * 2
    for shelf in shelves:
        shelf.list_games()

    assert 3 == len(judged)
    assert 3 == len(set(judged))


def test_only_a_game_that_has_gone_on_is_judged_again(book: Book, judged: list[int]) -> None:
    """The others are remembered."""
    book.add(won_game())
    looked = Archive(book.path)
    looked.list_games()
    book.add(won_game()[:5])
    looked.list_games()
    judged.clear()
    book.add([{"t": 0, "type": "seen"}])
    newest = looked.list_games().summaries[0]

    assert [newest.number] == judged


def test_who_asks_waits_only_so_long(book: Book) -> None:
    """The newest game comes first; how many are missing is said, and the next asking goes on."""
    book.add(won_game(), won_game(), won_game())
    seconds = count()
    looked = Archive(book.path, clock=lambda: float(next(seconds)))
    shelves = [looked.list_games(patience=0.5) for _ in range(3)]

    assert [2, 1, 0] == [shelf.waiting for shelf in shelves]
    assert shelves[0].summaries[0] == shelves[2].summaries[0]


def test_a_game_is_found_by_its_number(book: Book) -> None:
    """And nothing else is."""
    book.add(won_game(("Ada", "Ben")), won_game(("Cy", "Dora")))
    looked = Archive(book.path)
    older, newer = sorted(summary.number for summary in looked.list_games().summaries)

    assert ("Cy", "Dora") == looked.load_game(newer).seats
    assert (None, newer) == looked.neighbours(older)
    assert (older, None) == looked.neighbours(newer)
    with pytest.raises(NoSuchGame):
        looked.load_game(older + 1)


def test_another_journal_is_read_anew(book: Book, tmp_path: Path) -> None:
    """When a backup was restored, nothing of the journal before is told any more."""
    book.add(won_game(), won_game())
    looked = Archive(book.path)
    looked.list_games()
    for file in tmp_path.glob("journal.db*"):
        file.unlink()
    other = Book(tmp_path)
    other.add(won_game(("Cy", "Dora")))

    assert [("Cy", "Dora")] == [summary.seats for summary in looked.list_games().summaries]


def test_a_game_without_events_is_said_to_be_missing() -> None:
    """In a sentence."""
    with pytest.raises(JournalError, match="not in it"):
        judge_game([], closed=True)
