"""`companion watch`: what happens on the table, told as it happens."""

import json
import sys
from pathlib import Path

import click

from companion.cli.camera_options import corners_option, deck_option
from companion.cli.options import EXIT_CODES, logs_shown, models_option, verbose_option
from companion.core.mat import Point
from companion.errors import GridNotFound
from companion.eyes.deck.deck_file import read_deck
from companion.eyes.deck.deck_shelf import find_deck
from companion.eyes.look import Eyes
from companion.footage.footage_source import of_one_size
from companion.footage.open_footage import open_footage
from companion.rig.watch_pictures import watch_pictures


@click.command("watch", epilog=EXIT_CODES)
@click.argument("source", metavar="FOLDER|VIDEO|CAMERA")
@deck_option
@corners_option
@models_option
@verbose_option
def watch_command(
    source: str, deck: str | None, corners: tuple[Point, ...] | None, models: Path, *, verbose: bool
) -> None:
    """What happens on the table, an event a line.

    First a grid with what lies there already, then cards, lifted piles, and up to when all of it is seen. A FOLDER
    holds frames.json: {"frames": [{"file": "000.jpg", "t_ns": 0}, ...]}. A CAMERA is its number or its device, 0
    or /dev/video0; of its pictures only the newest is looked at.

    \b
    Example: companion watch --deck ours 0
    """
    with logs_shown(verbose):
        _watch(source, deck, corners, models)


def _watch(source: str, deck: str | None, corners: tuple[Point, ...] | None, models: Path) -> None:
    pictures = of_one_size(open_footage(source, _remark), source)
    eyes = Eyes(read_deck(find_deck(deck, models)))
    eyes.warm_up()
    try:
        for event in watch_pictures(pictures, eyes, corners, _remark):
            sys.stdout.write(json.dumps(event, separators=(",", ":")) + "\n")
            # Flush each line: the program at the other end of a pipe needs it at once to judge presses.
            sys.stdout.flush()
    except GridNotFound as error:
        raise GridNotFound(f"{source}: {error}.") from None


def _remark(what: str) -> None:
    click.echo(f"companion: {what}", err=True)
