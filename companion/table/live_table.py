"""The live table: one thread owns the evening, everybody else sends it events and looks at snapshots.

An event is folded by the rules, written to the journal, and only then published: no phone ever sees what a power
cut could undo. A command about an outdated state is refused, and the answer holds the current one.
"""

import json
import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Condition
from typing import Final

from companion.errors import (
    CompanionError,
    InvalidEvent,
    JournalError,
    RulesFailed,
    StaleCommand,
    TableBusy,
    TableClosed,
)
from companion.journal import Draft, Journal
from companion.journal.entry import make_draft
from companion.table.evening import Evening
from companion.table.resume import KEPT, ResumedTable, resume
from companion.table.snapshot import Snapshot, news
from companion.table.table_clock import TableClock
from companion.threads.troubles import JOURNAL, RULES, TABLE
from companion.threads.worker import CLOSE_S, Crew, Policy, Worker

_log: Final = logging.getLogger(__name__)

# Length of the inbox queue. Six people slapping at once, a camera and a dozen phones fill a fraction of it while
# a slow disk blocks the table.
INBOX: Final = 1024
# Queued events are written to the journal in batches: one wait for the disk, not one for each event.
BATCH: Final = 64
# Retry interval for a journal that could not be written, when no event arrives meanwhile.
TRY_S: Final = 1.0

# Events further in the future (5 s) are refused: no driver's clock is that far ahead of the kernel's. The journal
# is append-only, and one event from the far future would leave all later ones in the past.
AHEAD_OF_ITS_TIME: Final = 5_000_000_000

Event = Mapping[str, object]
_encode: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class _Letter:
    """An event in the table's queue, with the future for its answer."""

    event: Event
    saw: int | None
    answer: "Future[Snapshot]"


