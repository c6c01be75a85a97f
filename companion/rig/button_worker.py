"""From the edges of the seats' switches to events at the table: one thread that hears, debounces and tells what
the game says that each gesture means.

What it hears bears the kernel's time, so nothing depends on when this thread comes to run. A button that chatters
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

# How soon edges are looked for again while some are unsettled, and while all is quiet.
LIVELY_S: Final = 0.004
QUIET_S: Final = 0.1
# By then the debouncing has said all there is to say of an edge.
SETTLED: Final = SECOND // 4


@dataclass(frozen=True, slots=True)
class Wire:
    """What a button is for."""

    place: int
    """Of the table, in the order of rig.toml."""
    use: ButtonUse = ButtonUse.GRAB


class ButtonWorker(Worker):
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
        """`wires`: by the buttons' numbers. `pressed` is told the time of every grab, before it is judged.
        `gone`: called when nothing is heard of the buttons any more."""
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
        # What is half done when a turn fails is done by the next one.
        self._heard: deque[KernelEdge] = deque()
        self._settled: deque[Press | Release | Fault] = deque()
        self._is_judging = False

    def turn(self) -> None:
        self.step(LIVELY_S if self._clock() - self._newest < SETTLED else QUIET_S)

    def recover(self) -> None:
        """What was heard before is still judged; only an edge that can't be debounced twice is left out."""
        self.beat()
        if not self._is_judging or self._failures < 2:
            return
        if self._heard:
            self._heard.popleft()
        else:
            self._switches = debounce.begin(Timing(), self._clock(), self._source.held())
            self._held_buttons = ButtonsHeld()

    def step(self, wait_s: float) -> None:
        """Hears what has come, and tells what is settled."""
        self._hear(wait_s)
        # However late this thread comes to run, nothing is settled before all that was made until now is heard.
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
        # Also what a thread has read that hung meanwhile: whoever is in its place judges it, late.
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
        """The game goes on: phones stand in for buttons that are gone."""
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
        """What they mean in the game that is played now, if anything."""
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
        """Or not: a press must not be lost without a word. Of a journal that can't be written the table tells."""
        error = told.exception()
        if isinstance(error, JournalError):
            _log.info("A press was not noted: %s", error)
        elif error is not None and not isinstance(error, TableClosed):
            _log.warning("%s", error)

    def close(self) -> None:
        super().close()
        self._source.close()


def without_halves(made: Sequence[GestureMade], wires: Sequence[Wire], played: Game) -> Iterator[GestureMade]:
    """Without the presses that complete a double, where a double has a meaning of its own."""
    doubles = {(one.button, one.t) for one in made if one.gesture is ButtonGesture.DOUBLE}
    for one in made:
        is_half = one.gesture is ButtonGesture.PRESS and (one.button, one.t) in doubles
        if not is_half or (wires[one.button].use, ButtonGesture.DOUBLE) not in played.buttons:
            yield one
