"""Row Your Goat: the rules, and the record of a game."""

from companion.games.goat.rules.record import Record, begin_game

__all__ = ["Record", "begin_game"]
