"""Updates of the table for all phones, each encoded only once.

One thread waits for the table and encodes. Each phone has a `FeedCursor`, which is asked for what is new to it. A
slow phone is never waited for: when it reads again it gets all rulings that it has missed, but only the newest
state. Updates are kept for a limited time; a phone further behind gets the newest state only.

An `id:` means: whoever has read this far has missed nothing. So if one event causes several rulings, all but the
last carry the number before it: if the connection breaks between them, none is lost.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import takewhile
from threading import Condition
from typing import Final, Protocol

from companion.core.game_record import GameRecord, Ruling
from companion.core.names import shown_names
from companion.errors import TableClosed
from companion.table.live_table import Snapshot, Table
from companion.threads.troubles import FEED
from companion.threads.worker import Crew, Policy, Worker

# How many updates are kept. A phone further behind starts from the newest state. One event causes several updates,
# as each new picture of a card is one too.
KEPT: Final = 4096
PING_S: Final = 5.0
# The longest wait for news, and so how soon a closed page's place is free again.
GONE_S: Final = 1.0
# The poll interval for new pictures of cards; the table itself wakes the feed at once.
LOOK_S: Final = 0.1
# The reconnect delay for browsers. Their default is 3 to 5 s; a phone should be up to date within 2 s.
COME_BACK_MS: Final = 500

_encode: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


class Sight(Protocol):
    """What everybody may see of the camera's pictures."""

    def cutouts(self) -> tuple[int | None, ...]: ...

    def words(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Update:
    """One encoded update. `json` and `state` are empty if there is a newer one."""

    serial: int
    number: int
    rulings: bytes
    json: bytes = b""
    state: bytes = b""
    etag: str = ""


class Feed(Worker):
    """The worker thread that encodes the table's updates for all phones."""

    def __init__(
        self,
        table: Table,
        camera: Sight | None = None,
        beside: Callable[[Snapshot], Mapping[str, object]] = lambda _: {},
        health: Callable[[], Mapping[str, object]] = dict,
        crew: Crew | None = None,
    ) -> None:
        """`beside`: further public data that a page shows of a snapshot. `health`: the state of the rig besides
        the camera."""
        super().__init__(
            FEED,
            Policy.RESTART,
            crew=crew,
            sentence="What is new comes to the phones late or not at all at the moment; the game is judged all "
            "the same.",
        )
        self._table = table
        self._camera = camera
        self._beside = beside
        self._read_health = health
        self._changed = Condition()
        self._page = self._look_at_camera()
        self._health = self._encode_health(self._page)
        # Replaced as a whole, never changed, so it is read without a lock.
        self._kept: tuple[Update, ...] = self._first_updates(table.wait(-1, 0))
        self._leaves_out_rulings = False
        """Whether the next update leaves out the rulings: after they could not be encoded."""
        # A cache: most phones have read equally far, so their news is joined only once.
        self._joined: tuple[object, bytes] = None, b""

    @property
    def newest(self) -> Update:
        """The newest update, never older than what the table has already answered."""
        update, snapshot = self._kept[-1], self._table.snapshot
        if update.number < snapshot.number:
            return self._make_update(snapshot, self._look_at_camera(), update.serial, b"")
        return update

    @property
    def is_working(self) -> bool:
        return self.is_alive and not self._closing.is_set()

    def public_data(self, snapshot: Snapshot) -> dict[str, object]:
        """The public data of a snapshot: `no`, `state`, `names` and what else the page shows."""
        return self._public_data(snapshot, self._page)

    def open_cursor(self, last: int | None = None) -> "FeedCursor":
        """A cursor for one phone: send `cursor.first`, then `cursor.news()` whenever there may be some. `last`:
        the number of the last update that the phone has read, if it reconnects."""
        return FeedCursor(self, _encode_opening(self._kept, last), self._kept[-1].serial, self._health)

    def stream(self, last: int | None = None) -> Iterator[bytes]:
        """All updates for one phone until the feed is closed. It blocks, so it needs a thread of its own."""
        cursor = self.open_cursor(last)
        yield cursor.first
        while not self.wait(cursor.place):
            news = cursor.news()
            if news:
                yield news

    @property
    def newest_place(self) -> int:
        return self._kept[-1].serial

    def wait(self, place: int) -> bool:
        """Waits for an update after that one, for `GONE_S` at most. True once the feed is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing.is_set() or self._kept[-1].serial > place, GONE_S)
            return self._closing.is_set()

    def news_since(self, place: int, told: bytes) -> tuple[bytes, int, bytes]:
        """What is new to a phone that has read so far and was told of that health, and what it then knows."""
        kept, health = self._kept, self._health
        asked = place, told, kept[-1].serial, health
        # Read once: another thread may put what its phone misses in its place at any moment.
        joined = self._joined
        if joined[0] != asked:
            missed = _updates_after(kept, place)
            parts = [*(update.rulings for update in missed), missed[-1].state] if missed else []
            joined = self._joined = asked, b"".join([*parts, health] if told != health else parts)
        return joined[1], kept[-1].serial, health

    def close(self) -> None:
        """Ends every stream."""
        self._closing.set()
        with self._changed:
            self._changed.notify_all()
        super().close()

    def turn(self) -> None:
        if not self._table.is_open:
            raise TableClosed("What is new ends with the table.")
        snapshots = self._table.wait(self._kept[-1].number, LOOK_S)
        page = self._look_at_camera()
        health = self._encode_health(page)
        if snapshots or page != self._page or health != self._health:
            self._publish(snapshots or (self._table.snapshot,), page, health, news=bool(snapshots))

    def recover(self) -> None:
        """What can't be encoded is tried twice; then whoever looks goes on from the newest state. How the rig is
        can be told in any case."""
        self.beat()
        self._leaves_out_rulings = self._failures > 1
        self._health = self._encode_health(self._page)

    def _publish(
        self, snapshots: tuple[Snapshot, ...], page: Mapping[str, object], health: bytes, *, news: bool
    ) -> None:
        kept, serial = self._kept, self._kept[-1].serial + 1
        if self._leaves_out_rulings:
            snapshots, news = snapshots[-1:], False
        if self._leaves_out_rulings or snapshots[0].number > kept[-1].number + 1:
            # We were away too long ourselves. A serial left out tells the phones.
            kept, serial = (), serial + 1
        updates: list[Update] = []
        for place, snapshot in enumerate(snapshots, serial):
            rulings = _encode_rulings(snapshot) if news else b""
            if snapshot is snapshots[-1]:
                updates.append(self._make_update(snapshot, page, place, rulings))
            else:
                updates.append(Update(place, snapshot.number, rulings))
        self.beat()
        self._leaves_out_rulings = False
        with self._changed:
            self._page, self._health = page, health
            self._kept = (*kept[:-1], *map(_without_state, kept[-1:]), *updates)[-KEPT:]
            self._changed.notify_all()

    def _first_updates(self, snapshots: tuple[Snapshot, ...]) -> tuple[Update, ...]:
        """With what was ruled before a restart, for phones that were up to date before it."""
        *past, newest = snapshots
        told = [
            Update(place - len(past), snapshot.number, _encode_rulings(snapshot))
            for place, snapshot in enumerate(past)
        ]
        return (*told, self._make_update(newest, self._page, 0, _encode_rulings(newest)))

    def _make_update(self, snapshot: Snapshot, page: Mapping[str, object], serial: int, rulings: bytes) -> Update:
        text = _encode(self._public_data(snapshot, page)).encode()
        state = b"id: %d\nevent: state\ndata: %b\n\n" % (snapshot.number, text)
        return Update(serial, snapshot.number, rulings, text, state, sha256(text).hexdigest()[:16])

    def _public_data(self, snapshot: Snapshot, page: Mapping[str, object]) -> dict[str, object]:
        game = snapshot.evening.game
        return {
            "no": snapshot.number,
            "state": game.public_state() if game else None,
            "names": shown_names(game.seats) if game else (),
            "page": {**page, **_seat_places(game), **self._beside(snapshot)},
        }

    def _look_at_camera(self) -> dict[str, object]:
        camera = self._camera
        return {
            "cutouts": camera.cutouts() if camera else (None,) * 9,
            "camera": camera.words() if camera else None,
        }

    def _encode_health(self, page: Mapping[str, object]) -> bytes:
        """Also the sign of life for whoever hears nothing else; a comment could not be heard by a page."""
        return b"event: health\ndata: %b\n\n" % _encode({"camera": page["camera"], **self._read_health()}).encode()


def _seat_places(game: GameRecord | None) -> dict[str, object]:
    """At which place of the table each seat is, where one stays empty."""
    return {"places": game.seating.places} if game is not None and game.seating.has_gaps else {}


class FeedCursor:
    """How far one phone has read. Nothing here ever waits."""

    def __init__(self, feed: Feed, begin: bytes, place: int, health: bytes) -> None:
        self._feed = feed
        self.place = place
        self._health = health
        self._spoken = time.monotonic()
        self.first: Final = b"retry: %d\n\n%b%b" % (COME_BACK_MS, begin, health)
        """What every line begins with."""

    def news(self) -> bytes:
        """Nothing while there is none; a sign of life now and then."""
        news, self.place, self._health = self._feed.news_since(self.place, self._health)
        now = time.monotonic()
        if not news and now - self._spoken >= PING_S:
            news = self._health
        if news:
            self._spoken = now
        return news


def _encode_opening(kept: Sequence[Update], last: int | None) -> bytes:
    """The rulings missed since then, as far as all of them are kept, and always the newest state."""
    if last is None or last < kept[0].number:
        return kept[-1].state
    return b"".join([*(update.rulings for update in kept if update.number > last), kept[-1].state])


def _without_state(update: Update) -> Update:
    return Update(update.serial, update.number, update.rulings)


def _updates_after(kept: Sequence[Update], place: int) -> list[Update]:
    # From the newest on, for nearly always it is the only one.
    missed = [*takewhile(lambda update: update.serial > place, reversed(kept))][::-1]
    if missed and missed[0].serial > place + 1:
        # Some have been forgotten, and what was ruled after them would come out of nowhere.
        return [replace(missed[-1], rulings=b"")]
    return missed


def _encode_rulings(snapshot: Snapshot) -> bytes:
    told = [said for said in snapshot.news if not said.secret]
    return b"".join(
        _encode_ruling(said, snapshot.number - (place < len(told))) for place, said in enumerate(told, 1)
    )


def _encode_ruling(said: Ruling, number: int) -> bytes:
    return b"id: %d\nevent: ruling\ndata: %b\n\n" % (number, _encode(said.as_json()).encode())
