"""A game as it has been told so far.

Cameras learn late, so presses wait until the grid is known up to their instant; people change their minds, so
the newest event may be taken back. Nothing is ever changed in place: whoever holds an older record holds the game
as it was then.
"""

from bisect import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile

from companion.core.game_record import GameRecord
from companion.core.lamp import Lamp, SuddenLight
from companion.core.seating import Seating
from companion.errors import InvalidEvent
from companion.games.goat.rules.events import (
    CardLaid,
    Event,
    Fix,
    GameBegun,
    GridTold,
    PileLifted,
    SeatPressed,
    SeenUntil,
    Undo,
    read,
    read_game,
)
from companion.games.goat.rules.facts import Fact, make_fact, order_key
from companion.games.goat.rules.race import is_on
from companion.games.goat.rules.rulings import NoEffect, Turn
from companion.games.goat.rules.seat_lamps import lamps
from companion.games.goat.rules.state import initial_state
from companion.games.goat.rules.timeline import (
    NumberedRuling,
    Step,
    all_rulings,
    backwards,
    insert,
    news,
    replay,
    rewind,
)
from companion.games.goat.rules.undo_chain import HeardEvent, append_heard
from companion.units import Ns


@dataclass(frozen=True, slots=True, eq=False)
class Record(GameRecord):
    newest: Step
    heard: HeardEvent | None = None
    serial: int = 0
    waiting: tuple[Fact, ...] = ()
    """Presses about whose instant nothing is known yet."""
    known: Ns = 0
    """Up to when cards and lifted piles have made the grid known."""
    watched: Ns = 0
    """The same of `seen` and `grid`, which are never taken back."""

    @property
    def game(self) -> GameBegun:
        return self.newest.state.game

    @property
    def seats(self) -> tuple[str, ...]:
        return self.game.seats

    @property
    def seating(self) -> Seating:
        return self.game.seating or Seating.without_gaps(len(self.seats))

    @property
    def over(self) -> bool:
        return self.newest.state.end is not None

    @property
    def put_away(self) -> Step | None:
        """The last step that was played before the host emptied the decks to end the game; None if it goes on, or
        if it ended by its cards."""
        ended = [*takewhile(lambda step: step.state.end is not None, backwards(self.newest))]
        if not ended or not _is_correction(ended[-1]):
            return None
        played = next(dropwhile(_is_correction, backwards(ended[-1])))
        return played if any(played.state.hands.decks) else None

    @property
    def has_camera(self) -> bool:
        return self.game.camera

    @property
    def waits_for(self) -> Ns | None:
        return self.waiting[0].t if self.waiting else None

    def state(self) -> dict[str, object]:
        return self.newest.state.as_json()

    def public_state(self) -> dict[str, object]:
        # Finding the set is the game.
        return {key: value for key, value in self.state().items() if key != "sets"}

    def lamps(self) -> tuple[Lamp, ...]:
        return lamps(self.newest.state)

    @property
    def sudden_light(self) -> SuddenLight | None:
        race = self.newest.state.race
        heat = race.heat if is_on(race) else None
        return SuddenLight(heat.seats, "sprint") if heat is not None and heat.lit is None else None

    def is_worth_noting(self, event: Mapping[str, object], /) -> bool:
        """A camera says once a second that it has seen nothing new: that is only worth a row in the journal, and a
        number that makes phones look again, if a press waits for it."""
        if event.get("type") != "seen":
            return True
        t = event.get("t")
        return self.waits_for is not None and isinstance(t, int) and self.waits_for <= t

    def hear(self, raw: object) -> "Record":
        event = read(raw, self.game)
        early = event.t < self.game.t
        if isinstance(event, (Undo, SeenUntil, GridTold)):
            return self if early else _hear_irrevocable(self, event)
        fact = make_fact(event, self.serial + 1, self.game.resolution)
        known = max(self.known, event.t) if isinstance(event, (CardLaid, PileLifted)) and not early else self.known
        heard = append_heard(self.heard, fact.serial, None if early else fact.reach, self.known)
        record = Record(self.newest, heard, fact.serial, self.waiting, known, self.watched)
        if early:
            return record
        if not _must_wait(record, event):
            return _judge_due(record, fact)
        place = bisect(self.waiting, fact.key, key=order_key)
        waiting = (*self.waiting[:place], fact, *self.waiting[place:])
        return Record(self.newest, heard, fact.serial, waiting, known, self.watched)

    def closed(self) -> "Record":
        """Nothing more will be heard: all is known."""
        if not self.waiting:
            return self
        return replace(self, newest=insert(self.newest, self.waiting, self.serial + 1), waiting=())

    def rulings(self) -> Iterator[NumberedRuling]:
        """All that is ruled, in its final order."""
        answered = self.newest.state.calls.answered
        for numbered in all_rulings(self.newest):
            said = numbered[1]
            if not (isinstance(said, NoEffect) and said.call in answered):
                yield numbered

    def news(self, older: "Record") -> list[NumberedRuling]:
        """What is ruled here and was not in that older record of the same game."""
        return news(self.newest, older.newest)


def begin_game(raw: object) -> Record:
    """From the `game` event. Raises `InvalidEvent`."""
    game = read_game(raw)
    return Record(Step(None, None, initial_state(game), (Turn(game.t, game.starter),)), watched=game.t)


def _hear_irrevocable(record: Record, event: Undo | SeenUntil | GridTold) -> Record:
    """An event that can't be taken back itself."""
    if isinstance(event, Undo):
        return _undo_newest(record)
    serial = record.serial + 1
    news = [make_fact(event, serial, record.game.resolution)] if isinstance(event, GridTold) else []
    watched = max(record.watched, event.t)
    return _judge_due(Record(record.newest, record.heard, serial, record.waiting, record.known, watched), *news)


def _must_wait(record: Record, event: Event) -> bool:
    # Where no camera looks there is nothing to wait for.
    return isinstance(event, SeatPressed) and record.game.camera and event.t > max(record.known, record.watched)


def _judge_due(record: Record, *news: Fact) -> Record:
    """Judges new facts, and together with them the waiting presses up to whose instant the grid is known now."""
    due = [press for press in record.waiting if not _must_wait(record, press.event)]
    if not due and not news:
        return record
    newest = insert(record.newest, [*due, *news], record.serial)
    waiting = record.waiting[len(due) :]
    return Record(newest, record.heard, record.serial, waiting, record.known, record.watched)


def _undo_newest(record: Record) -> Record:
    gone = record.heard
    if gone is None:
        raise InvalidEvent("undo: there is nothing left to take back in this game")
    serial = record.serial + 1
    left = tuple(press for press in record.waiting if press.serial != gone.serial)
    undone = replace(record, serial=serial, heard=gone.previous(), known=gone.known, waiting=left)
    if gone.reach is None or len(left) < len(record.waiting):
        return undone
    base, facts = rewind(record.newest, gone.reach)
    if undone.known < record.known:
        # What the event had made known of the grid is unknown without it: the presses since then wait again.
        base, earlier = rewind(base, max(undone.known, undone.watched) + 1)
        facts = [*earlier, *facts]
    judged: list[Fact] = []
    waiting = [*left]
    for fact in facts:
        if fact.serial != gone.serial:
            (waiting if _must_wait(undone, fact.event) else judged).append(fact)
    return replace(undone, newest=replay(base, judged, serial), waiting=tuple(sorted(waiting, key=order_key)))


def _is_correction(step: Step) -> bool:
    """Whether it is the host's, or the camera's grid that follows each correction and changes nothing."""
    return step.fact is not None and isinstance(step.fact.event, Fix | GridTold)
