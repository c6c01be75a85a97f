"""The documents say all that there is, and what they tell people to type works."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import click
import pytest

import companion
from companion.__main__ import cli

from .core.goat.test_golden import REASONS, RULINGS
from .test_command_line import commands

ROOT = Path(companion.__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GOAT = (ROOT / "companion/core/games/goat/README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEPENDENCIES = [
    re.split(r"[^\w-]", one)[0]
    for one in (*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values()))
]
EVENTS = {
    *("game", "card", "lift", "grid", "seen", "press", "call", "accuse", "sprint", "laid", "take", "foul"),
    *("fix", "undo"),
}


@pytest.mark.parametrize(
    "command", [name for name, command in commands(cli) if not isinstance(command, click.Group)]
)
def test_every_command_is_in_the_readme(command: str) -> None:
    """Whoever reads the README meets every command."""
    assert f"`{command}" in README


@pytest.mark.parametrize("word", sorted({*EVENTS, *RULINGS, *chain(*REASONS.values())}))
def test_every_word_of_the_vocabulary_is_explained(word: str) -> None:
    """Events, rulings and reasons stand in the game's own document."""
    assert f"`{word}`" in GOAT


@pytest.mark.parametrize("dependency", DEPENDENCIES)
def test_every_dependency_has_its_reason(dependency: str) -> None:
    """Nothing is installed that the README does not account for."""
    name = dependency.removeprefix("pytest-")
    assert re.search(rf"\b{name}\b", README.partition("Each dependency has its reason")[2])


@pytest.mark.parametrize("path", re.findall(r"`((?:companion|tests|hardware|models|systemd)/[\w./]*)`", README))
def test_every_path_in_the_readme_is_there(path: str) -> None:
    """The map fits the land."""
    assert (ROOT / path).exists()
