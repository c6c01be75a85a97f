"""Row Your Goat: its races as photo finishes, and its numbers."""

from companion.games.goat.history.finish import Answer, Finish, PressMark, SprintHeat
from companion.games.goat.history.finishes import find_finishes
from companion.games.goat.history.story import Story, story_of
from companion.games.goat.history.tally import Closest, GameTally, tally_of

__all__ = [
    "Answer",
    "Closest",
    "Finish",
    "GameTally",
    "PressMark",
    "SprintHeat",
    "Story",
    "find_finishes",
    "story_of",
    "tally_of",
]
