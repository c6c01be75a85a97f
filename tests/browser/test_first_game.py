"""The first game at a new rig: a phone that nobody has paired finds its way, from an empty data folder."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.config import RigPlan
from hardware.simchip import SimChip

from .rigged import SEATS, Rigged, bare_mat, rigged

Start = Callable[..., Rigged]


@pytest.fixture
def start(chip: SimChip, tmp_path: Path) -> Iterator[Start]:
    """`companion run` in an empty folder."""
    with ExitStack() as undo:

        def run(*, buttons: bool = True, camera: bool = False) -> Rigged:
            plan = RigPlan(
                SEATS,
                buttons="gpio" if buttons else "none",
                camera=bare_mat(tmp_path / "pictures") if camera else "none",
            )
            return undo.enter_context(rigged(plan, tmp_path / "data", chip))

        yield run


def pair(phone: Page, rig: Rigged, place: int, *, buttons: bool) -> None:
    """As the dialog says that is open."""
    if not buttons:
        phone.fill("#code", rig.code)
        phone.keyboard.press("Enter")
    else:
        phone.click(f"#pairing button:text-is('Seat {place + 1}')")
        expect(phone.locator("#pairing-word")).to_contain_text(f"Seat {place + 1}")
        rig.press(place)
    expect(phone.locator("#pairing")).to_be_hidden()


@pytest.mark.parametrize("camera", [False, True], ids=["no camera", "camera"])
@pytest.mark.parametrize("buttons", [True, False], ids=["buttons", "no buttons"])
def test_a_stranger_begins_the_first_game(phone: Page, start: Start, *, buttons: bool, camera: bool) -> None:
    """From the table's page on, by what the pages say: this phone is the host's, people sit down, they play."""
    rig = start(buttons=buttons, camera=camera)
    phone.goto(rig.url)
    phone.click("text=Begin a game")
    phone.click("#pair-first")
    pair(phone, rig, 0, buttons=buttons)
    expect(phone.locator(".speaks")).to_contain_text("This phone is the host's.")
    expect(phone.locator("#pair-first")).to_have_count(0)
    for seat, name in enumerate(("Ada", "Ben", "Cy")):
        phone.fill(f"#name-{seat}", name)
    phone.click("button:text-is('Begin')")
    expect(phone.locator("#now")).to_have_text("Ada's turn")
    phone.click("text=Table")
    if buttons:
        rig.press(1)
    else:
        phone.goto(f"{rig.url}/seat/1")
        phone.click("#slap")
    word = "Ben is lucky: no pile is left" if camera else "Ben has lifebuoy 1"
    expect(phone.locator("#ruling p").last).to_contain_text(re.compile(word))


def test_by_keyboard_one_goes_on_where_the_names_are(phone: Page, start: Start) -> None:
    """Once the phone is the host's, what had been pressed is gone: the first name is what comes next."""
    rig = start()
    phone.goto(f"{rig.url}/host")
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
