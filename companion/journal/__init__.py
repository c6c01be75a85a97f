"""What has happened at the table, kept for good."""

from companion.journal.backup import backup, restore
from companion.journal.entry import VOCABULARY, Draft, Entry
from companion.journal.lines import export_lines, import_lines
from companion.journal.reader import Game, Reader
from companion.journal.recover import Recovery
from companion.journal.writer import Journal

__all__ = [
    "VOCABULARY",
    "Draft",
    "Entry",
    "Game",
    "Journal",
    "Reader",
    "Recovery",
    "backup",
    "export_lines",
    "import_lines",
    "restore",
]
