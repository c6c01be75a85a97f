"""The live table: one thread owns the evening, everybody else sends it events and looks at snapshots.

What somebody tells the table is folded by the rules, written to the journal, and only then shown: no phone ever
sees what a power cut could take back. Whoever speaks about a state that has passed is refused with the one that is
true now.
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

# Six people slapping at once, a camera and a dozen phones fill a fraction of it while a disk takes its time.
INBOX: Final = 1024
# What has piled up is made durable together: one wait for the disk, not one for each.
BATCH: Final = 64
# How soon a journal that could not be written to is tried again, where nobody tells anything meanwhile.
TRY_S: Final = 1.0

# No driver's clock runs ahead of the kernel's by so much. The journal takes nothing back, and one event from the
# far future would leave all others in the past.
AHEAD_OF_ITS_TIME: Final = 5_000_000_000

Event = Mapping[str, object]
_encode: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class _Letter:
    """An event on its way to the table, with the way back."""

    event: Event
    saw: int | None
    answer: "Future[Snapshot]"


class Table(Worker):
    def __init__(
        self,
        journal: Journal,
        *,
        left: ResumedTable | None = None,
        clock: Callable[[], int] | None = None,
        crew: Crew | None = None,
    ) -> None:
        """`left`: how the journal left it, where that is known already. `clock`: the table's time, in which all
        events are told (by default a `TableClock`). When the table's thread can't go on the whole process ends,
        and the journal brings everything back."""
        super().__init__(
            TABLE,
            Policy.FATAL,
            crew=crew,
            sentence="The table has stopped: nothing is judged until the program has begun anew.",
        )
        self._journal = journal
        self._inbox: Queue[_Letter | None] = Queue()
        self._unanswered: list[_Letter] = []
        """What is being noted."""
        self._changed = Condition()
        self._spare: Event | None = None
        self._is_open = True
        self._is_refusing = False
        """Whether the journal could not keep what was told last."""
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
        """Whether it still notes what it is told."""
        return self._is_open

    def tell(self, event: Event, *, saw: int | None = None) -> "Future[Snapshot]":
        """An event without `t` happens now. The answer is the snapshot that holds it, once that is durable, or why
        it was refused: `InvalidEvent`, `StaleCommand` if the state `saw` has passed, `JournalError`."""
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
        # What is no time at all is for the rules to refuse.
        if isinstance(t, int) and t > now + AHEAD_OF_ITS_TIME:
            raise InvalidEvent("this is an event of the future: is its `t` of this machine's monotonic clock?")
        return {"t": now, **event}

    def wait(self, after: int, timeout: float) -> tuple[Snapshot, ...]:
        """All snapshots newer than that number, oldest first; none when time is up. Whoever was away so long that
        the first is not the next one has missed some, and goes on from the newest."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.number > after or not self._is_open, timeout)
            return tuple(snapshot for snapshot in self._kept if snapshot.number > after)

    def close(self) -> None:
        """Everything told before is still noted."""
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
            # Nobody has anything to say while nothing can be kept.
            self._try_journal()
            return
        if letters:
            self._note(letters)
        else:
            self._closing.set()

    def _collect(self, letters: list[_Letter]) -> None:
        """What has come in; nothing once the table is closed."""
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
            # The word to close comes after them; it is heard once more.
            self._inbox.put(None)

    def _note(self, letters: list[_Letter]) -> None:
        """Folds, makes durable, and only then tells."""
        folded = _Fold(self._snapshot, self._spare)
        answers = [(letter, self._hear(folded, letter)) for letter in letters]
        try:
            self._journal.enter(folded.drafts)
        except JournalError as error:
            # Nothing of it is kept, so nothing has come true that an answer could rest on: not even a refusal, but
            # for those from before the first event.
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
        """Said once, for however many are told so."""
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
        """Nobody is left waiting for an answer that will never come."""
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
    # Who waits for a table that hangs has been told so, and it may awake all the same.
    with suppress(InvalidStateError):
        if isinstance(answer, Snapshot):
            letter.answer.set_result(answer)
        else:
            letter.answer.set_exception(answer)


def _log_games(before: Snapshot, snapshots: Sequence[Snapshot]) -> None:
    """That one has begun or ended; not who plays, nor what they do."""
    for after in snapshots:
        game, state = after.evening.game, before.evening.game
        if game is not None and after.kind == "game":
            _log.info("Game %d begins, with %d seats.", after.number, len(game.seats))
        elif game is not None and game.over and not (state is not None and state.over):
            _log.info("The game is over with event %d.", after.number)
        _log.debug("Event %d: %s.", after.number, after.kind)
        before = after


class _Fold:
    """Some letters, heard one after the other from a snapshot on."""

    def __init__(self, snapshot: Snapshot, spare: Event | None) -> None:
        self.newest = snapshot
        self.snapshots: list[Snapshot] = []
        self.drafts: list[Draft] = []
        self.refused_at_once: list[CompanionError] = []
        """For what is true without any event of these letters."""
        self.spare = spare

    def hear(self, letter: _Letter) -> Snapshot | CompanionError:
        """What the rules themselves stumble over is left out as if it had never been told: one mistake in them
        must not end the evening."""
        before, length = self.newest, len(self.drafts)
        try:
            return self._hear(letter)
        except Exception as error:  # noqa: BLE001 - the evening is immutable, so nothing of it is half done
            if self.drafts[length:]:
                # It was understood, but not with the look of the camera that it waited for.
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
        """Raises `InvalidEvent` where the journal could not take what a game has taken."""
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
