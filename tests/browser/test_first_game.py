"""The first game at a new rig: a phone that nobody has paired finds its way, from an empty data folder."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.core.languages import LANGUAGES
from hardware.gpio.gpio_buttons import GpioButtons

from .looking import settled, untranslated, violations
from .rigged import Start, pair, type_code, until

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("camera", [False, True], ids=["no camera", "camera"])
@pytest.mark.parametrize("buttons", [True, False], ids=["buttons", "no buttons"])
def test_a_stranger_begins_the_first_game(phone: Page, start: Start, *, buttons: bool, camera: bool) -> None:
    """From the table's page on, by what the pages say: this phone is the host's, people sit down, they play."""
    rig = start(buttons=buttons, camera=camera)
    phone.goto(rig.url)
    phone.click("text=Begin a game")
    phone.click("#pair-first")
    if buttons:
        pair(phone, rig, 0, "Seat 1")
    else:
        type_code(phone, rig)
    expect(phone.locator(".speaks")).to_contain_text("This phone is the host's.")
    expect(phone.locator("#pair-first")).to_have_count(0)
    for seat, name in enumerate(("Ada", "Ben", "Cy")):
        phone.fill(f"#name-{seat}", name)
    phone.click("button:text-is('Begin')")
    expect(phone.locator("#now")).to_have_text("Ada's turn")
    phone.click("text=Table")
    if buttons:
        rig.press(1)
        word = "Ben is lucky: no pile is left" if camera else "Ben has lifebuoy 1"
        expect(phone.locator("#ruling p").last).to_contain_text(word)
    else:
        phone.goto(f"{rig.url}/seat/1")
        phone.click("#slap")
        expect(phone.locator("#answer")).to_contain_text("No set, but lucky" if camera else "Lifebuoy 1 is yours")


def test_by_keyboard_one_goes_on_where_the_names_are(phone: Page, start: Start) -> None:
    """Once the phone is the host's, what had been pressed is gone: the first name is what comes next."""
    rig = start()
    phone.goto(f"{rig.url}/host")
    expect(phone.locator("#pair-first")).to_be_enabled()
    phone.focus("#pair-first")
    phone.keyboard.press("Enter")
    phone.focus("[data-pair-seat='2']")
    phone.keyboard.press("Enter")
    expect(phone.locator("[data-pair-seat='2']")).to_have_attribute("aria-pressed", "true")
    expect(phone.locator("#pairing-word")).to_contain_text("Seat 3")
    rig.press(2)
    expect(phone.locator("#pair-first")).to_have_count(0)
    expect(phone.locator("#name-0")).to_be_focused()
    expect(phone.locator(".speaks")).to_contain_text("It is paired for seat 3.")


def test_only_places_that_there_are_are_offered(phone: Page, start: Start) -> None:
    """Three buttons, three places; nobody has to guess, and nobody is shown a seat 0."""
    rig = start()
    phone.goto(f"{rig.url}/host")
    expect(phone.locator("[name=seat]")).to_have_count(3)
    phone.click("#pair-first")
    assert ["Seat 1", "Seat 2", "Seat 3"] == phone.locator("[data-pair-seat]").all_inner_texts()
    assert "seat 0" not in phone.inner_text("body").lower()


def test_who_touches_another_seat_waits_for_that_one(phone: Page, start: Start) -> None:
    """The first is let go, and its button pairs nobody."""
    rig = start()
    phone.goto(f"{rig.url}/host")
    phone.click("#pair-first")
    phone.click("[data-pair-seat='0']")
    expect(phone.locator("#pairing-word")).to_contain_text("Seat 1")
    phone.click("[data-pair-seat='1']")
    expect(phone.locator("#pairing-word")).to_contain_text("Seat 2")
    asked: list[object] = []
    phone.on("request", lambda request: asked.append(request.post_data_json) if request.method == "POST" else None)
    rig.press(0)
    while len(asked) < 3:
        phone.wait_for_timeout(20)
    assert [{"seat": 1}] * 3 == asked[:3]
    expect(phone.locator("#pairing")).to_be_visible()
    rig.press(1)
    expect(phone.locator("#pairing")).to_be_hidden()
    expect(phone.locator(".speaks")).to_contain_text("seat 2")


def test_who_only_looks_after_all_waits_for_no_button(phone: Page, start: Start) -> None:
    """A slap a moment later pairs no phone that has been called off."""
    rig = start()
    phone.clock.install()
    phone.goto(f"{rig.url}/host")
    phone.click("#pair-first")
    phone.click("[data-pair-seat='0']")
    expect(phone.locator("#pairing-word")).to_contain_text("Seat 1")
    phone.click("button:text-is('Just watch')")
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    rig.press(0)
    phone.clock.run_for(12_000)
    assert [] == [url for url in asked if url.endswith("/api/pair")]
    expect(phone.locator("#pair-first")).to_be_visible()


