"""A simulated evening at the drawn table, with a clock of its own: people move and press buttons, a camera may
take pictures, and what the eyes and the buttons make of it is sent to the real table.

An event loop: the world steps from one event to the next (a picture, a hand, a finger). It runs on one thread and
waits for the table's answers, so one seed gives one evening at any speed. Events from phones are followed as a
host's would be.
"""

from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from companion.core import debounce, gestures
from companion.core.debounce import Edge, Timing
from companion.core.gestures import HOLD_AFTER, ButtonGesture, ButtonsHeld, ButtonUse, GestureMade
from companion.core.seating import MOST_PLACES
from companion.demo.cast import Company, Event, Mismatch, Stage, cast_of
from companion.demo.schedule import Deed, Schedule, WorldClock
from companion.demo.stage_camera import QUIET, StageCamera, StageEyes
from companion.errors import InvalidEvent, JournalError, StaleCommand, TableBusy
from companion.games.registry import GAMES
from companion.rig.button_stats import ButtonStats
from companion.rig.button_worker import Wire, without_halves
from companion.table.live_table import Snapshot, Table
from companion.units import MILLISECOND, SECOND, Ns, Seat

# The contact bounce of a drawn button: nanoseconds after the finger comes down, and whether the line is down then.
CONTACTS: Final = ((0, True), (310_000, False), (420_000, True))
# How long a finger holds a button that is only tapped.
TAP: Final[Ns] = 80 * MILLISECOND
# After how long the press has passed the debouncing, at the earliest and at the latest.
FELT: Final = (21_000_000, 36_000_000)
# The time the drawn people have to act on what somebody says on a phone.
HEEDED: Final[Ns] = 15 * SECOND
# The retry interval while the table can't store what it is told.
HOLD_S: Final = 0.5
# Only the first mismatches are kept: they tell what went wrong.
MOST_KEPT: Final = 100

# The drawn buttons, by number: at each place of the table one to grab and one to call.
WIRES: Final = tuple(Wire(place, use) for use in ButtonUse for place in range(MOST_PLACES))


def _nothing() -> None:
    """Does nothing: the default heartbeat, and a plan that only makes the world step at that time."""


