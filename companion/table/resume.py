"""Resumes the table from the journal by replaying its last game, as far as that is preserved."""

import json
from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from companion.errors import InvalidEvent, JournalError
from companion.journal import Entry, Gap, Journal
from companion.journal.gaps import find_break
from companion.table.evening import Evening
from companion.table.snapshot import Snapshot, news

# Size of the snapshot buffer. A phone that missed more events than this starts from the newest snapshot; a
# restart is treated like any other gap.
KEPT: Final = 1024


@dataclass(frozen=True, slots=True)
class ResumedTable:
    """The table's state as read from the journal."""

    snapshots: tuple[Snapshot, ...]
    """The newest snapshots of the last game, up to the buffer's size; never empty."""
    latest: int
    """The highest `t` in the last game, which need not be the newest event's; 0 before the first game."""
    torn: Gap | None = None
    """The gap that ends the last game: its later events depend on lost ones. The table is then empty."""

    @property
    def snapshot(self) -> Snapshot:
        return self.snapshots[-1]


def resume(journal: Journal) -> ResumedTable:
    """Replays the journal's last game. Raises `JournalError` for events that this version doesn't understand."""
    begin, latest = journal.last_game, 0
    kept = deque([Snapshot(max(0, begin - 1), Evening())], KEPT)
    torn = find_break(journal.gaps, begin, journal.last + 1) if begin else None
    for entry in journal.entries(max(0, begin - 1)):
        latest = max(latest, entry.t)
        if begin and (torn is None or entry.number < torn.first):
            kept.append(_following(kept[-1], entry))
    if torn is not None and not _is_over(kept[-1]):
        return ResumedTable((Snapshot(journal.last, Evening()),), latest, torn)
    if kept[-1].number < journal.last:
        # The journal's newest numbers hold no event, or none for the table: still go on counting from them.
        kept.append(replace(kept[-1], number=journal.last, news=()))
    return ResumedTable(tuple(kept), latest)


def _following(before: Snapshot, entry: Entry) -> Snapshot:
    event = json.loads(entry.event)
    try:
        evening = before.evening.hear(event)
    except InvalidEvent as error:
        raise JournalError(
            f"Event {entry.number} of the journal cannot be understood: {error}. "
            "Was it written by another version? Set the journal aside, or go back to that version."
        ) from error
    return Snapshot(entry.number, evening, news(before.evening, evening), event["type"])


def _is_over(snapshot: Snapshot) -> bool:
    return snapshot.evening.game is not None and snapshot.evening.game.over
