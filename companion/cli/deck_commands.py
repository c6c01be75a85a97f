"""`companion teach` and `companion look`: a deck taught from pictures, and pictures read."""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from cv2.typing import MatLike

from companion.cli.camera_options import corners_option, deck_option
from companion.cli.options import EXIT_CODES, logs_shown, models_option, verbose_option
from companion.core.cards import CELLS, sets_on
from companion.core.mat import Point
from companion.core.reading import Bare, Shown, Sight, Why
from companion.errors import GridNotFound, NotAPicture
from companion.eyes.deck.deck_file import SUFFIX, read_deck, write_deck
from companion.eyes.deck.deck_shelf import find_deck, is_name
from companion.eyes.deck.taught_deck import TaughtDeck
from companion.eyes.deck.teach_deck import teach_deck
from companion.eyes.grid.grid_from_cards import find_cards_grid
from companion.eyes.grid.grid_from_corners import grid_from_corners
from companion.eyes.grid.grid_from_mat import Found, Grid, find_mat
from companion.eyes.image.picture import read_picture
from companion.eyes.look import Eyes


def _deck_name(_context: click.Context, _argument: click.Parameter, name: str) -> str:
    if not is_name(name):
        raise click.BadParameter("a deck's name is letters, digits, blanks, dots and dashes, 40 at the most")
    return name


@click.command("teach", epilog=EXIT_CODES)
@click.argument("name", callback=_deck_name)
@click.argument("pictures", metavar="PICTURE...", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    required=True,
    help="The JSON file that says which card lies in which cell of which picture.",
)
@click.option("--out", type=click.Path(path_type=Path), help="The deck file to write; by default among the decks.")
@models_option
@verbose_option
def teach_command(  # noqa: PLR0913 - click gives each option by itself
    *, name: str, pictures: tuple[Path, ...], labels: Path, out: Path | None, models: Path, verbose: bool
) -> None:
    """Teach a deck from pictures of its cards, one of each kind, laid on the grid.

    The labels look like {"a.jpg": {"cells": [{"boat": "raft", "colour": "pink"}, null, ...]}}: nine cells row by
    row, null where nothing lies. Without the mat "corners" beside "cells" says where the grid is: [[x, y], ...] in
    pixels, top left, top right, bottom right, bottom left.

    \b
    Example: companion teach ours --labels labels.json first.jpg second.jpg
    """
    with logs_shown(verbose):
        learnt = teach_deck(name, labels, pictures)
    if out is None:
        models.mkdir(parents=True, exist_ok=True)
        out = models / f"{name}{SUFFIX}"
    write_deck(learnt.deck, out)
    for remark in learnt.remarks:
        click.echo(f"companion: {remark}", err=True)
    click.echo(f"{len(learnt.deck.cards)} cards of {name} are taught, in {out}.")


@click.command("look", epilog=EXIT_CODES)
@click.argument("pictures", metavar="PICTURE...", type=click.Path(path_type=Path), nargs=-1, required=True)
@deck_option
@corners_option
@models_option
@verbose_option
def look_command(
    pictures: tuple[Path, ...], deck: str | None, corners: tuple[Point, ...] | None, models: Path, *, verbose: bool
) -> None:
    """What lies in the nine cells of each picture: a line of JSON each.

    A cell is a card, null where nothing lies, or {"hidden": true} and why where it can't be read. Corners that are
    given go before the mat in the picture. Pictures in which there is nothing to read end it with exit code 1.

    \b
    Example: companion look --deck ours table.jpg
    """
    with logs_shown(verbose):
        is_all_read = _look(pictures, deck, corners, models)
    if not is_all_read:
        sys.exit(1)


def _look(pictures: tuple[Path, ...], deck: str | None, corners: tuple[Point, ...] | None, models: Path) -> bool:
    """Prints a line for each picture; False if one of them had nothing to read."""
    eyes = Eyes(read_deck(find_deck(deck, models)))
    eyes.warm_up()
    unread = False
    for path in pictures:
        try:
            line = _read(eyes, path, corners)
        except (NotAPicture, GridNotFound) as error:
            click.echo(f"companion: {error}", err=True)
            line, unread = _line(path, Found.NONE, None, 0.0), True
        # One line of JSON per picture, for a program at the other end of a pipe; echo flushes each.
        click.echo(json.dumps(line, separators=(",", ":")))
    return not unread


def _read(eyes: Eyes, path: Path, corners: Sequence[Point] | None) -> Mapping[str, object]:
    picture = read_picture(path)
    began = time.perf_counter()
    try:
        grid = _grid_in(picture, corners, eyes.deck)
    except GridNotFound as error:
        raise GridNotFound(f"{path}: {error}.") from None
    sights = eyes.look(picture, grid).sights
    return _line(path, grid.found, sights, (time.perf_counter() - began) * 1000)


def _grid_in(picture: MatLike, corners: Sequence[Point] | None, deck: TaughtDeck) -> Grid:
    """The grid in this picture: given corners come before the mat, because somebody has looked at the picture;
    without a mat the nine cards show where the grid is."""
    if corners is not None:
        return grid_from_corners(corners, picture)
    grid = find_mat(picture) or find_cards_grid(picture, deck)
    if isinstance(grid, Grid):
        return grid
    raise GridNotFound(
        f"there is no grid in it: fewer than two of the mat's four markers are in sight, and {grid.value}; show "
        "the mat, lay nine cards out, or say with --corners where the grid is"
    )


def _line(path: Path, found: Found, sights: Sequence[Sight] | None, ms: float) -> Mapping[str, object]:
    cells: list[object] = [{"hidden": True, "why": Why.LOST.value}] * len(CELLS)
    sets: list[object] = []
    if sights is not None:
        cells = [_cell(sight) for sight in sights]
        sets = [*sets_on([sight.card if isinstance(sight, Shown) else None for sight in sights])]
    return {"picture": str(path), "grid": found.value, "cells": cells, "sets": sets, "ms": round(ms, 1)}


def _cell(sight: Sight) -> object:
    if isinstance(sight, Shown):
        return {**sight.card.as_json(), "sure": round(sight.sure, 3)}
    if isinstance(sight, Bare):
        return None
    return {"hidden": True, "why": sight.why.value}
