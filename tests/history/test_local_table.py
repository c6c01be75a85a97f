"""Tables for the table program of somebody's own country."""

import csv
import io
from pathlib import Path

import pytest

from companion.history.localized_csv import CsvFormat, localize_csv

from ..web.aboard import aboard

PLAIN = [
    "game,begun,minutes,seat,name,verdict,place\r\n",
    '1,2026-11-06T21:20:00+01:00,3.5,0,"Ben; B.",late,\r\n',
    "1,2026-11-06T21:20:00+01:00,,1,Ada,odd,2\r\n",
]
GERMAN = CsvFormat(
    "de", {"game": "Partie", "name": "Name", "seat": "Platz"}, {"verdict": {"late": "am langsamsten"}}
)


def test_a_german_table() -> None:
    """Semicolons, a decimal comma, the time on the wall, seats from 1, heads and verdicts in words."""
    some = [PLAIN[0], PLAIN[1] + PLAIN[2]]
    found = list(csv.reader(io.StringIO("".join(localize_csv(some, GERMAN))), delimiter=";"))
    assert [
        ["Partie", "begun", "minutes", "Platz", "Name", "verdict", "place"],
        ["1", "2026-11-06 21:20:00", "3,5", "1", "Ben; B.", "am langsamsten", ""],
        ["1", "2026-11-06 21:20:00", "", "2", "Ada", "odd", "2"],
    ] == found


def test_an_english_table() -> None:
    """Commas and a point, as there."""
    first = "".join(localize_csv(PLAIN, CsvFormat("en"))).splitlines()[1]
    assert "1,2026-11-06 21:20:00,3.5,1,Ben; B.,late," == first


@pytest.mark.parametrize(
    ("language", "head", "separator"),
    [("de", "Partie Nr.", ";"), ("en", "Game no.", ","), ("es", "Partida n.º", ";")],
)
def test_the_page_gives_both(tmp_path: Path, language: str, head: str, separator: str) -> None:
    """In the language of whoever asks, with the mark by which table programs know the letters; the plain one stays
    as it is for programs."""
    begun = {"type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0}
    headers = {"Accept-Language": language}
    with aboard(tmp_path) as table:
        table.tell(begun)
        local = table.client().get("/history/games.csv?local=", headers=headers).data.decode()
        plain = table.client().get("/history/games.csv", headers=headers).data.decode()
        page = table.client().get("/history", headers=headers).text
    assert local.startswith(f"\ufeff{head}{separator}")
    assert plain.startswith("\ufeffgame,kind,begun,")
    assert 'href="/history/games.csv?local="' in page
    assert 'href="/history/races.csv"' in page
