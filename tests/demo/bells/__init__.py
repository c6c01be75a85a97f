"""A made-up game that the demo plays: up to nine people ring their buttons in turn, twice round. It has no camera
and no cards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar, cast

from flask_babel import lazy_gettext
from flask_babel.speaklater import LazyString

from companion.core.game_record import GameRecord, Ruling
from companion.demo.cast import Cast, Company, DrawnWorld, SeatLine
from companion.games.game import Game, Rights
from companion.history.game_history import GameHistory, GameResult
from companion.history.judged_game import JudgedGame
from companion.table.snapshot import Snapshot
from companion.units import SECOND, Seat

NAMES = ("Ada", "Ben", "Cy", "Dora", "Emil", "Fee", "Gil", "Hal", "Ivy")
ROUNDS = 2


# Rules


@dataclass(frozen=True, slots=True)
class Rang:
    secret: ClassVar[bool] = False
    t: int
    seat: Seat

    def as_json(self) -> dict[str, object]:
        return {"ruling": "rang", "t": self.t, "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Bells(GameRecord):
    names: tuple[str, ...]
    rang: tuple[Rang, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        return self.names

    @property
    def over(self) -> bool:
        return len(self.rang) == ROUNDS * len(self.names)

    @property
    def turn(self) -> Seat:
        return len(self.rang) % len(self.names)

    def hear(self, raw: object) -> "Bells":
        event = cast("dict[str, Any]", raw)
        is_right = event["type"] == "press" and event["seat"] == self.turn and not self.over
        return replace(self, rang=(*self.rang, Rang(event["t"], event["seat"]))) if is_right else self

    def rulings(self) -> Iterator[tuple[int, Ruling]]:
        return enumerate(self.rang)

    def state(self) -> dict[str, object]:
        return {"game": "bells", "turn": self.turn, "rang": len(self.rang)}


# Page


class BellsPage:
    name: ClassVar[str] = "bells"
    title: ClassVar[LazyString] = lazy_gettext("Bells")
    words: ClassVar[Mapping[str, LazyString]] = {}

    def beside(self, _game: GameRecord) -> dict[str, object]:
        return {}

    def options(self, _game: GameRecord) -> Mapping[str, object]:
        return {}

    def newest(self, _game: GameRecord, _words: Mapping[str, str]) -> str | None:
        return None

    def now(self, shown: Mapping[str, Any], _words: Mapping[str, str]) -> str:
        return f"Rung {shown['state']['rang']} times"

    def log(self, _shown: Mapping[str, Any], _words: Mapping[str, str]) -> Sequence[str]:
        return ()

    def reactions(self, _game: GameRecord, _seat: int) -> Sequence[int]:
        return ()


# Demo


class Ringers:
    """Whoever has the turn rings soon; at your seat nobody does."""

    stage = None

    def __init__(self, world: DrawnWorld, chance: Random, company: Company) -> None:
        self._world = world
        self._chance = chance
        self._company = company
        self._planned: int | None = None

    def resume(self, snapshot: Snapshot) -> None:
        """Nothing lies on the table."""

    def hear(self, news: object) -> None:
        """The bells are heard by `think`."""

    def think(self, snapshot: Snapshot, *, known: bool) -> None:
        assert known
        game = snapshot.evening.game
        if game is None:
            self._world.tell(first_game(self._company.seats))
            return
        assert isinstance(game, Bells)
        if not game.over and game.turn != self._company.yours and self._planned != len(game.rang):
            self._planned, seat = len(game.rang), game.turn
            self._world.plan(self._world.now + self._chance.randrange(SECOND), lambda: self._world.press(seat))


def first_game(seats: int) -> dict[str, object]:
    return {"type": "game", "game": "bells", "seats": [*NAMES[:seats]]}


def _lines(game: GameRecord) -> list[SeatLine]:
    assert isinstance(game, Bells)
    rang = [one.seat for one in game.rang]
    return [SeatLine(game.turn == seat, rang.count(seat), ROUNDS) for seat in range(len(game.names))]


CAST = Cast(
    first_game=first_game,
    people=Ringers,
    seat_lines=_lines,
    ruling_in_words=lambda ruling, names: f"{names[ruling['seat']]} rings",
    keys={" ": lambda world, seat: world.press(seat)},
    yours="the space bar is its bell",
)


class BellsHistory(GameHistory):
    def result(self, game: JudgedGame) -> GameResult:
        return GameResult(starter=0 if game.seats else None)


BELLS = Game(
    name="bells",
    title="Bells",
    folder=Path(__file__).parent,
    begin=lambda raw: Bells(tuple(cast("dict[str, Any]", raw)["seats"])),
    seats=range(2, 10),
    rights=Rights(),
    page=lambda: cast("Any", BellsPage()),
    history=BellsHistory,
    cast=lambda: CAST,
)
