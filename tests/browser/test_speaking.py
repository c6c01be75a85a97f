"""What people do on the pages: calling, accusing, and all that the host does, within three taps."""

import re

from playwright.sync_api import Browser, Page, expect

from .harbour import Harbour
from .stages import stage_alarm, stage_pickup, stage_race


def paired(phone: Page, harbour: Harbour) -> None:
    """Types the code into the dialog that has opened by itself."""
    code = harbour.pairing.code
    assert code is not None
    phone.fill("#code", code)
    phone.keyboard.press("Enter")
    expect(phone.locator("#pairing")).to_be_hidden()


def test_a_seat_calls_from_its_phone(phone: Page, harbour: Harbour) -> None:
    """The first call asks for the code, and is then made; an accusation names a seat; its times are listed."""
    stage_alarm(harbour)
    phone.goto(f"{harbour.url}/seat/1")
    expect(phone.locator("#count")).to_have_text("1")
    expect(phone.locator("#times li")).not_to_have_count(0)
    phone.click("#call")
    paired(phone, harbour)
    expect(phone.locator("#answer")).to_have_text("Noted.")
    expect(phone.locator("#ruling p").last).to_have_text("Ben calls: “Goat on board!”")
    phone.click("text=Goat overboard!")
    phone.click("[data-accuse='0']")
    expect(phone.locator("#ruling p").last).to_have_text("Ben called, but it changes nothing.")


def test_the_host_runs_an_evening(phone: Page, harbour: Harbour) -> None:
    """Begin, correct the turn, a card and a deck, take back, end, play again: each within three taps."""
    phone.goto(f"{harbour.url}/host")
    for seat, name in enumerate(("Ada", "Ben", "Cy")):
        phone.fill(f"#name-{seat}", name)
    phone.check("[name=starter][value='2']")
    phone.click("button:text-is('Begin')")
    paired(phone, harbour)
    expect(phone.locator("#now")).to_have_text("Cy's turn")
    phone.click("[data-turn-of='1']")
    expect(phone.locator("#now")).to_have_text("Ben's turn")
    expect(phone.locator("#undone")).to_have_text("The last correction")
    phone.click("[data-fix-cell='4']")
    phone.click("[aria-label='Raft, Pink']")
    phone.click("#fix >> text=Ben")
    expect(phone.locator("[data-fix-deck='1']")).to_have_text("Ben: 19")
    phone.click("[data-fix-deck='1']")
    phone.click("[aria-label='One more']")
    phone.click("#fix button:text-is('Correct it')")
    phone.click("#fix >> text=Ada")
    expect(phone.locator("[data-fix-deck='0']")).to_have_text("Ada: 19")
    phone.click("#undo")
    expect(phone.locator("[data-fix-deck='0']")).to_have_text("Ada: 20")
    phone.click("text=End it …")
    phone.click("#end")
    expect(phone.locator("#now")).to_have_text("A draw: all decks are empty")
    phone.click("#again")
    expect(phone.locator("#now")).to_have_text("Ada's turn")
    state = harbour.table.snapshot.state
    assert state is not None
    assert (20, 20, 20) == state["decks"]


def test_a_game_ends_while_something_is_owed(phone: Page, harbour: Harbour) -> None:
    """What is owed is forgiven, and then the game is over."""
    stage_pickup(harbour)
    phone.goto(f"{harbour.url}/host")
    phone.click("text=End it …")
    phone.click("#end")
    paired(phone, harbour)
    expect(phone.locator("#now")).to_have_text("A draw: all decks are empty")


def test_a_stranger_to_the_host_may_not_rule(chromium: Browser, harbour: Harbour) -> None:
    """A paired phone that is not the host's is told so, in words, and nothing happens."""
    stage_race(harbour)
    code = harbour.pairing.code
    assert code is not None
    harbour.pairing.by_code("192.168.1.2", "the host's phone", code, 0)
    with chromium.new_context(locale="en") as context:
        page = context.new_page()
        page.goto(f"{harbour.url}/host")
        page.click("#undo")
        paired(page, harbour)
        expect(page.locator("#answer")).to_have_text(re.compile("This phone may not say that"))


def test_the_keyboard_is_enough(phone: Page, harbour: Harbour) -> None:
    """From the first key on: over the header to the content, through the calls, and the dialog comes and goes."""
    stage_alarm(harbour)
    phone.goto(f"{harbour.url}/seat/1")
    phone.keyboard.press("Tab")
    expect(phone.locator(".skip")).to_be_focused()
    phone.keyboard.press("Enter")
    phone.keyboard.press("Tab")
    expect(phone.locator("#call")).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.locator("#code")).to_be_focused()
    phone.keyboard.press("Escape")
    expect(phone.locator("#pairing")).to_be_hidden()
    expect(phone.locator("#answer")).to_have_text(re.compile("may not say that"))
