"""The options of all commands that read pictures: which deck is played with, and where the grid is."""

import click

from companion.core.mat import Point
from companion.errors import GridNotFound
from companion.eyes.grid.grid_from_corners import ORDER, parse_corners


def _corners(_context: click.Context, _option: click.Parameter, text: str | None) -> tuple[Point, ...] | None:
    if text is None:
        return None
    try:
        points = [[float(part) for part in pair.split(",")] for pair in text.split()]
    except ValueError:
        raise click.BadParameter(f'write the corners as "x,y x,y x,y x,y" in pixels: {ORDER}.') from None
    try:
        return parse_corners(points)
    except GridNotFound as error:
        raise click.BadParameter(f"{error}.") from None


deck_option = click.option(
    "--deck", metavar="NAME|FILE", help="The deck that is played with; by default the only one there is."
)

corners_option = click.option(
    "--corners",
    metavar='"x,y x,y x,y x,y"',
    callback=_corners,
    help="Where the grid's corners are, in pixels: top left, top right, bottom right, bottom left.",
)
