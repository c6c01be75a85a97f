"""What people take home: CSV and the link for BG Stats."""

import csv
import io
import json
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.games.goat.history.race_table import COLUMNS as RACES
from companion.history import bgstats
from companion.history.archive import Archive
from companion.history.spreadsheet import COLUMNS, games_csv, own_table_csv

from ..games.goat.rules.play import game
from .past import Book, raced, won_game


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_games_are_a_row_for_each_seat(book: Book) -> None:
    """With who won and who began."""
    book.add(won_game(("Ada", "Ben, B.")))
    found = rows("".join(games_csv(book.summaries())))

    assert [*COLUMNS, "races", "slowest", "peak_deck"] == [*found[0]]
    assert [("Ada", "0", "1", "57"), ("Ben, B.", "1", "0", "30")] == [
        (row["name"], row["won"], row["starter"], row["peak_deck"]) for row in found
    ]


def test_the_races_are_a_row_for_each_press(book: Book) -> None:
    """In microseconds, with the verdict."""
    book.add([game(), *raced(1, (0.4, 1), (0.5, 0))])
    found = rows("".join(own_table_csv(RACES, Archive(book.path).own_rows("races"))))

    assert ["game", "begun", *RACES] == [*found[0]]
    assert [("Ben", "safe", "1", "400000", "0"), ("Ada", "late", "", "500000", "1")] == [
        (row["name"], row["verdict"], row["place"], row["reaction_us"], row["slowest"]) for row in found
    ]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x"])
def test_a_name_is_no_formula(book: Book, name: str) -> None:
    """A table program shows it and doesn't run it."""
    book.add(won_game((name, "Ben")))

    assert f"'{name}" == rows("".join(games_csv(book.summaries())))[0]["name"]


def test_the_link_carries_the_play(book: Book) -> None:
    """Names, winners, who began, when, how long: as the app reads it."""
    book.add(won_game((" Ada  L.", "Ben & <Co>")))
    [summary] = book.summaries()
    link = bgstats.play_link(summary)
    assert link is not None
    parts = urlsplit(link)
    play = json.loads(parse_qs(parts.query)["data"][0])

    assert ("https", "app.bgstatsapp.com", "/createPlay.html") == (parts.scheme, parts.netloc, parts.path)
    assert "2026-11-06 21:20:00" == play["playDate"]
    assert 1 == play["durationMin"]
    assert {"name": "Row Your Goat", "sourceGameId": "goat", "noPoints": True} == play["game"]
    assert [("Ada L.", False, True), ("Ben & <Co>", True, False)] == [
        (player["name"], player["winner"], player["startPlayer"]) for player in play["players"]
    ]


def test_the_same_person_has_the_same_number_in_every_play(book: Book) -> None:
    """So that the app need not be told twice who somebody is."""
    book.add(won_game(("Ada", "Ben")), won_game(("ben", "ADA ")))
    newer, older = (bgstats.play_to_json(summary) for summary in book.summaries())

    def known(play: dict[str, object]) -> set[str]:
        players = play["players"]
        assert isinstance(players, list)
        return {player["sourcePlayerId"] for player in players}  # pyright: ignore[reportUnknownVariableType]

    assert known(older) == known(newer)
    assert older["sourcePlayId"] != newer["sourcePlayId"]


def test_a_running_game_has_no_link(book: Book) -> None:
    """It would arrive as a game that everybody lost."""
    book.add(won_game()[:-1])

    assert [None] == [bgstats.play_link(summary) for summary in book.summaries()]
