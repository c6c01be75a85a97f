"""What is new reaches everybody, once encoded, in order, without a gap, and without what is secret."""

import json
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event as Gate
from threading import Thread

import pytest

from companion.journal import Journal
from companion.live import feed as feeds
from companion.live.feed import Feed, FeedCursor
from companion.table.live_table import Snapshot, Table
from companion.threads.troubles import Troubles
from companion.threads.worker import Crew

from ..interleaved import interleavings
from .sailing import (
    SOON,
    Camera,
    Deck,
    Event,
    Frame,
    card,
    fix,
    frames,
    game,
    news,
    pinks,
    press,
    rulings,
    sailing,
    states,
    until,
)  # fmt: skip


@pytest.fixture
def deck(tmp_path: Path) -> Iterator[Deck]:
    with sailing(tmp_path) as deck:
        yield deck


def events() -> list[Event]:
    """A race with everything in it; one event after the other within the clock's patience."""
    return [game(), *pinks(), press(3.1, 0), card(3.4, 4), card(3.5, 5)]


def test_whoever_begins_to_look_gets_the_newest_state_first(deck: Deck) -> None:
    """With its number, the names at the seats and what else the page draws; and how things are with the camera."""
    deck.tell(game(), card(1, 4))

    first, second = frames(deck.missed(None))
    assert (2, "state") == (first.id, first.event)
    assert ["cutouts", "camera", "deck"] == list(first.data.pop("page"))
    assert 2 == first.data["no"]
    assert ["Ada", "Ben"] == first.data["names"]
    assert [0, 0, 0, 0, 1, 0, 0, 0, 0] == first.data["state"]["piles"]
    assert Frame(None, "health", {"camera": None}) == second


def test_before_the_first_game_there_is_an_empty_state(deck: Deck) -> None:
    """A phone may come before the game does."""
    [state] = states(deck.missed(None))
    assert (0, None, []) == (state["no"], state["state"], state["names"])


def test_no_set_is_told_before_it_is_grabbed(deck: Deck) -> None:
    """The referee knows the set, and its record has the ruling; nothing that leaves for a phone shows either."""
    deck.tell(game())
    deck.tell(*pinks())
    state = deck.table.snapshot.state
    assert state is not None
    assert ((0, 1, 2),) == state["sets"]

    sent = deck.missed(1)
    assert ["placed", "turn"] * 3 == [said["ruling"] for said in rulings(sent)]
    assert b"set" not in sent
    assert b'"sets"' not in deck.feed.newest.json
    assert "sets" not in json.dumps(deck.feed.public_data(deck.table.snapshot))


def test_every_event_that_makes_a_set_looks_like_one_that_makes_none(tmp_path: Path) -> None:
    """Neither how many messages there are nor how long they are tells of it."""
    lengths: list[list[int]] = []
    for last in ("pink", "blue"):
        folder = tmp_path / last
        folder.mkdir()
        with sailing(folder) as deck:
            deck.tell(game(), card(1, 0, "raft", "pink"), card(2, 1, "ring", "pink"))
            deck.tell(card(3, 2, "jetski", last))
            lengths.append([len(block) for block in deck.missed(3).split(b"\n\n")])
    assert lengths[0] == lengths[1]


def test_who_comes_back_gets_exactly_what_was_ruled_meanwhile(deck: Deck) -> None:
    """Whatever number it comes back with."""
    snapshots = [deck.table.tell(event).result(SOON) for event in events()]
    until(lambda: deck.told == len(snapshots))

    for last in range(len(snapshots) + 1):
        sent = deck.missed(last)
        assert news(snapshots[last:]) == rulings(sent)
        assert [len(snapshots)] == [state["no"] for state in states(sent)]


def test_a_line_that_breaks_anywhere_loses_no_ruling(deck: Deck) -> None:
    """After whatever byte; even between two rulings on one event, and then only that event's are told twice."""
    deck.tell(*events())
    whole = deck.missed(0)
    told = rulings(whole)
    for cut in range(len(whole)):
        arrived = frames(whole[:cut])
        last = max((frame.id for frame in arrived if frame.id is not None), default=0)
        before = [frame.data for frame in arrived if frame.event == "ruling"]
        after = rulings(deck.missed(last))

        assert told[len(told) - len(after) :] == after
        assert len(told) <= len(before) + len(after) <= len(told) + 2


def test_a_number_that_was_never_reached_brings_the_newest_state(deck: Deck) -> None:
    """Somebody has gone back to a backup meanwhile; the phone's own number means nothing any more."""
    deck.tell(game(), card(1, 4))
    assert ([], 2) == (rulings(deck.missed(99)), states(deck.missed(99))[0]["no"])


