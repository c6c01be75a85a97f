"""A backup of everything in one file, and how to restore it.

It holds the journal, the photo finishes, the taught decks, rig.toml and the measured clock resolution. It does not
hold the paired phones: whoever got the file could act as any of them, and pairing again takes a minute.
"""

from companion.backups.make_backup import Made, back_up
from companion.backups.restore_backup import finish_restoring, restore_all

__all__ = ["Made", "back_up", "finish_restoring", "restore_all"]
