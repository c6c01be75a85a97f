"""Everything the companion may say went wrong.

Each error has two parents: ours, so that one `except` catches the family, and the built-in one whose
meaning it shares, so that a caller who knows nothing of us still catches it rightly.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.table.live_table import Snapshot


class CompanionError(Exception):
    """The family. Its text is one sentence for the person at the table: what is wrong, where, what to do."""


class Crashed(CompanionError, RuntimeError):
    """Something that nobody foresaw has ended the program; what it was stands in the log."""


class InvalidEvent(CompanionError, ValueError):
    """An event that cannot be: of an unknown kind, out of range, or impossible on the table as it stands."""


class RulesFailed(InvalidEvent):
    """The rules themselves have failed over an event: a mistake in the program."""


class RigTrouble(CompanionError, RuntimeError):
    """What the rig's drivers say: no such lines, no such camera, nothing that could be measured."""


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


class CannotBackUp(CompanionError, OSError):
    """No backup of everything can be made there, or of that."""


class NotABackup(CompanionError, ValueError):
    """The file is no backup of everything, or one that can't be restored here."""


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


class NotAllowed(CompanionError, PermissionError):
    """Whoever says this may look, but not say it."""


class RateLimited(CompanionError, RuntimeError):
    """Somebody has tried, or come, more often than is good for the others."""

    def __init__(self, message: str, again_in_s: int) -> None:
        super().__init__(message)
        self.again_in_s = again_in_s


class TooManyConnections(RateLimited):
    """So many look on already that one more would take a thread from those who play."""


class CannotListen(CompanionError, OSError):
    """The page can't be opened where it was asked for."""


class PortTaken(CannotListen):
    """Another program listens there already."""


class NotAPicture(CompanionError, ValueError):
    """The file can't be read as a picture of the table."""


class GridNotFound(CompanionError, ValueError):
    """Nothing says where the nine cells lie in a picture."""


class InvalidLabels(CompanionError, ValueError):
    """What somebody wrote about the pictures of a lesson can't be meant."""


class LessonFailed(CompanionError, ValueError):
    """The pictures do not show what their labels say, or not well enough to tell the cards apart."""


class NotADeck(CompanionError, ValueError):
    """The file is there, but it is no taught deck, or one that is damaged."""


class DeckNewer(NotADeck):
    """A later version of the companion has taught this deck."""


class NoSuchDeck(CompanionError, LookupError):
    """No deck of that name has been taught."""


class NoDeckYet(CompanionError, LookupError):
    """There is a picture, but no deck can be read by which to tell what lies there."""


class NoFootage(CompanionError, LookupError):
    """There is no such folder, video or camera, or nothing to be seen in it."""


class InvalidFrames(CompanionError, ValueError):
    """The list of a folder's pictures can't be meant."""


class BadConfig(CompanionError, ValueError):
    """Something in rig.toml that can't be."""
