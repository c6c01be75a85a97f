"""What Row Your Goat brings to the demo and to measurements. What needs OpenCV is imported by whoever calls it."""

import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final, cast

from companion.core.game_record import GameRecord
from companion.demo.cast import (
    BenchStep,
    Cast,
    Company,
    DrawnDeck,
    DrawnWorld,
    GameSamples,
    People,
    SeatLine,
)
from companion.games.goat import DECK_NAME
from companion.games.goat.cast.terminal_words import in_words
from companion.games.goat.rules import Record
from companion.games.goat.rules.events import GameBegun
from companion.units import MICROSECOND, Seat

if TYPE_CHECKING:
    from companion.drawn.drawn_card import CardFace

NAMES: Final = ("Ada", "Ben", "Cy", "Dora", "Emil", "Fee")
# Of a terminal's line: more cards than that make no longer stack.
LONGEST_STACK: Final = 30
GRAB, CALL = " ", "c"
BENCH_GAME: Final = {"type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0}


def first_game(seats: int) -> GameBegun:
    return GameBegun(0, NAMES[:seats], starter=0)


def begin_event(game: GameBegun) -> dict[str, object]:
    """By which that game is begun."""
    options = {
        "resolution_us": game.resolution // MICROSECOND,
        "double_grab": game.double_grab,
        "grid": "camera" if game.camera else "none",
    }
    return {"type": "game", "game": "goat", "seats": [*game.seats], "starter": game.starter, **options}


def _people(world: DrawnWorld, chance: Random, company: Company) -> People:
    from companion.games.goat.cast.people import seat_people  # noqa: PLC0415 - it needs OpenCV

    return seat_people(world, chance, company)


def _faces() -> "tuple[CardFace, ...]":
    from companion.games.goat.cast.supplied_deck import goat_faces  # noqa: PLC0415 - it needs OpenCV

    return goat_faces()


def _back() -> "CardFace":
    from companion.games.goat.cast.supplied_deck import goat_back  # noqa: PLC0415 - it needs OpenCV

    return goat_back()


def _chores() -> Sequence[Any]:
    from companion.games.goat.cast.supplied_deck import face_chores  # noqa: PLC0415 - it needs OpenCV

    return face_chores()


def _evening(seed: int, seats: int) -> Iterator[dict[str, Any]]:
    from companion.games.goat.cast.family import evening  # noqa: PLC0415 - only measurements ask for it

    return evening(seed, seats)


def _seat_lines(game: GameRecord) -> Sequence[SeatLine]:
    assert isinstance(game, Record)
    state = game.newest.state.as_json()
    turn, decks = state["turn"], cast("list[int]", state["decks"])
    return [SeatLine(turn == seat, deck, LONGEST_STACK) for seat, deck in enumerate(decks)]


def _grab(world: DrawnWorld, seat: Seat) -> None:
    world.press(seat)


def _call(world: DrawnWorld, seat: Seat) -> None:
    world.tell({"type": "call", "seat": seat})


def _race() -> Iterator[BenchStep]:
    """A set, somebody's press, the cards taken, and all as it was."""
    for cell, boat in enumerate(("raft", "ring", "jetski")):
        yield BenchStep([{"type": "card", "cell": cell, "boat": boat, "colour": "pink"}])
    now = time.monotonic_ns()
    # The press waits until the grid is known up to its time, and here it is known at once.
    press, seen = {"t": now, "type": "press", "seat": 0}, {"t": now + 1, "type": "seen"}
    yield BenchStep([press, seen], is_press=True)
    yield BenchStep([{"type": "lift", "cells": [0, 1, 2]}])
    yield BenchStep([{"type": "fix", "decks": [30, 30], "piles": [0] * 9, "turn": 0}])


CAST: Final = Cast(
    first_game=lambda seats: begin_event(first_game(seats)),
    people=_people,
    deck=DrawnDeck(name=DECK_NAME, faces=_faces, back=_back, chores=_chores),
    seat_lines=_seat_lines,
    ruling_in_words=in_words,
    keys={GRAB: _grab, CALL: _call},
    yours="its cards are laid for you, slapping and calling is left to you. "
    "Here the space bar slaps and c calls your last card",
    samples=GameSamples(evening=_evening, begin=BENCH_GAME, page_round=_race),
)
