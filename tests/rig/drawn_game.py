"""A whole game at the drawn table, filmed: the pictures that a camera would have taken, what fingers did and when,
what phones said, and what was ruled. A rig to which the same is shown and said must rule the same.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

import cv2
import numpy as np

from companion.core.games.goat.cards import Ns, Seat
from companion.core.observe import Event
from companion.demo.agenda import Clock
from companion.demo.casts import Company
from companion.demo.drawn import Scene
from companion.demo.filmed import Filmed
from companion.demo.supplied import NAME
from companion.demo.world import Watcher, World
from companion.eyes.deckfile import read_deck
from companion.eyes.look import Eyes
from companion.eyes.shelf import find_deck
from companion.journal import Journal, Reader
from companion.lookout import Lookout
from companion.photofinish import Finishes
from companion.table import Table

SECOND: Final = 1_000_000_000
QUALITY: Final = 90
# What people say on phones; the rest comes from buttons and camera.
SAID: Final = frozenset({"game", "call", "accuse", "sprint"})
# No game of people is so long.
LONGEST: Final[Ns] = 900 * SECOND


@dataclass
class Film:
    pictures: BinaryIO
    frames: list[tuple[Ns, int, int]] = field(default_factory=list[tuple[Ns, int, int]])

    def add(self, t: Ns, picture: Any) -> None:
        jpeg = np.asarray(cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))[1]).tobytes()
        self.frames.append((t, self.pictures.tell(), len(jpeg)))
        self.pictures.write(jpeg)


class Filming(Filmed):
    """Keeps what it sees."""

    def __init__(self, lookout: Lookout, film: Film) -> None:
        super().__init__(lookout)
        self._film = film

    def see(self, scene: Scene, t: Ns) -> tuple[Event, ...]:
        picture = self._painter.picture(scene, len(self._film.frames))
        self._film.add(t, picture)
        return self._lookout.see(picture, t)


class WatchedWorld(World):
    """Keeps what fingers do and phones say."""

    def __init__(self, table: Table, clock: Clock, watcher: Watcher, company: Company) -> None:
        super().__init__(table, clock, watcher, company)
        self.deeds: list[tuple[Ns, Mapping[str, object]]] = []

    def press(self, seat: Seat) -> None:
        self.deeds.append((self.now, {"type": "press", "seat": seat}))
        super().press(seat)

    def tell(self, event: Mapping[str, object]) -> None:
        if event["type"] in SAID:
            self.deeds.append((self.now, event))
        super().tell(event)


def film_game(folder: Path, seats: int, seed: int, slower: float = 1.0) -> None:
    """Writes `pictures`, `film.json`, `deeds.json` and `game.jsonl`; times are counted from the first picture.
    `slower`: so many times as slow as people, for a slow machine."""
    folder.mkdir(parents=True)
    with Journal.open(folder / "journal.db") as journal, (folder / "pictures").open("wb") as pictures:
        film, clock = Film(pictures), Clock(SECOND)
        with Table(journal, clock=clock) as table:
            lookout = Lookout(Eyes(read_deck(find_deck(NAME, Path("nowhere")))), Finishes(folder / "finishes"))
            world = WatchedWorld(table, clock, Filming(lookout, film), Company(seats=seats, seed=seed))
            _play(world, table)
            assert ((), ()) == (world.apart(), world.refused())
    begun = film.frames[0][0]

    def due(t: Ns) -> Ns:
        return round((t - begun) * slower)

    (folder / "film.json").write_text(json.dumps([(due(t), start, size) for t, start, size in film.frames]))
    (folder / "deeds.json").write_text(json.dumps([(due(t), deed) for t, deed in world.deeds]))
    with Reader.open(folder / "journal.db") as reader:
        (folder / "game.jsonl").write_text("".join(f"{entry.event}\n" for entry in reader.entries()))


def _play(world: World, table: Table) -> None:
    """Until somebody has won and the last hand is gone."""
    while (game := table.snapshot.evening.game) is None or not game.over:
        assert world.now < LONGEST
        world.step()
    end = world.now + 3 * SECOND
    while world.now < end:
        world.step()
