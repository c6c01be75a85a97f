"""Statistics of each seat's buttons, by which a builder sees whether a switch works.

The thread that reads the GPIO lines reports every edge and every result of the debouncing; any thread may read.
"""

from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush
from threading import Lock
from typing import Final

from companion.core.button_faults import Chattering, Fault, Lost, Recovered, Stuck
from companion.core.debounce import Press, Release
from companion.rig.protocols import Button
from companion.units import MILLISECOND, SECOND

# By then it is settled whether a contact was a press, also while lost edges leave a doubt.
SETTLED_NS: Final = 60_000_000


class ButtonStats:
    """Counts presses, bounces, lost edges and faults of each button. Thread-safe."""

    def __init__(self, clock: Callable[[], int], *, drawn: bool = False) -> None:
        """`clock`: in the same time as the edges. `drawn`: the buttons are the demo's, pressed by no finger."""
        self._clock = clock
        self._drawn = drawn
        self.gone = False
        """No more edges arrive, for example because the encoder or keyboard is unplugged."""
        self._lock = Lock()
        self._to_come: list[tuple[int, int, bool]] = []
        """A heap of edges by time: the demo reports its edges before they are due."""
        self._unsettled: list[tuple[int, int]] = []
        """A heap of contacts that may still turn out to be presses."""
        self._down: dict[int, bool] = {}
        self._contacts: Counter[int] = Counter()
        self._presses: Counter[int] = Counter()
        self._lost: Counter[int] = Counter()
        self._pressed: dict[int, int] = {}
        # Kept per button: one of a seat's two buttons may work while the other does not.
        self._wrong: dict[int, str] = {}
        self._call_wrong: dict[int, str] = {}

    @property
    def exists(self) -> bool:
        """Whether there are real buttons and edges still arrive from them."""
        return not self._drawn and not self.gone

    def hear(self, place: int, t: int, *, is_down: bool) -> None:
        """An edge of the button at that place."""
        with self._lock:
            heappush(self._to_come, (t, place, is_down))
            self._catch_up(self._clock())

    def note(self, place: int, news: Press | Release | Fault, *, of_call: bool = False) -> None:
        """What the debouncing has made of its edges. `of_call`: of the place's button for calls."""
        with self._lock:
            wrong = self._call_wrong if of_call else self._wrong
            match news:
                case Press():
                    self._presses[place] += 1
                    self._pressed[place] = news.t
                case Chattering() | Stuck():
                    wrong[place] = news.name
                case Recovered():
                    wrong.pop(place, None)
                case Lost():
                    self._lost[place] += news.edges
                case _:
                    pass

    def buttons(self) -> dict[int, Button]:
        with self._lock:
            now = self._clock()
            self._catch_up(now)
            places = {*self._down, *self._presses, *self._wrong, *self._call_wrong, *self._lost}
            return {place: self._button(place, now) for place in sorted(places)}

    def pressed_ago(self, place: int) -> float | None:
        with self._lock:
            pressed = self._pressed.get(place)
            return None if pressed is None else max(0, self._clock() - pressed) / SECOND

    def _button(self, place: int, now: int) -> Button:
        pressed = self._pressed.get(place)
        return Button(
            down=self._down.get(place, False),
            presses=self._presses[place],
            bounces=max(0, self._contacts[place] - self._presses[place]),
            ago_ms=None if pressed is None else max(0, now - pressed) // MILLISECOND,
            lost=self._lost[place],
            wrong=self._wrong.get(place),
            call_wrong=self._call_wrong.get(place),
        )

    def _catch_up(self, now: int) -> None:
        while self._to_come and self._to_come[0][0] <= now:
            t, place, is_down = heappop(self._to_come)
            self._down[place] = is_down
            if is_down:
                heappush(self._unsettled, (t, place))
        while self._unsettled and self._unsettled[0][0] <= now - SETTLED_NS:
            self._contacts[heappop(self._unsettled)[1]] += 1
