"""The pages as they come from the server: whole in every language, and without what is secret."""

import io
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

from companion.core.cards import CARDS
from companion.core.languages import LANGUAGES
from companion.games.goat.page import page_art
from companion.games.goat.printed.suit_art import SUITS
from companion.games.registry import GAMES
from companion.journal import Journal
from companion.table.live_table import Snapshot, Table
from companion.web.game_page import game_page, page_of
from companion.web.i18n import PAGE_WORDS, TRANSLATIONS, catalogue, spoken

from .aboard import BLIND, GAME, PINKS, SOON, Aboard, Event, aboard

HOUSE = Path(page_art.__file__).parents[3]
PAGES = ("/", "/tv", "/seat/0", "/seat/7", "/host", "/join")
GOLDEN = Path(__file__).parents[1] / "games" / "goat" / "golden"
# 1 s after the card, long enough for a hand.
PRESS: Event = {"type": "press", "seat": 1}
STAGES: dict[str, list[Event]] = {
    "none": [],
    "begun": [GAME],
    "set": [GAME, *PINKS],
    "race": [GAME, *PINKS, PRESS, {"type": "seen"}],
    "pickup": [GAME, *PINKS, PRESS, {"type": "press", "seat": 2}, {"type": "seen"}],
    "blind": [BLIND],
    "ended": [
        GAME,
        {
            "type": "fix",
            "decks": [0, 0, 0],
            "piles": [60] + [0] * 8,
            "tops": {"0": {"boat": "raft", "colour": "pink"}},
        },
    ],
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Aboard]:
    with aboard(tmp_path) as table:
        yield table


def get(client: FlaskClient, path: str, language: str = "en") -> str:
    answer = client.get(path, headers={"Accept-Language": language})
    assert 200 == answer.status_code, path
    return answer.text


