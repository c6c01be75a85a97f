"""The table as a journal left it: its last game is heard again, as far as it is known."""

import json
from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from companion.errors import InvalidEvent, JournalError
from companion.journal import Entry, Gap, Journal
from companion.journal.gaps import find_break
from companion.table.evening import Evening
from companion.table.snapshot import Snapshot, news

# A phone that slept longer than this many events starts from the newest snapshot; a restart is no longer a sleep
# than another.
KEPT: Final = 1024


@dataclass(frozen=True, slots=True)
class ResumedTable:
    snapshots: tuple[Snapshot, ...]
    """What became of it in its last game, as far as it is kept; never empty."""
    latest: int
    """The latest instant of its last game, which need not be the last that was told; 0 before the first."""
    torn: Gap | None = None
    """Why that game can't go on: part of it is lost, and what came after rests on that. The table is empty."""

    @property
    def snapshot(self) -> Snapshot:
        return self.snapshots[-1]


def resume(journal: Journal) -> ResumedTable:
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
        # The newest numbers have no event any more, or none that bears on the table.
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
