"""The whole journal in one file, taken while the table plays on; and back again."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from companion.errors import JournalDamaged, JournalError
from companion.files import sync_folder
from companion.journal.check import check
from companion.journal.connection import connect, connect_looking, connect_reading, in_plain_words, value
from companion.journal.lock import Lock, Noted
from companion.journal.schema import is_blank, look, settle
from companion.journal.swap import REPLACED, beside, finish, install, remove, sync


def backup(journal: Path, target: Path) -> int:
    """How many events it holds."""
    if target.exists():
        raise JournalError(f"{target} is there already: give the backup another name.")
    look(journal)
    if is_blank(journal):
        raise JournalError(f"There is no journal at {journal} to make a backup of.")
    draft = beside(target, ".draft")
    with in_plain_words(target):
        try:
            events = _copy(journal, draft)
            sync(draft)
            draft.rename(target)
        finally:
            remove(draft)
        sync_folder(target.parent)
    return events


def restore(backup: Path, journal: Path, *, wall: Callable[[], int] = time.time_ns) -> Path | None:
    """Where the journal lies now that was there before."""
    look(backup)
    look(journal)
    if is_blank(backup):
        raise JournalError(f"There is no backup at {backup}, or it is empty: name another file.")
    if journal.exists() and journal.samefile(backup):
        raise JournalError(f"{backup} is the journal itself: name a backup of it.")
    try:
        check(backup)
    except JournalDamaged as error:
        raise JournalDamaged(
            f"The backup {backup} is damaged, and the journal stays as it is: take another."
        ) from error

    def build(successor: Path) -> None:
        successor.touch()
        with closing(connect_reading(backup)) as old, closing(connect(successor)) as new:
            old.backup(new)
            settle(new, successor)

    with Lock(journal) as lock:
        finish(journal)
        aside = install(journal, build, REPLACED, wall())
        # Of the journal that lay there before, this one knows nothing.
        lock.note(Noted(last_in(journal)))
    return aside if aside.exists() else None


def last_in(journal: Path) -> int:
    """The newest event's number in a file that nobody writes to."""
    with in_plain_words(journal), closing(connect_looking(journal)) as db:
        return value(db, "SELECT coalesce(max(number), 0) FROM event")


def _copy(journal: Path, draft: Path) -> int:
    """A connection of its own reads one moment of the journal; the writer goes on meanwhile."""
    remove(draft)
    draft.touch()
    with closing(connect_reading(journal)) as old, closing(connect(draft)) as new:
        old.backup(new)
        # A backup is one file: in the mode of the journal itself, opening it would leave two more beside it.
        new.execute("PRAGMA journal_mode = DELETE")
        events: int = value(new, "SELECT count(*) FROM event")
    try:
        check(draft)
    except JournalDamaged as error:
        raise JournalDamaged(
            f"{journal} is damaged and no backup was made: start the companion anew, "
            "it sets the file aside and recovers what can be read."
        ) from error
    return events
