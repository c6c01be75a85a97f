"""The live table: durable before it is shown, one owner, and after a restart the same to the last ruling."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from threading import Event as Gate
from threading import Thread
from typing import Any, Self

import pytest

from companion.core.game_record import GameRecord, Ruling
from companion.errors import (
    InvalidEvent,
    JournalError,
    JournalFull,
    RulesFailed,
    StaleCommand,
    TableBusy,
    TableClosed,
)
from companion.games.goat import GOAT
from companion.games.goat.cast.family import evening
from companion.journal import Draft, Entry, Journal
from companion.table import evening as evening_of_games
from companion.table.evening import Evening
from companion.table.live_table import INBOX, KEPT, Snapshot, Table, resume
from companion.table.table_clock import TableClock
from companion.threads.troubles import Troubles
from companion.threads.worker import Crew

from ..games.goat.rules.play import MS, Event, S, card, fix, game, pinks, press, seen, undo
from ..thread_names import thread_named
from ..waiting import until

SOON = 20.0


class Slow(Journal):
    """A journal on a disk that a test can stop, fill and break."""

    fails: Exception | None = None

    @classmethod
    def at(cls, path: Path) -> Self:
        journal = cls.open(path)
        journal.gate, journal.asked = Gate(), Gate()
        journal.gate.set()
        return journal

    gate: Gate
    """Open while the disk answers."""
    asked: Gate
    """Open once the table has asked it."""
    reads = 0

    def enter(self, drafts: Iterable[Draft], *, version: int = 1) -> tuple[Entry, ...]:
        self.asked.set()
        assert self.gate.wait(SOON)
        if self.fails is not None:
            raise self.fails
        return super().enter(drafts, version=version)

    def entries(self, after: int = 0) -> Iterator[Entry]:
        self.reads += 1
        return super().entries(after)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Slow]:
    with Slow.at(tmp_path / "journal.db") as journal:
        yield journal


def clock_at(now: int) -> Callable[[], int]:
    return lambda: now


def tell_all(table: Table, events: Sequence[Event]) -> Snapshot:
    answers = [table.tell(event) for event in events]
    return [answer.result(SOON) for answer in answers][-1]


def texts(journal: Journal) -> list[Event]:
    return [json.loads(entry.event) for entry in journal.entries()]


def test_what_is_told_is_in_the_journal_and_in_the_answer(journal: Slow) -> None:
    """The answer to an event is the snapshot that holds it, with what was ruled and the journal's number."""
    with Table(journal, clock=clock_at(0)) as table:
        first = table.tell(game()).result(SOON)
        second = table.tell(card(1, 4)).result(SOON)

        assert second is table.snapshot
    assert [first.number, second.number] == [1, 2] == [entry.number for entry in journal.entries()]
    assert [said.as_json()["ruling"] for said in second.news] == ["placed", "turn"]
    assert second.state is not None
    assert second.state["piles"] == (0, 0, 0, 0, 1, 0, 0, 0, 0)


def test_an_empty_table_has_no_state(journal: Slow) -> None:
    """Before the first game there is nothing to show."""
    with Table(journal, clock=clock_at(0)) as table:
        assert table.snapshot.number == 0
        assert table.snapshot.state is None
        with pytest.raises(InvalidEvent, match="no game has begun"):
            table.tell(seen(0)).result(SOON)


def test_nothing_is_shown_before_it_is_durable(journal: Slow) -> None:
    """While the disk has not answered, nobody sees the event."""
    with Table(journal, clock=clock_at(0)) as table:
        tell_all(table, [game()])
        journal.gate.clear()
        answer = table.tell(card(1, 4))

        assert table.wait(1, 0.01) == ()
        assert table.snapshot.number == 1
        assert not answer.done()
        journal.gate.set()
        assert answer.result(SOON).number == 2


def test_what_happens_now_gets_its_time_from_the_clock(journal: Slow) -> None:
    """A phone's event comes without a time."""
    with Table(journal, clock=clock_at(7 * S)) as table:
        tell_all(table, [{key: value for key, value in game().items() if key != "t"}])
        tell_all(table, [{"type": "call", "seat": 0}])

    assert [event["t"] for event in texts(journal)] == [7 * S, 7 * S]


