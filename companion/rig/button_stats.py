"""How the seats' buttons have been doing: what a builder reads to see whether a switch works.

Whoever hears the lines tells it of every edge and of everything the debouncing has made of them; any thread may
ask.
"""

from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush
from threading import Lock
from typing import Final

from companion.core.debounce import PRESSED, Chattering, Edge, Fault, Lost, Press, Recovered, Stuck
from companion.rig.protocols import Button
from companion.units import MILLISECOND, SECOND

# By then it is settled whether a contact was a press, also while lost edges leave a doubt.
SETTLED_NS: Final = 60_000_000


class ButtonStats:
    def __init__(self, clock: Callable[[], int], *, drawn: bool = False) -> None:
        """`clock`: of the edges' own time. `drawn`: nobody's finger is on these buttons."""
        self._clock = clock
        self._drawn = drawn
        self.gone = False
        """Nothing is heard of them any more, be it that they are unplugged."""
        self._lock = Lock()
        self._to_come: list[tuple[int, int, int]] = []
        """Edges in the order of their time; the drawn ones are told before it has come."""
        self._unsettled: list[tuple[int, int]] = []
        """Contacts."""
        self._down: dict[int, bool] = {}
        self._contacts: Counter[int] = Counter()
        self._presses: Counter[int] = Counter()
        self._lost: Counter[int] = Counter()
        self._pressed: dict[int, int] = {}
        # Of a seat's two buttons one may be well while the other is not.
        self._wrong: dict[int, str] = {}
        self._call_wrong: dict[int, str] = {}

    @property
    def exists(self) -> bool:
        """Whether fingers press them now."""
        return not self._drawn and not self.gone

    def hear(self, edge: Edge) -> None:
        with self._lock:
            heappush(self._to_come, (edge.t_ns, edge.seat, edge.level))
            self._catch_up(self._clock())

    def note(self, news: Press | Fault, *, of_call: bool = False) -> None:
        """`of_call`: of the seat's button for calls."""
        with self._lock:
            wrong = self._call_wrong if of_call else self._wrong
            match news:
                case Press():
                    self._presses[news.seat] += 1
                    self._pressed[news.seat] = news.t
                case Chattering() | Stuck():
                    wrong[news.seat] = news.name
                case Recovered():
                    wrong.pop(news.seat, None)
                case Lost():
                    self._lost[news.seat] += news.edges
                case _:
                    pass

    def buttons(self) -> dict[int, Button]:
        with self._lock:
            now = self._clock()
            self._catch_up(now)
            seats = {*self._down, *self._presses, *self._wrong, *self._call_wrong, *self._lost}
            return {seat: self._button(seat, now) for seat in sorted(seats)}

    def pressed_ago(self, seat: int) -> float | None:
        with self._lock:
            pressed = self._pressed.get(seat)
            return None if pressed is None else max(0, self._clock() - pressed) / SECOND

    def _button(self, seat: int, now: int) -> Button:
        pressed = self._pressed.get(seat)
        return Button(
            down=self._down.get(seat, False),
            presses=self._presses[seat],
            bounces=max(0, self._contacts[seat] - self._presses[seat]),
            ago_ms=None if pressed is None else max(0, now - pressed) // MILLISECOND,
            lost=self._lost[seat],
            wrong=self._wrong.get(seat),
            call_wrong=self._call_wrong.get(seat),
        )

    def _catch_up(self, now: int) -> None:
        while self._to_come and self._to_come[0][0] <= now:
            t, seat, level = heappop(self._to_come)
            self._down[seat] = level == PRESSED
            if level == PRESSED:
                heappush(self._unsettled, (t, seat))
        while self._unsettled and self._unsettled[0][0] <= now - SETTLED_NS:
            self._contacts[heappop(self._unsettled)[1]] += 1
