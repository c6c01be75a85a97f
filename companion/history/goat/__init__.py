"""Row Your Goat: its races as photo finishes, and its numbers."""

from companion.history.goat.finish import Answer, Finish, Heat, Mark
from companion.history.goat.finishes import finishes
from companion.history.goat.story import Story, story_of
from companion.history.goat.tally import Closest, Tally, tally_of

__all__ = ["Answer", "Closest", "Finish", "Heat", "Mark", "Story", "Tally", "finishes", "story_of", "tally_of"]
