"""The demo's own table, followed on the pages: drawn cards before real eyes, from the first card to the win."""

import re
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.core.languages import LANGUAGES
from companion.games.goat.cast.goat_cast import NAMES

from ..demo.evenings import InPictures, drawn_evening
from ..demo.started import demo, line_with
from .harbour import Harbour
from .looking import SIZES, Watch, album, settled, untranslated, violations

SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"path": "/", "language": "de"},
    "phone": {"path": "/", "language": "es", "color_scheme": "dark"},
    "television": {"path": "/tv", "language": "en"},
}
# The host leaves everybody that many cards: drawing sixty takes a minute, and the end is like any other.
LEFT = 4
SEATS = 3
ENDS = {"de": "gewinn", "en": "win", "es": "Gana"}


@dataclass(frozen=True)
class Screen:
    name: str
    language: str
    page: Page

    def look(self, moment: str, folder: Path) -> list[str]:
        """What is wrong with what it shows just now; a picture of it is kept."""
        settled(self.page)
        where = f"{moment} on the {self.name}, {self.language}"
        picture = self.page.screenshot(full_page=self.name != "television")
        (folder / f"demo-{moment}-{self.name}-{self.language}.png").write_bytes(picture)
        return [
            *violations(self.page, where),
            *(f"{where}: {text}" for text in untranslated(self.page, self.language)),
        ]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[InPictures]:
    with drawn_evening(tmp_path, SEATS, seed=0) as evening:
        yield evening


@pytest.fixture
def table(evening: InPictures) -> Iterator[Harbour]:
    with Harbour(evening.folder, camera=evening.lookout, table=evening.table) as harbour:
        yield harbour


@contextmanager
def screens(chromium: Browser, home: str) -> Generator[list[Screen]]:
    """Everybody looks on at once, each in another language. What goes wrong on any page comes out at the end."""
    found: list[Screen] = []
    watches: list[Watch] = []
    with ExitStack() as undo:
        for name, options in SCREENS.items():
            width, height = SIZES[name]
            context = undo.enter_context(
                chromium.new_context(
                    viewport={"width": width, "height": height},
                    locale=options["language"],
                    color_scheme=options.get("color_scheme", "light"),
                )
            )
            watches.append(Watch(context, home))
            page = context.new_page()
            page.goto(home + options["path"])
            found.append(Screen(name, options["language"], page))
        yield found
        assert [] == [wrong for watch in watches for wrong in watch.wrong]


def is_in(evening: InPictures, phase: str) -> bool:
    state = evening.table.snapshot.state
    return state is not None and state["phase"] == phase


def lies_still(evening: InPictures) -> bool:
    world = evening.world
    return evening.eyes.known >= evening.stage.moved and not evening.stage.moves(world.now)


def make_it_short(evening: InPictures) -> None:
    """The host puts most of the cards under the first one that was laid."""
    placed = evening.count("placed")
    evening.until(lambda: evening.count("placed") > placed and lies_still(evening))
    piles = [*evening.state["piles"]]
    piles[piles.index(max(piles))] += sum(evening.state["decks"]) - SEATS * LEFT
    evening.table.tell({"type": "fix", "piles": piles, "decks": [LEFT] * SEATS}).result()


def play_until(evening: InPictures, told: Callable[[], bool]) -> None:
    """A game may end before, or in a draw; then the same people play again, and again a short one."""
    while not told():
        begun = evening.table.snapshot.evening.begun

        def another(begun: int = begun) -> bool:
            return evening.table.snapshot.evening.begun != begun

        evening.until(lambda: told() or another())
        if another():
            make_it_short(evening)


def test_a_whole_game_is_followed_on_every_screen(
    chromium: Browser, evening: InPictures, table: Harbour, tmp_path: Path
) -> None:
    """On laptop, phone and television at once, in three languages: it begins, is raced and won, and all of it is
    shown as it is, for everybody, without an error and without a word to another machine."""
    folder = album(tmp_path)
    with screens(chromium, table.url) as audience:

        def look(moment: str, phase: str) -> list[str]:
            for screen in audience:
                expect(screen.page.locator(".goat-table")).to_have_attribute("data-phase", phase)
            return [wrong for screen in audience for wrong in screen.look(moment, folder)]

        evening.until(lambda: is_in(evening, "play"))
        assert [] == look("beginning", "play")
        make_it_short(evening)
        play_until(evening, lambda: is_in(evening, "race"))
        for screen in audience:
            expect(screen.page.locator(".lamp.on")).to_have_count(len(evening.state["safe"]))
        assert [] == look("race", "race")
        play_until(evening, lambda: bool(evening.state["winners"]))
        winner = NAMES[int(evening.state["winners"][0])]
        for screen in audience:
            expect(screen.page.locator("#now")).to_contain_text(winner)
            expect(screen.page.locator("#now")).to_contain_text(ENDS[screen.language])
            counts = screen.page.locator(".seat-row .number").all_text_contents()
            assert [str(count) for count in evening.state["decks"]] == counts
        assert [] == look("win", "over")
    assert () == evening.world.mismatches
    assert () == evening.world.refused


def test_the_command_is_played_along_with(chromium: Browser, tmp_path: Path) -> None:
    """`companion demo` itself: its page lives in every language, its code pairs a phone, and its end is said."""
    options = ("--seed", "3", "--speed", "1000", "--seats", "3", "--data", str(tmp_path))
    with demo(*options) as program, ExitStack() as undo:
        home = line_with(program, "page: ").rstrip("/")
        code = line_with(program, "pairing code: ")
        pages: dict[str, Page] = {}
        watches: list[Watch] = []
        for language in LANGUAGES:
            context = undo.enter_context(chromium.new_context(locale=language))
            watches.append(Watch(context, home))
            pages[language] = context.new_page()
            pages[language].goto(home)
        for language, page in pages.items():
            expect(page.locator(".cell .what b").first).to_be_visible()
            assert [] == untranslated(page, language)
        assert [] == [wrong for watch in watches for wrong in watch.wrong]
        pages["es"].click("#pair")
        pages["es"].fill("#code", code)
        pages["es"].keyboard.press("Enter")
        expect(pages["es"].locator(".speaks")).to_contain_text("anfitrión")
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=20)
        assert 0 == program.returncode
        expect(pages["de"].locator("#line")).to_have_text(re.compile("Keine Verbindung"))
    with (tmp_path / "journal.db").open("rb") as journal:
        assert b"SQLite" == journal.read(6)
