"""Row Your Goat: its races as photo finishes, and its numbers."""

from companion.games.goat.history.finish import Answer, Finish, PressMark, SprintHeat
from companion.games.goat.history.finishes import find_finishes
from companion.games.goat.history.story import Story, make_story
from companion.games.goat.history.tally import Closest, GameTally, make_tally

__all__ = [
    "Answer",
    "Closest",
    "Finish",
    "GameTally",
    "PressMark",
    "SprintHeat",
    "Story",
    "find_finishes",
    "make_story",
    "make_tally",
]
