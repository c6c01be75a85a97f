"""Row Your Goat: its races as photo finishes, and its numbers."""

from companion.games.goat.history.finish import Answer, Finish, Heat, Mark
from companion.games.goat.history.finishes import finishes
from companion.games.goat.history.story import Story, story_of
from companion.games.goat.history.tally import Closest, Tally, tally_of

__all__ = ["Answer", "Closest", "Finish", "Heat", "Mark", "Story", "Tally", "finishes", "story_of", "tally_of"]
