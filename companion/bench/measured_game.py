"""What is measured: of the games there are, the first that brings samples, and the first whose cards a camera
reads."""

from functools import cache

from companion.demo.cast import DrawnDeck, GameSamples
from companion.games.game import Game
from companion.games.registry import GAMES


@cache
def measured_game() -> tuple[Game, GameSamples]:
    return next((game, samples) for game in GAMES.values() if (samples := game.cast().samples) is not None)


@cache
def measured_deck() -> DrawnDeck:
    return next(deck for game in GAMES.values() if (deck := game.cast().deck) is not None)
