"""The camera above the drawn table: the scene is painted, and the picture is read by the real eyes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final, Self

import numpy as np

from companion.core.cards import Cell
from companion.core.observe import Event
from companion.demo.cast import DrawnDeck
from companion.drawn.drawn_camera import Lens, Sensor
from companion.drawn.drawn_light import Light, RoomLamp
from companion.drawn.drawn_surface import Surface
from companion.drawn.painter import Painter, Scene
from companion.eyes.deck.deck_file import read_deck
from companion.eyes.deck.deck_shelf import find_deck
from companion.eyes.look import Eyes
from companion.rig.picture_reader import PictureReader
from companion.rig.race_photos import RacePhotos
from companion.rig.vision import Vision
from companion.table.live_table import Table
from companion.threads.troubles import Troubles
from companion.units import Ns

# Daylight from a window, a ceiling lamp, and a bright cold lamp at the side.
LIGHTS: Final = (
    Light((RoomLamp(5200, 0.8, 60, -120, 1600, 400),), 0.4),
    Light((RoomLamp(3300, 0.35, 330, 30, 1500, 250),), 0.1, 3600),
    Light((RoomLamp(6500, 0.7, -620, -520, 1100, 350),), 0.3, 5500),
)
CLOTHS: Final = ("cloth", "felt", "dots")


def bare_table(chance: Random) -> Scene:
    """An empty mat on a table under a camera; the seed changes light, cloth and tilt."""
    light = chance.choice(LIGHTS)
    tilt, towards, turn = chance.uniform(0, 5), chance.uniform(0, 360), chance.gauss(0, 1.5)
    lens = Lens(640, 480, above=700, tilt=tilt, tilt_towards=towards, turn=turn)
    sensor = replace(Sensor.metered(light.in_the_middle(), bright=0.6, neutral=0.85), blur=0.6)
    return Scene(light, Surface(chance.choice(CLOTHS), chance.randrange(1000)), mat=True, lens=lens, sensor=sensor)


class CameraEyes:
    """Eyes that read painted pictures: a `companion.demo.stage_camera.StageEyes`."""

    def __init__(
        self, vision: Vision, table: Table, clock: Callable[[], Ns], troubles: Troubles | None = None
    ) -> None:
        """`clock`: the drawn world's. `troubles`: where unreadable pictures are reported."""
        self._vision = vision
        self._reader = PictureReader(table, vision, troubles or Troubles(), clock)
        self._painter = Painter()
        self._shots = 0

    def see(self, scene: Scene, t: Ns) -> tuple[Event, ...]:
        picture = self._painter.picture(scene, self._shots)
        self._shots += 1
        events = self._reader.read(np.asarray(picture, np.uint8), t)
        if events is None:
            overdue = self._reader.overdue()
            return () if overdue is None else (overdue,)
        return events

    @property
    def known(self) -> Ns:
        return self._vision.known

    @property
    def unread(self) -> tuple[Cell, ...]:
        return self._vision.unread

    def forget(self) -> None:
        self._vision.forget()

    def pressed(self, t: Ns) -> None:
        self._reader.pressed(t)

    def keep_race_photos(self, game: int, presses: Iterable[Ns]) -> None:
        self._vision.keep_race_photos(game, presses)


@dataclass(frozen=True, slots=True)
class DrawnCamera:
    """The camera above the drawn table, with eyes that were taught a game's deck."""

    vision: Vision
    clock: Callable[[], Ns]
    chores: tuple[Callable[[], object], ...]
    """The slow preparations for the first picture, in small steps."""

    @classmethod
    def above(cls, deck: DrawnDeck, models: Path, photos: RacePhotos, clock: Callable[[], Ns]) -> Self:
        """With the deck file in the folder `models`, or else the one that comes with the program."""
        eyes = Eyes(read_deck(find_deck(deck.name, models)))
        return cls(Vision(eyes, photos, clock=clock), clock, (eyes.warm_up, *deck.chores()))

    def eyes(self, table: Table, troubles: Troubles) -> CameraEyes:
        return CameraEyes(self.vision, table, self.clock, troubles)
