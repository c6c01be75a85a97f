"""The button worker thread: reads the switches' edges, debounces them and tells the table the events that the game
assigns to each gesture.

Edges carry the kernel's timestamps, so nothing depends on when this thread is scheduled. A button that chatters
or is stuck is left out and reported, and the game goes on.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

from companion.core import debounce, gestures
from companion.core.button_faults import Fault
from companion.core.debounce import Edge, Press, Release, Timing
from companion.core.gestures import ButtonGesture, ButtonsHeld, ButtonUse, GestureMade
from companion.errors import JournalError, TableBusy, TableClosed
from companion.games.game import Game
from companion.logs.log_lines import NOTICE
from companion.rig.button_stats import ButtonStats
from companion.table.live_table import Snapshot, Table
from companion.table.table_clock import TableClock
from companion.threads.troubles import BUTTONS
from companion.threads.worker import Crew, Policy, Worker
from companion.units import SECOND
from hardware.ports import PRESSED, EdgeSource, KernelEdge

_log: Final = logging.getLogger(__name__)

# Poll interval (timeout of a read) while some edges are unsettled, and while all is quiet.
LIVELY_S: Final = 0.004
QUIET_S: Final = 0.1
# After this long the debouncing has decided about an edge.
SETTLED: Final = SECOND // 4


@dataclass(frozen=True, slots=True)
class Wire:
    """A button's place at the table and what it is used for."""

    place: int
    """The place at the table, in the order of rig.toml."""
    use: ButtonUse = ButtonUse.GRAB


class ButtonWorker(Worker):
    """The worker thread between the buttons' edges and the table."""

    def __init__(  # noqa: PLR0913 - all that it stands between
        self,
        table: Table,
        source: EdgeSource,
        wires: Sequence[Wire],
        stats: ButtonStats,
        clock: TableClock,
        *,
        pressed: Callable[[int], None] = lambda _: None,
        gone: Callable[[], None] = lambda: None,
        crew: Crew | None = None,
    ) -> None:
        """`wires`: indexed by the buttons' numbers. `pressed` is called with the time of every grab, before it is
        judged. `gone`: called when no more edges arrive from the buttons."""
        super().__init__(
            BUTTONS,
            Policy.RESTART,
            crew=crew,
            sentence="Nobody hears the buttons at the moment: until they are back, slap on your phones.",
        )
        self._table = table
        self._source = source
        self._wires = wires
        self._stats = stats
        self._clock = clock
        self._pressed = pressed
        self._gone = gone
        self._switches = debounce.begin(Timing(), clock(), source.held())
        self._held_buttons = ButtonsHeld()
        self._newest = 0
        # Queues that survive a failed turn: the next turn finishes what is in them.
        self._heard: deque[KernelEdge] = deque()
        self._settled: deque[Press | Release | Fault] = deque()
        self._is_judging = False

    def turn(self) -> None:
        self.step(LIVELY_S if self._clock() - self._newest < SETTLED else QUIET_S)

    def recover(self) -> None:
        """Edges read before the error are still judged; only an edge that fails twice in debouncing is lost."""
        self.beat()
        if not self._is_judging or self._failures < 2:
            return
        if self._heard:
            self._heard.popleft()
        else:
            self._switches = debounce.begin(Timing(), self._clock(), self._source.held())
            self._held_buttons = ButtonsHeld()

    def step(self, wait_s: float) -> None:
        """Reads new edges, waiting up to `wait_s` for one, and tells the table what is settled."""
        self._hear(wait_s)
        # Take the time before reading: however late this thread runs, nothing is settled before all edges made
        # until then have been read.
        now = self._clock()
        self._hear(0)
        self._is_judging = True
        while self._heard:
            self._debounce(self._heard[0])
            self._heard.popleft()
        self._switches, news = debounce.until(self._switches, now)
        self._settled += news
        while self._settled:
            self._take(self._settled.popleft())
        self._held_buttons, held = gestures.until(self._held_buttons, self._switches.settled)
        self._tell(held)
        self._is_judging = False
        self._look_after(self._source.trouble)

    def _hear(self, wait_s: float) -> None:
        # A worker thread that hung in this read still adds its edges; its replacement judges them, late.
        self._heard += self._source.read(wait_s)
        self.beat()

    def _debounce(self, heard: KernelEdge) -> None:
        edge = Edge(heard.button, self._clock.at(heard.t_ns), heard.level == PRESSED, heard.number)
        self._newest = max(self._newest, edge.t_ns)
        wire = self._wires[heard.button]
        if wire.use is ButtonUse.GRAB:
            self._stats.hear(wire.place, edge.t_ns, is_down=edge.is_down)
        self._switches = debounce.hear(self._switches, edge)

    def _look_after(self, trouble: str | None) -> None:
        """Puts the buttons' trouble on the board. The game goes on: phones stand in for buttons that are gone."""
        if (trouble is not None) is not self._stats.gone:
            self._stats.gone = trouble is not None
            if trouble is None:
                _log.log(NOTICE, "The buttons are back.")
            else:
                _log.warning("%s", trouble)
                self._gone()

    def _take(self, news: Press | Release | Fault) -> None:
        wire = self._wires[news.button]
        is_call = wire.use is ButtonUse.CALL
        if isinstance(news, Fault):
            _log.warning("%s%s", news.sentence(wire.place), " (The one for calls.)" * is_call)
        if not is_call or isinstance(news, Fault):
            self._stats.note(wire.place, news, of_call=is_call)
        played = self._table.snapshot.evening.played
        waits = played is not None and wire.use in played.waits_for_hold
        self._held_buttons, made = gestures.hear(self._held_buttons, news, waits_for_hold=waits)
        self._tell(made)

    def _tell(self, gestures_made: Sequence[GestureMade]) -> None:
        """Tells the table what the gestures mean in the game that is played now, if anything."""
        evening = self._table.snapshot.evening
        game, played = evening.game, evening.played
        if game is None or played is None or game.over:
            return
        for made in without_halves(gestures_made, self._wires, played):
            wire = self._wires[made.button]
            seat = game.seating.seat_at(wire.place)
            make_event = played.buttons.get((wire.use, made.gesture))
            event = make_event(made, seat, game) if seat is not None and make_event is not None else None
            if event is not None:
                self._tell_event(wire, made, event)

    def _tell_event(self, wire: Wire, made: GestureMade, event: Mapping[str, object]) -> None:
        if wire.use is ButtonUse.GRAB and made.gesture is ButtonGesture.PRESS:
            self._pressed(made.t)
        try:
            told = self._table.tell(event)
            told.add_done_callback(self._noted)
        except TableBusy as error:
            _log.warning("%s", error)

    def _noted(self, told: "Future[Snapshot]") -> None:
        """Logs a press that the table refused, so that none is lost silently. The table itself reports a journal
        that can't be written."""
        error = told.exception()
        if isinstance(error, JournalError):
            _log.info("A press was not noted: %s", error)
        elif error is not None and not isinstance(error, TableClosed):
            _log.warning("%s", error)

    def close(self) -> None:
        super().close()
        self._source.close()


def without_halves(made: Sequence[GestureMade], wires: Sequence[Wire], played: Game) -> Iterator[GestureMade]:
    """Drops the presses that are the second half of a double, where a double press has a meaning of its own."""
    doubles = {(one.button, one.t) for one in made if one.gesture is ButtonGesture.DOUBLE}
    for one in made:
        is_half = one.gesture is ButtonGesture.PRESS and (one.button, one.t) in doubles
        if not is_half or (wires[one.button].use, ButtonGesture.DOUBLE) not in played.buttons:
            yield one
