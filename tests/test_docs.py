"""The documents say all that there is, and what they tell people to type works."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import click
import pytest
from gpiozero.pins.mock import MockFactory

import companion
from companion.__main__ import cli
from companion.app.config import USUAL, parsed_config
from companion.backups import backup_contents
from companion.eyes.deck import deck_file
from companion.journal import schema

from .games.goat.rules.test_golden import REASONS, RULINGS
from .test_command_line import commands

ROOT = Path(companion.__file__).parents[1]
DOCUMENTS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / ".github").glob("*.md"),
        *(path for room in ("companion", "hardware", "systemd") for path in (ROOT / room).rglob("*.md")),
    )
}
README = DOCUMENTS["README.md"]
WIRING = DOCUMENTS["hardware/README.md"]
SERVICE = DOCUMENTS["systemd/README.md"]
GOAT = DOCUMENTS["companion/games/goat/README.md"]
ARCHITECTURE = DOCUMENTS[".github/ARCHITECTURE.md"]
CHANGES = DOCUMENTS[".github/CHANGELOG.md"]
CONTRIBUTING = DOCUMENTS[".github/CONTRIBUTING.md"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEPENDENCIES = [
    re.split(r"[^\w-]", one)[0]
    for one in (*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values()))
]
ROOMS = "companion|tests|hardware|models|systemd|\\.github"
PLACES = [
    (name, path)
    for name, text in DOCUMENTS.items()
    for path in dict.fromkeys(
        re.findall(r"`((?:companion|tests|hardware|models|systemd|\.github)/[^`\s]*)`", text)
    )
    if "<" not in path
]
LINKS = [
    (name, *link.partition("#")[::2])
    for name, text in DOCUMENTS.items()
    for link in dict.fromkeys(re.findall(r"\]\(([^)]+)\)", text))
    if "://" not in link
]
EVENTS = {
    *("game", "card", "lift", "grid", "seen", "press", "call", "accuse", "sprint", "laid", "take", "foul"),
    *("fix", "undo"),
}


@pytest.mark.parametrize(
    "command", [name for name, command in commands(cli) if not isinstance(command, click.Group)]
)
def test_every_command_is_told(command: str) -> None:
    """Whoever reads what commands there are meets each."""
    assert f"`{command}" in DOCUMENTS[".github/COMMANDS.md"]


@pytest.mark.parametrize("word", sorted({*EVENTS, *RULINGS, *chain(*REASONS.values())}))
def test_every_word_of_the_vocabulary_is_explained(word: str) -> None:
    """Events, rulings and reasons stand in the game's own document."""
    assert f"`{word}`" in GOAT


@pytest.mark.parametrize("dependency", DEPENDENCIES)
def test_every_dependency_has_its_reason(dependency: str) -> None:
    """Nothing is installed that nobody accounts for."""
    name = dependency.removeprefix("pytest-")
    assert re.search(rf"\b{name}\b", CONTRIBUTING.partition("## Dependencies")[2])


@pytest.mark.parametrize(("document", "path"), PLACES)
def test_every_path_in_a_document_is_there(document: str, path: str) -> None:
    """The map fits the land."""
    assert next(ROOT.glob(path), None), f"{document} speaks of {path}"


@pytest.mark.parametrize(("document", "path", "heading"), LINKS)
def test_every_link_leads_somewhere(document: str, path: str, heading: str) -> None:
    """To a file that is there, and to a heading in it."""
    target = (ROOT / document).parent / path if path else ROOT / document
    assert target.exists()
    if heading:
        headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        assert heading in [re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings]


def test_who_sets_it_up_gets_all_files_first_and_finds_the_page() -> None:
    """What is copied from a folder lies there by then, and afterwards it is said where page, code and log are."""
    steps, finds, *_ = re.findall(r"```sh\n(.*?)```", SERVICE, re.DOTALL)
    wanted = [
        re.search(word, steps, re.MULTILINE)
        for word in ("install .*git", "git clone", "^cd ", " systemd/", "enable --now")
    ]
    assert None not in wanted
    places = [found.start() for found in wanted if found is not None]
    assert sorted(places) == places
    assert "journalctl -u table-companion -n 20\n" == finds
    for word in ("page: http", "pairing code", "/rig", "companion report"):
        assert word in SERVICE


@pytest.mark.parametrize("module", re.findall(r"`([\w/]+\.py)`", WIRING.partition("## The code")[2]))
def test_every_driver_that_is_told_is_there(module: str) -> None:
    """In the folder of the document."""
    assert (ROOT / "hardware" / module).exists()


def test_the_wiring_is_the_usual_rig() -> None:
    """The pins that a builder reads are those that are taken where rig.toml names none."""
    rows = re.findall(r"^\| (\d) \| (\d+) \(\d+\) \| (\d+) \(\d+\) \| (\d+) \(\d+\) \|$", WIRING, re.MULTILINE)
    assert [(str(seat), *map(str, (plan.grab, plan.call, plan.lamp))) for seat, plan in enumerate(USUAL)] == rows


def test_the_pins_have_the_places_that_they_have() -> None:
    """As gpiozero knows the header of a Pi 4."""
    pairs = re.findall(r"(\d+) \((\d+)\)", WIRING)
    board = MockFactory("c03111").board_info
    assert len(pairs) == 3 * len(USUAL)
    for gpio, place in pairs:
        ((_, pin),) = board.find_pin(f"GPIO{gpio}")
        assert int(place) == pin.number


def test_the_example_of_a_rig_is_one() -> None:
    """What stands in the wiring's README can be used."""
    (example,) = re.findall(r"```toml\n(.*?)```", WIRING, re.DOTALL)
    assert ("pi", 2) == (parsed_config(example).camera, len(parsed_config(example).seats))


def test_the_newest_entry_of_the_changes_is_this_version() -> None:
    """Whoever changes the number says what has changed."""
    assert re.findall(r"^## (\d\S+)", CHANGES, re.MULTILINE)[0] == companion.__version__


def test_what_outlives_the_program_is_told_with_its_number() -> None:
    """The journal's, a deck's and a backup's, as the code counts them."""
    rows = re.findall(r"^\| (journal|taught deck|backup) \|.*?\| (\d+) \|", CHANGES, re.MULTILINE)
    numbers = {"journal": len(schema.STEPS), "taught deck": deck_file.VERSION, "backup": backup_contents.EDITION}
    assert {name: int(number) for name, number in rows} == numbers


def test_the_licence_stands_where_the_project_says() -> None:
    """And it is the one that is named."""
    (file,) = PROJECT["license-files"]
    assert f"{PROJECT['license']} License" in (ROOT / file).read_text(encoding="utf-8")
