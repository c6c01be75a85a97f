"""The television across the room: nobody stands up to scroll it, whatever is played and whoever plays."""

import pytest
from playwright.sync_api import Browser, expect

from companion.core.languages import LANGUAGES

from .harbour import Event, Harbour, PaperCamera
from .looking import broken_words, settled
from .stages import SECOND

SCREENS = [(1280, 720), (1366, 768), (1920, 1080), (3840, 2160)]
FAMILIES = {
    "german": ["Leopold", "Onkel Wolfgang", "Großmutter Hilde", "Tante Rosemarie", "Anna-Katharina", "Maximilian"],
    "twenty": [
        "Maximiliane-Theodora",
        "Wolfgang Amadeus Leo",
        "W" * 20,
        "Donaudampfschifffahr",
        "Ada-Lovelace-Königin",
        "Bartholomäus Nepomuk",
    ],
    "emoji": [
        "\N{GOAT}" * 20,
        "Zoë " + "\N{WATER WAVE}" * 16,
        "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}" * 4,
        "Ben \N{PARTY POPPER} the Pirate",
        "שרה בת־שבע הגדולה",
        "محمد عبد الرحمن",
    ],
}
# What of the page sticks out of the screen, or out of what holds it.
OUTSIDE = """() => {
    const out = (box) => box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.left < -1;
    const wanted = "#now, #alarm, #adrift, #line, #log, .lamp, .seat-row, .name, .tag, .number, .cell";
    const seen = [...document.querySelectorAll(wanted)].filter((it) => it.checkVisibility());
    const bad = seen.filter((it) => out(it.getBoundingClientRect()));
    const side = (row) => [".deck", ".number"].map((of) => row.querySelector(of).getBoundingClientRect())
        .filter((box) => box.width).map((box) => box.left)[0] + 1;
    const rows = [...document.querySelectorAll(".seat-row")];
    const line = document.getElementById("line");
    const under = line.innerText ? line.getBoundingClientRect().top : innerHeight;
    const cells = [...document.querySelectorAll(".cell, .grid-house, .seat-row")];
    const low = cells.filter((it) => it.getBoundingClientRect().bottom > under + 1);
    const spilt = rows.filter((row) => [...row.querySelectorAll(".name, .tag, .number")].some((it) =>
        it.getBoundingClientRect().bottom > row.getBoundingClientRect().bottom + 1) ||
        [...row.querySelectorAll(".tag")].some((it) => it.getBoundingClientRect().right > side(row)));
    const page = document.documentElement;
    return [page.scrollHeight - innerHeight, page.scrollWidth - innerWidth,
        [...bad, ...low, ...spilt].map((it) => it.className + it.textContent.trim().slice(0, 40))];
}"""
ROWBOAT = {"boat": "rowboat", "colour": "blue"}
CARDS = [("raft", "pink"), ("ring", "pink"), ("jetski", "pink"), ("rowboat", "yellow"), ("raft", "orange")]


def laid(harbour: Harbour) -> None:
    for cell, (boat, colour) in enumerate([*CARDS, ("raft", "yellow")]):
        harbour.now += SECOND
        harbour.tell({"type": "card", "cell": cell, "boat": boat, "colour": colour})


def slapped(harbour: Harbour, *seats: int, apart: int = SECOND // 5) -> None:
    for seat in seats:
        harbour.now += apart
        harbour.tell({"type": "press", "seat": seat})
    harbour.now += SECOND
    harbour.tell({"type": "seen"})


def play(harbour: Harbour) -> None:
    laid(harbour)


def race(harbour: Harbour) -> None:
    laid(harbour)
    slapped(harbour, 0)


def sprint(harbour: Harbour) -> None:
    laid(harbour)
    slapped(harbour, 0, 1, 2, 3)
    slapped(harbour, 4, 5, apart=10)


def pick_up(harbour: Harbour) -> None:
    laid(harbour)
    slapped(harbour, 0, 1, 2, 3, 4)


def alarm(harbour: Harbour) -> None:
    """Everybody lays the last card but one without a word, and the camera sees something else in every cell."""
    harbour.tell({"type": "fix", "decks": [2] * 6, "piles": [48, *[0] * 8], "tops": {"0": ROWBOAT}})
    for cell, (boat, colour) in enumerate([*CARDS, ("raft", "yellow")], 1):
        harbour.now += SECOND
        harbour.tell({"type": "card", "cell": cell, "boat": boat, "colour": colour})
    harbour.now += 3 * SECOND
    harbour.tell({"type": "grid", "cells": [None] * 9})


def over(harbour: Harbour) -> None:
    """Five win together."""
    laid(harbour)
    harbour.tell({"type": "fix", "decks": [0] * 5 + [10], "piles": [45, 1, 1, 1, 1, 1, 0, 0, 0]})
    slapped(harbour, 0, 1, 2, 3, 4)


def blind(harbour: Harbour) -> None:
    """Nobody looks at the grid: two have laid a card, and somebody is the slowest."""
    for event in ({"type": "laid"}, {"type": "laid"}, *({"type": "press", "seat": seat} for seat in range(5))):
        harbour.now += SECOND
        harbour.tell(event)


PHASES = {each.__name__: each for each in (play, race, sprint, pick_up, alarm, over, blind)}


def begun(names: list[str], *, camera: bool) -> Event:
    return {"type": "game", "game": "goat", "seats": names, "starter": 0, "grid": "camera" if camera else "none"}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_television_is_never_scrolled(
    chromium: Browser, harbour: Harbour, camera: PaperCamera, family: str, phase: str
) -> None:
    """Six people with the longest names, in every phase and language, on every size of screen: all is in sight,
    the words about a trouble too."""
    harbour.tell(begun(FAMILIES[family], camera=phase != "blind"))
    PHASES[phase](harbour)
    wrong: list[object] = []
    for trouble in (None, "unknown_card"):
        camera.wrong = trouble
        if trouble:
            harbour.troubles.raise_trouble("phones", "None of them is known.")
        for language in LANGUAGES if family == "german" else ("de",):
            with chromium.new_context(viewport={"width": 1280, "height": 720}, locale=language) as context:
                page = context.new_page()
                page.goto(f"{harbour.url}/tv")
                expect(page.locator("#lamps[data-as]")).to_be_attached()
                expect(page.locator("#line")).to_be_visible(visible=trouble is not None)
                for width, height in SCREENS:
                    page.set_viewport_size({"width": width, "height": height})
                    settled(page)
                    found = page.evaluate(OUTSIDE)
                    broken = broken_words(page, ".card-words .what, .tag, .mark span")
                    if found != [0, 0, []] or broken:
                        wrong.append((language, trouble, width, found, broken))
    assert [] == wrong
