"""A drawn evening without a page: everything from the drawn cards to the journal."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from companion.demo.camera_eyes import CameraEyes
from companion.demo.cast import Company
from companion.demo.schedule import WorldClock
from companion.demo.stage_camera import StageEyes
from companion.demo.world import World
from companion.eyes.deck.deck_file import read_deck
from companion.eyes.deck.deck_shelf import find_deck
from companion.eyes.look import Eyes
from companion.games.goat.cast.goat_cast import DECK_NAME
from companion.games.goat.cast.stage import GoatStage
from companion.journal import Journal, Reader
from companion.rig.race_photos import RacePhotos
from companion.rig.vision import Vision
from companion.table.live_table import Table, resume

from .keen import KeenEyes

S = 1_000_000_000
# Nobody sits at the table for so long and does nothing.
MOST_S = 900


@cache
def eyes() -> Eyes:
    return Eyes(read_deck(find_deck(DECK_NAME, Path("nowhere"))))


@dataclass
class Drawn:
    folder: Path
    table: Table
    world: World
    eyes: StageEyes
    rulings: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    number: int = 0

    @property
    def state(self) -> dict[str, Any]:
        state = self.table.snapshot.state
        assert state is not None
        return state

    @property
    def stage(self) -> GoatStage:
        stage = self.world.stage
        assert isinstance(stage, GoatStage)
        return stage

    def until(self, told: Callable[[], bool], most_s: int = MOST_S) -> None:
        """On and on until that holds, or so long that it never will."""
        begun = self.world.now
        while not told():
            assert self.world.now - begun < most_s * S
            self.world.step()
            self.listen()

    def listen(self) -> None:
        for snapshot in self.table.wait(self.number, 0):
            self.number = snapshot.number
            self.rulings += [said.as_json() for said in snapshot.news]

    def count(self, name: str) -> int:
        return sum(ruling["ruling"] == name for ruling in self.rulings)

    def events(self) -> list[str]:
        with Reader.open(self.folder / "journal.db") as reader:
            return [entry.event for entry in reader.entries()]


@dataclass(kw_only=True)
class InPictures(Drawn):
    lookout: Vision


@contextmanager
def drawn_evening(folder: Path, seats: int, seed: int = 0, yours: int | None = None) -> Generator[InPictures]:
    with Journal.open(folder / "journal.db") as journal:
        clock = WorldClock(resume(journal).latest + S)
        game = journal.last_game
        with Table(journal, clock=clock) as table:
            lookout = Vision(eyes(), RacePhotos(folder / "finishes"))
            camera_eyes, company = CameraEyes(lookout, table, clock), Company(seats=seats, seed=seed, yours=yours)
            world = World(table, clock, camera_eyes, company, game)
            yield InPictures(folder, table, world, camera_eyes, lookout=lookout)


@contextmanager
def quick_evening(folder: Path, seats: int, seed: int = 0, yours: int | None = None) -> Generator[Drawn]:
    """The same without pictures: nobody's hands and fingers do otherwise, and it takes a hundredth of the time."""
    with Journal.open(folder / "journal.db") as journal:
        clock = WorldClock(resume(journal).latest + S)
        game = journal.last_game
        with Table(journal, clock=clock) as table:
            eyes, company = KeenEyes(), Company(seats=seats, seed=seed, yours=yours)
            yield Drawn(folder, table, World(table, clock, eyes, company, game), eyes)
