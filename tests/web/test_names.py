"""Names on the pages: whatever somebody has called themselves, sentences about them read as they should."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.names import shown_name
from companion.web.game_page import game_page
from companion.web.permissions import SAME_NAME

from .aboard import Aboard, Event, aboard
from .test_pages import data

TURNED = "live \u202eevil"
SARAH = "שרה"


def game(*names: str) -> Event:
    return {"type": "game", "game": "goat", "seats": list(names), "starter": 0}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Aboard]:
    with aboard(tmp_path) as table:
        yield table


def test_what_is_pasted_is_cleaned_on_the_way_in(table: Aboard) -> None:
    """The journal has the name as it is to be seen; pictures of several parts stay whole."""
    family = "\N{WOMAN}\u200d\N{GIRL}"
    status, _ = table.say(table.paired(), game(f"  {TURNED}\x07 ", "Q\u0301" + "\u0302" * 20, family, SARAH))
    assert 200 == status
    running = table.services.table.snapshot.evening.game
    assert running is not None
    assert ("live evil", "Q\u0301\u0302\u0302\u0302", family, SARAH) == running.seats


@pytest.mark.parametrize("name", [" ", "\u200b", "\u3164\u3164", "\u202e"])
def test_a_name_that_nobody_sees_is_refused(table: Aboard, name: str) -> None:
    """With the words which of them it is."""
    status, said = table.say(table.paired(), game("Ada", name))
    assert 422 == status
    assert "player 2" in said["error"]


@pytest.mark.parametrize("names", [["Ada", "B" * 500], ["Ada", 7], ["Ada", ""], "Ada"])
def test_what_is_no_name_is_for_the_rules_to_refuse(table: Aboard, names: object) -> None:
    """Too long, a number, nothing at all."""
    status, said = table.say(table.paired(), {**game(), "seats": names})
    assert 422 == status
    assert "game:" in said["error"]


def test_an_old_name_turns_no_sentence_round(table: Aboard) -> None:
    """One that an older recording holds is shown clean on every page and to every script, and one that is written
    from right to left stands isolated in its sentence."""
    table.tell(game(TURNED, SARAH), {"type": "fix", "turn": 1})
    phone = table.client()
    for path in ("/", "/tv", "/seat/0", "/seat/1", "/host", "/join", "/history", "/game/1"):
        assert "\u202e" not in phone.get(path).text, path
    assert f"{shown_name(SARAH)}&#39;s turn" in phone.get("/").text
    assert ["live evil", shown_name(SARAH)] == data(phone.get("/").text, "seen")["names"]


def test_where_it_is_typed_it_is_as_somebody_types_it(table: Aboard) -> None:
    """When the next game begins the form has the names without what isolates them."""
    end: Event = {"decks": [0, 0], "piles": [60] + [0] * 8, "tops": {"0": {"boat": "raft", "colour": "pink"}}}
    table.tell(game(TURNED, SARAH), {"type": "fix", **end})
    html = table.client().get("/host").text
    assert f'value="{SARAH}"' in html
    assert 'value="live evil"' in html


def test_a_spreadsheet_has_the_name_alone(table: Aboard) -> None:
    """Without what would turn its row round."""
    table.tell(game(TURNED, SARAH))
    rows = table.client().get("/history/games.csv").text
    assert "live evil" in rows
    assert SARAH in rows
    assert not {"\u202e", "\u2068"} & set(rows)


def test_two_of_one_name_are_refused_also_without_the_page(table: Aboard) -> None:
    """By the very sentence of the page, and told apart as the history does."""
    host = table.paired()
    for names in (("Ada", "Ben", "ada"), ("Ada L", "Ben", "Ad aL")):
        status, answer = table.say(host, game(*names))
        assert (422, SAME_NAME) == (status, answer["error"])
    with table.app.test_request_context(headers={"Accept-Language": "en"}):
        assert SAME_NAME == str(game_page("goat").words["begin.same"])
