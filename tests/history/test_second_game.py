"""A game that the history has never heard of: one that only tells who won, and one that tells all it can."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self, cast
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from flask_babel import lazy_gettext as _
from flask_babel.speaklater import LazyString
from markupsafe import Markup

from companion.core.game_record import GameRecord, Ruling
from companion.games.game import Game, Rights
from companion.games.registry import GAMES
from companion.history import bgstats
from companion.history.archive import Archive
from companion.history.game_history import GameHistory, GameResult, OwnTable, PagePart
from companion.history.game_summary import GameSummary
from companion.history.judged_game import JudgedGame
from companion.history.spreadsheet import Cell
from companion.history.totals import Totals
from companion.web import create_app
from companion.web.game_page import GamePage
from companion.web.services import Services

from ..games.goat.rules.play import Event, S
from .past import Book, won_game


@dataclass(frozen=True, slots=True)
class Tosses(GameRecord):
    """Whoever first tosses heads twice has won; nine can play."""

    names: tuple[str, ...]
    heads: tuple[int, ...] = ()
    """Whose each of them was."""

    @property
    def seats(self) -> tuple[str, ...]:
        return self.names

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.seats)) if self.heads.count(seat) > 1)

    @property
    def over(self) -> bool:
        return bool(self.winners)

    def hear(self, raw: object) -> Self:
        return replace(self, heads=(*self.heads, cast("Event", raw)["seat"]))

    def rulings(self) -> Iterator[tuple[int, Ruling]]:
        return iter(())

    def state(self) -> dict[str, object]:
        return {"game": "tosses"}


class PlainHistory(GameHistory):
    def result(self, game: JudgedGame) -> GameResult:
        assert isinstance(game.record, Tosses)
        return GameResult(winners=game.record.winners)


@dataclass(frozen=True, slots=True)
class Heads:
    """What is kept of a game."""

    by_seat: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    heads: int
    template: str


class RichHistory(PlainHistory):
    tables: ClassVar = (OwnTable(name="tosses", title=_("Tosses"), columns=("seat", "coin")),)
    seat_columns: ClassVar = ("heads",)
    column_titles: ClassVar = {"heads": _("Heads"), "coin": _("Coin")}
    cell_words: ClassVar = {"coin": {"head": _("Head")}}

    def result(self, game: JudgedGame) -> GameResult:
        assert isinstance(game.record, Tosses)
        heads = game.record.heads
        return GameResult(
            winners=game.record.winners,
            starter=1,
            lasted=120 * S,
            tally=Heads(tuple(map(heads.count, range(len(game.seats))))),
            rows={"tosses": [(seat, "head") for seat in heads]},
        )

    def read_tally(self, stored: object) -> object:
        return Heads(tuple(cast("dict[str, list[int]]", stored)["by_seat"]))

    def seat_cells(self, summary: GameSummary, seat: int) -> Mapping[str, Cell]:
        return {"heads": _heads_in(summary).by_seat[seat]}

    def add_up(self, totals: Totals) -> object:
        return sum(sum(_heads_in(summary).by_seat) for summary in totals.shown)

    def game_part(self, game: JudgedGame, camera: object) -> PagePart:
        assert isinstance(game.record, Tosses)
        assert camera is None
        return Part(len(game.record.heads), "tosses.html")

    def history_part(self, totals: Totals) -> PagePart:
        return Part(cast("int", totals.own), "tosses.html")

    def drawings(self) -> Markup:
        return Markup("<g id='a-coin'/>")

    def seat_mark(self, seat: int) -> Markup:
        return Markup("<i class='coin'>{}</i>").format(seat)


def _heads_in(summary: GameSummary) -> Heads:
    assert isinstance(summary.tally, Heads)
    return summary.tally


@dataclass(frozen=True)
class Page:
    title: LazyString = field(default_factory=lambda: _("Two heads"))


def register(folder: Path, history: type[GameHistory], monkeypatch: pytest.MonkeyPatch) -> None:
    templates = folder / "tosses" / "page" / "templates"
    templates.mkdir(parents=True)
    (templates / "tosses.html").write_text("<p>{{ part.heads }} heads in all</p>", encoding="utf-8")
    nobody: Any = None
    game = Game(
        name="tosses",
        title="Toss the Coin",
        folder=folder / "tosses",
        begin=lambda raw: Tosses(tuple(cast("Event", raw)["seats"])),
        seats=range(2, 10),
        rights=Rights(),
        page=lambda: cast("GamePage", Page()),
        history=history,
        cast=nobody,
    )
    monkeypatch.setitem(cast("dict[str, Game]", GAMES), "tosses", game)


@pytest.fixture(params=[PlainHistory, RichHistory])
def history(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[GameHistory]:
    register(tmp_path, request.param, monkeypatch)
    monkeypatch.setattr(Archive.list_games, "__defaults__", (float("inf"),))
    return request.param


def tossed(*heads: int, seats: Sequence[str] = tuple("ABCDEFGHI")) -> list[Event]:
    begun: Event = {"t": 0, "type": "game", "game": "tosses", "seats": list(seats)}
    return [begun, *({"t": 30 * S * n, "type": "head", "seat": seat} for n, seat in enumerate(heads, 1))]


def asked(book: Book, *, archive: Archive | None = None) -> FlaskClient:
    nobody: Any = None
    return create_app(Services(nobody, book.path, nobody, nobody, archive=archive)).test_client()


def look(phone: FlaskClient, path: str) -> str:
    with phone.get(path) as answer:
        assert 200 == answer.status_code, path
        return answer.data.decode("utf-8-sig")


def table(phone: FlaskClient, path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(look(phone, path))))


def test_who_won_stands_with_everybody_else(book: Book, history: type[GameHistory]) -> None:
    """Beside another game, in the same evening, with nine seats."""
    book.add(won_game(("A", "B")), tossed(8, 1, 8), tossed(3))
    page = look(asked(book), "/history")

    assert page.count("Two heads") == 2
    assert page.count("Row Your Goat") == 1
    assert "<b>I</b> won" in " ".join(page.split())
    assert "not finished" in page
    assert ("4 heads in all" in page) == (history is RichHistory)
    assert ("/history/tosses.csv" in page) == (history is RichHistory)


def test_a_journal_without_any_goat_shows_none(book: Book, history: type[GameHistory]) -> None:
    """Neither races nor reaction times, nor their table."""
    book.add(tossed(8, 1, 8))
    page = look(asked(book), "/history")

    assert "Who won" in page
    assert ("/history/tosses.csv" in page) == (history is RichHistory)
    assert not [words for words in ("races.csv", "Reaction times", "Is any seat faster?") if words in page]


def test_each_game_has_its_page(book: Book, history: type[GameHistory]) -> None:
    """Who won, how long it took, a mark for each seat, and what the game adds to that."""
    book.add(tossed(8, 1, 8), pause=0)
    page = look(asked(book), "/game/1")

    assert "<h1>Two heads" in page
    assert "I won." in page
    assert "It lasted 2 minutes." in page
    if history is RichHistory:
        assert "3 heads in all" in page
        assert "<g id='a-coin'/>" in page
        assert page.count("<i class='coin'>") == 9
    else:
        assert "heads in all" not in page
        assert page.count('class="seat seat-9"') == 1


def test_its_numbers_can_be_taken_home(book: Book, history: type[GameHistory]) -> None:
    """A row for each seat of each game; what only another game counts stays empty."""
    book.add(won_game(("A", "B")), tossed(8, 1, 8))
    phone = asked(book)
    games, races = table(phone, "/history/games.csv"), table(phone, "/history/races.csv")

    assert [("A", "goat"), ("I", "tosses")] == [(row["name"], row["kind"]) for row in (games[0], games[-1])]
    assert ("1", "", "") == (games[-1]["won"], games[-1]["races"], games[-1]["peak_deck"])
    assert {"1"} == {row["game"] for row in races}
    if history is RichHistory:
        assert ["", "", "0"] == [row["heads"] for row in games][:3]
        assert ["1", "0", "2"] == [games[3]["heads"], games[4]["heads"], games[-1]["heads"]]
        own = table(phone, "/history/tosses.csv")
        assert ["game", "begun", "seat", "coin"] == list(own[0])
        assert [("8", "head"), ("1", "head"), ("8", "head")] == [(row["seat"], row["coin"]) for row in own]
        assert "Game no.,Begun,Seat,Coin" in look(phone, "/history/tosses.csv?local=")
        assert ",9,Head" in look(phone, "/history/tosses.csv?local=")
    else:
        assert "heads" not in games[0]
        assert 404 == phone.get("/history/tosses.csv").status_code


@pytest.mark.usefixtures("history")
def test_bg_stats_gets_it_under_its_own_name(book: Book) -> None:
    """As it is sold, with the one who won."""
    book.add(tossed(8, 1, 8))
    [summary] = book.summaries()
    link = bgstats.play_link(summary)
    assert link is not None
    play = json.loads(parse_qs(urlsplit(link).query)["data"][0])

    assert ("Toss the Coin", "tosses") == (play["game"]["name"], play["game"]["sourceGameId"])
    assert ["I"] == [player["name"] for player in play["players"] if player["winner"]]


@pytest.mark.usefixtures("history")
def test_its_recording_can_be_taken_home(book: Book) -> None:
    """Line for line as it was told."""
    book.add(won_game(), tossed(8, 1, 8))

    assert ["game", "head", "head", "head"] == [
        json.loads(line)["type"] for line in look(asked(book), "/api/games/9.jsonl").splitlines()
    ]


def test_what_was_added_up_comes_back_from_the_disk(
    book: Book, history: type[GameHistory], judged: list[int]
) -> None:
    """With what the game keeps of it, and its own rows."""
    book.add(tossed(8, 1, 8), tossed(2, 2), won_game())
    pages: list[str] = []
    for _run in range(2):
        archive = Archive(book.path)
        archive.load_summaries()
        while archive.summarize_next(lambda: None):
            pass
        archive.update_totals()
        phone = asked(book, archive=archive)
        pages.append(look(phone, "/history") + look(phone, "/history/games.csv"))
        if history is RichHistory:
            assert 5 == len(table(phone, "/history/tosses.csv"))

    assert pages[0] == pages[1]
    # Of the newest nobody knows yet whether it goes on.
    assert [8, 5, 1, 8] == list(dict.fromkeys(judged[:3])) + judged[-1:]


def test_no_two_games_call_a_table_the_same() -> None:
    """Nor as the one that all games share: each has an address of its own."""
    names = [table.name for game in GAMES.values() for table in game.history().tables]
    assert len(names) == len({*names, "games"}) - 1
