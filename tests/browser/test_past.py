"""Earlier evenings in a real browser: charts, photo finishes, and everything that is taken home."""

import csv
import json
import re
from functools import partialmethod
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Download, Page, Route, expect

from companion.__main__ import cli
from companion.core.languages import LANGUAGES
from companion.history.archive import Archive
from companion.journal import Reader

from ..history.past import Book, won_game
from .harbour import Harbour, evening
from .looking import SIZES, Watch, album, by_day_and_by_night, opened, sideways, untranslated, violations
from .stages import stage_over

PAST = ("/history", "/game/1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_past_is_for_everybody(chromium: Browser, harbour: Harbour, language: str, tmp_path: Path) -> None:
    """With all that can be opened open, axe finds nothing, every word is of the page's language, and nothing is
    asked of another machine."""
    stage_over(harbour)
    folder = album(tmp_path)
    with chromium.new_context(viewport={"width": 390, "height": 844}, locale=language) as context:
        watch = Watch(context, harbour.url)
        page = context.new_page()
        for path in PAST:
            page.goto(harbour.url + path)
            opened(page)
            name = path.strip("/").replace("/", "-")
            for scheme in by_day_and_by_night(page):
                (folder / f"{name}-{scheme}-{language}.png").write_bytes(page.screenshot(full_page=True))
                assert [] == violations(page, f"{path} {scheme}")
            assert [] == untranslated(page, language)
        assert [] == watch.wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_past_fits_every_screen(chromium: Browser, harbour: Harbour, language: str) -> None:
    """From a small phone to a television no page of the past is pushed sideways, in no language; nor when people
    have the longest names that they may have."""
    stage_over(harbour)
    harbour.tell(*evening({"Ada": "W" * 40, "Ben": "Donaudampfschifffahrtskapitänsgesellschaft"}))
    with chromium.new_context(locale=language) as context:
        page = context.new_page()
        paths = (*PAST, second_game(page, harbour))
        assert "/game/1" != paths[-1]
        fitting = [(path, 0) for path in paths for _ in SIZES]
        assert fitting == list(sideways(page, paths, harbour.url, SIZES.values()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_lost_is_for_everybody_and_fits(chromium: Browser, tmp_path: Path, language: str) -> None:
    """On every screen, in every language."""
    book = Book(tmp_path)
    book.add(won_game(), won_game(("W" * 40, "Ben")), won_game())
    content = book.path.read_bytes()
    book.path.write_bytes(content.replace(b'"t": 13000000000', b'"t": 13000000009'))
    with Harbour(tmp_path) as harbour, chromium.new_context(locale=language) as context:
        page = context.new_page()
        paths = ("/history", "/game/9")
        fitting = [(path, 0) for path in paths for _ in SIZES]
        assert fitting == list(sideways(page, paths, harbour.url, SIZES.values()))
        for path in paths:
            page.goto(harbour.url + path)
            for scheme in by_day_and_by_night(page):
                assert [] == violations(page, f"{path} {scheme}")
            assert [] == untranslated(page, language)


def second_game(page: Page, harbour: Harbour) -> str:
    page.goto(f"{harbour.url}/history")
    found = page.locator(".games a").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    return max(found, key=len)


def test_a_photo_finish_is_seen(phone: Page, harbour: Harbour) -> None:
    """From the evening to the game to its last race: a press for each lifebuoy, the band, the set, and why."""
    stage_over(harbour)
    phone.goto(f"{harbour.url}/history")
    expect(phone.locator(".chart.spreads")).to_be_visible()
    phone.click(".games a")
    expect(phone.locator(".chart.decks")).to_be_visible()
    last = phone.locator(".finish").last
    last.locator("summary").first.click()
    expect(last.locator(".chart.lanes").first).to_be_visible()
    expect(last.locator(".chart.lanes").first.locator(".press")).to_have_count(3)
    expect(last.locator(".band.resolution").first).to_be_attached()
    expect(last.locator(".scene .grid .hit").first).to_be_visible()
    expect(last.locator(".why li").first).to_contain_text("lifebuoy")


def taken(phone: Page, what: str, folder: Path) -> Path:
    with phone.expect_download() as waited:
        phone.click(f"text={what}")
    download: Download = waited.value
    path = folder / download.suggested_filename
    download.save_as(path)
    return path


def test_everything_can_be_taken_home(phone: Page, harbour: Harbour, tmp_path: Path) -> None:
    """A game's recording judges to the same end, the tables have their rows, the backup holds every event."""
    stage_over(harbour)
    phone.goto(f"{harbour.url}/game/1")
    recording = taken(phone, "This game's recording", tmp_path)
    answer = CliRunner().invoke(cli, ["replay", str(recording)])
    assert 0 == answer.exit_code
    *_, state = (json.loads(line) for line in answer.output.splitlines())
    now = harbour.table.snapshot.state
    assert now is not None
    assert json.loads(json.dumps(now)) == state["state"]
    phone.goto(f"{harbour.url}/history")
    with taken(phone, "All games as a table", tmp_path).open(encoding="utf-8-sig", newline="") as lines:
        assert 2 <= len([*csv.reader(lines)])
    with taken(phone, "All slaps of all races as a table", tmp_path).open(encoding="utf-8-sig") as lines:
        assert 10 < len([*csv.reader(lines)])
    backup = taken(phone, "A backup of all games", tmp_path)
    assert re.fullmatch(r"table-companion-\d{4}-\d\d-\d\d\.db", backup.name)
    with Reader.open(backup) as kept, Reader.open(tmp_path / "journal.db") as journal:
        assert [entry.event for entry in journal.entries()] == [entry.event for entry in kept.entries()]


def test_games_are_added_up_before_ones_eyes(
    phone: Page, harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is more than can be judged at once, the rest comes by itself, in words for a screen reader, also
    when the rig did not answer once."""
    # One game an asking.
    monkeypatch.setattr(Archive, "list_games", partialmethod(Archive.list_games, patience=0.0))
    for _ in range(4):
        harbour.tell(*evening())
    held: list[Route] = []
    phone.route("**/history", lambda route: route.continue_() if is_first(route) else held.append(route))
    phone.goto(f"{harbour.url}/history")
    expect(phone.locator(".adding")).to_contain_text("3 older games are")
    phone.evaluate("window.told = document.querySelector('.adding')")
    asking(phone, held).abort()
    asking(phone, held).continue_()
    expect(phone.locator(".adding")).to_contain_text("2 older games are")
    assert phone.evaluate("window.told === document.querySelector('.adding')")
    expect(phone.locator(".games li")).to_have_count(1)
    asking(phone, held).continue_()
    asking(phone, held).continue_()
    expect(phone.locator(".adding")).to_have_count(0)
    expect(phone.locator(".games li")).to_have_count(4)


def is_first(route: Route) -> bool:
    return route.request.resource_type == "document"


def asking(phone: Page, held: list[Route]) -> Route:
    """The page's next question, as soon as it asks."""
    while not held:
        phone.wait_for_timeout(20)
    return held.pop()


def test_a_name_is_read_as_one_word(chromium: Browser, harbour: Harbour) -> None:
    """On a small phone no name and no heading of the winners' table is broken where no language breaks words."""
    stage_over(harbour)
    for language in LANGUAGES:
        with chromium.new_context(viewport={"width": 320, "height": 640}, locale=language) as context:
            page = context.new_page()
            page.goto(f"{harbour.url}/history")
            table = page.locator("[aria-labelledby=won-title] table").first
            lines = table.locator("th:not(.share)").evaluate_all(LINES)
            assert [1] * 7 == lines


@pytest.mark.parametrize("width", [320, 390, 1366])
def test_whose_deck_it_was_is_read_whole(chromium: Browser, harbour: Harbour, width: int) -> None:
    """Names of ten letters stand beside the drawing of the decks, on a small phone too; of a longer one the
    beginning does, and the whole of it is there for a pointer."""
    longest = "Donaudampfschifffahrtskapitänsgesellscha"
    called = {"Ada": "Maximilian", "Ben": longest, "Cy": "Bernadette", "Dora": "W" * 40}
    harbour.tell(*evening(called))
    with chromium.new_context(viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        page.goto(f"{harbour.url}/game/1")
        names = page.locator(".decks .name")
        assert {"Maximilian", "Bernadette"} < set(names.all_text_contents())
        assert 2 == sum(name.endswith("…") for name in names.all_text_contents())
        assert {longest, "W" * 40} == set(page.locator(".decks svg > title").all_text_contents())
        right = "(all) => all.map((one) => one.getBoundingClientRect().right)"
        [edge] = page.locator(".chart.decks").evaluate_all(right)
        assert max(names.evaluate_all(right)) <= edge


LINES = """(all) => all.map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size;
})"""
