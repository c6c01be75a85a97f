"""The README's pictures: `python -m tests.browser.pictures` plays a drawn evening up to a close race, looks at it
with a real Chromium and writes them to `.github/pictures/`. The same seed gives the same race.

They are small: few colours, and no more pixels than a phone shows.
"""

import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from companion.app.serve_page import PageParts, ServedPage, serve
from companion.demo.build_demo import DrawnClocks
from companion.logs.log_lines import Ring
from companion.rig.button_stats import ButtonStats
from companion.rig.lamp_board import LampBoard
from companion.rig.protocols import Rig
from companion.threads.worker import Crew
from companion.web.server import listen

from ..demo.evenings import InPictures, drawn_evening
from .conftest import CHROMIUM, FLAGS
from .looking import settled

FOLDER: Final = Path(__file__).parents[2] / ".github" / "pictures"
SEATS: Final = 4
# Of the races of the first evenings this one is closest: four grab within 0.3 s, two of them within 8 ms.
SEED: Final = 0
RACE: Final = 2
COLOURS: Final = 160
LARGEST: Final = 150_000


@dataclass(frozen=True)
class Screen:
    path: str
    width: int
    height: int
    scale: int = 2
    prepare: Callable[[Page, str], None] = lambda _page, _code: None
    """With the code that pairs a phone."""


def host(page: Page, code: str) -> None:
    """The camera's picture is for the host."""
    page.click("#pair")
    page.fill("#code", code)
    page.keyboard.press("Enter")
    expect(page.locator("#picture")).to_be_visible()
    # What has the keyboard after that bears a frame.
    page.reload()
    expect(page.locator("#picture")).to_be_visible()


def closest_finish(page: Page, _code: str) -> None:
    finish = page.locator(".finish").nth(RACE - 1)
    finish.locator("summary").first.click()
    finish.evaluate("it => it.scrollIntoView()")
    page.evaluate("document.activeElement.blur()")


SCREENS: Final[Mapping[str, Screen]] = {
    "phone": Screen("/", 390, 844),
    "photo-finish": Screen("/game/1", 390, 844, prepare=closest_finish),
    "rig": Screen("/rig", 390, 844, prepare=host),
    "tv": Screen("/tv", 1280, 720, scale=1),
}


def take_pictures(browser: Browser, folder: Path) -> None:
    with (
        TemporaryDirectory(prefix="companion-pictures-") as data,
        drawn_evening(Path(data), SEATS, SEED) as evening,
    ):
        evening.world.stats = ButtonStats(evening.world.clock, drawn=True)
        evening.until(lambda: evening.count("late") == RACE)
        with served(evening) as page:
            for name, screen in SCREENS.items():
                picture = small(photo(browser, page, screen))
                assert len(picture) <= LARGEST, f"{name} has {len(picture)} bytes"
                (folder / f"{name}.png").write_bytes(picture)


@contextmanager
def served(evening: InPictures) -> Generator[ServedPage]:
    """With all that the demo's own page has, while time stands still."""
    with ExitStack() as parts:
        table, lookout, tally = evening.table, evening.lookout, evening.world.stats
        rig = Rig(lookout.view, tally, LampBoard(table, SEATS), DrawnClocks())
        shown = PageParts(table, evening.folder, tally, lookout, rig, SEATS, "en", Ring(), demo=True)
        yield serve(shown, parts.enter_context(listen("127.0.0.1")), Crew(), parts)


def photo(browser: Browser, served: ServedPage, screen: Screen) -> bytes:
    size: ViewportSize = {"width": screen.width, "height": screen.height}
    with browser.new_context(viewport=size, device_scale_factor=screen.scale, locale="en") as context:
        page = context.new_page()
        page.goto(served.url.rstrip("/") + screen.path)
        settled(page)
        screen.prepare(page, served.pairing.code or "")
        settled(page)
        return page.screenshot(animations="disabled")


def small(png: bytes) -> bytes:
    out = BytesIO()
    with Image.open(BytesIO(png)) as picture:
        few = picture.convert("RGB").quantize(
            COLOURS, Image.Quantize.MEDIANCUT, kmeans=4, dither=Image.Dither.NONE
        )
        few.save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    if CHROMIUM is None:
        sys.exit("No Chromium is here to look at the pages (Debian: apt install chromium).")
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        take_pictures(browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
