"""A real Chromium. Where there is none, what is not tested is said aloud."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from companion.app.config import RigPlan
from hardware.gpio.simchip import SimChip

from .harbour import Harbour, PaperCamera
from .rigged import SEATS, Mat, Rigged, Start, rigged

# Without these it looks for its maker's machines at every start, and here there is nobody to answer.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# So long a test waits for what must come, on a machine on which others work too; what is there is seen at once.
expect.set_options(timeout=20_000)
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker("browser")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here: the pages are not tested in a browser (Debian: apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def camera() -> PaperCamera:
    return PaperCamera()


@pytest.fixture
def harbour(tmp_path: Path, camera: PaperCamera) -> Iterator[Harbour]:
    with Harbour(tmp_path, camera=camera) as harbour:
        yield harbour


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """A small one, in English, that minds what goes wrong on the page."""
    with chromium.new_context(viewport={"width": 390, "height": 844}, locale="en") as context:
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        yield page
        # A line that breaks is reported by the browser itself, whatever the page makes of it.
        assert [] == [word for word in wrong if "net::ERR_" not in word and "Failed to load resource" not in word]


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
