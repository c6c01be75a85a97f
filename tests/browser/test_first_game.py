"""The first game at a new rig: a phone that nobody has paired finds its way, from an empty data folder."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.app import JOURNAL
from companion.config import RigPlan
from companion.journal import Reader
from companion.web.words import LANGUAGES
from hardware.buttons import GpioButtons
from hardware.simchip import SimChip

from .looking import settled, untranslated, violations
from .rigged import SEATS, Mat, Rigged, rigged, until

pytestmark = pytest.mark.browser

Start = Callable[..., Rigged]


@pytest.fixture
def start(chip: SimChip, tmp_path: Path) -> Iterator[Start]:
    """`companion run` in an empty folder."""
    with ExitStack() as undo:

        def run(*, buttons: bool = True, camera: bool = False) -> Rigged:
            plan = RigPlan(
                SEATS,
                buttons="gpio" if buttons else "none",
                camera=str(Mat(tmp_path / "pictures").folder) if camera else "none",
            )
            return undo.enter_context(rigged(plan, tmp_path / "data", chip))

        yield run


def pair(phone: Page, rig: Rigged, place: int, chair: str) -> None:
    """As the dialog says that is open, by the button at that place."""
    phone.click(f"#pairing button:text-is('{chair}')")
    expect(phone.locator("#pairing-word")).to_contain_text(chair)
    rig.press(place)
    expect(phone.locator("#pairing")).to_be_hidden()


def type_code(phone: Page, rig: Rigged) -> None:
    """Where there are no buttons."""
    phone.fill("#code", rig.code)
    phone.keyboard.press("Enter")
    expect(phone.locator("#pairing")).to_be_hidden()


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


def begin_with_a_gap(phone: Page, rig: Rigged, kid: Page | None = None) -> None:
    """Mum sits at the first place and is host, Kid at the third."""
    phone.goto(f"{rig.url}/host")
    phone.click("#pair-first")
    pair(phone, rig, 0, "Seat 1")
    if kid is not None:
        kid.goto(rig.url)
        kid.click("#pair")
        pair(kid, rig, 2, "Seat 3")
        expect(kid.locator(".speaks")).to_contain_text("It is paired for seat 3.")
    phone.fill("#name-0", "Mum")
    phone.fill("#name-2", "Kid")
    phone.click("button:text-is('Begin')")
    expect(phone.locator("#now")).to_have_text("Mum's turn")


def test_an_empty_place_stays_empty(chromium: Browser, phone: Page, chip: SimChip, tmp_path: Path) -> None:
    """Between Mum and Kid nobody sits: that button does nothing and its lamp is dark, Kid's own button is Kid's,
    and so it stays when the power comes back."""
    plan = RigPlan(SEATS, buttons="gpio", camera="none")
    with chromium.new_context(locale="en") as context:
        kid = context.new_page()
        with rigged(plan, tmp_path, chip) as rig:
            begin_with_a_gap(phone, rig, kid)
            expect(kid.locator(".speaks")).to_contain_text("It plays for Kid.")
            until(lambda: rig.shines(0))
            assert not rig.shines(1)
        with rigged(plan, tmp_path, chip) as rig:
            kid.goto(f"{rig.url}/seat/1")
            expect(kid.locator(".speaks")).to_contain_text("It plays for Kid.")
            # It is Mum's turn.
            kid.click("#laid")
            expect(kid.locator("#answer")).to_contain_text("Only the host, or the player in that seat")
            rig.press(1)
            rig.press(2)
            expect(kid.locator("#ruling p").first).to_contain_text("Kid has lifebuoy 1")
            # What comes after it as well, or Kid would call at a table that has moved on.
            expect(kid.locator("#ruling p").last).to_contain_text("Mum is the slowest")
            kid.click("#call")
            expect(kid.locator("#answer")).to_contain_text("Kid called")
            assert not rig.shines(1)
    begun, *said = told(tmp_path)
    assert (["Mum", "Kid"], [0, 2]) == (begun["seats"], begun["places"])
    assert [("press", 1), ("call", 1)] == [(one["type"], one["seat"]) for one in said]


def told(data: Path) -> list[dict[str, Any]]:
    with Reader.open(data / JOURNAL) as reader:
        return [json.loads(entry.event) for entry in reader.entries()]


def test_a_button_that_is_stuck_is_named_by_whoever_sits_there(phone: Page, start: Start) -> None:
    """Kid's, not Mum's; and the empty place's by its number. On the builder's page each stands in its place."""
    rig = start()
    begin_with_a_gap(phone, rig)
    for place in (1, 2):
        rig.hold(place)
    expect(phone.locator("#line")).to_contain_text("The button of Kid is ignored")
    expect(phone.locator("#line")).to_contain_text("The button of Seat 2 is ignored")
    phone.goto(f"{rig.url}/rig")
    assert ["Mum", "Seat 2", "Kid"] == phone.locator(".rig-seats h3").all_inner_texts()
    expect(phone.locator(".rig-seats .alarm")).to_have_count(2)


def test_the_same_people_play_again_at_their_places(phone: Page, start: Start) -> None:
    """Whoever takes the end back or begins once more finds the gap as it was; in the form stand the names."""
    rig = start()
    begin_with_a_gap(phone, rig)
    phone.click("text=End it …")
    phone.click("#end")
    expect(phone.locator("#name-0")).to_have_value("Mum")
    expect(phone.locator("#name-1")).to_have_value("")
    expect(phone.locator("#name-2")).to_have_value("Kid")
    phone.click("#again")
    expect(phone.locator("#now")).to_have_text("Kid's turn")
    until(lambda: rig.shines(2))
    assert not rig.shines(1)


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
    pair(phone, rig, 1, "Seat 2")
    expect(phone.locator(".speaks")).to_contain_text("It is paired for seat 2.")


def test_in_a_game_nothing_blinks_for_who_comes_late(chromium: Browser, phone: Page, start: Start) -> None:
    """The lamps are the game's then, and what others press is no news; that one's press counts there is said."""
    rig = start()
    begin_with_a_gap(phone, rig)
    with chromium.new_context(locale="en") as context:
        late = context.new_page()
        answers: list[Any] = []
        late.on("response", lambda one: answers.append(one) if one.request.method == "POST" else None)
        late.goto(rig.url)
        late.click("#pair")
        expect(late.locator("#pairing")).to_contain_text("A game is on: your press counts there, too.")
        late.click("[data-pair-seat='1']")
        expect(late.locator("#pairing-word")).to_contain_text("Seat 2: now press")
        rig.press(2)
        expect(phone.locator("#ruling p").first).to_contain_text("Kid has lifebuoy 1")
        count = len(answers)
        while len(answers) < count + 2:
            late.wait_for_timeout(20)
        assert "pressed" not in answers[-1].json()
        assert "tried" not in phone.request.get(f"{rig.url}/rig/now").text()
        assert not rig.shines(1)


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


def test_without_buttons_a_phone_sits_down_where_its_page_belongs(
    chromium: Browser, phone: Page, start: Start
) -> None:
    """Beyond the empty place, too; another seat's page seats it there, and the host may be whoever sits there."""
    rig = start(buttons=False)
    phone.goto(f"{rig.url}/host")
    phone.click("#pair-first")
    type_code(phone, rig)
    phone.fill("#name-0", "Mum")
    phone.fill("#name-4", "Kid")
    phone.click("button:text-is('Begin')")
    expect(phone.locator("#now")).to_have_text("Mum's turn")
    with chromium.new_context(locale="en") as context:
        other = context.new_page()
        other.goto(f"{rig.url}/seat/1")
        expect(other.locator("#pair")).to_be_enabled()
        other.focus("#pair")
        other.keyboard.press("Enter")
        type_code(other, rig)
        expect(other.locator(".speaks")).to_contain_text("It plays for Kid.")
        expect(other.locator("#main")).to_be_focused()
        other.click("#slap")
        expect(phone.locator("#ruling p").first).to_have_text("Kid has lifebuoy 1.")
        phone.click("[data-host-to='4']")
        expect(phone.locator(".notice")).to_contain_text("this phone is not the host's")
        other.goto(f"{rig.url}/seat/0")
        expect(other.locator(".speaks")).to_contain_text("This phone is the host's. It plays for Kid.")
        mums = context.new_page()
        mums.goto(f"{rig.url}/seat/0")
        mums.click("#call")
        expect(mums.locator("#answer")).to_contain_text("Mum called")


def test_cards_before_the_camera_and_hands_on_the_buttons(phone: Page, chip: SimChip, tmp_path: Path) -> None:
    """A whole race at a new rig: the camera reads three cards that make a set, the buttons say who was first, and
    with an empty place between two people everybody has their own."""
    mat = Mat(tmp_path / "pictures")
    plan = RigPlan(SEATS, buttons="gpio", camera=str(mat.folder))
    with rigged(plan, tmp_path / "data", chip) as rig:
        begin_with_a_gap(phone, rig)
        phone.click("text=Table")
        for cell, boat, word in (
            (0, "raft", "Kid's turn"),
            (1, "ring", "Mum's turn"),
            (2, "jetski", "Kid's turn"),
        ):
            mat.lay(cell, boat)
            expect(phone.locator("#now")).to_have_text(word)
        rig.press(2)
        expect(phone.locator("#ruling p").first).to_contain_text("Kid has lifebuoy 1, after")
        expect(phone.locator("#ruling p").nth(1)).to_contain_text("Mum is the slowest and picks up")
        until(lambda: rig.shines(2))
        assert not rig.shines(1)