def test_a_stranger_need_not_know_the_seats_numbers(phone: Page, start: Start) -> None:
    """While it waits the chosen seat's lamp blinks; a press elsewhere is said, and that seat can be touched."""
    rig = start()
    phone.goto(f"{rig.url}/host")
    phone.click("#pair-first")
    phone.click("[data-pair-seat='0']")
    expect(phone.locator("#pairing-word")).to_contain_text("Seat 1: now press the button there")
    until(lambda: rig.shines(0))
    until(lambda: not rig.shines(0))
    assert not rig.shines(1)
    rig.press(1)
    word = "Seat 2 was pressed, not Seat 1. If that is yours, touch Seat 2 here."
    expect(phone.locator("#pairing-word")).to_have_text(word)
    # It stays when nobody presses the other one.
    expect(phone.locator("#pairing [aria-pressed=true]")).to_have_count(0)
    expect(phone.locator("#pairing-word")).to_have_text(word)
    pair(phone, rig, 1, "Seat 2")
    expect(phone.locator(".speaks")).to_contain_text("It is paired for seat 2.")


def test_when_the_buttons_are_unplugged_the_dialog_asks_for_the_code(
    phone: Page, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on a page that came while they were there."""
    rig = start()
    phone.goto(f"{rig.url}/host")
    phone.click("#pair-first")
    expect(phone.locator("[data-pair-seat='0']")).to_be_visible()
    phone.click("#pairing .quiet")
    monkeypatch.setattr(GpioButtons, "trouble", "The buttons are unplugged.")
    until(lambda: any("pairing code" in line for line in rig.said[1:]))
    phone.click("#pair-first")
    expect(phone.locator("#code")).to_be_visible()
    type_code(phone, rig)
    expect(phone.locator(".speaks")).to_contain_text("This phone is the host's.")


def test_on_the_builders_page_one_goes_on_where_the_hosts_part_begins(phone: Page, start: Start) -> None:
    """By keyboard, once the page has come anew."""
    rig = start(camera=True)
    phone.goto(f"{rig.url}/rig")
    phone.focus("#pair")
    phone.keyboard.press("Enter")
    phone.focus("[data-pair-seat='0']")
    phone.keyboard.press("Enter")
    expect(phone.locator("#pairing-word")).to_contain_text("Seat 1")
    rig.press(0)
    expect(phone.locator("#tapping summary")).to_be_focused()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("buttons", [True, False], ids=["buttons", "no buttons"])
def test_the_way_to_the_table_is_read_by_everybody(
    chromium: Browser, start: Start, language: str, *, buttons: bool
) -> None:
    """In each language, on the smallest phone, by whoever sees little: the page, the dialog, and what it says."""
    rig = start(buttons=buttons)
    with chromium.new_context(viewport={"width": 320, "height": 640}, locale=language) as context:
        page = context.new_page()
        page.goto(f"{rig.url}/host")
        settled(page)
        found = violations(page, "host") + untranslated(page, language)
        page.click("#pair-first")
        if buttons:
            page.click("[data-pair-seat='2']")
            expect(page.locator("#pairing-word")).to_contain_text("3")
            rig.press(0)
            expect(page.locator("#pairing-word")).to_contain_text("1")
        settled(page)
        found += violations(page, "dialog") + untranslated(page, language)
        assert [] == found
        for selector in ("html", "#pairing"):
            beyond = page.locator(selector).evaluate("(it) => it.scrollWidth - it.clientWidth")
            assert (selector, 0) == (selector, beyond)
        assert " 0" not in page.inner_text("#pairing")


def test_whoever_sits_begins(phone: Page, start: Start) -> None:
    """The first seat stays empty: the lifebuoy that says who begins moves to the first name that is written, and
    stays there."""
    rig = start()
    phone.goto(f"{rig.url}/host")
    phone.click("#pair-first")
    pair(phone, rig, 1, "Seat 2")
    phone.fill("#name-1", "Ada")
    phone.fill("#name-2", "Ben")
    expect(phone.locator("[name=starter][value='1']")).to_be_checked()
    phone.click("button:text-is('Begin')")
    expect(phone.locator("#now")).to_have_text("Ada's turn")


def test_what_can_not_be_kept_of_the_phones_is_said(phone: Page, start: Start, tmp_path: Path) -> None:
    """The phone is the host's all the same, and the game begins; every page says what a restart will cost."""
    (tmp_path / "data" / "phones.json").mkdir(parents=True)
    rig = start()
    phone.goto(f"{rig.url}/host")
    phone.click("#pair-first")
    pair(phone, rig, 0, "Seat 1")
    expect(phone.locator(".speaks")).to_contain_text("This phone is the host's.")
    expect(phone.locator("#line")).to_contain_text("after a restart everybody pairs again")
    phone.goto(f"{rig.url}/rig")
    expect(phone.locator(".checks .bad")).to_contain_text("after a restart everybody pairs again")
