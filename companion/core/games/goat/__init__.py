"""Row Your Goat: the rules, and the record of a game."""

from companion.core.games.goat.record import Record, begun

__all__ = ["Record", "begun"]
