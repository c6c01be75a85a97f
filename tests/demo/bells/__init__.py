"""A made-up game that the demo plays: up to nine people ring their buttons in turn, twice round, and the last of
them tolls by a long press. It has no camera and no cards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar, cast

from flask_babel import lazy_gettext
from flask_babel.speaklater import LazyString
from markupsafe import Markup

from companion.core.cards import Card
from companion.core.game_record import GameRecord, Ruling
from companion.core.gestures import ButtonGesture, ButtonUse
from companion.demo.cast import Cast, Company, DrawnWorld, SeatLine
from companion.games.game import Game, Rights, says
from companion.history.game_history import GameHistory, GameResult
from companion.history.judged_game import JudgedGame
from companion.table.snapshot import Snapshot
from companion.units import SECOND, Seat
from companion.web.game_page import FaceName, GameFace

NAMES = ("Ada", "Ben", "Cy", "Dora", "Emil", "Fee", "Gil", "Hal", "Ivy")
ROUNDS = 2


# Rules


@dataclass(frozen=True, slots=True)
class Rang:
    secret: ClassVar[bool] = False
    t: int
    seat: Seat
    how: str

    def as_json(self) -> dict[str, object]:
        return {"ruling": "rang", "t": self.t, "seat": self.seat, "how": self.how}


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
        is_right = event["type"] in {"ring", "toll"} and event["seat"] == self.turn and not self.over
        return (
            replace(self, rang=(*self.rang, Rang(event["t"], event["seat"], event["type"]))) if is_right else self
        )

    def rulings(self) -> Iterator[tuple[int, Ruling]]:
        return enumerate(self.rang)

    def state(self) -> dict[str, object]:
        return {"game": "bells", "turn": self.turn, "rang": len(self.rang)}


# Page


class BellsPage:
    name: ClassVar[str] = "bells"
    title: ClassVar[LazyString] = lazy_gettext("Bells")
    words: ClassVar[Mapping[str, LazyString]] = {}
    faces: ClassVar[Mapping[FaceName, GameFace]] = {
        "live": GameFace(template="bells/live.html", script="bells/bells.js"),
        "tv": GameFace(template="bells/live.html", script="bells/bells.js"),
        "seat": GameFace(template="bells/seat.html", script="bells/bells.js"),
        "host": GameFace(template="bells/host.html", script="bells/bells.js"),
    }
    sheets: ClassVar[tuple[str, ...]] = ()
    seat_picture: ClassVar[str | None] = None

    def seat_art(self) -> Markup:
        return Markup()

    def art(self) -> Markup:
        return Markup()

    def card_label(self, card: Card, words: Mapping[str, str]) -> tuple[str, str] | None:
        """No camera reads cards."""
        del card, words

    def beside(self, game: GameRecord) -> dict[str, object]:
        del game
        return {}

    def options(self, game: GameRecord) -> Mapping[str, object]:
        del game
        return {}

    def undo_sentence(self, game: GameRecord, words: Mapping[str, str]) -> str | None:
        """Nobody takes a bell back."""
        del game, words

    def now(self, shown: Mapping[str, Any], words: Mapping[str, str]) -> str:
        del words
        return f"Rung {shown['state']['rang']} times"

    def log(self, shown: Mapping[str, Any], words: Mapping[str, str]) -> Sequence[str]:
        del shown, words
        return ()

    def seat_data(self, game: GameRecord, seat: int) -> object:
        """Nothing more than its page shows."""
        del game, seat


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
            self._world.plan(self._world.now + self._chance.randrange(SECOND), lambda: self._ring(seat))

    def _ring(self, seat: Seat) -> None:
        """The last one tolls: holds the button for long."""
        self._world.press(seat, 2 * SECOND if seat == self._company.seats - 1 else SECOND // 10)


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
    buttons={
        (ButtonUse.GRAB, ButtonGesture.PRESS): says("ring"),
        (ButtonUse.GRAB, ButtonGesture.HOLD): says("toll"),
    },
    waits_for_hold=frozenset({ButtonUse.GRAB}),
    page=BellsPage,
    history=BellsHistory,
    cast=lambda: CAST,
)
