"""A whole game at the drawn table, filmed: a camera's pictures, what fingers did and phones said, what was seen by
then, and what was ruled. A rig that is shown and told all this must rule the same.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

import cv2
import numpy as np

from companion.core.gestures import ButtonUse
from companion.core.observe import Event
from companion.demo.camera_eyes import CameraEyes
from companion.demo.cast import Company
from companion.demo.schedule import WorldClock
from companion.demo.stage_camera import StageEyes
from companion.demo.world import TAP, World
from companion.drawn.painter import Scene
from companion.eyes.deck.deck_file import read_deck
from companion.eyes.deck.deck_shelf import find_deck
from companion.eyes.look import Eyes
from companion.games.goat.cast.goat_cast import DECK_NAME
from companion.journal import Journal, Reader
from companion.rig.race_photos import RacePhotos
from companion.rig.vision import Vision
from companion.table.live_table import Table
from companion.units import SECOND, Ns, Seat

QUALITY: Final = 90
# What people say on phones; the rest comes from buttons and camera.
SAID: Final = frozenset({"game", "call", "accuse", "sprint"})
# No game of people is so long.
LONGEST: Final[Ns] = 900 * SECOND


# When, how many moves had been seen by then, and what was done or said, if anything.
Step = tuple[Ns, int, Mapping[str, object] | None]


@dataclass
class Film:
    pictures: BinaryIO
    frames: list[tuple[Ns, int, int]] = field(default_factory=list[tuple[Ns, int, int]])
    steps: list[Step] = field(default_factory=list[Step])
    moves: int = 0

    def done(self, t: Ns, deed: Mapping[str, object] | None) -> None:
        self.steps.append((t, self.moves, deed))

    def saw(self, t: Ns, moves: int) -> None:
        if moves:
            self.moves += moves
            self.done(t, None)

    def add(self, t: Ns, picture: Any) -> None:
        jpeg = np.asarray(cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))[1]).tobytes()
        self.frames.append((t, self.pictures.tell(), len(jpeg)))
        self.pictures.write(jpeg)


def moves_in(event: Mapping[str, Any]) -> int:
    """Cards laid and piles lifted, be it one by one or together."""
    return len(event["cells"]) if event["type"] == "lift" else int(event["type"] == "card")


class Filming(CameraEyes):
    """Keeps what it sees."""

    def __init__(self, lookout: Vision, table: Table, clock: WorldClock, film: Film) -> None:
        super().__init__(lookout, table, clock)
        self._film = film

    def see(self, scene: Scene, t: Ns) -> tuple[Event, ...]:
        picture = self._painter.picture(scene, len(self._film.frames))
        self._film.add(t, picture)
        events = self._vision.see(picture, t)
        self._film.saw(t, sum(map(moves_in, events)))
        return events


class WatchedWorld(World):
    """Keeps what fingers do and phones say."""

    def __init__(self, table: Table, clock: WorldClock, eyes: StageEyes, company: Company, film: Film) -> None:
        super().__init__(table, clock, eyes, company)
        self._film = film

    def press(self, seat: Seat, held: Ns = TAP, use: ButtonUse = ButtonUse.GRAB) -> None:
        self._film.done(self.now, {"type": "press", "seat": seat})
        super().press(seat, held, use)

    def tell(self, event: Mapping[str, object]) -> None:
        if event["type"] in SAID:
            self._film.done(self.now, event)
        super().tell(event)


def film_game(folder: Path, seats: int, seed: int) -> None:
    """Writes `pictures`, `film.json`, `steps.json` and `game.jsonl`; times are counted from the first picture."""
    folder.mkdir(parents=True)
    with Journal.open(folder / "journal.db") as journal, (folder / "pictures").open("wb") as pictures:
        film, clock = Film(pictures), WorldClock(SECOND)
        with Table(journal, clock=clock) as table:
            lookout = Vision(
                Eyes(read_deck(find_deck(DECK_NAME, Path("nowhere")))), RacePhotos(folder / "finishes")
            )
            company = Company(seats=seats, seed=seed)
            world = WatchedWorld(table, clock, Filming(lookout, table, clock, film), company, film)
            _play(world, table)
            assert ((), ()) == (world.mismatches, world.refused)
    begun = film.frames[0][0]

    (folder / "film.json").write_text(json.dumps([(t - begun, start, size) for t, start, size in film.frames]))
    (folder / "steps.json").write_text(json.dumps([(t - begun, moves, deed) for t, moves, deed in film.steps]))
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