class World:
    """The simulated evening."""

    def __init__(  # noqa: PLR0913 - all that it plays with
        self,
        table: Table,
        clock: WorldClock,
        eyes: StageEyes | None,
        company: Company,
        game: int = 0,
        *,
        stats: ButtonStats | None = None,
    ) -> None:
        """`eyes`: the camera's, if the game has something on the table to see. `game`: the journal's number of the
        game being played. `stats`: counts what the buttons do."""
        self.beat: Callable[[], None] = _nothing
        """Called now and then as a heartbeat, if a step takes long."""
        self._table = table
        self._clock = clock
        self._game = game
        self._company = company
        self._cast = cast_of(company.game)
        self._people = self._cast.people(self, Random(company.seed), company)
        stage = self._people.stage
        self._camera = None if stage is None or eyes is None else StageCamera(stage, eyes, clock.now)
        self._schedule = Schedule()
        self._switches = debounce.begin(Timing(), clock.now)
        self.stats = stats or ButtonStats(clock)
        self._fingers = ButtonsHeld()
        self._edges: dict[int, tuple[int, Ns]] = {}
        """How many edges each button has made, and when it was last released."""
        self._mismatches: list[Mismatch] = []
        self._refused: deque[str] = deque(maxlen=MOST_KEPT)
        self._heard = table.snapshot
        self._phones: Ns | None = None
        """When the table last heard something that did not come from the drawn people."""
        self._is_another_played = self._is_another(self._heard)
        """Whether the host plays another game: the drawn people wait until it is over."""
        if self._heard.evening.game is not None and not self._is_another_played:
            self._people.resume(self._heard)

    @property
    def clock(self) -> WorldClock:
        return self._clock

    @property
    def now(self) -> Ns:
        return self._clock.now

    @property
    def stage(self) -> Stage | None:
        return self._people.stage

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """Every settled moment in which the referee's table differed from the drawn one, except where a host
        caused it."""
        return tuple(self._mismatches)

    @property
    def refused(self) -> tuple[str, ...]:
        """The events of the drawn people that the table refused, with the reasons."""
        return tuple(self._refused)

    # Time

    @property
    def next(self) -> Ns:
        """The time of the next event."""
        look = self.now + QUIET if self._camera is None else self._camera.next_picture(self.now)
        planned = self._schedule.next
        return max(self.now, look if planned is None else min(planned, look))

    def step(self) -> None:
        """Runs the next event."""
        self._hear_phones()
        self._clock.now = self.next
        self._schedule.run_due(self.now)
        self._settle_buttons()
        if self._camera is not None:
            self._look(self._camera)
        mismatch = self._think()
        if mismatch is not None and not self._is_hosts_word() and len(self._mismatches) < MOST_KEPT:
            self._mismatches.append(mismatch)

    def _think(self) -> Mismatch | None:
        game = self._heard.evening.game
        if not self._is_another_played:
            known = self._camera is None or self._camera.knows_all
            return self._people.think(self._heard, known=known)
        if game is not None and game.over:
            self.tell(self._cast.first_game(self._company.seats))
        return None

    # Camera

    def _look(self, camera: StageCamera) -> None:
        planned = self._schedule.next
        if camera.is_ready(self.now) and (planned is None or planned > self.now):
            for event in camera.take_picture(self.now):
                self.tell(event)
        camera.straighten_unread(self.now)

    def forget_view(self) -> None:
        if self._camera is not None:
            self._camera.eyes.forget()

    # Buttons

    def press(self, seat: Seat, held: Ns = TAP, use: ButtonUse = ButtonUse.GRAB) -> None:
        """Presses a button now; ignored while the finger is still down."""
        game = self._heard.evening.game
        button = WIRES.index(Wire(seat if game is None else game.seating.place_of(seat), use))
        made, let_go = self._edges.get(button, (0, -1))
        if let_go >= self.now:
            return
        for number, (after, is_down) in enumerate((*CONTACTS, (held, False)), made + 1):
            edge = Edge(button, self.now + after, is_down, number)
            self._switches = debounce.hear(self._switches, edge)
            if use is ButtonUse.GRAB:
                self.stats.hear(WIRES[button].place, edge.t_ns, is_down=is_down)
        self._edges[button] = made + len(CONTACTS) + 1, self.now + held
        for after in (*FELT, *self._when_let_go(use, held)):
            self._schedule.plan(self.now + after, _nothing)

    def _when_let_go(self, use: ButtonUse, held: Ns) -> Sequence[Ns]:
        """When the time that the button is held has a meaning: the moments at which it is known."""
        game = GAMES[self._company.game]
        is_asked = use in game.waits_for_hold or any(
            (use, gesture) in game.buttons for gesture in (ButtonGesture.RELEASE, ButtonGesture.HOLD)
        )
        return (HOLD_AFTER + FELT[-1], held + FELT[-1]) if is_asked else ()

    def _settle_buttons(self) -> None:
        self._switches, news = debounce.until(self._switches, self.now)
        for one in news:
            wire, played = WIRES[one.button], self._heard.evening.played
            if wire.use is ButtonUse.GRAB:
                self.stats.note(wire.place, one)
            waits = played is not None and wire.use in played.waits_for_hold
            self._fingers, made = gestures.hear(self._fingers, one, waits_for_hold=waits)
            self._tell_gestures(made)
        self._fingers, held = gestures.until(self._fingers, self._switches.settled)
        self._tell_gestures(held)

    def _tell_gestures(self, gestures_made: Sequence[GestureMade]) -> None:
        """Sends what the gestures mean in the game that is played, if anything."""
        played = self._heard.evening.played
        if played is None:
            return
        for made in without_halves(gestures_made, WIRES, played):
            game, wire = self._heard.evening.game, WIRES[made.button]
            make_event = played.buttons.get((wire.use, made.gesture))
            seat = game.seating.seat_at(wire.place) if game is not None else None
            event = None if make_event is None or seat is None or game is None else make_event(made, seat, game)
            if event is not None:
                if self._camera is not None and wire.use is ButtonUse.GRAB:
                    self._camera.eyes.pressed(made.t)
                self.tell(event)

    # People

    def plan(self, t: Ns, deed: Deed) -> None:
        self._schedule.plan(t, deed)

    def forget_plans(self) -> None:
        self._schedule.clear()

    def hit_key(self, key: str, t: Ns) -> None:
        """Does for a seat that is not drawn what that key means."""
        yours, game, act = self._company.yours, self._heard.evening.game, self._cast.keys.get(key)
        if act is not None and yours is not None and game is not None and yours < len(game.seats):
            self._clock.now = t
            act(self, yours)

    # Table

    def tell(self, event: Event) -> None:
        event = {"t": self.now, **event}
        while self._is_for_now(event):
            self.beat()
            try:
                answer = self._table.tell(event, saw=self._heard.number).result()
            except (JournalError, TableBusy):
                # The table can't store anything now, as its trouble says: the drawn people wait.
                self.beat()
                self._table.wait(self._heard.number, HOLD_S)
            except StaleCommand:
                # A phone was faster. What happened on the drawn table still happened, so it is sent again.
                self._hear_phones()
            except InvalidEvent as error:
                self._refused.append(f"{event}: {error}")
                return
            else:
                for snapshot in self._table.wait(self._heard.number, 0):
                    if snapshot.number <= answer.number:
                        self._hear(snapshot)
                return

    def _is_for_now(self, event: Event) -> bool:
        """Whether the event still applies: a host may have begun a game, or plays without the camera."""
        game = self._heard.evening.game
        if event["type"] == "game":
            return game is None or game.over
        if event["type"] in GAMES[self._company.game].rights.left_to_camera:
            return game is not None and game.has_camera
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
            self._hear_of_game(snapshot)
        self._heard = snapshot
        if self._camera is not None:
            self._camera.eyes.keep_race_photos(self._game, snapshot.race_photos)
        self._people.hear(snapshot.news)

    def _hear_of_game(self, snapshot: Snapshot) -> None:
        was_another, self._is_another_played = self._is_another_played, self._is_another(snapshot)
        if self._is_another_played:
            self._schedule.clear()
        elif was_another:
            self._people.resume(snapshot)

    def _is_another(self, snapshot: Snapshot) -> bool:
        played = snapshot.evening.played
        return played is not None and played.name != self._company.game