def test_what_lies_too_far_back_is_forgotten(deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the newest state is the whole answer: rulings with a gap before them would tell a wrong story."""
    monkeypatch.setattr(feeds, "KEPT", 8)
    deck.tell(game())
    for turn in range(feeds.KEPT + 5):
        deck.tell(fix(turn % 2))

    assert [] == rulings(deck.missed(1))
    assert feeds.KEPT + 6 == states(deck.missed(1))[0]["no"]
    assert rulings(deck.missed(feeds.KEPT)) != []


def test_a_phone_that_does_not_read_holds_nobody_up(deck: Deck) -> None:
    """The others get every step at once; when it reads again it gets every ruling, and the newest state."""
    slow, quick = deck.feed.stream(), deck.feed.stream()
    next(slow)
    next(quick)
    snapshots: list[Snapshot] = []
    for event in events():
        snapshots.append(deck.table.tell(event).result(SOON))
        assert [snapshots[-1].number] == [state["no"] for state in states(next(quick))]

    late = next(slow)
    assert news(snapshots) == rulings(late)
    assert [len(snapshots)] == [state["no"] for state in states(late)]


def test_a_phone_that_slept_too_long_skips_to_the_newest_state(
    deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has not read is not kept for it alone."""
    monkeypatch.setattr(feeds, "KEPT", 8)
    slow = deck.feed.stream()
    next(slow)
    deck.tell(game(), *(fix(turn % 2) for turn in range(feeds.KEPT + 5)))

    late = next(slow)
    assert ([], [feeds.KEPT + 6]) == (rulings(late), [state["no"] for state in states(late)])


def test_a_feed_that_was_away_too_long_itself_tells_no_story_with_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table keeps only so much for it; then everybody goes on from the newest state."""
    monkeypatch.setattr("companion.table.live_table.KEPT", 4)
    camera = Late()
    with sailing(tmp_path, camera) as deck:
        phone = deck.feed.stream()
        next(phone)
        camera.gate.clear()
        answers = [deck.table.tell(event) for event in (game(), *(fix(turn % 2) for turn in range(9)))]
        number = [answer.result(SOON).number for answer in answers][-1]
        camera.gate.set()
        until(lambda: deck.told == number)
        assert ([], [number]) == (rulings(late := next(phone)), [state["no"] for state in states(late)])
        assert [] == rulings(deck.missed(1))


class Late(Camera):
    """A camera that a test can make answer late."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = Gate()
        self.gate.set()

    def cutouts(self) -> tuple[int | None, ...]:
        assert self.gate.wait(SOON)
        return super().cutouts()


def test_each_step_is_encoded_once_for_all_phones(deck: Deck) -> None:
    """Fifty phones cost the table no more than one."""
    phones = [deck.feed.stream() for _ in range(50)]
    for phone in phones:
        next(phone)
    for event in (game(), card(1, 4)):
        deck.tell(event)
        assert {deck.table.snapshot.number} == {states(next(phone))[-1]["no"] for phone in phones}
    assert [0, 1, 2] == deck.encoded


def test_a_new_picture_of_a_card_is_a_new_state_of_the_same_number(tmp_path: Path) -> None:
    """The camera may see a card better a moment after it was laid. No ruling is told twice for it."""
    camera = Camera()
    with sailing(tmp_path, camera) as deck:
        deck.tell(game(), card(1, 4))
        phone = deck.feed.stream()
        next(phone)
        before = deck.feed.newest.etag
        camera.versions = (*(None,) * 4, 7, *(None,) * 4)

        sent = next(phone)
        assert ([], 2) == (rulings(sent), states(sent)[0]["no"])
        assert [*[None] * 4, 7, *[None] * 4] == states(sent)[0]["page"]["cutouts"]
        assert before != deck.feed.newest.etag
        assert [] == rulings(deck.missed(2))


def test_what_is_wrong_with_the_camera_is_told(tmp_path: Path) -> None:
    """At once in the state, and with every sign of life."""
    camera = Camera()
    with sailing(tmp_path, camera) as deck:
        phone = deck.feed.stream()
        next(phone)
        camera.trouble = "lost"
        assert "lost" == states(next(phone))[0]["page"]["camera"]
        assert Frame(None, "health", {"camera": "lost"}) in frames(deck.missed(None))


def test_a_quiet_table_gives_signs_of_life(deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a phone, and what lies between, notices when the line is dead."""
    monkeypatch.setattr(feeds, "GONE_S", 0.01)
    monkeypatch.setattr(feeds, "PING_S", 0.03)
    phone = deck.feed.stream()
    next(phone)
    assert [[Frame(None, "health", {"camera": None})]] * 2 == [frames(next(phone)) for _ in range(2)]


def test_the_newest_is_never_older_than_an_answer(deck: Deck) -> None:
    """Who has just been told "noted" and looks finds it, even before the feed has come round to it."""
    for number, event in enumerate(events(), 1):
        deck.table.tell(event).result(SOON)
        assert number == deck.feed.newest.number == json.loads(deck.feed.newest.json)["no"]


def test_each_phone_gets_what_is_new_to_it(deck: Deck) -> None:
    """Wherever in the middle of it another thread asks for one that has read further."""
    deck.tell(*events())
    behind, health = deck.feed.newest_place - 2, b""
    newest = deck.feed.newest_place
    alone = deck.feed.news_since(behind, health)
    assert rulings(alone[0])

    def begin() -> tuple[Callable[[], tuple[bytes, int, bytes]], Callable[[], object]]:
        deck.feed.news_since(newest, health)
        return lambda: deck.feed.news_since(behind, health), lambda: deck.feed.news_since(newest, health)

    assert {alone} == {*interleavings(Feed.news_since, begin)}


def test_closing_wakes_everybody(deck: Deck) -> None:
    """A hundred phones wait in a hundred threads, and all of them come to an end."""
    rest: list[list[bytes]] = []

    def look() -> None:
        phone = deck.feed.stream()
        next(phone)
        rest.append(list(phone))

    threads = [Thread(target=look, name=f"phone {number}") for number in range(100)]
    for thread in threads:
        thread.start()
    deck.feed.close()
    for thread in threads:
        thread.join(SOON)
    assert [[]] * 100 == rest
    assert not deck.feed.is_working


def test_what_can_not_be_encoded_once_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told a moment later, and that it was late."""
    monkeypatch.setattr("companion.threads.worker.FIRST_PAUSE_S", 0.001)
    with fragile(tmp_path) as (deck, spoilt, boards):
        line = deck.feed.open_cursor()
        spoilt.append(1)
        deck.table.tell(game()).result(SOON)
        until(lambda: boards == [["feed"], []])
        assert ["turn"] == [said["ruling"] for said in rulings(heard(line, 1))]


def test_what_can_never_be_encoded_keeps_nothing_else_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile the phones are told that something is wrong; then they go on from the newest state."""
    monkeypatch.setattr("companion.threads.worker.FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr("companion.threads.worker.LONGEST_PAUSE_S", 0.01)
    with fragile(tmp_path) as (deck, spoilt, boards):
        line = deck.feed.open_cursor()
        deck.table.tell(game()).result(SOON)
        heard(line, 1)
        spoilt.extend([1] * 10**6)
        deck.table.tell(press(0, 1)).result(SOON)
        until(lambda: b'"feed"' in line.news())
        assert boards == [["feed"]]
        spoilt.clear()
        number = deck.table.tell(fix(1)).result(SOON).number
        assert number == states(heard(line, number))[-1]["no"]
        until(lambda: boards == [["feed"], []])


@contextmanager
def fragile(folder: Path) -> Generator[tuple[Deck, list[int], list[list[str]]]]:
    """A feed that fails as often as there is something in the first list, and what stood on the board."""
    spoilt, boards = list[int](), list[list[str]]()
    crew = Crew(troubles=Troubles(lambda: boards.append([one.key for one in crew.troubles.current()])))

    def beside(_: Snapshot) -> dict[str, object]:
        if spoilt:
            spoilt.pop()
            raise KeyError("kittens")
        return {}

    def health() -> dict[str, object]:
        return {"troubles": [one.key for one in crew.wrong()]}

    with (
        Journal.open(folder / "journal.db") as journal,
        Table(journal, clock=lambda: 0) as table,
        Feed(table, None, beside, health, crew) as feed,
    ):
        yield Deck(table, feed, []), spoilt, boards


def heard(line: FeedCursor, number: int) -> bytes:
    """All that it is told until it knows that state."""
    said: list[bytes] = []
    until(lambda: said.append(line.news()) or any(state["no"] >= number for state in states(b"".join(said))))
    return b"".join(said)


def test_a_table_that_stops_stops_the_feed(tmp_path: Path) -> None:
    """It does not go on asking a table that is gone."""
    with sailing(tmp_path) as deck:
        assert deck.feed.is_working
        deck.table.close()
        until(lambda: not deck.feed.is_working)


def test_after_a_restart_the_numbers_go_on(tmp_path: Path) -> None:
    """A phone that was up to date hears nothing twice; one that was not hears what it has missed."""
    with sailing(tmp_path) as deck:
        deck.tell(*events())
        number, before = deck.table.snapshot.number, deck.feed.newest
        missed = [deck.missed(last) for last in range(number + 1)]
    with sailing(tmp_path) as deck:
        assert before.etag == deck.feed.newest.etag
        assert missed == [deck.missed(last) for last in range(number + 1)]
        deck.tell(card(4, 6))
        assert ["misplay"] == [said["ruling"] for said in rulings(deck.missed(number))]
        assert {number + 1} == {frame.id for frame in frames(deck.missed(number)) if frame.id}