class Table(Worker):
    """The worker thread that owns the evening: hears events, writes the journal, publishes snapshots."""

    def __init__(
        self,
        journal: Journal,
        *,
        left: ResumedTable | None = None,
        clock: Callable[[], int] | None = None,
        crew: Crew | None = None,
    ) -> None:
        """`left`: the state resumed from the journal, where it has been read already. `clock`: the table's time,
        in which all events are told (by default a `TableClock`). If the table's thread dies the whole process
        ends, and the restart resumes from the journal."""
        super().__init__(
            TABLE,
            Policy.FATAL,
            crew=crew,
            sentence="The table has stopped: nothing is judged until the program has begun anew.",
        )
        self._journal = journal
        self._inbox: Queue[_Letter | None] = Queue()
        self._unanswered: list[_Letter] = []
        """The letters of the batch in work: on an error their futures still get an answer."""
        self._changed = Condition()
        self._spare: Event | None = None
        self._is_open = True
        self._is_refusing = False
        """Whether the last write to the journal failed."""
        self._rules_failed = 0
        left = left or resume(journal)
        self._snapshot = left.snapshot
        self._kept = deque(left.snapshots, KEPT)
        self._now = clock or TableClock.after(left.latest)

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    @property
    def is_open(self) -> bool:
        """Whether the table still takes events."""
        return self._is_open

    def tell(self, event: Event, *, saw: int | None = None) -> "Future[Snapshot]":
        """Queues an event; one without `t` happens now. The future gives the snapshot that holds it, once that is
        durable, or raises why it was refused: `InvalidEvent`, `StaleCommand` if the state `saw` is outdated,
        `JournalError`."""
        letter = _Letter(self._timed(event), saw, Future())
        with self._changed:
            if not self._is_open:
                raise TableClosed("The table is closed; this was not noted.")
            if self._inbox.qsize() >= INBOX:
                raise TableBusy(f"{INBOX} events already wait for the table; this one was not noted.")
            self._inbox.put(letter)
        return letter.answer

    def _timed(self, event: Event) -> Event:
        now = self._now()
        t = event.get("t", now)
        # The rules refuse a `t` that is no number.
        if isinstance(t, int) and t > now + AHEAD_OF_ITS_TIME:
            raise InvalidEvent("this is an event of the future: is its `t` of this machine's monotonic clock?")
        return {"t": now, **event}

    def wait(self, after: int, timeout: float) -> tuple[Snapshot, ...]:
        """All snapshots newer than number `after`, oldest first; none after the timeout. The buffer is bounded: if
        the first one is not the next after `after`, some were missed, and the caller goes on from the newest."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.number > after or not self._is_open, timeout)
            return tuple(snapshot for snapshot in self._kept if snapshot.number > after)

    def close(self) -> None:
        """Stops the table; all events told before are still noted."""
        with self._changed:
            self._is_open = False
            self._changed.notify_all()
        self._inbox.put(None)
        self._join(CLOSE_S)
        self._closing.set()
        self._return(None)

    def turn(self) -> None:
        letters = self._unanswered = []
        try:
            self._collect(letters)
        except Empty:
            # The inbox is empty and the last write failed: retry the journal.
            self._try_journal()
            return
        if letters:
            self._note(letters)
        else:
            self._closing.set()

    def _collect(self, letters: list[_Letter]) -> None:
        """Adds a batch of letters from the inbox; adds none once the table is closed."""
        with self.resting():
            letter = self._inbox.get(timeout=TRY_S if self._is_refusing else None)
        while letter is not None:
            if letter.answer.set_running_or_notify_cancel():
                letters.append(letter)
            if letters and (len(letters) == BATCH or self._inbox.empty()):
                return
            with self.resting():
                letter = self._inbox.get()
        if letters:
            # None asks to close: put it back, for a turn after these letters.
            self._inbox.put(None)

    def _note(self, letters: list[_Letter]) -> None:
        """Folds the letters, writes the journal, and only then publishes and answers."""
        folded = _Fold(self._snapshot, self._spare)
        answers = [(letter, self._hear(folded, letter)) for letter in letters]
        try:
            self._journal.enter(folded.drafts)
        except JournalError as error:
            # The write failed, so none of the batch has happened: even refusals that follow its first event are
            # void. Only those before the first event stand.
            answers = [
                (letter, answer if answer in folded.refused_at_once else error) for letter, answer in answers
            ]
            self._refuse(error)
        else:
            if folded.drafts:
                self._accept()
            self._publish(folded)
        for letter, answer in answers:
            _answer(letter, answer)

    def _try_journal(self) -> None:
        try:
            self._journal.try_writing()
        except JournalError as error:
            self._refuse(error)
        else:
            self._accept()

    def _refuse(self, error: JournalError) -> None:
        """Puts the trouble on the board; logged once, however many events are refused."""
        self.beat()
        self._is_refusing = True
        self._troubles.raise_trouble(JOURNAL, str(error))

    def _accept(self) -> None:
        self.beat()
        self._is_refusing = False
        self._troubles.clear(JOURNAL)

    def _hear(self, folded: "_Fold", letter: _Letter) -> "Snapshot | CompanionError":
        self.beat()
        answer = folded.hear(letter)
        if isinstance(answer, RulesFailed):
            self._rules_failed += 1
            _log.error("The rules have failed.", exc_info=answer.__cause__)
            self._troubles.raise_trouble(RULES, f"{answer} So often this evening: {self._rules_failed}.")
        return answer

    def _publish(self, folded: "_Fold") -> None:
        self.beat()
        if folded.newest.evening.begun != self._snapshot.evening.begun:
            self._troubles.clear(RULES)
        _log_games(self._snapshot, folded.snapshots)
        with self._changed:
            self._spare = folded.spare
            self._kept.extend(folded.snapshots)
            self._snapshot = folded.newest
            self._changed.notify_all()

    def _die(self, death: BaseException) -> None:
        self._return(death)
        super()._die(death)

    def _return(self, death: BaseException | None) -> None:
        """Answers all queued letters at the end, so that no caller waits for ever on a future."""
        with self._changed:
            self._is_open = False
            self._changed.notify_all()
        left = [*self._unanswered, *self._taken_back()]
        for letter in left:
            closed = TableClosed("The table has stopped; this was not noted.")
            closed.__cause__ = death
            _answer(letter, closed)

    def _taken_back(self) -> Iterator[_Letter]:
        while True:
            try:
                letter = self._inbox.get_nowait()
            except Empty:
                return
            if letter is not None and letter.answer.set_running_or_notify_cancel():
                yield letter


def _answer(letter: _Letter, answer: Snapshot | Exception) -> None:
    # If the table hung, the future may have been answered with an error already.
    with suppress(InvalidStateError):
        if isinstance(answer, Snapshot):
            letter.answer.set_result(answer)
        else:
            letter.answer.set_exception(answer)


def _log_games(before: Snapshot, snapshots: Sequence[Snapshot]) -> None:
    """Logs that a game has begun or ended; not who plays, nor what they do."""
    for after in snapshots:
        game, state = after.evening.game, before.evening.game
        if game is not None and after.kind == "game":
            _log.info("Game %d begins, with %d seats.", after.number, len(game.seats))
        elif game is not None and game.over and not (state is not None and state.over):
            _log.info("The game is over with event %d.", after.number)
        _log.debug("Event %d: %s.", after.number, after.kind)
        before = after


class _Fold:
    """A batch of letters, heard one after the other, starting from a snapshot."""

    def __init__(self, snapshot: Snapshot, spare: Event | None) -> None:
        self.newest = snapshot
        self.snapshots: list[Snapshot] = []
        self.drafts: list[Draft] = []
        self.refused_at_once: list[CompanionError] = []
        """Refusals from before the first event of this batch, which stand even if the batch is not written."""
        self.spare = spare

    def hear(self, letter: _Letter) -> Snapshot | CompanionError:
        """The snapshot after this letter, or why it was refused. An event over which the rules crash is left out:
        a bug in them must not end the evening."""
        before, length = self.newest, len(self.drafts)
        try:
            return self._hear(letter)
        except Exception as error:  # noqa: BLE001 - the evening is immutable, so no state is half changed
            if self.drafts[length:]:
                # The event itself was fine; the crash came with the spare event that is told after it: undo both.
                self.newest, self.spare = before, None
                del self.snapshots[length:], self.drafts[length:]
            answer = error if isinstance(error, CompanionError) else _make_rules_failed(letter.event, error)
            if not self.drafts:
                self.refused_at_once.append(answer)
            return answer

    def _hear(self, letter: _Letter) -> Snapshot:
        if letter.saw is not None and letter.saw != self.newest.number:
            raise StaleCommand(
                "The table has moved on since; look again and say it anew if it still holds.", self.newest
            )
        after = self.newest.evening.hear(letter.event)
        before = self.newest.evening
        if after.begun == before.begun and not _is_worth_noting(before, letter.event):
            self.spare = _later(letter.event, self.spare)
            return self.newest
        if after.begun != before.begun:
            self.spare = None
        self._add(after, letter.event)
        if self.spare is not None and _is_worth_noting(self.newest.evening, self.spare):
            self._add(self.newest.evening.hear(self.spare), self.spare)
        return self.newest

    def _add(self, after: Evening, event: Event) -> None:
        """Adds an event that the game has accepted. Raises `InvalidEvent` if the journal can't store it."""
        before, draft = self.newest.evening, _draft(event)
        self.newest = Snapshot(self.newest.number + 1, after, news(before, after), draft.type)
        self.snapshots.append(self.newest)
        self.drafts.append(draft)


def _make_rules_failed(event: Event, error: Exception) -> RulesFailed:
    failed = RulesFailed(
        f"The rules have failed over an event of type {event.get('type')!r} ({type(error).__name__}), which is "
        "a mistake in the program: it is left out, and the game goes on as it was."
    )
    failed.__cause__ = error
    return failed


def _draft(event: Event) -> Draft:
    try:
        return make_draft(_encode(event), event)
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, InvalidEvent):
            raise
        raise InvalidEvent(f"The journal can't take this event, for it is no JSON: {error}.") from error


def _later(event: Event, other: Event | None) -> Event:
    return event if other is None or _t(event) >= _t(other) else other


def _t(event: Event) -> int:
    t = event["t"]
    assert isinstance(t, int)
    return t


def _is_worth_noting(evening: Evening, event: Event) -> bool:
    return evening.game is not None and evening.game.is_worth_noting(event)
