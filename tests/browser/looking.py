"""How a test looks at a page: what shuts somebody out, which words are not of its language, what goes wrong."""

import os
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

from companion.web.i18n import catalogue

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
SIZES = {"small phone": (320, 640), "phone": (390, 844), "laptop": (1366, 768), "television": (1920, 1080)}
# All that a person can come to see or hear: texts, and what stands for pictures and buttons.
SAID = """() => [
    ...document.querySelectorAll("body *:not(script):not(style)")
].flatMap((one) => one.closest("[lang]").lang === document.documentElement.lang ? [
    ...[...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data),
    ...["aria-label", "alt", "title", "placeholder"].map((name) => one.getAttribute(name) ?? ""),
] : []).concat(document.title).map((text) => text.trim()).filter(Boolean)"""


def settled(page: Page) -> None:
    page.wait_for_load_state("load")
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")


def opened(page: Page) -> None:
    """With everything shown that can be."""
    page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")


def violations(page: Page, name: str) -> list[str]:
    """What axe finds."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    result: Any = page.evaluate(
        "axe.run({resultTypes: ['violations'], rules: {'label-content-name-mismatch': {enabled: true}}})"
    )
    return [
        f"{name} {violation['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


def untranslated(page: Page, language: str) -> list[str]:
    """What stands on the page in English, though there is a word for it in its language."""
    assert language == page.get_attribute("html", "lang")
    return [text for text in page.evaluate(SAID) if any(one.fullmatch(text) for one in _english(language))]


@cache
def _english(language: str) -> tuple[re.Pattern[str], ...]:
    """Each English sentence with whatever may stand in its gaps, but for those that read alike in both."""
    known: dict[Any, str] = getattr(catalogue(language), "_catalog", {})
    pairs = ((key if isinstance(key, str) else key[0], said) for key, said in known.items())
    return tuple(_any_of(text) for text, said in pairs if text and not _any_of(text).fullmatch(said))


def _any_of(text: str) -> re.Pattern[str]:
    return re.compile(".+".join(re.escape(part) for part in re.split(r"\{\w+\}|%\(\w+\)s", text)), re.DOTALL)


class Watch:
    """Minds, of every page of a context, what goes wrong on it and whom it asks for what."""

    def __init__(self, context: BrowserContext, home: str) -> None:
        self._home = home
        self.wrong: list[str] = []
        context.on("weberror", lambda error: self.wrong.append(str(error.error)))
        context.on("console", self._console)
        context.on("request", self._request)

    def _console(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            self.wrong.append(f"{said.text} {said.location['url']}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self._home, "data:", "blob:")):
            self.wrong.append(f"asked of another machine: {request.url}")


def album(folder: Path) -> Path:
    """Where pictures are kept: for people to look at if somebody says where, else only for the test."""
    album = Path(os.environ.get("COMPANION_SCREENSHOTS", folder))
    album.mkdir(parents=True, exist_ok=True)
    return album


def by_day_and_by_night(page: Page) -> Iterator[str]:
    """The page in each of its schemes, by name."""
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        settled(page)
        yield scheme


def sideways(
    page: Page, paths: Iterable[str], home: str, sizes: Collection[tuple[int, int]] = ()
) -> Iterator[tuple[str, int]]:
    """Each page, all of it open, with how much wider it is than its screen, or than each of these."""
    for path in paths:
        page.goto(home + path)
        opened(page)
        settled(page)
        for wider in beyond(page, sizes or [page_size(page)]):
            yield path, wider


def beyond(page: Page, sizes: Iterable[tuple[int, int]]) -> Iterator[int]:
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        yield page.evaluate("document.documentElement.scrollWidth - innerWidth")


def page_size(page: Page) -> tuple[int, int]:
    size = page.viewport_size
    assert size is not None
    return size["width"], size["height"]


# Words that stand in more than one line: broken where no language breaks them.
BROKEN = """(where) => {
    const lines = (node, from, to) => {
        const range = document.createRange();
        range.setStart(node, from);
        range.setEnd(node, to);
        const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
        return new Set(boxes.map((box) => Math.round(box.top)));
    };
    const broken = (node) => [...node.data.matchAll(/[\\p{L}\\p{N}]+/gu)].filter(({index, 0: word}) =>
        lines(node, index, index + word.length).size > 1).map(({0: word}) => word);
    const all = [...document.querySelectorAll(where)];
    const nodes = all.filter((it) => it.checkVisibility()).flatMap((it) => [...it.childNodes]);
    const texts = nodes.filter((node) => node.nodeType === Node.TEXT_NODE);
    return texts.flatMap(broken);
}"""


def broken_words(page: Page, where: str = "body *:not(script):not(style)") -> list[str]:
    return page.evaluate(BROKEN, where)
