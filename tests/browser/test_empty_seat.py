"""An empty seat between two people: everybody's own button, lamp and phone stay theirs."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.app.config import RigPlan
from companion.app.serve_page import JOURNAL
from companion.journal import Reader
from hardware.gpio.simchip import SimChip

from .rigged import SEATS, Mat, Start, begin_with_a_gap, rigged, type_code, until

pytestmark = pytest.mark.browser


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