def data(html: str, block: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{block}">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_comes_in_every_phase_and_language(table: Aboard, stage: str, language: str) -> None:
    """No phase and no language leaves a page without its words, or with a gap in a sentence."""
    if STAGES[stage]:
        table.tell(*STAGES[stage])
    for path in PAGES:
        html = get(table.client(), path, language)
        assert f'<html lang="{language}"' in html
        shown = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
        assert [] == re.findall(r"\{[a-z]\w*\}|%\(\w+\)s|None|Undefined", shown), path


@cache
def _marked() -> dict[str, tuple[set[Path], tuple[str, ...]]]:
    """All that is marked for translation, in Python and in the templates: in which files it stands, and both
    forms where it has two."""
    methods = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
    keywords = {"_": None, "gettext": None, "ngettext": (1, 2)}
    marked: dict[str, tuple[set[Path], tuple[str, ...]]] = {}
    for file, _line, said, _comments, _context in extract_from_dir(
        HOUSE, method_map=methods, options_map={}, keywords=keywords
    ):
        forms = said if isinstance(said, tuple) else (said,)
        files, _forms = marked.setdefault(forms[0], (set(), forms))
        files.add(HOUSE / file)
    return marked


def ids() -> dict[str, tuple[str, ...]]:
    return {key: forms for key, (_files, forms) in _marked().items()}


def test_what_only_one_game_says_stands_in_its_own_catalogue() -> None:
    """A text that stands nowhere but in a game's folder is translated there, every other in the page's own."""
    marked = _marked()
    for game in GAMES.values():
        alone = {key for key, (files, _) in marked.items() if all(game.folder in file.parents for file in files)}
        for language in sorted(set(LANGUAGES) - {"en"}):
            own = {said for file in _catalogues(game.folder / "page" / "translations", language) for said in file}
            general = {said for file in _catalogues(TRANSLATIONS, language) for said in file}
            assert alone == own
            assert set() == own & general


def _catalogues(folder: Path, language: str) -> Iterator[list[str]]:
    for file in sorted((folder / language / "LC_MESSAGES").glob("*.po")):
        ids = [message.id for message in read_po(io.BytesIO(file.read_bytes())) if message.id]
        yield [said if isinstance(said, str) else said[0] for said in ids]


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_nothing_is_untranslated(language: str) -> None:
    """The number of texts without a translation is 0, in each language."""
    words = catalogue(language)
    known: dict[object, str] = getattr(words, "_catalog", {})
    # Where two numbers have two forms, the catalogue keeps each of them.
    missing = sorted(said for said in ids() if not (known.get(said) or known.get((said, 0))))
    assert (0, []) == (len(missing), missing)


def gaps(text: str) -> list[str]:
    return sorted(re.findall(r"\{\w+\}|%\(\w+\)s", text))


def test_no_translation_is_left_over_or_loses_a_gap() -> None:
    """A translation has the gaps of its original; one of a text that is gone is gone."""
    marked = ids()
    for language in sorted(set(LANGUAGES) - {"en"}):
        for key, said in getattr(catalogue(language), "_catalog", {}).items():
            original = key if isinstance(key, str) else key[0]
            if original:
                assert original in marked, (language, original)
                assert gaps(said) in [gaps(form) for form in marked[original]], (language, said)


@pytest.mark.parametrize(
    ("said", "spoken"),
    [
        ("es-MX,en;q=0.5", "es"),
        ("de-AT,en-US;q=0.9,en;q=0.8", "de"),
        ("de-CH, fi, en", "de"),
        ("pt-BR,es-AR;q=0.8,en;q=0.5", "es"),
        ("de;q=0,es;q=0.1", "es"),
        ("ES", "es"),
        ("fi", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_the_browsers_first_language_that_is_ours(table: Aboard, said: str, spoken: str) -> None:
    """From wherever it is spoken; whoever speaks none of ours gets the page's own."""
    page = get(table.client(), "/", said)
    assert f'lang="{spoken}"' in page


def test_the_scripts_have_all_their_words() -> None:
    """Every word that a script asks for by name is among those that it is given."""
    known = {key for game in GAMES.values() for key in game.page().words}
    known |= set(PAGE_WORDS)
    asked: set[str] = set()
    for script in HOUSE.rglob("static/**/*.js"):
        text = script.read_text()
        asked |= set(re.findall(r'words\["([^"$]+)"\]', text)) | set(re.findall(r"(?<!/)words\.(\w+)", text))
        asked |= set(re.findall(r'(?:filled|counted|joined)\("([^"]+)"', text))
    counted = {key for key in asked if f"{key}.one" in known and f"{key}.other" in known}
    assert len(asked) > 30
    assert set() == asked - known - counted


def test_a_set_that_nobody_has_grabbed_is_nowhere(table: Aboard) -> None:
    """No page differs, but for the card that everybody sees, between a grid with a set and one without."""
    table.tell(*STAGES["set"])
    state = table.services.table.snapshot.state
    assert state is not None
    assert ((0, 1, 2),) == state["sets"]
    for path in PAGES:
        html = get(table.client(), path)
        assert "sets" not in html, path
        if path != "/join":
            assert "sets" not in data(html, "seen")["state"]
            assert {"said": [], "race": []} == {key: data(html, "seen")["page"][key] for key in ("said", "race")}


def test_no_page_gives_the_code_away(table: Aboard) -> None:
    """The code that pairs a phone stands in the program's own output only."""
    code = table.services.pairing.code
    assert code is not None
    table.tell(GAME)
    for path in (*PAGES, "/api/state", "/host/undoes"):
        assert code not in table.client().get(path).text


def test_names_can_end_nothing(table: Aboard) -> None:
    """A name that looks like markup is shown as it is written, in the page and in its data."""
    name = "</script><b>&{seat}'\""
    table.tell({**GAME, "seats": [name, "Ben", "Cy"]})
    for path in ("/", "/tv", "/seat/0", "/host", "/join"):
        html = get(table.client(), path)
        assert "<b>&{" not in html, path
        assert "&lt;/script&gt;&lt;b&gt;&amp;{seat}&#39;&#34;" in html, path
    assert name == data(get(table.client(), "/"), "seen")["names"][0]


def test_nothing_is_inline(table: Aboard) -> None:
    """The policy forbids scripts and styles in the page; there are none that it would have to stop."""
    table.tell(*STAGES["pickup"])
    for path in PAGES:
        html = get(table.client(), path)
        assert [] == re.findall(r"\son\w+=|\sstyle=|<style|javascript:", html)
        kinds = re.findall(r"<script([^>]*)>", html)
        assert [] == [kind for kind in kinds if 'type="application/json"' not in kind and "src=" not in kind]
        assert [] == re.findall(r'(?:src|href)="(?:https?:)?//(?!192\.168\.77\.7)', html)


def test_a_language_is_chosen_and_kept(table: Aboard) -> None:
    """What somebody chose comes before what their browser says; the cookie is not for scripts."""
    phone = table.client()
    assert "Aún no ha empezado" in get(phone, "/", "es-MX,es;q=0.9")
    here = {"Origin": "http://localhost"}
    answer = phone.post("/language", data={"lang": "de", "back": "/host"}, headers=here)
    assert (303, "/host") == (answer.status_code, answer.headers["Location"])
    assert {"HttpOnly", "SameSite=Strict"} <= set(answer.headers["Set-Cookie"].split("; "))
    assert "hat noch keine Partie begonnen" in get(phone, "/", "es")
    assert 422 == phone.post("/language", data={"lang": "xx"}, headers=here).status_code
    # Whoever reads an older page of the history goes on there.
    older = "/history?page=2"
    assert f'name="back" value="{older}"' in get(phone, older)
    answer = phone.post("/language", data={"lang": "de", "back": older}, headers=here)
    assert older == answer.headers["Location"]
    for back in (
        "//elsewhere.example/x",
        "https://elsewhere.example",
        "/\\elsewhere.example",
        "\\\\elsewhere",
        "//[",
        "x://℀",
    ):
        answer = phone.post("/language", data={"lang": "de", "back": back}, headers=here)
        assert re.match(r"/(?![/\\])", answer.headers["Location"] + "."), back


def test_an_undo_says_what_it_takes_back(table: Aboard) -> None:
    """Each kind of event that can be taken back has its sentence."""
    phone = table.client()
    expected = [
        (GAME, None),
        (PINKS[0], "Raft, Pink laid: top left"),
        (PRESS, "Ben's slap"),
        ({"type": "call", "seat": 2}, "Cy's call “Goat on board!”"),
        ({"type": "accuse", "seat": 2, "target": 0}, "Cy pointing at Ada: “Goat overboard!”"),
        ({"type": "fix", "turn": 0}, "The last correction"),
        ({"type": "foul", "seat": 0, "reason": "peeked", "cell": 0}, "Ada looked at the card first"),
        ({"type": "lift", "cells": [0]}, "Picked up: top left"),
        ({"type": "sprint"}, "The start of the sprint"),
    ]
    for event, sentence in expected:
        table.tell(event)
        assert sentence == phone.get("/host/undoes").json
    table.tell({"type": "undo"})
    assert "Picked up: top left" == phone.get("/host/undoes").json


def test_an_undo_without_a_camera_says_so_too(table: Aboard) -> None:
    """What only people tell can be taken back in words as well."""
    table.tell(BLIND, {"type": "laid"})
    assert "The card that was laid last" == table.client().get("/host/undoes").json
    table.tell({"type": "take", "seat": 1, "cards": 1})
    assert "Ben picking up 1 card" == table.client().get("/host/undoes").json


def test_what_was_before_the_game_is_no_riddle(table: Aboard) -> None:
    """Of a press that is told of a time before the game nothing is kept but that it was told."""
    table.tell({**GAME, "t": 10**9}, {**PRESS, "t": 1})
    assert "Something from before this game" == table.client().get("/host/undoes").json


def test_a_seats_own_times(table: Aboard) -> None:
    """A seat's phone gets its own reaction times, and nobody else's."""
    t = 10**9
    events = [{**event, "t": (place + 1) * t} for place, event in enumerate((GAME, *PINKS))]
    table.tell(*events, {**PRESS, "t": 4 * t + 345_678_000}, {"type": "seen", "t": 5 * t})
    assert [345_678] == table.client().get("/seat/1/data").json
    assert [] == table.client().get("/seat/2/data").json


class Fingers:
    """Where there are buttons, whether fingers press them or they are drawn."""

    def __init__(self, *, exists: bool) -> None:
        self.exists = exists

    def pressed_ago(self, seat: int) -> float | None:  # noqa: ARG002 - nobody presses
        return None


@pytest.mark.parametrize(("buttons", "slaps"), [(None, 1), (Fingers(exists=False), 1), (Fingers(exists=True), 0)])
def test_a_phone_is_slapped_only_where_there_is_no_button(
    tmp_path: Path, buttons: Fingers | None, slaps: int
) -> None:
    """Beside real ones it would be no fair one."""
    with aboard(tmp_path, buttons=buttons) as table:
        table.tell(GAME)
        assert slaps == get(table.client(), "/seat/1").count('id="slap"')
        assert 0 == get(table.client(), "/").count('id="slap"')


@pytest.mark.parametrize(("asked", "spoken_"), [("fi", "de"), ("es;q=0.5, fi", "es"), ("", "de")])
def test_the_house_has_a_language_too(tmp_path: Path, asked: str, spoken_: str) -> None:
    """For a browser that speaks none of the page's."""
    with aboard(tmp_path, language="de") as table:
        assert f'<html lang="{spoken_}"' in get(table.client(), "/", asked)


def recordings() -> list[Path]:
    return sorted(path for path in GOLDEN.glob("*.jsonl") if not path.name.endswith(".rulings.jsonl"))


def test_every_golden_evening_can_be_told(tmp_path: Path) -> None:
    """All states and rulings of all recorded games find their sentence, and an update stays below 2 kB."""
    told: set[str] = set()
    page = game_page("goat")
    with aboard(tmp_path) as table, table.app.test_request_context(headers={"Accept-Language": "de"}):
        words = spoken({**PAGE_WORDS, **page.words})
        for number, recording in enumerate(recordings()):
            for snapshot in _snapshots(tmp_path / str(number), recording):
                shown = {**table.services.feed.public_data(snapshot), "page": page_of(snapshot)}
                sentences = [page.now(shown, words), *page.log(shown, words)]
                assert [] == [said for said in sentences if "{" in said]
                assert len(json.dumps(shown, separators=(",", ":"))) < 2000
                told |= set(re.findall(r'"ruling": "(\w+)"', json.dumps(shown["page"])))
    assert {"safe", "slowest", "dead_heat", "took", "wrong_lift", "false_grab", "late", "void"} <= told
    assert {"last_card", "called", "overboard", "no_effect", "adrift", "win", "stalemate", "misplay"} <= told
    assert {"set", "turn", "placed"} & told == set()


def _snapshots(folder: Path, recording: Path) -> Iterator[Snapshot]:
    folder.mkdir()
    with Journal.open(folder / "journal.db") as journal, Table(journal, clock=lambda: 10**18) as table:
        answers = [table.tell(json.loads(line)) for line in recording.read_text().splitlines() if line.strip()]
        for answer in answers:
            error = answer.exception(SOON)
            if error is None and answer.result().evening.game is not None:
                yield answer.result()


def test_the_page_is_as_colourful_as_the_deck() -> None:
    """The style sheet paints the boats in the very colours in which they are printed."""
    static = GAMES["goat"].folder / "page" / "static"
    sheets = [(static / name).read_text() for name in ("art.css", "table.css")]
    for name, suit in SUITS.items():
        inks = {"ground": suit.ground, "sky": suit.sky, "sea": suit.sea, "near": suit.near}
        rule = " ".join(f"--{what}: #{bytes(ink).hex()};" for what, ink in inks.items())
        assert all(f".{name} {{ {rule} }}" in sheet for sheet in sheets)


def test_what_is_drawn_is_all_there() -> None:
    """Everything that a page refers to has been drawn, once."""
    drawings = page_art.cards() + page_art.goats()
    names = re.findall(r"id='([^']+)'", drawings)
    assert len(names) == len(set(names))
    used = set(re.findall(r"#([a-z][\w-]*)['\")]", drawings)) - {"241c2c"}
    assert used - {name for name in used if re.fullmatch("[0-9a-f]{6}", name)} <= set(names)
    for boat, colour in CARDS:
        assert {boat, f"sign-{colour}", f"sky-{colour}"} <= set(names)
    assert {f"goat-{seat}" for seat in range(6)} <= set(names)


def test_all_languages_have_their_catalogue() -> None:
    """Whatever the page offers to speak, it can."""
    for folder in (TRANSLATIONS, *(game.folder / "page" / "translations" for game in GAMES.values())):
        # English stands in the code.
        assert LANGUAGES.keys() - {"en"} == {one.name for one in folder.iterdir() if one.is_dir()}
    assert {"de", "en", "es"} <= LANGUAGES.keys()
