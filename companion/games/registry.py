"""The games there are. Nothing else names one."""

from collections.abc import Mapping
from typing import Final

from companion.games.game import Game
from companion.games.goat import GOAT

GAMES: Final[Mapping[str, Game]] = {game.name: game for game in (GOAT,)}
"""The first of them is offered before any has been played."""
