"""What stands on the board of what is wrong is said on the pages, in everybody's language."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.languages import LANGUAGES
from companion.threads.troubles import DAMAGED, KEYS, PHOTOS
from companion.web.i18n import PAGE_WORDS, catalogue

from .aboard import Aboard, aboard


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Aboard]:
    with aboard(tmp_path) as table:
        yield table


def test_each_has_words() -> None:
    """A key that somebody adds to the board has a sentence on the page, or this fails; none is left over."""
    assert {f"trouble.{key}" for key in KEYS} == {key for key in PAGE_WORDS if key.startswith("trouble.")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_builders_page_says_it(table: Aboard, language: str) -> None:
    """In the page's language where it has words for it, else in the board's own English, marked as such."""
    troubles = table.services.troubles
    troubles.raise_trouble(PHOTOS, "No room for photo finishes.")
    troubles.raise_trouble("gremlins", "There are gremlins <in> the wires.")
    words = catalogue(language).gettext("Photo finishes can't be kept at the moment: make room on the disk.")
    for path in ("/rig", "/rig/now"):
        html = table.client().get(path, headers={"Accept-Language": language}).text.replace("&#39;", "'")
        assert f'<span lang="{language}">{words}</span>' in html
        assert '<span lang="en">There are gremlins &lt;in&gt; the wires.</span>' in html
    troubles.clear(PHOTOS)
    troubles.clear("gremlins")
    assert 'class="line"' not in table.client().get("/rig/now").text


def test_what_is_over_and_only_to_be_known_is_no_outage(table: Aboard) -> None:
    """A journal that was damaged has been healed: all works, and it is said all the same."""
    troubles = table.services.troubles
    troubles.raise_trouble(DAMAGED, "Event 7 is lost.")
    answer = table.client().get("/healthz")
    said = json.loads(answer.data)
    assert (200, True, "Event 7 is lost.") == (answer.status_code, said["ok"], said["damaged"])
    troubles.raise_trouble(PHOTOS, "No room for photo finishes.")
    assert 503 == table.client().get("/healthz").status_code
