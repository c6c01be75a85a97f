"""An evening at the drawn table, in a time of its own: people move and slap, a camera takes pictures of it, and
what the eyes and the buttons make of that is told to the real table.

The world goes from one thing that happens to the next: a picture, a hand, a finger. It does all of it on one
thread and waits for the table's answers, so the same seed gives the same evening at whatever speed. What comes
from phones meanwhile is followed like anything that a host says.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import Final, Protocol

from companion.core import debounce
from companion.core.cards import Cell
from companion.core.debounce import PRESSED, RELEASED, Edge, Press, Timing
from companion.core.observe import Event
from companion.demo.cast import Company
from companion.demo.schedule import Deed, Schedule, WorldClock
from companion.drawn.drawn_camera import Lens, Sensor
from companion.drawn.drawn_light import Light, RoomLamp
from companion.drawn.drawn_surface import Surface
from companion.drawn.painter import Scene
from companion.errors import InvalidEvent, JournalError, StaleCommand, TableBusy
from companion.games.goat.cast.people import Apart
from companion.games.goat.cast.stage import Stage
from companion.games.goat.cast.supplied_deck import goat_faces
from companion.games.registry import GAMES
from companion.rig.button_stats import ButtonStats
from companion.table.live_table import Snapshot, Table
from companion.units import SECOND, Ns, Seat

# Pictures while a hand moves or something is not yet known, and while all is quiet. More would only be drawn: at
# ten a second a card is proved as soon as at fifteen, a tenth of a second after the hand has gone.
LIVELY: Final[Ns] = SECOND // 10
QUIET: Final[Ns] = SECOND // 5
# The contacts of a drawn button: nanoseconds after the finger, and what the line then is.
CONTACTS: Final = ((0, PRESSED), (310_000, RELEASED), (420_000, PRESSED), (80_000_000, RELEASED))
# By then the press has come through the debouncing, at the soonest and at the latest.
FELT: Final = (21_000_000, 36_000_000)
# By then the drawn people have done what somebody says on a phone.
HEEDED: Final[Ns] = 15 * SECOND
SLAP, CALL = " ", "c"
# A card that can't be read where it lies is put straight by whoever sits nearest.
UNREADABLE: Final[Ns] = 8 * SECOND
# How soon a table that could not keep what was told it is told again.
HOLD_S: Final = 0.5
# Of an evening that has gone wrong the beginning tells why.
MOST_KEPT: Final = 100
LIGHTS: Final = (
    Light((RoomLamp(5200, 0.8, 60, -120, 1600, 400),), 0.4),
    Light((RoomLamp(3300, 0.35, 330, 30, 1500, 250),), 0.1, 3600),
    Light((RoomLamp(6500, 0.7, -620, -520, 1100, 350),), 0.3, 5500),
)
CAMERA_S: Final = frozenset({"card", "lift", "grid", "seen"})
CLOTHS: Final = ("cloth", "felt", "dots")


def drawn_table(chance: Random) -> Scene:
    light = chance.choice(LIGHTS)
    tilt, towards, turn = chance.uniform(0, 5), chance.uniform(0, 360), chance.gauss(0, 1.5)
    lens = Lens(640, 480, above=700, tilt=tilt, tilt_towards=towards, turn=turn)
    sensor = replace(Sensor.metered(light.in_the_middle(), bright=0.6, neutral=0.85), blur=0.6)
    return Scene(light, Surface(chance.choice(CLOTHS), chance.randrange(1000)), mat=True, lens=lens, sensor=sensor)


class Watcher(Protocol):
    """Who sees the drawn table, and finds out what happens on it."""

    def see(self, scene: Scene, t: Ns) -> tuple[Event, ...]: ...

    @property
    def known(self) -> Ns:
        """Up to when all that happened on the grid has been told."""
        ...

    @property
    def unread(self) -> tuple[Cell, ...]:
        """The cells that hold it back."""
        ...

    def forget(self) -> None:
        """The table was laid anew: what is seen next are no moves."""
        ...

    def pressed(self, t: Ns) -> None: ...

    def keep_races(self, game: int, presses: Iterable[Ns]) -> None:
        """The pictures around those presses, in the game with that journal number."""
        ...


def _nothing() -> None:
    """Nobody asks."""


class World:
    def __init__(  # noqa: PLR0913 - all that it plays with
        self,
        table: Table,
        clock: WorldClock,
        watcher: Watcher,
        company: Company,
        game: int = 0,
        *,
        tally: ButtonStats | None = None,
    ) -> None:
        """`game`: the journal's number of the one that is being played. `tally` counts what the buttons do."""
        self.beat: Callable[[], None] = _nothing
        """Called now and then: a sign of life where something takes long."""
        self._table = table
        self._clock = clock
        self._watcher = watcher
        self._game = game
        self._yours = company.yours
        chance = Random(company.seed)
        self._stage = Stage(chance, drawn_table(chance), goat_faces())
        self._people = GAMES[company.game].cast().people(self, self._stage, chance, company.seats, company.yours)
        self._taken = clock.now - QUIET
        """When the newest picture was."""
        self._agenda = Schedule()
        self._switches = debounce.begin(Timing(), clock.now)
        self.tally = tally or ButtonStats(clock)
        self._edges: dict[Seat, tuple[int, Ns]] = {}
        """How many each button has made, and when it was let go."""
        self._apart: list[Apart] = []
        self._refused: deque[str] = deque(maxlen=MOST_KEPT)
        self._heard = table.snapshot
        self._phones: Ns | None = None
        """When something was last said that the drawn people have not."""
        if self._heard.evening.game is not None:
            self._people.resume(self._heard)

    @property
    def clock(self) -> WorldClock:
        return self._clock

    @property
    def now(self) -> Ns:
        return self._clock.now

    @property
    def stage(self) -> Stage:
        return self._stage

    def apart(self) -> tuple[Apart, ...]:
        """Every settled moment in which the referee did not know the table as it truly lay, and no host was
        why."""
        return tuple(self._apart)

    def refused(self) -> tuple[str, ...]:
        """What the table has refused to hear from the drawn people, and why."""
        return tuple(self._refused)

    # Time

    @property
    def next(self) -> Ns:
        """When something happens again."""
        picture = self._taken + (LIVELY if self._is_lively() else QUIET)
        comes = self._stage.comes()
        if comes is not None and comes > self.now:
            picture = min(picture, max(comes, self._taken + LIVELY))
        planned = self._agenda.next
        return max(self.now, picture if planned is None else min(planned, picture))

    def step(self) -> None:
        """On to the next thing that happens."""
        self._hear_phones()
        self._clock.now = self.next
        self._agenda.do_what_is_due(self.now)
        self._feel()
        if self.now >= self._taken + LIVELY and (self._agenda.next is None or self._agenda.next > self.now):
            self._look()
        if self.now - max(self._stage.moved, self._watcher.known) > UNREADABLE and not self._stage.moves(self.now):
            for cell in self._watcher.unread:
                self._stage.straightens(cell, self.now)
        apart = self._people.think(self._heard, known=self._knows)
        if apart is not None and not self._is_hosts_word() and len(self._apart) < MOST_KEPT:
            self._apart.append(apart)

    @property
    def _knows(self) -> bool:
        return self._watcher.known >= self._stage.moved

    def _is_lively(self) -> bool:
        return self._stage.moves(self.now) or not self._knows or self._watcher.known < self._taken

    # Camera

    def _look(self) -> None:
        self._taken = self.now
        for event in self._watcher.see(self._stage.scene(self.now), self.now):
            self.tell(event)

    def look_away(self) -> None:
        self._watcher.forget()

    # Buttons

    def press(self, seat: Seat) -> None:
        """A finger comes down now. One that is still down can't."""
        made, let_go = self._edges.get(seat, (0, -1))
        if let_go >= self.now:
            return
        for number, (after, level) in enumerate(CONTACTS, made + 1):
            edge = Edge(seat, self.now + after, level, number)
            self._switches = debounce.hear(self._switches, edge)
            self.tally.hear(edge)
        self._edges[seat] = made + len(CONTACTS), self.now + CONTACTS[-1][0]
        for after in FELT:
            self._agenda.plan(self.now + after, lambda: None)

    def _feel(self) -> None:
        self._switches, news = debounce.until(self._switches, self.now)
        for one in news:
            self.tally.note(one)
            assert isinstance(one, Press), one
            self._watcher.pressed(one.t)
            self.tell({"t": one.t, "type": "press", "seat": one.seat})

    # People

    def plan(self, t: Ns, deed: Deed) -> None:
        self._agenda.plan(t, deed)

    def forget_plans(self) -> None:
        self._agenda.forget()

    def yours(self, key: str, t: Ns) -> None:
        """What the person does whose seat nobody is drawn at."""
        if self._yours is None or self._yours >= len(self._stage.decks):
            return
        self._clock.now = t
        if key == SLAP:
            self.press(self._yours)
        elif key == CALL:
            self.tell({"type": "call", "seat": self._yours})

    # Table

    def tell(self, event: Mapping[str, object]) -> None:
        event = {"t": self.now, **event}
        while self._is_for_now(event):
            self.beat()
            try:
                answer = self._table.tell(event, saw=self._heard.number).result()
            except (JournalError, TableBusy):
                # Nothing can be kept at the moment, as the rig's trouble says: the drawn people wait.
                self.beat()
                self._table.wait(self._heard.number, HOLD_S)
            except StaleCommand:
                # A phone has spoken in between; what happened on the table has happened all the same.
                self._hear_phones()
            except InvalidEvent as error:
                self._refused.append(f"{event}: {error}")
                return
            else:
                for snapshot in self._table.wait(self._heard.number, 0):
                    if snapshot.number <= answer.number:
                        self._hear(snapshot)
                return

    def _is_for_now(self, event: Mapping[str, object]) -> bool:
        """A host may just have begun a game, or lets it be played without the camera."""
        game = self._heard.evening.game
        if event["type"] == "game":
            return game is None or game.over
        if event["type"] in CAMERA_S:
            return self._people.watched(self._heard)
        return game is not None

    def _hear_phones(self) -> None:
        for snapshot in self._table.wait(self._heard.number, 0):
            self._phones = self.now
            self._hear(snapshot)

    def _is_hosts_word(self) -> bool:
        return self._phones is not None and self.now - self._phones < HEEDED

    def _hear(self, snapshot: Snapshot) -> None:
        if snapshot.evening.begun != self._heard.evening.begun:
            self._game = snapshot.number
        self._heard = snapshot
        self._watcher.keep_races(self._game, snapshot.race_photos)
        self._people.hear(snapshot.news)
