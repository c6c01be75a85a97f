"""Drawn people who press one after the other, until the pile is gone and they begin anew."""

from collections.abc import Iterable
from random import Random

from companion.core.game_record import Ruling
from companion.demo.cast import Cast, Company, DrawnWorld, Event
from companion.table.snapshot import Snapshot

from .rules import DummyRecord


def first_game(seats: int) -> Event:
    return {"type": "game", "game": "dummy", "seats": [f"P{seat}" for seat in range(seats)]}


class Pressers:
    stage = None

    def __init__(self, world: DrawnWorld, _chance: Random, company: Company) -> None:
        self._world, self._seats, self._taken = world, company.seats, -1

    def resume(self, snapshot: Snapshot) -> None: ...

    def hear(self, news: Iterable[Ruling]) -> None: ...

    def think(self, snapshot: Snapshot, *, known: bool) -> None:
        game = snapshot.evening.game
        if not isinstance(game, DummyRecord) or game.over:
            self._world.tell(first_game(self._seats))
        elif len(game.taken) != self._taken and known:
            self._taken = len(game.taken)
            self._world.press(game.turn)


CAST = Cast(first_game=first_game, people=Pressers)
