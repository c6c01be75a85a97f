"""The whole journal in one file, taken while the table plays on; and back again."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from companion.errors import JournalDamaged, JournalError
from companion.files import sync_folder
from companion.journal.check import check
from companion.journal.connection import (
    connect,
    connect_immutable,
    connect_read_only,
    query_value,
    translate_errors,
)
from companion.journal.lock import JournalEnd, Lock
from companion.journal.schema import check_ours, configure, is_blank
from companion.journal.swap import REPLACED, add_suffix, finish_install, install, remove_draft, sync_file


def backup(journal: Path, target: Path) -> int:
    """Copy the journal into one new file, while it is in use; return how many events the copy holds."""
    if target.exists():
        raise JournalError(f"{target} is there already: give the backup another name.")
    check_ours(journal)
    if is_blank(journal):
        raise JournalError(f"There is no journal at {journal} to make a backup of.")
    draft = add_suffix(target, ".draft")
    with translate_errors(target):
        try:
            events = _copy(journal, draft)
            sync_file(draft)
            draft.rename(target)
        finally:
            remove_draft(draft)
        sync_folder(target.parent)
    return events


def restore(backup: Path, journal: Path, *, wall: Callable[[], int] = time.time_ns) -> Path | None:
    """Put a checked backup into the journal's place; return where the former journal lies now, if there was
    one."""
    check_ours(backup)
    check_ours(journal)
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
        with closing(connect_read_only(backup)) as old, closing(connect(successor)) as new:
            old.backup(new)
            configure(new, successor)

    with Lock(journal) as lock:
        finish_install(journal)
        aside = install(journal, build, REPLACED, wall())
        # The lock file still says how far the former journal went; this one has an end of its own.
        lock.note(JournalEnd(last_in(journal)))
    return aside if aside.exists() else None


def last_in(journal: Path) -> int:
    """The newest event's number in a file that nobody writes to."""
    with translate_errors(journal), closing(connect_immutable(journal)) as db:
        return query_value(db, "SELECT coalesce(max(number), 0) FROM event")


def _copy(journal: Path, draft: Path) -> int:
    """Copy one moment of the journal over a connection of its own; the writer is not held up."""
    remove_draft(draft)
    draft.touch()
    with closing(connect_read_only(journal)) as old, closing(connect(draft)) as new:
        old.backup(new)
        # A backup is one file: in the mode of the journal itself, opening it would leave two more beside it.
        new.execute("PRAGMA journal_mode = DELETE")
        events: int = query_value(new, "SELECT count(*) FROM event")
    try:
        check(draft)
    except JournalDamaged as error:
        raise JournalDamaged(
            f"{journal} is damaged and no backup was made: start the companion anew, "
            "it sets the file aside and recovers what can be read."
        ) from error
    return events
