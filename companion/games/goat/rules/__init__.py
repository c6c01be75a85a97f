"""Row Your Goat: the rules, and the record of a game."""

from companion.games.goat.rules.record import Record, begun

__all__ = ["Record", "begun"]
