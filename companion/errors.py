"""Everything the companion may say went wrong.

Each error has two parents: ours, so that one `except` catches the family, and the built-in one whose
meaning it shares, so that a caller who knows nothing of us still catches it rightly.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.table import Snapshot


class CompanionError(Exception):
    """The family. Its text is one sentence for the person at the table: what is wrong, where, what to do."""


class SenselessEvent(CompanionError, ValueError):
    """An event that cannot be: of an unknown kind, out of range, or impossible on the table as it stands."""


class JournalError(CompanionError, OSError):
    """The journal could not be opened, read or written."""


class JournalBusy(JournalError):
    """Another process already keeps this journal."""


class JournalFull(JournalError):
    """The disk has no room for another event; everything before it is safe."""


class JournalNewer(JournalError):
    """A later version of the companion has written this journal."""


class JournalDamaged(JournalError):
    """The file is a journal, but part of it can't be read any more."""


class NotAJournal(JournalError):
    """The file is there, but it is none of ours."""


class NoSuchGame(CompanionError, LookupError):
    """No game in this journal begins with that event."""


class StaleCommand(CompanionError, RuntimeError):
    """A phone spoke about a state of the table that has passed."""

    def __init__(self, message: str, truth: "Snapshot") -> None:
        super().__init__(message)
        self.truth = truth


class TableBusy(CompanionError, RuntimeError):
    """More has come in than the table can note."""


class TableClosed(CompanionError, RuntimeError):
    """The table has stopped noting."""
