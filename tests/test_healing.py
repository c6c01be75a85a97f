"""A journal is hit anywhere, also after it was closed as it should be: the next start heals it, says what is lost,
and every game that was not hit is whole, in the history and wherever else games come from."""

import io
import json
import random
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.errors import InvalidEvent
from companion.history.archive import Archive
from companion.history.game_summary import GameSummary
from companion.journal import Entry, Journal, Reader, backup, export_lines, import_lines
from companion.table.live_table import Table
from companion.table.open_journal import open_journal
from companion.table.replay import replay, replay_recording
from companion.threads.troubles import DAMAGED, Troubles

from .history.past import Book, later, won_game
from .journal.evening import files
from .kinds import mostly_slow
from .said import Run

SEEDS = 200
QUICK = 20
PAGE = 4096
SOON = 20.0
GAMES = 24
TABLES = (("Ada", "Ben"), ("Ben", "Cy", "Dora"), ("Ada", "Ben", "Cy", "Dora", "Eve", "Fay"))


@dataclass(frozen=True)
class Before:
    """What there was."""

    folder: Path
    entries: Mapping[int, Entry]
    summaries: Mapping[int, GameSummary]


def closed_well(folder: Path) -> Path:
    """Some evenings; the last game is being played."""
    book = Book(folder)
    book.add(*(won_game(TABLES[number % 3], quick=0.3 + number / 100) for number in range(GAMES)))
    book.add(won_game()[:-3])
    return book.path


def unplugged(folder: Path) -> Path:
    """The same, and the newest of it is still in the log."""
    path = closed_well(folder / "whole")
    with Journal.open(path) as journal:
        t = max(entry.t for entry in journal.entries())
        for number in range(60):
            journal.append([json.dumps({"t": t + number, "type": "seen"})])
        shutil.copytree(path.parent, folder / "unplugged", ignore=shutil.ignore_patterns("*-shm"))
    return folder / "unplugged" / path.name


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Before, Before]:
    return tuple(looked_at(make(tmp_path_factory.mktemp("journal"))) for make in (closed_well, unplugged))  # pyright: ignore[reportReturnType]


def looked_at(path: Path) -> Before:
    copy = shutil.copytree(path.parent, path.parent.with_name("looked-at")) / path.name
    with Reader.open(copy) as reader:
        found = {entry.number: entry for entry in reader.entries()}
    summaries = {summary.number: summary for summary in Archive(copy).list_games(float("inf")).summaries}
    return Before(path.parent, found, summaries)


