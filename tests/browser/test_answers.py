"""What came of a tap: it is seen where the tap was, and lies over nothing that one can tap."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.core.languages import LANGUAGES

from .harbour import Event, Harbour
from .stages import stage_pickup, stage_race
from .test_speaking import BEGUN, card, paired, raced, sits

PHONES = [(320, 568), (360, 740), (390, 844), (683, 384), (768, 1024)]
# Whatever of a control one sees belongs to it: its middle, and its edges from within.
COVERED = """() => {
    const answer = document.getElementById('answer');
    const box = answer.getBoundingClientRect();
    const beside = (one) => box.right <= one.left || one.right <= box.left;
    const over = (one) => !beside(one) && box.bottom > one.top && one.bottom > box.top;
    const all = [...document.querySelectorAll('a, button, input, summary, select')];
    const controls = all.filter((it) => it.checkVisibility());
    return [box.height > 20 && box.top >= 0 && box.bottom <= innerHeight,
        controls.filter((it) => over(it.getBoundingClientRect())).map((it) => it.textContent.trim())];
}"""


CALL = "document.getElementById('call').getBoundingClientRect().top + scrollY"


def is_clear(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.locator("#answer")).to_have_text(words)
    assert [True, []] == page.evaluate(COVERED)


@pytest.mark.parametrize("size", PHONES)
def test_a_seats_answer_covers_no_call(chromium: Browser, harbour: Harbour, size: tuple[int, int]) -> None:
    """Neither after a slap nor after a call; the calls stay where they are under the thumb, in every language."""
    harbour.tell(BEGUN)
    width, height = size
    for language in LANGUAGES:
        with chromium.new_context(viewport={"width": width, "height": height}, locale=language) as context:
            page = context.new_page()
            sits(page, harbour, 1)
            for button in ("#slap", "#call"):
                before = page.evaluate(CALL)
                page.click(button)
                is_clear(page, re.compile("."))
                assert before == page.evaluate(CALL), (language, button)


@pytest.mark.parametrize("size", PHONES)
def test_a_hosts_answer_covers_nothing(chromium: Browser, harbour: Harbour, size: tuple[int, int]) -> None:
    """Wherever on the long page something was touched, the answer is in sight, and over nothing."""
    stage_race(harbour)
    width, height = size
    with chromium.new_context(viewport={"width": width, "height": height}, locale="en") as context:
        page = context.new_page()
        page.goto(f"{harbour.url}/host")
        page.click("#pair")
        paired(page, harbour)
        for button in ("#undo", "[data-turn-of='2']", "[data-host-to='0']"):
            page.click(button)
            is_clear(page, re.compile("Noted|No phone is paired"))
        page.click("[data-fix-cell='8']")
        page.click("[aria-label='Raft, Yellow']")
        is_clear(page, "Noted.")


def test_a_form_says_what_is_missing_beside_its_button(phone: Page, harbour: Harbour) -> None:
    """The heading of a long form is out of sight by then."""
    phone.set_viewport_size({"width": 320, "height": 568})
    phone.goto(f"{harbour.url}/host")
    phone.click("#begin button:text-is('Begin')")
    is_clear(phone, "At least two people are needed.")


OUTCOMES: list[tuple[str, list[Event], str]] = [
    ("nothing lies there", [], "No set, but lucky: no pile is left."),
    ("no set", [card(4, "raft", "pink")], "No set there: you pick up one pile."),
]


@pytest.mark.parametrize(("name", "laid", "words"), OUTCOMES, ids=[name for name, _, _ in OUTCOMES])
def test_a_wrong_slap_is_told_what_it_costs(
    phone: Page, harbour: Harbour, name: str, laid: list[Event], words: str
) -> None:
    """On the very phone that slapped, as soon as the camera has seen what lay there."""
    assert name
    harbour.tell(BEGUN, *laid)
    sits(phone, harbour, 1)
    harbour.now += 3_000_000_000
    phone.click("#slap")
    expect(phone.locator("#answer")).to_have_text("Slap noted.")
    harbour.now += 1_000_000_000
    harbour.tell({"type": "seen"})
    expect(phone.locator("#answer")).to_have_text(words)
    # Said once: what stands in the answer is not read out a second time.
    expect(phone.locator("#ruling p")).to_have_count(0)


def test_a_good_slap_is_told_its_lifebuoy(phone: Page, harbour: Harbour) -> None:
    """And the slowest, who slaps after all, that it was too late."""
    harbour.tell(BEGUN)
    sits(phone, harbour, 1)
    raced(harbour)
    harbour.now += 250_000_000
    phone.click("#slap")
    harbour.tell({"type": "seen"})
    expect(phone.locator("#answer")).to_have_text("Lifebuoy 2 is yours, after 1,250 ms!")
    expect(phone.locator("#ruling p")).to_have_text([
        "Ada has lifebuoy 1, after 500 ms.",
        "Cy is the slowest and picks up top left, top middle and top right (3 cards).",
    ])  # fmt: skip


def test_an_accusation_is_told_what_came_of_it(phone: Page, harbour: Harbour) -> None:
    """And the keyboard goes on from the button that had unfolded the names."""
    stage_pickup(harbour)
    phone.goto(f"{harbour.url}/seat/1")
    phone.click("#pair")
    paired(phone, harbour)
    phone.focus(".accuse summary")
    phone.keyboard.press("Enter")
    phone.keyboard.press("Tab")
    phone.keyboard.press("Enter")
    expect(phone.locator("#answer")).to_have_text("Ben called, but it changes nothing.")
    expect(phone.locator(".accuse summary")).to_be_focused()
