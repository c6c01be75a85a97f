"""The camera above the drawn table: what is there becomes a picture, and the picture is read by the real eyes."""

from collections.abc import Iterable

from companion.core.games.game import Said
from companion.core.games.goat.cards import Cell, Ns
from companion.core.observe import Event
from companion.demo.drawn import Painter, Scene
from companion.lookout import Lookout


class Filmed:
    def __init__(self, lookout: Lookout) -> None:
        self._lookout = lookout
        self._painter = Painter()
        self._shots = 0

    def see(self, scene: Scene, t: Ns) -> tuple[Event, ...]:
        picture = self._painter.picture(scene, self._shots)
        self._shots += 1
        return self._lookout.see(picture, t)

    @property
    def known(self) -> Ns:
        return self._lookout.known

    @property
    def unread(self) -> tuple[Cell, ...]:
        return self._lookout.unread

    def forget(self) -> None:
        self._lookout.forget()

    def pressed(self, t: Ns) -> None:
        self._lookout.pressed(t)

    def heard(self, game: int, news: Iterable[Said]) -> None:
        self._lookout.heard(game, news)