def change(path: Path, place: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(content[: max(0, path.stat().st_size - place)])


def a_bit(path: Path, chance: random.Random) -> None:
    place = chance.randrange(path.stat().st_size)
    change(path, place, bytes([path.read_bytes()[place] ^ 1 << chance.randrange(8)]))


def twenty_bytes(path: Path, chance: random.Random) -> None:
    change(path, chance.randrange(path.stat().st_size), chance.randbytes(20))


def a_page_of_noughts(path: Path, chance: random.Random) -> None:
    change(path, chance.randrange(path.stat().st_size // PAGE) * PAGE, bytes(PAGE))


def the_header(path: Path, chance: random.Random) -> None:
    change(path, chance.randrange(100), chance.randbytes(chance.choice([1, 4, 100])))


def the_tables_names(path: Path, chance: random.Random) -> None:
    change(path, chance.randrange(100, PAGE), chance.randbytes(chance.choice([1, 20, 500])))


def the_last_page(path: Path, chance: random.Random) -> None:
    change(path, path.stat().st_size - PAGE, chance.choice([bytes(PAGE), chance.randbytes(PAGE)]))


def cut_off(path: Path, chance: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: chance.randrange(len(content))])


def many_places(path: Path, chance: random.Random) -> None:
    for _ in range(10):
        twenty_bytes(path, chance)


DAMAGES: tuple[Callable[[Path, random.Random], None], ...] = (
    a_bit,
    twenty_bytes,
    a_page_of_noughts,
    the_header,
    the_tables_names,
    the_last_page,
    cut_off,
    many_places,
)


def hit(folder: Path, seed: int) -> int:
    """So many of the newest events may be gone without a word: of a log's end nobody can tell whether it was ever
    written, or went with the power."""
    chance = random.Random(seed)
    journal = folder / "journal.db"
    log = folder / "journal.db-wal"
    hit_at = log if log.exists() and chance.random() < 0.5 else journal
    damage = DAMAGES[seed % len(DAMAGES)]
    damage(hit_at, chance)
    return 0 if hit_at is journal else 1000 if damage is cut_off else 3


@pytest.mark.parametrize("seed", mostly_slow(range(SEEDS), QUICK))
def test_whatever_is_hit_heals(
    whole: tuple[Before, Before], tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    """At the next start, and for good: what can be read is read, what is lost is said, and all goes on."""
    before = whole[seed // len(DAMAGES) % 2]
    folder = shutil.copytree(before.folder, tmp_path / "data")
    path = folder / "journal.db"
    untold = hit(folder, seed)
    damaged = files(folder)

    troubles = Troubles()
    with open_journal(path, troubles) as kept:
        found = {entry.number: entry for entry in kept.journal.entries()}
        lost = before.entries.keys() - found.keys()
        told = {number for gap in kept.journal.gaps for number in range(gap.first, gap.last + 1)}
        assert found.items() <= before.entries.items()
        assert lost - told <= {*range(max(before.entries) - untold + 1, max(before.entries) + 1)}
        if kept.journal.recovered is not None:
            assert str(kept.journal.recovered.aside) in caplog.text
            assert bool(told or kept.left.torn) == (troubles.find(DAMAGED) is not None)
            assert damaged["journal.db"] == kept.journal.recovered.aside.read_bytes()
        goes_on(kept.journal, Table(kept.journal, left=kept.left, clock=lambda: 10**15))
    all_others_are_whole(path, before, lost, told)
    all_comes_out(path, tmp_path)
    with open_journal(path, troubles) as again:
        assert again.journal.recovered is None


def goes_on(journal: Journal, table: Table) -> None:
    """What was played is put away, and another game begins."""
    with table:
        game = table.snapshot.evening.game
        if game is not None and not game.over:
            for seat in range(len(game.seats)):
                table.tell({"type": "fix", "decks": [0] * len(game.seats), "seat": seat})
            with suppress(InvalidEvent):
                table.tell({"type": "fix", "decks": [0] * len(game.seats)}).result(SOON)
        game = table.snapshot.evening.game
        if game is None or game.over:
            begun = table.tell({"type": "game", "game": "goat", "seats": ["Yes", "Zoe"], "starter": 0})
            assert begun.result(SOON).number == journal.last


def all_others_are_whole(path: Path, before: Before, lost: set[int], told: set[int]) -> None:
    archive = Archive(path)
    shelf = archive.list_games(float("inf"))
    summaries = {summary.number: summary for summary in shelf.summaries}
    assert shelf.waiting == 0
    assert told == {number for loss in shelf.losses for number in range(loss.gap.first, loss.gap.last + 1)}
    for number, summary in before.summaries.items():
        its_own = set(range(number, summary.newest + 1))
        if not its_own & lost and number != max(before.summaries):
            assert summaries[number] == summary
        elif number in summaries and its_own & told:
            assert summaries[number].torn or summaries[number].over or summaries[number].lost
        assert number in lost or archive.load_game(number).seats == summary.seats


def all_comes_out(path: Path, folder: Path) -> None:
    with Reader.open(path) as reader:
        games = reader.games()
        out = io.BytesIO()
        exported = export_lines(reader, out)
        for game in games:
            alone = io.BytesIO()
            export_lines(reader, alone, game=game.number)
            assert list(replay(alone.getvalue().splitlines()))
    lines = out.getvalue().splitlines()
    assert exported.events == len(lines)
    if lines:
        assert list(replay(lines))
    copy = folder / "copy.db"
    backup(path, copy)
    with Reader.open(copy) as reader:
        assert reader.games() == games
    with Journal.open(folder / "other.db") as other, open_journal(path, Troubles()) as kept:
        begun = len(games)
        import_lines(other, replay_recording(kept.left.snapshot.evening.__class__(), lines))
        assert other.last == len(lines)
        evening = kept.left.snapshot.evening
        if evening.game is None or evening.game.over:
            import_lines(
                kept.journal,
                replay_recording(evening, [json.dumps(e).encode() for e in later(won_game(), 10**17)]),
            )
            begun += 1
    with Reader.open(path) as reader:
        assert len(reader.games()) == begun


def hit_text(path: Path, text: bytes) -> None:
    """One bit of the first event that says so."""
    place = path.read_bytes().index(text)
    change(path, place + 8, bytes([path.read_bytes()[place + 8] ^ 1]))


def test_a_running_game_that_lost_its_middle_can_be_followed_by_another(tmp_path: Path) -> None:
    """The table starts without it and says so; another game begins; on the evening after it is all still known."""
    book = Book(tmp_path)
    book.add(won_game(), won_game(("Cy", "Dora"))[:-2])
    hit_text(book.path, b'"t": 13000000000')
    troubles = Troubles()
    with open_journal(book.path, troubles) as kept, Table(kept.journal, left=kept.left, clock=lambda: 0) as table:
        assert table.snapshot.evening.game is None
        damage = troubles.find(DAMAGED)
        assert damage is not None
        assert "The game that was played last can't go on (lost: event 12): begin a new one." in damage.sentence
        begun = table.tell({"type": "game", "game": "goat", "seats": ["Eve", "Fay"], "starter": 0})
        assert begun.result(SOON).number == kept.journal.last == 15
    troubles = Troubles()
    with open_journal(book.path, troubles) as kept, Table(kept.journal, left=kept.left) as table:
        game = table.snapshot.evening.game
        assert game is not None
        assert game.seats == ("Eve", "Fay")
        assert troubles.current() == ()
    newest, torn, first = Archive(book.path).list_games(float("inf")).summaries
    assert (newest.torn, torn.torn, first.torn) == (False, True, False)
    assert (torn.seats, torn.newest, torn.lost) == (("Cy", "Dora"), 11, 1)


def test_a_running_game_that_lost_its_end_goes_on(tmp_path: Path) -> None:
    """From the last event that is known; what is lost is remembered, and no other event gets its number."""
    book = Book(tmp_path)
    book.add(won_game()[:-2])
    hit_text(book.path, b'"t": 3400000000')
    with (
        open_journal(book.path, Troubles()) as kept,
        Table(kept.journal, left=kept.left, clock=lambda: 0) as table,
    ):
        assert table.snapshot.number == 6
        assert table.tell({"type": "press", "seat": 1}).result(SOON).number == 7
    with open_journal(book.path, Troubles()) as kept, Table(kept.journal, left=kept.left) as table:
        assert kept.journal.recovered is None
        assert table.snapshot.number == 7
    [summary] = Archive(book.path).list_games(float("inf")).summaries
    assert (summary.torn, summary.newest, summary.lost) == (False, 7, 1)


def test_a_game_whose_beginning_is_lost_is_nobodys(tmp_path: Path) -> None:
    """What is left of it is not taken for another game's; if nothing was before it, the table is empty."""
    book = Book(tmp_path)
    book.add(won_game())
    hit_text(book.path, b'"starter"')
    with (
        open_journal(book.path, Troubles()) as kept,
        Table(kept.journal, left=kept.left, clock=lambda: 0) as table,
    ):
        assert table.snapshot.evening.game is None
        begun = table.tell({"type": "game", "game": "goat", "seats": ["Eve", "Fay"], "starter": 0})
        assert begun.result(SOON).number == 9
    shelf = Archive(book.path).list_games(float("inf"))
    assert [summary.seats for summary in shelf.summaries] == [("Eve", "Fay")]
    assert [(loss.gap.first, loss.game) for loss in shelf.losses] == [(1, None)]
    with Reader.open(book.path) as reader:
        assert export_lines(reader, io.BytesIO()).events == 1


def test_the_command_line_tells_of_what_is_lost(run: Run, tmp_path: Path) -> None:
    """The list names it, an export leaves the damaged game out and says how to get it; an import heals first."""
    (tmp_path / "data").mkdir()
    book = Book(tmp_path / "data")
    book.add(won_game(), won_game(("Cy", "Dora")), won_game())
    hit_text(book.path, b'"t": 13000000000')
    more, out = tmp_path / "more.jsonl", tmp_path / "out.jsonl"
    more.write_text("".join(json.dumps(event) + "\n" for event in later(won_game(), 10**12)))
    said = run("journal", "import", more)
    assert (said.code, said.out) == (0, f"8 events added to {book.path}.\n")
    assert "lost: event 12 of the game of" in said.err
    assert "Cy, Dora  (lost: event 12)" in run("journal", "list").out
    said = run("journal", "export", out)
    assert said.out == f"24 events written to {out}.\n"
    assert "Game 9 (Cy, Dora) has lost events to a damage and is left out: --game 9 writes it" in said.err
    assert run("replay", out).code == 0
    assert run("journal", "export", "--game", 9, tmp_path / "torn.jsonl").out.startswith("3 events")
    assert run("journal", "backup", tmp_path / "backup.db").code == 0
