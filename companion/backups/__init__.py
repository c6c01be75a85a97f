"""All that is kept, in one file to carry away, and back.

In it are the journal, the photo finishes, the taught decks, rig.toml and what was measured of the clock. Not in it
is which phone is whose: whoever got hold of the file could speak for everybody, and pairing anew takes a minute.
"""

from companion.backups.make_backup import Made, back_up
from companion.backups.restore_backup import finish_restoring, restore_all

__all__ = ["Made", "back_up", "finish_restoring", "restore_all"]
