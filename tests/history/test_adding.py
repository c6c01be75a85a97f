"""Earlier games are added up beside the game: once, for good, and nobody who looks waits for it."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest

import companion
from companion.history import archive
from companion.history.archive import Archive, KnownGames
from companion.history.game_summary import GameSummary
from companion.history.judged_game import JudgedGame
from companion.history.summarize import StoredGame, code_version, summarize, summary_from_json, summary_to_json
from companion.history.summary_worker import SummaryWorker
from companion.journal import Entry, Journal, Reader
from companion.threads.worker import Crew

from .past import EVENINGS, Book, lines_of, won_game

SOON = 20.0


def added(looked: Archive) -> KnownGames:
    """All that is there, by the worker."""
    while looked.summarize_next(lambda: None):
        pass
    looked.update_totals()
    return looked.list_games()


def restarted(book: Book) -> Archive:
    looked = Archive(book.path)
    looked.load_summaries()
    return looked


def test_a_start_judges_only_what_no_run_before_has(book: Book, judged: list[int]) -> None:
    """The game that may still go on, and those that came since."""
    book.add(won_game(), won_game(), won_game())
    shelf = added(restarted(book))
    assert [17, 9, 1] == judged
    judged.clear()
    book.add(won_game())
    again = added(restarted(book))
    assert [25, 17] == judged
    assert again.summaries[1:] == shelf.summaries
    assert (4, 0) == (len(again.totals.summaries), again.waiting)


def test_every_brief_comes_back_as_it_was(book: Book) -> None:
    """Whatever was played."""
    for evening in EVENINGS:
        book.add(lines_of(evening))
    for summary in book.summaries():
        assert summary == summary_from_json(summary_to_json(summary))


def test_the_rows_of_all_presses_come_from_the_disk(book: Book, judged: list[int]) -> None:
    """Word for word as if all games were judged; a line that is damaged is judged again."""
    book.add(*(won_game(('Ada "x", y', "Bün 🐐")) for _ in range(4)))
    rows = [*Archive(book.path).own_rows("races")]
    looked = restarted(book)
    added(looked)
    judged.clear()
    assert rows == [*looked.own_rows("races")]
    assert [25] == judged
    file = book.path.with_name("journal.db.summaries")
    content = file.read_bytes()
    file.write_bytes(content.replace(b"safe", b"sofa", 1))
    judged.clear()
    assert rows == [*looked.own_rows("races")]
    assert [17, 25] == judged
    judged.clear()
    assert rows == [*restarted(book).own_rows("races")]
    assert [25] == judged


def emptied(_: bytes) -> bytes:
    return b""


def of_another_version(content: bytes) -> bytes:
    return b"another version\n" + content.partition(b"\n")[2]


def cut_off(content: bytes) -> bytes:
    return content[:-20]


def half_a_line_more(content: bytes) -> bytes:
    return content + b"half a li"


def noughts(content: bytes) -> bytes:
    return bytes(len(content))


@pytest.mark.parametrize("spoil", [emptied, of_another_version, cut_off, half_a_line_more, noughts])
def test_whatever_lies_there_can_be_made_anew(
    book: Book, spoil: Callable[[bytes], bytes], judged: list[int]
) -> None:
    """An older program's, half a line, noughts: in the end all is as it should be, and stays so."""
    book.add(won_game(), won_game(), won_game())
    shelf = added(restarted(book))
    file = book.path.with_name("journal.db.summaries")
    file.write_bytes(spoil(file.read_bytes()))
    assert added(restarted(book)).summaries == shelf.summaries
    judged.clear()
    assert added(restarted(book)).summaries == shelf.summaries
    assert [17] == judged


