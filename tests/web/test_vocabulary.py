"""One thing has one name, in each language: whoever reads two asks what the difference is."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.goat.history import Finish
from companion.games.goat.page.race_reasons import headline
from companion.web.i18n import catalogue

from .aboard import aboard

# What somebody might call it, or did once, and how it is called.
NO_LONGER = {
    "de": {
        r"\bGriffe?\b|gegriffen:|\bDrücke\b|\bDrucks?\b|Einlauf|\bLeitung\b": "Schlag, Entscheidung, Spielleitung",
        r"[Tt]otes? Rennen|\btote\b": "gleichzeitig, unentschieden",
        r"\bSpiele?s?\b(?! beginnt)": "Partie",
        r"\bTelefon": "Handy",
        r"\bFeld(s|es)? (nicht|ist verloren)|kein Feld|Ecken des Felds": "Raster",
        r"\b(spricht|sprechen|mitreden) ?(für)?\b": "spielen für, mitmachen",
        r"\batmet\b": "pulsiert",
    },
    "es": {
        r"[Aa]siento|(?<!haz )\bsitio": "puesto",
        r"[Pp]ulsador": "botón",
        r"\bcoger\b|\b[Tt]oman?\b|\btomó\b|\b[Tt]omar\b": "llevarse",
        r"\b[Jj]ust[ao]s?\b(?! (después|antes))": "ajustada (justo: fair)",
        r"quien dirige": "anfitrión",
        r"teléfono": "móvil",
        r"\b[Ll]ámparas?\b(?! deslumbra)": "luz",
        r"[Ff]otos? de llegada": "foto finish",
        r"[Mm]ás lento:|persona más lenta|\bhabla(r)?\b": "tardó más, jugar, participar",
        r"\brespira\b": "brilla suavemente",
    },
    "en": {
        r"\bleft out\b": "ignored",
        r"\bspeaks?\b": "take part, play for",
        r"\bshall\b|\banew\b|\blooks on\b": "plain words",
        r"\bgrab(s|bed)?\b(?! a lifebuoy)": "slap",
        r"\b[Tt]ake (it )?back\b": "undo",
        r"\bon the (same )?seats?\b": "in the seat",
    },
}


def sentences(language: str) -> Iterator[str]:
    known: dict[object, str] = getattr(catalogue("de" if language == "en" else language), "_catalog", {})
    for key, said in known.items():
        if key:
            yield said if language != "en" else key if isinstance(key, str) else str(key)


@pytest.mark.parametrize("language", NO_LONGER)
def test_one_thing_has_one_name(language: str) -> None:
    """No text of the page falls back into a word that another text says otherwise."""
    for pattern, better in NO_LONGER[language].items():
        assert (better, []) == (better, [said for said in sentences(language) if re.search(pattern, said)])


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("en", "Cy wins the game", "Cy and Dora win the game"),
        ("de", "Cy gewinnt die Partie", "Cy und Dora gewinnen die Partie"),
        ("es", "Cy gana la partida", "Cy y Dora ganan la partida"),
    ],
)
def test_two_who_win_are_two(tmp_path: Path, language: str, one: str, two: str) -> None:
    """Where names are joined, the verb goes by how many they are."""
    race = Finish(number=1, t=0, race=True, since=None, resolution=0, lifebuoys=2, marks=(), winners=(0,))
    with (
        aboard(tmp_path) as table,
        table.app.test_request_context(headers={"Accept-Language": language}),
    ):
        assert one == headline(race, ("Cy", "Dora"))
        assert two == headline(replace(race, winners=(0, 1)), ("Cy", "Dora"))
