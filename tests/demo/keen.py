"""Eyes that read the drawn table itself instead of its picture: a whole evening takes seconds.

They see what real ones would, no more: nothing under an arm, and of a pile only its top."""

import math
from collections.abc import Iterable

from companion.core.cards import Cell
from companion.core.mat import CELLS
from companion.core.observe import Event, Watch, ask_grid, unread_cells, watch
from companion.core.reading import Bare, Hidden, Pose, Reading, Shown, Sight, Why
from companion.drawn.drawn_hand import Hand
from companion.drawn.painter import Scene
from companion.games.goat.cast.stage import kind_of
from companion.units import Ns

# From an arm's line to a cell's middle, at most so far that it may cover something of a card there.
ARM_MM = 85.0
SURE = 0.97


class KeenEyes:
    def __init__(self) -> None:
        self._watch = Watch()

    def see(self, scene: Scene, t: Ns) -> tuple[Event, ...]:
        self._watch, events = watch(self._watch, Reading(t, tuple(_sight(scene, cell) for cell in range(9))))
        return events

    @property
    def known(self) -> Ns:
        return min(spot.quiet for spot in self._watch.spots)

    @property
    def unread(self) -> tuple[Cell, ...]:
        return tuple(unread_cells(self._watch))

    def ask_grid(self) -> None:
        self._watch = ask_grid(self._watch)

    def forget(self) -> None:
        self._watch = Watch()

    def pressed(self, t: Ns) -> None:
        """Keeps no pictures."""

    def keep_race_photos(self, game: int, presses: Iterable[int]) -> None:
        """Keeps no pictures."""


def _sight(scene: Scene, cell: Cell) -> Sight:
    if any(_covers(hand, cell) for hand in scene.hands):
        return Hidden(Why.HAND)
    top = scene.tops[cell]
    if top is None:
        return Bare(SURE)
    place = CELLS[cell]
    return Shown(kind_of(top.face), SURE, Pose(top.x - place.left, top.y - place.top, top.turn))


def _covers(hand: Hand, cell: Cell) -> bool:
    x, y = (middle - grip for middle, grip in zip(CELLS[cell].centre, hand.grip, strict=True))
    along = math.cos(math.radians(hand.arm)), math.sin(math.radians(hand.arm))
    share = max(x * along[0] + y * along[1], 0.0)
    return math.hypot(x - share * along[0], y - share * along[1]) < ARM_MM