@pytest.mark.parametrize(
    "module", ["games/goat/rules/race", "games/registry", "history/summarize", "table/evening"]
)
def test_another_rule_makes_another_version(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter more in any file that a summary rests on, and all are made anew."""
    changed = Path(companion.__file__).parent / f"{module}.py"
    before, read = code_version(), Path.read_bytes

    def read_changed(path: Path) -> bytes:
        return read(path) + b" " * (path == changed)

    monkeypatch.setattr(Path, "read_bytes", read_changed)
    assert code_version.__wrapped__() != before


def test_a_disk_that_takes_nothing_only_costs_the_next_start(book: Book, judged: list[int]) -> None:
    """What was found is known all the same."""
    book.add(won_game(), won_game(), won_game())
    book.path.with_name("journal.db.summaries").mkdir()
    assert 3 == len(added(restarted(book)).summaries)
    assert [17, 9, 1] == judged


def test_a_game_that_can_not_be_read_takes_no_other_with_it(book: Book) -> None:
    """It is counted, and the others are told; so it is until the next start, which heals."""
    book.add(won_game(), won_game(("Cy", "Dora")), won_game())
    with Journal.open(book.path):
        content = book.path.read_bytes()
        book.path.write_bytes(content.replace(b'"t": 13000000000', b'"t": 13000000009'))
        shelf = added(restarted(book))
    assert [17, 1] == [summary.number for summary in shelf.summaries]
    assert (1, 0) == (shelf.unreadable, shelf.waiting)


def test_another_journal_with_the_same_numbers_is_another(book: Book, tmp_path: Path) -> None:
    """Where a backup was restored and played on from, what was kept of the other branch is not told."""
    book.add(won_game(), won_game(("Cy", "Dora")))
    looked = restarted(book)
    added(looked)
    for file in tmp_path.glob("journal.db"):
        file.unlink()
    other = Book(tmp_path)
    other.wall += 1
    other.add(won_game(("Eve", "Fay")), won_game(("Gil", "Hal")))
    for shelf in (added(looked), added(restarted(other))):
        assert [("Gil", "Hal"), ("Eve", "Fay")] == [summary.seats for summary in shelf.summaries]


def test_who_looks_meanwhile_does_not_wait(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A very long game is being judged: the history comes at once with what is known."""
    book.add(won_game(), won_game())
    begun, go_on = Event(), Event()

    def long(kept: JudgedGame) -> StoredGame:
        begun.set()
        assert go_on.wait(SOON)
        return summarize(kept)

    monkeypatch.setattr(archive, "summarize", long)
    looked = Archive(book.path)
    worker = threading.Thread(target=looked.summarize_next, args=[lambda: None])
    worker.start()
    assert begun.wait(SOON)
    shelf = looked.list_games(patience=0.0)
    assert ((), 2) == (shelf.summaries, shelf.waiting)
    go_on.set()
    worker.join()
    assert 2 == len(looked.list_games(patience=-1.0).summaries)


def test_the_worker_adds_all_up_and_ends_with_the_program(book: Book) -> None:
    """Also in the middle of a game."""
    book.add(*(won_game() for _ in range(5)))
    looked, seen = Archive(book.path), Event()
    real = looked.update_totals

    def update_totals() -> None:
        real()
        if len(looked.list_games(-1.0).totals.summaries) == 5:
            seen.set()

    looked.update_totals = update_totals
    with SummaryWorker(looked, Crew()):
        assert seen.wait(SOON)
    assert 0 == looked.list_games(-1.0).waiting


def test_a_game_that_goes_on_is_another_with_each_event(book: Book, judged: list[int]) -> None:
    """And only that one is looked for."""
    book.add(won_game(), won_game()[:5])
    looked = Archive(book.path)
    found: list[GameSummary] = [looked.list_games(float("inf")).summaries[0]]
    with Journal.open(book.path) as journal:
        for t in (10**12, 10**12 + 1):
            journal.append([json.dumps({"t": t, "type": "seen"})])
            found.append(looked.list_games().summaries[0])
    assert [9, 1, 9, 9] == judged
    assert [13, 14, 15] == [summary.newest for summary in found]


@pytest.mark.slow
def test_a_look_reads_one_game_of_hundreds(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one after a start, too: what it costs does not grow with what was ever played."""
    book.add(*(won_game() for _ in range(200)))
    shelf = added(restarted(book))
    read: list[int] = []
    entries = Reader.entries

    def counted(reader: Reader, after: int = 0) -> Iterator[Entry]:
        for entry in entries(reader, after):
            read.append(entry.number)
            yield entry

    monkeypatch.setattr(Reader, "entries", counted)
    looked = restarted(book)
    assert looked.list_games().summaries == shelf.summaries
    assert read == [*range(1593, 1601)]
    looked.list_games()
    looked.neighbours(1593)
    assert 8 == len(read)


def test_a_very_long_game_is_no_hang(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker takes the time it needs; the crew leaves it alone."""
    book.add(won_game())
    begun, go_on = Event(), Event()

    def long(kept: JudgedGame) -> StoredGame:
        begun.set()
        assert go_on.wait(SOON)
        return summarize(kept)

    monkeypatch.setattr(archive, "summarize", long)
    now = [0.0]
    crew = Crew(clock=lambda: now[0])
    with SummaryWorker(Archive(book.path), crew) as worker:
        assert begun.wait(SOON)
        for _ in range(100):
            now[0] += 1.0
            crew.check()
        assert worker.is_alive
        assert crew.troubles.current() == ()
        go_on.set()
