"""The builder's page in a real browser: corners tapped with a finger and with the keyboard, lamps tried, all of it
live."""

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.core.cards import CARDS
from companion.core.languages import LANGUAGES
from companion.core.reading import Shown
from companion.logs.log_lines import NAMES, LogLine
from companion.rig.protocols import Button
from companion.web.server import Server, listen

from ..web.aboard import GAME
from ..web.workshop import Workshop, workshop
from .looking import SIZES, beyond, broken_words, by_day_and_by_night, opened, settled, violations
from .test_answers import is_clear


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workshop]:
    with workshop(tmp_path) as shop:
        shop.ship.tell(GAME)
        yield shop


@pytest.fixture
def url(shop: Workshop) -> Iterator[str]:
    listening = listen("127.0.0.1", 0)
    with Server(shop.ship.app, listening):
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def log_all_levels(shop: Workshop) -> None:
    """With words that are longer than any of a language."""
    for level in NAMES:
        line = LogLine(0, level, "companion.somewhere", f"{'word ' * 30}{'x' * 99}", trace="Traceback")
        shop.ship.services.log.add(line)


def pair(context: BrowserContext, url: str, shop: Workshop) -> None:
    answer = context.request.post(f"{url}/api/pair", data={"code": shop.ship.services.pairing.code})
    assert answer.ok


@pytest.fixture
def host(phone: Page, url: str, shop: Workshop) -> Page:
    """The host's phone, on the page."""
    pair(phone.context, url, shop)
    phone.goto(f"{url}/rig")
    return phone


@pytest.mark.parametrize("who", ["host", "guest"])
def test_axe_finds_nothing(chromium: Browser, shop: Workshop, url: str, who: str) -> None:
    """With everything open and something wrong, for whoever looks."""
    log_all_levels(shop)
    shop.switches.now = {0: Button(ago_ms=20, presses=2), 1: Button(wrong="button_stuck", ago_ms=9000)}
    with chromium.new_context(viewport={"width": 390, "height": 844}, locale="de") as context:
        if who == "host":
            pair(context, url, shop)
        page = context.new_page()
        page.goto(f"{url}/rig")
        settled(page)
        opened(page)
        expect(page.locator("#lines .error")).to_have_count(int(who == "host"))
        for scheme in by_day_and_by_night(page):
            assert [] == violations(page, scheme)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_lies_beyond_the_edge(chromium: Browser, shop: Workshop, url: str, language: str) -> None:
    """From a small phone to a television, in every language."""
    log_all_levels(shop)
    with chromium.new_context(locale=language) as context:
        pair(context, url, shop)
        page = context.new_page()
        page.goto(f"{url}/rig")
        opened(page)
        expect(page.locator("#lines .error")).to_have_count(1)
        assert [0] * len(SIZES) == list(beyond(page, SIZES.values()))


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_broken(chromium: Browser, shop: Workshop, url: str, language: str, width: int) -> None:
    """Whatever card lies in a cell: its name stands there in whole words."""
    seen = shop.glass.now
    assert seen is not None
    cards = [(boat, colour) for boat in ("ring", "jetski", "rowboat") for colour in ("yellow", "orange", "pink")]
    shop.glass.now = replace(seen, cells=tuple(Shown(CARDS[card], 0.98) for card in cards))
    with chromium.new_context(viewport={"width": width, "height": 640}, locale=language) as context:
        pair(context, url, shop)
        page = context.new_page()
        page.goto(f"{url}/rig")
        opened(page)
        settled(page)
        assert [] == broken_words(page)


def test_what_changes_is_seen_without_a_reload(host: Page, shop: Workshop) -> None:
    """A press, a stuck button, a cell, the picture."""
    host.evaluate("window.here = true")
    seat = host.locator("[data-live='seat-1']")
    expect(seat).to_contain_text("never pressed")
    shop.switches.now = {1: Button(down=True, presses=1, ago_ms=40, wrong="button_stuck")}
    expect(seat).to_contain_text("down, pressed 40.0 ms ago, 1 press, 0 bounces")
    expect(seat.locator(".alarm")).to_be_visible()
    seen = shop.glass.now
    assert seen is not None
    shop.glass.now = replace(seen, t=8, cells=(*seen.cells[1:], seen.cells[0]), found="corners")
    expect(host.locator(".read").last).to_contain_text("Raft, Pink")
    expect(host.locator("#picture")).to_have_attribute("src", "/rig/picture.jpg?t=8")
    expect(host.locator("[data-live='found']")).to_contain_text("tapped")
    assert host.evaluate("window.here")


