"""The README's pictures are drawn by a command, so that they can be drawn anew when the pages have changed."""

from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from .pictures import FOLDER, SCREENS, take_pictures


def test_the_readmes_pictures_can_be_taken_anew(chromium: Browser, tmp_path: Path) -> None:
    """The same ones that are kept, as large as those; their pixels are for people to look at."""
    take_pictures(chromium, tmp_path)

    assert {f"{name}.png" for name in SCREENS} == {path.name for path in FOLDER.iterdir()}
    assert sizes(tmp_path) == sizes(FOLDER)


def sizes(folder: Path) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for path in folder.iterdir():
        with Image.open(path) as picture:
            found[path.name] = picture.size
    return found
