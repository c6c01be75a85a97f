"""An evening of Row Your Goat as a family might play it, drawn by lot: the events a real table would tell.

The people see the truth and act on it, now and then wrongly; the referee only hears of it, sometimes late."""

from collections.abc import Iterator
from random import Random
from typing import Any, cast

from companion.core.cards import BOATS, COLOURS
from companion.games.goat.cast.goat_cast import NAMES
from companion.games.goat.rules.events import ALL_CARDS
from companion.table.evening import Evening
from companion.units import MILLISECOND

Event = dict[str, Any]
# A game that has not ended by then is stopped by bedtime.
MOST_CARDS = 400
# How often somebody forgets to call the last card, and how often a hand slaps at nothing.
FORGETS = 0.2
ERRS = 0.03


class Family:
    def __init__(self, seed: int, seats: int) -> None:
        self._chance = Random(seed)
        self._evening = Evening()
        self._t = 0
        deck = [{"boat": BOATS[number % 4], "colour": COLOURS[number // 4 % 4]} for number in range(ALL_CARDS)]
        self._chance.shuffle(deck)
        size = ALL_CARDS // seats
        self._decks = [deck[seat * size : (seat + 1) * size] for seat in range(seats)]
        self._seats = seats
        self._lying: list[list[Event]] = [[] for _ in range(9)]

    def play(self) -> Iterator[Event]:
        """Whole games until one has been won."""
        names = list(NAMES[: self._seats])
        yield self._tell({"type": "game", "game": "goat", "seats": names, "starter": 0})
        for _ in range(MOST_CARDS):
            if self._state()["phase"] == "over":
                return
            yield from self._one_turn()

    def _state(self) -> Event:
        assert self._evening.game is not None
        return self._evening.game.state()

    def _tell(self, event: Event) -> Event:
        event = {"t": self._t, **event}
        self._evening = self._evening.hear(event)
        return event

    def _wait(self, least_ms: int, most_ms: int) -> None:
        self._t += self._chance.randint(least_ms * MILLISECOND, most_ms * MILLISECOND)

    def _one_turn(self) -> Iterator[Event]:
        self._wait(700, 2500)
        seat = cast("int", self._state()["turn"])
        free = [cell for cell in range(9) if not self._lying[cell]] or list(range(9))
        cell = self._chance.choice(free)
        card = self._decks[seat].pop(0)
        self._lying[cell].append(card)
        hand = self._t - self._chance.randint(150, 500) * MILLISECOND
        yield self._tell({"type": "card", "cell": cell, **card, "from": hand})
        if len(self._decks[seat]) == 1:
            yield from self._shout(seat)
        yield from self._slap()
        yield from self._pick_up()
        yield self._seen()

    def _seen(self) -> Event:
        self._wait(100, 300)
        return self._tell({"type": "seen"})

    def _shout(self, seat: int) -> Iterator[Event]:
        self._wait(50, 900)
        accuser = (seat + 1) % self._seats
        if self._chance.random() < FORGETS:
            yield self._tell({"type": "accuse", "seat": accuser, "target": seat})
        yield self._tell({"type": "call", "seat": seat})

    def _cards_on(self, cells: list[int]) -> int:
        return sum(len(self._lying[cell]) for cell in cells)

    def _slap(self) -> Iterator[Event]:
        begin = self._t
        if self._state()["sets"]:
            slaps = sorted(
                (begin + self._chance.randint(250, 1400) * MILLISECOND, seat) for seat in range(self._seats)
            )
        elif self._chance.random() < ERRS:
            slaps = [(begin + 300 * MILLISECOND, self._chance.randrange(self._seats))]
        else:
            return
        for self._t, seat in slaps:
            yield self._tell({"type": "press", "seat": seat})
        yield self._seen()

    def _pick_up(self) -> Iterator[Event]:
        state = self._state()
        if state["phase"] == "sprint":
            self._wait(600, 900)
            yield self._tell({"type": "sprint"})
            for seat in range(self._seats):
                self._wait(120, 300)
                yield self._tell({"type": "press", "seat": seat})
            yield self._seen()
            state = self._state()
        while state["owed"] and state["phase"] != "over":
            debt = state["owed"][0]
            cells = min(debt["choices"], key=self._cards_on)
            for cell in cells:
                self._wait(400, 900)
                yield self._tell({"type": "lift", "cells": [cell]})
                self._decks[debt["seat"]] += self._lying[cell]
                self._lying[cell] = []
            state = self._state()


def evening(seed: int, seats: int) -> Iterator[Event]:
    return Family(seed, seats).play()
