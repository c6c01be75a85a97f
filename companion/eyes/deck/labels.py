"""What somebody has written about the pictures of a lesson: which card lies in which cell, and where the grid
is.

Keys that mean nothing here are ignored, and so are pictures that nobody teaches from.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn, cast

from companion.core.cards import BOATS, CARDS, CELLS, COLOURS, Card, Cell
from companion.core.mat import Point
from companion.errors import GridNotFound, InvalidLabels
from companion.eyes.grid.grid_from_corners import parse_corners

WHERE: Final = (
    *("top left", "top", "top right"),
    *("left", "middle", "right"),
    *("bottom left", "bottom", "bottom right"),
)
SHAPE: Final = '{"a.jpg": {"cells": [{"boat": "raft", "colour": "pink"}, null, and so on, nine in all]}}'
_LARGEST_FILE: Final = 20_000_000
_LONGEST_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class Label:
    """What somebody has written about one picture."""

    cards: tuple[Card | None, ...]
    """The card in each cell, row by row; None where nothing lies."""
    corners: tuple[Point, ...] | None
    """The grid's corners in pixels, where they were given."""


def cell_name(picture: Path, cell: Cell) -> str:
    return f"{picture}, cell {cell} ({WHERE[cell]})"


def card_name(card: Card) -> str:
    return f"{card.boat} {card.colour}"


def read_labels(path: Path) -> Mapping[str, object]:
    with path.open("rb") as file:
        data = file.read(_LARGEST_FILE + 1)
    if len(data) > _LARGEST_FILE:
        raise InvalidLabels(f"{path}: this is far too large for labels; name the JSON file with the labels.")
    try:
        value: object = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_reject_duplicates)
    except InvalidLabels as error:
        raise InvalidLabels(f"{path}: {error}.") from None
    except (ValueError, RecursionError) as error:
        raise InvalidLabels(f"{path}: this is no JSON ({_shorten(str(error))}); write {SHAPE}.") from None
    if not isinstance(value, dict):
        raise InvalidLabels(f"{path}: this must say for each picture what lies in it: {SHAPE}.")
    return cast("Mapping[str, object]", value)


def _reject_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise InvalidLabels(f"{_shorten(ascii(twice))} stands in one place twice; strike one of them out")
    return dict(pairs)


def find_label(labels: Mapping[str, object], picture: Path) -> Label:
    """The picture's label, under its path as it was given, or under its file name."""
    key = next((key for key in (str(picture), picture.as_posix(), picture.name) if key in labels), None)
    if key is None:
        raise InvalidLabels(f"{picture}: the labels don't say what lies in it; write {SHAPE}.")
    entry = labels[key]
    if not isinstance(entry, dict):
        raise InvalidLabels(f"{picture}: its label must be an object, {SHAPE}.")
    entry = cast("Mapping[str, object]", entry)
    cells = entry.get("cells")
    if not isinstance(cells, list) or len(cast("list[object]", cells)) != len(CELLS):
        raise InvalidLabels(f"{picture}: `cells` must be a list of nine, row by row, null where nothing lies.")
    cards = tuple(_read_card(one, picture, cell) for cell, one in enumerate(cast("list[object]", cells)))
    return Label(cards, _read_corners(entry.get("corners"), picture))


def _read_corners(value: object, picture: Path) -> tuple[Point, ...] | None:
    if value is None:
        return None
    try:
        return parse_corners(value)
    except GridNotFound as error:
        raise InvalidLabels(f"{picture}: {error}.") from None


def _read_card(value: object, picture: Path, cell: Cell) -> Card | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        _refuse(picture, cell, f'must be {{"boat": ..., "colour": ...}} or null, not {_shorten(ascii(value))}')
    told = cast("Mapping[str, object]", value)
    boat, colour = told.get("boat"), told.get("colour")
    if not isinstance(boat, str) or boat not in BOATS:
        _refuse(picture, cell, f"`boat` must be one of {', '.join(BOATS)}, not {_shorten(ascii(boat))}")
    if not isinstance(colour, str) or colour not in COLOURS:
        _refuse(picture, cell, f"`colour` must be one of {', '.join(COLOURS)}, not {_shorten(ascii(colour))}")
    return CARDS[boat, colour]


def _refuse(picture: Path, cell: Cell, problem: str) -> NoReturn:
    raise InvalidLabels(f"{cell_name(picture, cell)}: {problem}.")


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