def test_a_stale_command_is_refused_with_the_truth(journal: Slow) -> None:
    """Two phones correct at once: the second one saw a state that has passed."""
    with Table(journal, clock=clock_at(0)) as table:
        saw = tell_all(table, [game()]).number
        journal.gate.clear()
        first = table.tell(fix(1, turn=1), saw=saw)
        second = table.tell(fix(1, turn=1), saw=saw)
        journal.gate.set()

        assert first.result(SOON).number == 2
        with pytest.raises(StaleCommand, match="look again") as refused:
            second.result(SOON)
        assert refused.value.truth is first.result(SOON)
        assert table.tell(fix(1, turn=0), saw=2).result(SOON).number == 3


def test_a_senseless_event_is_refused_and_the_game_goes_on(journal: Slow) -> None:
    """It is in no journal, and its neighbours in the same breath are."""
    with Table(journal, clock=clock_at(0)) as table:
        tell_all(table, [game()])
        journal.gate.clear()
        answers = [table.tell(event) for event in (card(1, 0), card(2, 9), card(3, 1))]
        journal.gate.set()

        with pytest.raises(InvalidEvent, match="not 9"):
            answers[1].result(SOON)
        assert answers[2].result(SOON).number == 3
    assert [event["type"] for event in texts(journal)] == ["game", "card", "card"]


def test_a_full_disk_refuses_and_loses_nothing(journal: Slow) -> None:
    """The event is refused in words, the table stands, and goes on when there is room again."""
    with Table(journal, clock=clock_at(0)) as table:
        before = tell_all(table, [game(), card(1, 0)])
        journal.fails = JournalFull("the disk is full")
        with pytest.raises(JournalFull, match="full"):
            table.tell(card(2, 1)).result(SOON)

        assert table.snapshot is before
        journal.fails = None
        assert tell_all(table, [card(2, 1)]).number == 3


def test_a_restart_stands_where_the_table_stood(tmp_path: Path) -> None:
    """After whole evenings, cut anywhere, the resumed table is the same to the last ruling."""
    for seed in range(4):
        path = tmp_path / f"{seed}.db"
        events = list(evening(seed, 2 + seed))
        digests: list[str] = []
        for part in range(0, len(events), 97):
            with Journal.open(path) as journal, Table(journal, clock=clock_at(10**6 * S)) as table:
                digests.append(table.snapshot.digest)
                tell_all(table, events[part : part + 97])
                digests.append(table.snapshot.digest)

        assert digests[1:-1:2] == digests[2::2]
        assert len(set(digests)) == len(digests) // 2 + 1


def test_a_restart_begins_with_the_last_game(journal: Slow) -> None:
    """What was before it is history; its number goes on all the same."""
    raft = {"boat": "raft", "colour": "pink"}
    bare = fix(0, tops={"0": raft, "1": raft, "2": raft}, piles=[58, 1, 1, *[0] * 6], decks=[0, 0])
    with Table(journal, clock=clock_at(0)) as table:
        told = tell_all(table, [game(), bare, press(1, 0), seen(1), game(3, t=2), card(3, 0)])
    again = resume(journal).snapshot

    assert again.number == told.number == 6
    assert again.digest == told.digest
    assert again.state is not None


def test_after_a_reboot_time_goes_on(tmp_path: Path) -> None:
    """The monotonic clock begins at nothing again; what happens then is still after what happened before."""
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal, Table(journal, clock=clock_at(500 * S)) as table:
        tell_all(table, [game(t=400), card(500, 0)])
    with Journal.open(path) as journal:
        clock = TableClock.after(resume(journal).latest, clock_at(3 * S))
        with Table(journal, clock=clock) as table:
            told = tell_all(table, [{**card(4, 1), "t": clock.at(4 * S)}])
        assert texts(journal)[-1]["t"] == 501 * S + 1

    assert [said.as_json()["ruling"] for said in told.news] == ["placed", "turn"]


