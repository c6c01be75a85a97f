"""Where taught decks lie: the family's own in the data folder, and the one that comes with the program."""

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from companion.errors import NoSuchDeck
from companion.eyes.deck.deck_file import SUFFIX

# Beside the package in a clone; under the environment's own folder where it is installed.
SUPPLIED: Final = (
    Path(__file__).parents[3] / "models",
    Path(sys.prefix) / "share" / "table-companion" / "models",
)
HOW: Final = "teach one: `companion teach NAME --labels labels.json PICTURE...`"
_NAME: Final = re.compile(r"\w[\w .-]{0,39}")


def is_name(name: str) -> bool:
    """Whether a deck can be called so: its file is."""
    return _NAME.fullmatch(name) is not None and name == name.strip(" .")


def find_deck(deck: str | None, own: Path, supplied: Sequence[Path] = SUPPLIED) -> Path:
    """By its name, by its file, or the only one there is. A family's own goes before the one that was supplied."""
    known = {path.stem: path for folder in (*reversed(supplied), own) for path in _decks_in(folder)}
    if deck is None:
        return _require_one(_decks_in(own) or [*known.values()])
    if deck in known:
        return known[deck]
    if Path(deck).is_file():
        return Path(deck)
    raise NoSuchDeck(f"{deck}: there is no such deck and no such file; {_name_choices(known)}.")


def _decks_in(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SUFFIX}"))


def _require_one(decks: Sequence[Path]) -> Path:
    if len(decks) == 1:
        return decks[0]
    if not decks:
        raise NoSuchDeck(f"No deck has been taught yet; {HOW}.")
    raise NoSuchDeck(f"Which deck is it? Say it with --deck: {_join_names(path.stem for path in decks)}.")


def _name_choices(known: Iterable[str]) -> str:
    names = _join_names(known)
    return f"there are {names}, or {HOW}" if names else HOW


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