def test_the_table_s_page_says_which_button_is_left_out(phone: Page, url: str, shop: Workshop) -> None:
    """By whose it is, and which of that seat's two."""
    shop.switches.now = {1: Button(call_wrong="button_stuck")}
    phone.goto(url)
    expect(phone.locator("#line")).to_contain_text("The call button of Ben is ignored")
    shop.switches.now = {1: Button(wrong="button_stuck")}
    expect(phone.locator("#line")).to_contain_text("The button of Ben is ignored")


def test_corners_are_tapped_with_a_finger(host: Page, shop: Workshop) -> None:
    """Clockwise from the top left; the page says that it is done."""
    host.click("#tapping summary")
    box = host.locator("#picture").bounding_box()
    assert box is not None
    for x, y in ((0.1, 0.2), (0.9, 0.2), (0.8, 0.7), (0.2, 0.7)):
        host.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    host.click("#use")
    is_clear(host, "Done.")
    [corners] = shop.glass.tapped
    assert corners is not None
    assert [(0.1, 0.2), (0.9, 0.2), (0.8, 0.7), (0.2, 0.7)] == [(round(x, 1), round(y, 1)) for x, y in corners]
    host.click("#mat")
    expect(host.locator("#answer")).to_have_text("Done.")
    assert shop.glass.tapped[-1] is None


def test_corners_are_moved_with_the_keyboard(host: Page, shop: Workshop) -> None:
    """From where the grid was last; a step with an arrow, a stride with Shift."""
    host.focus("#tapping summary")
    host.keyboard.press("Enter")
    first = host.locator("[data-corner='0']")
    expect(first).to_be_visible()
    first.focus()
    for key in ("ArrowLeft", "Shift+ArrowUp", "ArrowDown"):
        host.keyboard.press(key)
    host.focus("#use")
    host.keyboard.press("Enter")
    expect(host.locator("#answer")).to_have_text("Done.")
    corners = shop.glass.tapped[-1]
    assert corners is not None
    assert (0.245, 0.08) == tuple(round(part, 3) for part in corners[0])


def test_a_lamp_is_tried(host: Page) -> None:
    """It says that it blinks, and so does the lamp's own line."""
    host.click("[data-try='2']")
    is_clear(host, "Done.")
    expect(host.locator("[data-live='seat-2']")).to_contain_text("blinking as a test")


def test_the_log_is_read_along_and_copied(host: Page, shop: Workshop) -> None:
    """What is new comes by itself to the top; what somebody has marked stays as it is."""
    log = shop.ship.services.log
    log.add(LogLine(0, logging.WARNING, "companion.x", "The first."))
    host.clock.install()
    host.reload()
    host.click("#log summary")
    newest = host.locator("#lines li").first
    expect(newest).to_contain_text("warning companion.x: The first.")
    log.add(LogLine(1, logging.ERROR, "companion.x", "The second."))
    host.clock.run_for(2000)
    expect(newest).to_contain_text("The second.")
    expect(newest).to_have_class("error")
    host.click("#copy")
    expect(host.locator("#copied")).to_have_text("Copied.")
    host.evaluate("document.getSelection().selectAllChildren(document.getElementById('lines'))")
    log.add(LogLine(2, logging.INFO, "companion.x", "The third."))
    host.clock.run_for(6000)
    expect(newest).to_contain_text("The second.")
    host.evaluate("document.getSelection().removeAllRanges()")
    host.clock.run_for(2000)
    expect(newest).to_contain_text("The third.")


def test_a_report_is_saved(host: Page, shop: Workshop, tmp_path: Path) -> None:
    """With what the host has ticked."""
    host.check("#report [name=names]")
    with host.expect_download() as download:
        host.click("#report button")
    download.value.save_as(tmp_path / "report.zip")
    with ZipFile(tmp_path / "report.zip") as archive:
        assert b"Names: as they are." in archive.read("report.txt")
        assert shop.ship.services.table.snapshot.evening.game is not None
        assert b"Ada" in archive.read("newest-game.jsonl")


def test_a_guest_sees_no_picture_and_may_pair(phone: Page, url: str, shop: Workshop) -> None:
    """With the code the page becomes the host's by itself."""
    phone.goto(f"{url}/rig")
    expect(phone.locator("#picture")).to_have_count(0)
    phone.click("#pair")
    code = shop.ship.services.pairing.code
    assert code is not None
    phone.fill("#code", code)
    phone.click("#pairing-code button")
    expect(phone.locator("#picture")).to_be_visible()


def test_it_is_there_without_a_script(chromium: Browser, url: str) -> None:
    """What is known when it comes."""
    with chromium.new_context(java_script_enabled=False, locale="en") as context:
        page = context.new_page()
        page.goto(f"{url}/rig")
        expect(page.locator(".read").first).to_contain_text(re.compile(r"Raft, Pink\s+98"))
        expect(page.locator(".checks li")).to_have_count(5)
