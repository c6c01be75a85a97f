"""What has happened at the table, kept for good."""

from companion.journal.backup import backup, restore
from companion.journal.entry import VOCABULARY, Draft, Entry
from companion.journal.event_lines import Exported, export_lines, import_lines
from companion.journal.game_list import JournalGame, Loss
from companion.journal.gaps import Gap
from companion.journal.reader import Reader
from companion.journal.recover import Recovery
from companion.journal.writer import Journal

__all__ = [
    "VOCABULARY",
    "Draft",
    "Entry",
    "Exported",
    "Gap",
    "Journal",
    "JournalGame",
    "Loss",
    "Reader",
    "Recovery",
    "backup",
    "export_lines",
    "import_lines",
    "restore",
]