def test_after_a_reboot_time_goes_on_from_the_latest(tmp_path: Path) -> None:
    """Which need not be what was told last: a press may be learnt of after the card that came later."""
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal, Table(journal, clock=clock_at(500 * S)) as table:
        tell_all(table, [game(t=400), card(500, 0), press(450, 1)])
    with Journal.open(path) as journal, Table(journal) as table:
        now = resume(journal).latest + S
        tell_all(table, [press(now / S, 1)])
        assert texts(journal)[-1]["t"] == now


def test_a_restart_reads_the_last_game_once(journal: Slow) -> None:
    """A long evening is not read twice to learn where it stood and how late it was."""
    journal.append([json.dumps(event) for event in (game(), card(1, 0))])
    with Table(journal, clock=clock_at(0)) as table:
        assert table.snapshot.number == 2

    assert journal.reads == 1


def test_seen_is_noted_only_where_a_press_waits_for_it(journal: Slow) -> None:
    """A quiet camera fills no journal and makes no number; the press that needs it is judged at once."""
    with Table(journal, clock=clock_at(9 * S)) as table:
        quiet = tell_all(table, [game(), *pinks(), seen(3.5), seen(4), seen(5)])
        judged = tell_all(table, [press(3.4, 1)])

        assert quiet.number == 4
        assert judged.number == 6
        assert judged.state is not None
        assert judged.state["safe"] == (1,)
        assert tell_all(table, [press(6, 0)]).number == 7
        assert tell_all(table, [seen(5.5)]).number == 7
        assert tell_all(table, [seen(6)]).number == 8
    assert [event["type"] for event in texts(journal)][-4:] == ["press", "seen", "press", "seen"]


def test_whoever_waits_gets_every_snapshot_in_order(journal: Slow) -> None:
    """A phone that was away for a while misses nothing."""
    with Table(journal, clock=clock_at(0)) as table:
        tell_all(table, [game(), *pinks()])

        assert [snapshot.number for snapshot in table.wait(1, SOON)] == [2, 3, 4]
        assert [snapshot.number for snapshot in table.wait(0, SOON)] == [1, 2, 3, 4]
        assert table.wait(4, 0) == ()


def test_whoever_comes_back_after_a_restart_misses_nothing(tmp_path: Path) -> None:
    """Its number is older than the restart; what has been ruled since, in this game, is given at once."""
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal, Table(journal, clock=clock_at(9 * S)) as table:
        tell_all(table, [game(), *pinks(), press(3.4, 1), seen(4)])
        before = table.wait(0, SOON)
    with Journal.open(path) as journal, Table(journal, clock=clock_at(9 * S)) as table:
        after = table.wait(0, SOON)
        assert [(one.number, one.news, one.kind) for one in before] == [
            (one.number, one.news, one.kind) for one in after
        ]
        assert table.wait(after[-1].number, 0) == ()


def test_an_event_of_the_far_future_is_refused(journal: Slow) -> None:
    """The journal takes nothing back: with it, all that comes would lie in the past for ever."""
    with Table(journal, clock=clock_at(10 * S)) as table:
        tell_all(table, [game()])
        with pytest.raises(InvalidEvent, match="of the future"):
            table.tell(card(15.1, 0))
        assert tell_all(table, [card(15, 0)]).number == 2


def test_a_table_that_never_ran_leaves_nobody_waiting(journal: Slow) -> None:
    """What was told to it is answered when it is closed."""
    table = Table(journal, clock=clock_at(0))
    answer = table.tell(game())
    table.close()

    with pytest.raises(TableClosed, match="not noted"):
        answer.result(0)


