"""From the edges of the seats' switches to presses at the table: one thread that hears, debounces and tells.

What it hears bears the kernel's time, so nothing depends on when this thread comes to run. A button that chatters
or is stuck is left out and reported, and the game goes on.
"""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Final

from companion.core import debounce
from companion.core.debounce import Edge, Fault, Press, Timing
from companion.errors import JournalError, TableBusy, TableClosed
from companion.logs.log_lines import NOTICE
from companion.rig.button_stats import ButtonStats
from companion.table.live_table import Snapshot, Table
from companion.table.table_clock import TableClock
from companion.threads.troubles import BUTTONS
from companion.threads.worker import Crew, Policy, Worker
from companion.units import SECOND
from hardware.ports import EdgeSource
from hardware.ports import KernelEdge as Heard

_log: Final = logging.getLogger(__name__)

# While a switch rattles and a press waits to be proved, and while all is quiet.
LIVELY_S: Final = 0.004
QUIET_S: Final = 0.1
# By then the debouncing has said all there is to say of an edge.
SETTLED: Final = SECOND // 4
GRAB, CALL = "press", "call"


@dataclass(frozen=True, slots=True)
class Wire:
    """What a button is for."""

    place: int
    """Of the table, in the order of rig.toml."""
    kind: str = GRAB


class ButtonWorker(Worker):
    def __init__(  # noqa: PLR0913 - all that it stands between
        self,
        table: Table,
        source: EdgeSource,
        wires: Sequence[Wire],
        tally: ButtonStats,
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
        self._tally = tally
        self._clock = clock
        self._pressed = pressed
        self._gone = gone
        self._switches = debounce.begin(Timing(), clock(), source.held())
        self._newest = 0
        # What is half done when a turn fails is done by the next one.
        self._heard: deque[Heard] = deque()
        self._settled: deque[Press | Fault] = deque()
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
        self._is_judging = False
        self._look_after(self._source.trouble)

    def _hear(self, wait_s: float) -> None:
        # Also what a thread has read that hung meanwhile: whoever is in its place judges it, late.
        self._heard += self._source.read(wait_s)
        self.beat()

    def _debounce(self, heard: Heard) -> None:
        edge = Edge(heard.button, self._clock.at(heard.t_ns), heard.level, heard.number)
        self._newest = max(self._newest, edge.t_ns)
        if self._wires[heard.button].kind == GRAB:
            self._tally.hear(Edge(self._wires[heard.button].place, edge.t_ns, edge.level, edge.number))
        self._switches = debounce.hear(self._switches, edge)

    def _look_after(self, trouble: str | None) -> None:
        """The game goes on: phones stand in for buttons that are gone."""
        if (trouble is not None) is not self._tally.gone:
            self._tally.gone = trouble is not None
            if trouble is None:
                _log.log(NOTICE, "The buttons are back.")
            else:
                _log.warning("%s", trouble)
                self._gone()

    def _take(self, news: Press | Fault) -> None:
        wire = self._wires[news.seat]
        news = _at_place(news, wire.place)
        if isinstance(news, Fault):
            _log.warning("%s%s", news.sentence, " (The one for calls.)" * (wire.kind == CALL))
        if wire.kind == GRAB or isinstance(news, Fault):
            self._tally.note(news, of_call=wire.kind == CALL)
        if isinstance(news, Press):
            self._tell(wire, news.t)

    def _tell(self, wire: Wire, t: int) -> None:
        game = self._table.snapshot.evening.game
        seat = game.seating.seat_at(wire.place) if game is not None and not game.over else None
        if seat is None:
            return
        if wire.kind == GRAB:
            self._pressed(t)
        try:
            told = self._table.tell({"t": t, "type": wire.kind, "seat": seat})
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


def _at_place(news: Press | Fault, place: int) -> Press | Fault:
    return Press(place, news.t) if isinstance(news, Press) else replace(news, seat=place)
