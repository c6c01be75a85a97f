"""What is wrong with the rig stands on every page that people look at: calmly, in their language, over nothing."""

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.core.languages import LANGUAGES

from .harbour import Harbour, PaperCamera
from .stages import stage_race

PHOTOS = {
    "de": "Zielfotos lassen sich gerade nicht aufheben: Schaff Platz auf dem Speicher.",
    "en": "Photo finishes can't be kept at the moment: make room on the disk.",
    "es": "Ahora mismo no se puede guardar ninguna foto finish: haz sitio en el disco.",
}
# What of the page lies under the strip.
UNDER = """() => {
    const box = document.getElementById("line").getBoundingClientRect();
    const beside = (one) => box.right <= one.left || one.right <= box.left;
    const over = (one) => !beside(one) && box.bottom > one.top + 1 && one.bottom > box.top + 1;
    const all = [...document.querySelectorAll("#face :is(a, p, h1, li, section), header *, footer")];
    const shown = all.filter((it) => it.checkVisibility());
    return shown.filter((it) => over(it.getBoundingClientRect())).map((it) => it.className || it.tagName);
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_trouble_is_said_until_it_is_over(chromium: Browser, harbour: Harbour, language: str) -> None:
    """On the table's page, the television, a seat's and the host's; what the page has no words for, in English."""
    stage_race(harbour)
    for path, width in (("/", 320), ("/tv", 1280), ("/seat/1", 390), ("/host", 390)):
        with chromium.new_context(viewport={"width": width, "height": 720}, locale=language) as context:
            page = context.new_page()
            page.goto(harbour.url + path)
            harbour.troubles.raise_trouble("photos", "No room.")
            expect(page.locator("#line")).to_have_text(PHOTOS[language])
            page.evaluate("window.first = document.querySelector('#line span')")
            harbour.troubles.raise_trouble("gremlins", "There are gremlins in the wires.")
            expect(page.locator("#line span[lang=en]")).to_have_text("There are gremlins in the wires.")
            assert page.evaluate("window.first === document.querySelector('#line span')")
            assert [] == page.evaluate(UNDER)
            harbour.troubles.clear("photos")
            harbour.troubles.clear("gremlins")
            expect(page.locator("#line")).to_be_hidden()


def test_the_camera_is_told_once(phone: Page, harbour: Harbour, camera: PaperCamera) -> None:
    """What it says of itself says more than that something is wrong with it."""
    stage_race(harbour)
    phone.goto(harbour.url)
    harbour.troubles.raise_trouble("camera", "The camera's thread.")
    expect(phone.locator("#line")).to_have_text(
        "The camera gives no pictures at the moment: it is tried again and again."
    )
    camera.wrong = "busy"
    expect(phone.locator("#line")).to_have_text("Another program uses the camera: end that one.")
