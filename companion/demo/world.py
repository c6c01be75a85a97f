"""An evening at the drawn table, in a time of its own: people move and press buttons, a camera may take pictures
of it, and what the eyes and the buttons make of that is told to the real table.

The world goes from one thing that happens to the next: a picture, a hand, a finger. It does all of it on one
thread and waits for the table's answers, so the same seed gives the same evening at whatever speed. What comes
from phones meanwhile is followed like anything that a host says.
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

# The contacts of a drawn button: nanoseconds after the finger has come down, and whether the line then is down.
CONTACTS: Final = ((0, True), (310_000, False), (420_000, True))
# So long a finger is on a button that is only tapped.
TAP: Final[Ns] = 80 * MILLISECOND
# By then the press has come through the debouncing, at the soonest and at the latest.
FELT: Final = (21_000_000, 36_000_000)
# By then the drawn people have done what somebody says on a phone.
HEEDED: Final[Ns] = 15 * SECOND
# How soon a table that could not keep what was told it is told again.
HOLD_S: Final = 0.5
# Of an evening that has gone wrong the beginning tells why.
MOST_KEPT: Final = 100

# The drawn buttons, by number: at each place of the table one to grab and one to call.
WIRES: Final = tuple(Wire(place, use) for use in ButtonUse for place in range(MOST_PLACES))


def _nothing() -> None:
    """Nobody asks."""


class World:
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
        """`eyes`: of the camera, where the game's people have a stage. `game`: the journal's number of the one
        that is being played. `stats`: counts what the buttons do."""
        self.beat: Callable[[], None] = _nothing
        """Called now and then: a sign of life where something takes long."""
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
        """How many each button has made, and when it was let go."""
        self._mismatches: list[Mismatch] = []
        self._refused: deque[str] = deque(maxlen=MOST_KEPT)
        self._heard = table.snapshot
        self._phones: Ns | None = None
        """When something was last said that the drawn people have not."""
        self._is_another_played = self._is_another(self._heard)
        """The host plays something else: the drawn people do nothing until that is over."""
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
        """Every settled moment in which the referee did not know the table as it truly lay, and no host was
        why."""
        return tuple(self._mismatches)

    @property
    def refused(self) -> tuple[str, ...]:
        """What the table has refused to hear from the drawn people, and why."""
        return tuple(self._refused)

    # Time

    @property
    def next(self) -> Ns:
        """When something happens again."""
        look = self.now + QUIET if self._camera is None else self._camera.next_picture(self.now)
        planned = self._schedule.next
        return max(self.now, look if planned is None else min(planned, look))

    def step(self) -> None:
        """On to the next thing that happens."""
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
        """A finger comes down now. One that is still down can't."""
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
        """When it is known how long that button was held, where that means something."""
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
        """What they mean in the game that is played now, if anything."""
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
        """What the person does whose seat nobody is drawn at."""
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

    def _is_for_now(self, event: Event) -> bool:
        """A host may just have begun a game, or lets it be played without the camera."""
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
