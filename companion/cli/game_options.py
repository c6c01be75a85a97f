"""The options for the game and the number of players, for commands in which the demo's people play."""

from collections.abc import Callable
from typing import Final, TypeVar

import click

from companion.cli.options import OneOf, Whole
from companion.games.registry import GAMES

Command = TypeVar("Command", bound=Callable[..., object])

FEWEST: Final = min(game.seats.start for game in GAMES.values())
MOST: Final = max(game.seats.stop - 1 for game in GAMES.values())
USUAL_SEATS: Final = 4

game_option = click.option(
    "--game",
    type=OneOf(sorted(GAMES), case_sensitive=False),
    default=next(iter(GAMES)),
    is_eager=True,
    show_default=True,
    help="What is played.",
)


def _seats_of_game(context: click.Context, option: click.Parameter, seats: int) -> int:
    game = GAMES[context.params["game"]]
    if seats in game.seats:
        return seats
    if context.get_parameter_source("seats") is click.core.ParameterSource.DEFAULT:
        return min(game.seats, key=lambda many: abs(many - seats))
    raise click.BadParameter(f"{game.title} is played by {game.seats[0]} to {game.seats[-1]}.", context, option)


def seats_option(command: Command) -> Command:
    """Adds the option for the number of seats; needs `game_option` too, which is read first."""
    option = click.option(
        "--seats",
        type=Whole(FEWEST, MOST),
        callback=_seats_of_game,
        default=USUAL_SEATS,
        show_default=True,
        help="How many people play.",
    )
    return option(command)