def test_what_can_not_be_kept_is_said_once_and_over_when_it_can(
    journal: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many events are refused; with room again it is over by itself, though nobody says anything."""
    monkeypatch.setattr("companion.table.live_table.TRY_S", 0.01)
    changes: list[tuple[str, ...]] = []
    crew = Crew(troubles=Troubles(lambda: changes.append(tuple(one.key for one in crew.troubles.current()))))
    tried = Gate()

    def try_writing(self: Slow) -> None:
        tried.set()
        if self.fails is not None:
            raise self.fails

    monkeypatch.setattr(Slow, "try_writing", try_writing)
    with Table(journal, clock=lambda: 0, crew=crew) as table:
        table.tell(game(2)).result(SOON)
        journal.fails = JournalFull("The disk is full.")
        for event in (press(1, 0), fix(2, turn=1), press(3, 1)):
            with pytest.raises(JournalFull):
                table.tell(event).result(SOON)
        assert tried.wait(SOON)
        assert ["The disk is full."] == [one.sentence for one in crew.troubles.current()]
        journal.fails = None
        until(lambda: not crew.troubles.current())
        assert 1 == table.snapshot.number
        table.tell(press(4, 0)).result(SOON)
        journal.fails = JournalFull("The disk is full.")
        with pytest.raises(JournalFull):
            table.tell(press(5, 1)).result(SOON)
        journal.fails = None
        table.tell(press(5, 1)).result(SOON)
        assert () == crew.troubles.current()
    assert [("journal",), ()] * 2 == changes


def test_a_full_disk_does_not_hide_that_an_event_is_senseless(journal: Slow) -> None:
    """What is refused for itself is refused for its own reason; what rests on an event that was then not written
    is not, for that reason never came true."""
    with Table(journal, clock=clock_at(9 * S)) as table:
        tell_all(table, [game()])
        journal.gate.clear()
        journal.asked.clear()
        first = table.tell(card(1, 0))
        assert journal.asked.wait(SOON)
        bad, good = table.tell(card(3, 9)), table.tell(card(2, 1))
        resting = [table.tell(event, saw=saw) for event, saw in ((card(3, 9), None), (card(4, 2), 1))]
        journal.fails = JournalFull("the disk is full")
        journal.gate.set()

        for answer in (first, good, *resting):
            with pytest.raises(JournalFull):
                answer.result(SOON)
        with pytest.raises(InvalidEvent):
            bad.result(SOON)


class Lenient(GameRecord):
    """A game that takes whatever it is told."""

    @property
    def seats(self) -> tuple[str, ...]:
        return "Ada", "Ben"

    @property
    def over(self) -> bool:
        return False

    def __init__(self, _raw: object = None) -> None: ...

    def hear(self, raw: object) -> Self:
        assert raw
        return self

    def rulings(self) -> Iterator[tuple[int, Ruling]]:
        return iter(())

    def state(self) -> dict[str, object]:
        return {}


def nested(depth: int) -> Event:
    words: Event = {}
    for _ in range(depth):
        words = {"words": words}
    return {"type": "note", **words}


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ({"type": "note", "words": "caf\ud800"}, "half a character"),
        ({"type": "note", "words": float("nan")}, "no JSON"),
        ({"type": "note", "words": {1, 2}}, "no JSON"),
        ({"type": 3}, "must be a word"),
        ({"words": "none"}, "must be a word"),
        ({"type": "note", "t": None}, "an integer of nanoseconds"),
        (nested(5000), "recursion"),
    ],
)
def test_what_the_journal_cannot_take_is_refused_to_whoever_said_it(
    journal: Slow, monkeypatch: pytest.MonkeyPatch, event: Event, why: str
) -> None:
    """Even if a game would have taken it: the table goes on, and what others say in the same breath is noted."""
    monkeypatch.setattr(evening_of_games, "GAMES", {"recipes": replace(GOAT, name="recipes", begin=Lenient)})
    deaths: list[BaseException] = []
    with Table(journal, clock=clock_at(0), crew=Crew(deaths.append)) as table:
        tell_all(table, [{"t": 0, "type": "game", "game": "recipes", "seats": ["Ada", "Ben"]}])
        journal.gate.clear()
        answers = [table.tell(each) for each in ({"type": "note"}, event, {"type": "note"})]
        journal.gate.set()

        with pytest.raises(InvalidEvent, match=why):
            answers[1].result(SOON)
        assert [answers[0].result(SOON).number, answers[2].result(SOON).number] == [2, 3]
        assert table.is_open
    assert not deaths
    assert [event["type"] for event in texts(journal)] == ["game", "note", "note"]


def test_only_so_many_snapshots_are_kept(journal: Slow) -> None:
    """A phone that slept for an hour starts from what is there, and sees that it has missed some."""
    with Table(journal, clock=clock_at(0)) as table:
        tell_all(table, [game()])
        for part in range(0, KEPT + 10, 100):
            tell_all(table, [{"t": (part + n) * MS, "type": "call", "seat": 0} for n in range(100)])
        kept = table.wait(0, SOON)

    assert len(kept) == KEPT
    assert kept[0].number > 1
    assert [snapshot.number for snapshot in kept] == list(range(kept[0].number, kept[0].number + KEPT))


def test_a_full_inbox_says_so(journal: Slow) -> None:
    """What cannot be taken in is refused at once, never dropped in silence; what was taken in is noted."""
    calls = [{"t": n * MS, "type": "call", "seat": 0} for n in range(INBOX + 2)]
    with Table(journal, clock=clock_at(0)) as table:
        tell_all(table, [game()])
        journal.gate.clear()
        journal.asked.clear()
        answers = [table.tell(calls[0])]
        assert journal.asked.wait(SOON)
        answers += [table.tell(call) for call in calls[1:-1]]
        with pytest.raises(TableBusy, match="already wait for the table"):
            table.tell(calls[-1])
        journal.gate.set()

        assert [answer.result(SOON).number for answer in answers] == list(range(2, len(answers) + 2))


def test_what_was_told_before_closing_is_noted(journal: Slow) -> None:
    """Closing waits for the disk; afterwards the table says that it is closed."""
    with Table(journal, clock=clock_at(9 * S)) as table:
        tell_all(table, [game()])
        journal.gate.clear()
        answers = [table.tell(card(1 + cell, cell)) for cell in range(5)]
        closing = Thread(target=table.close)
        closing.start()
        journal.gate.set()
        closing.join()

        with pytest.raises(TableClosed, match="closed"):
            table.tell(card(9, 8))
    assert [answer.result(0).number for answer in answers] == [2, 3, 4, 5, 6]
    assert len(texts(journal)) == 6


def test_closing_wakes_whoever_waits(journal: Slow) -> None:
    """No phone's thread is left hanging when the table stops."""
    got: list[Any] = []
    with Table(journal, clock=clock_at(0)) as table:
        waiting = Thread(target=lambda: got.append(table.wait(0, SOON)))
        waiting.start()
    waiting.join(SOON)

    assert got == [()]


def test_a_cancelled_event_is_not_noted(journal: Slow) -> None:
    """Whoever has given up before the table came to it is taken at his word."""
    with Table(journal, clock=clock_at(0)) as table:
        tell_all(table, [game()])
        journal.gate.clear()
        journal.asked.clear()
        table.tell(card(1, 0))
        assert journal.asked.wait(SOON)

        assert table.tell(card(2, 1)).cancel()
        journal.gate.set()
        assert table.tell(card(3, 2)).result(SOON).number == 3


def test_a_table_that_hangs_is_noticed(journal: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow disk is no reason to end the evening. One that hangs is: nobody waits for an answer any longer, and
    should the disk come back, nothing is shown that nobody was told."""
    deaths: list[BaseException] = []
    now = Ticks()
    crew = Crew(deaths.append, clock=now)
    monkeypatch.setattr("companion.table.live_table.CLOSE_S", 0.0)
    with Table(journal, clock=clock_at(S), crew=crew) as table:
        table.tell(game()).result(SOON)
        journal.asked.clear()
        journal.gate.clear()
        answer = table.tell(fix(1, turn=0))
        assert journal.asked.wait(SOON)
        now.seconds += 9
        table.check()
        assert crew.can_go_on
        assert not answer.done()
        now.seconds += 9
        table.check()
        assert not crew.can_go_on
        with pytest.raises(TableClosed):
            answer.result(SOON)
        assert ["WorkerHangs"] == [type(death).__name__ for death in deaths]
        thread = thread_named("table")
    journal.gate.set()
    thread.join(SOON)
    assert not thread.is_alive()
    assert 1 == table.snapshot.number


class Ticks:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_mistake_in_the_rules_costs_one_event(journal: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left out and told; what was told with it, and what comes after it, is judged as ever."""
    hear, crew = Evening.hear, Crew()

    def hear_or_stumble(self: Evening, event: Event) -> Evening:
        if event.get("turn") == 7:
            raise KeyError("the seventh")
        return hear(self, event)

    monkeypatch.setattr(Evening, "hear", hear_or_stumble)
    top = {"boat": "raft", "colour": "pink"}
    put_away = fix(1, tops={"0": top}, piles=[60, *[0] * 8], decks=[0, 0])
    with Table(journal, clock=clock_at(S), crew=crew) as table:
        table.tell(game()).result(SOON)
        journal.gate.clear()
        answers = [table.tell(fix(1, turn=turn)) for turn in (0, 1, 7, 0)]
        journal.gate.set()
        with pytest.raises(RulesFailed, match=r"'fix'.*mistake in the program"):
            answers[2].result(SOON)
        assert [2, 3] == [answer.result(SOON).number for answer in answers[:2]]
        assert 4 == answers[3].result(SOON).number
        assert ["rules"] == [trouble.key for trouble in crew.wrong()]
        assert crew.can_go_on
        tell_all(table, [put_away, game(t=1)])
        assert () == crew.wrong()


def test_a_look_that_the_rules_stumble_over_is_left_out_with_its_event(
    journal: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is half done, and the next look counts."""
    hear, spoilt = Evening.hear, [True]

    def hear_or_stumble(self: Evening, event: Event) -> Evening:
        game = self.game
        if event["type"] == "seen" and game is not None and game.waits_for is not None and spoilt[0]:
            raise KeyError("the look")
        return hear(self, event)

    monkeypatch.setattr(Evening, "hear", hear_or_stumble)
    with Table(journal, clock=clock_at(30 * S)) as table:
        tell_all(table, [game(), *pinks(), seen(20)])
        before = table.snapshot
        with pytest.raises(RulesFailed):
            table.tell(press(10, 1)).result(SOON)
        assert before is table.snapshot
        spoilt[0] = False
        table.tell(press(10, 1)).result(SOON)
        table.tell(seen(21)).result(SOON)
        assert ["press", "seen"] == [json.loads(entry.event)["type"] for entry in journal.entries(before.number)]


def test_the_owners_death_reaches_everybody(journal: Slow) -> None:
    """What the table cannot survive ends it: who waits is told, who comes later too, and the process can end."""
    deaths: list[BaseException] = []
    with Table(journal, clock=clock_at(0), crew=Crew(deaths.append)) as table:
        tell_all(table, [game()])
        journal.gate.clear()
        journal.fails = ZeroDivisionError("a bug")
        answers = [table.tell(card(1, 0)), table.tell(card(2, 1))]
        journal.gate.set()
        for answer in answers:
            with pytest.raises(TableClosed, match="has stopped"):
                answer.result(SOON)
        with pytest.raises(TableClosed, match="closed"):
            table.tell(card(3, 2))
    assert [str(death) for death in deaths] == ["a bug"]


def test_a_journal_that_cannot_be_understood_is_said(tmp_path: Path) -> None:
    """Events of another vocabulary stop the table with their number and what to do."""
    with Journal.open(tmp_path / "journal.db") as journal:
        journal.append([json.dumps(game()), '{"t":1,"type":"press","seat":5}'])

        with pytest.raises(JournalError, match=r"Event 2 of the journal cannot be understood.*another version"):
            Table(journal)


def test_an_undo_is_an_event_like_any_other(journal: Slow) -> None:
    """It is journalled, and after a restart what it took back is still gone."""
    with Table(journal, clock=clock_at(0)) as table:
        told = tell_all(table, [game(), card(1, 0), card(2, 1), undo(3)])

    assert [event["type"] for event in texts(journal)] == ["game", "card", "card", "undo"]
    assert resume(journal).snapshot.digest == told.digest


def test_threads_without_number_lose_nothing(journal: Slow) -> None:
    """Buttons, camera and phones talk at once; everything is noted once and in one order."""
    with Table(journal, clock=clock_at(0)) as table:
        tell_all(table, [game(6)])
        answers: list[Future[Snapshot]] = []

        def talk(seat: int) -> None:
            answers.extend(table.tell({"t": n * MS, "type": "call", "seat": seat}) for n in range(50))

        talkers = [Thread(target=talk, args=(seat,)) for seat in range(6)]
        for talker in talkers:
            talker.start()
        for talker in talkers:
            talker.join()
        numbers = sorted(answer.result(SOON).number for answer in answers)

    assert numbers == list(range(2, 302))
