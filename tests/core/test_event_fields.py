"""A game says in tables what its events hold, and strictly that is read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields

import pytest

from companion.core.event_fields import (
    EventFields,
    EventReader,
    Fields,
    Scope,
    between,
    by_type,
    instant,
    listed,
    mapped,
    nullable,
    one_of,
    optional,
    seat,
    value_of,
    whole,
    whole_or_seats,
)
from companion.core.seating import read_seat_names
from companion.errors import InvalidEvent
from companion.games.goat.rules import events

CARDS = ("attack", "cat_1", "favor")


@dataclass(frozen=True)
class Play:
    """As of a game of cards in the hand."""

    t: int
    seat: int
    cards: tuple[str, ...]
    target: int | None


@dataclass(frozen=True)
class Score:
    """As of a game whose points are told."""

    t: int
    rats: int | None
    lessons: tuple[object, ...] | None
    up: Mapping[str, int] | None


@dataclass(frozen=True)
class Lesson:
    card: int
    points: int | None


@dataclass(frozen=True)
class Begun:
    seats: tuple[str, ...]
    starter: int
    ingredients: Mapping[str, int]
    t: int


LESSON = Fields(Lesson, {"card": whole(113, 168), "points": optional(whole(1, 999), None)})
GAME = EventFields(
    Begun,
    {
        "seats": read_seat_names(2, 5),
        "starter": seat,
        "ingredients": mapped(
            {card: card for card in CARDS},
            whole_or_seats(0, 99),
            maps="cards to counts",
            known="the cards of the box",
            each="game: a count",
        ),
        "t": instant,
    },
    ignored=("game",),
)
READER = EventReader[Play | Score](
    {
        "play": EventFields(
            Play,
            {
                "t": instant,
                "seat": seat,
                "cards": between(1, 5, "cards", listed(one_of(CARDS), "play: a card")),
                "target": optional(nullable(seat), None),
            },
        ),
        "score": EventFields(
            Score,
            {
                "t": instant,
                "rats": optional(whole(0, value_of("t")), None),
                "lessons": optional(
                    listed(by_type({int: whole(0, 99), dict: LESSON}, "points or a card"), "score: a lesson"), None
                ),
                "up": optional(
                    mapped({"a": "a"}, whole(0, 9), maps="tiles to numbers", known="the tile a", each="score: a"),
                    None,
                ),
            },
            ignored=("boat",),
            any_of=("rats", "lessons", "up"),
            none_of_them="tells nothing",
        ),
    }
)


def begun(**more: object) -> Begun:
    return GAME.read_event(
        {"t": 0, "type": "game", "game": "x", "seats": ["Ada", "Ben", "Cy"], "starter": 2, **more},
        "game",
        Scope(0, {}),
    )


def test_what_a_table_describes_is_read() -> None:
    """With what is left out, what is null, what depends on a field before it, and what nobody reads."""
    play = {"t": 3, "type": "play", "seat": 2, "cards": ["favor", "cat_1"]}
    assert Play(3, 2, ("favor", "cat_1"), None) == READER.read(play, 3)
    assert Play(3, 2, ("favor", "cat_1"), 1) == READER.read({**play, "target": 1}, 3)
    assert Play(3, 2, ("favor", "cat_1"), None) == READER.read({**play, "target": None}, 3)
    told = {"t": 3, "type": "score", "rats": 3, "lessons": [5, {"card": 124}], "up": {"a": 2}, "boat": "unread"}
    assert Score(3, 3, (5, Lesson(124, None)), {"a": 2}) == READER.read(told, 2)


def test_a_count_may_depend_on_the_seats() -> None:
    """As many as the same event has named just before."""
    counts = {"attack": "players-1", "cat_1": "players", "favor": 4}
    assert Begun(("Ada", "Ben", "Cy"), 2, {"attack": 2, "cat_1": 3, "favor": 4}, 0) == begun(ingredients=counts)


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ({"attack": "players+"}, "game: a count must be a whole number, or `players` and how many more or"),
        ({"attack": "player"}, "a count must be a whole number, or `players`"),
        ({"attack": "players-4"}, "game: a count must be a whole number from 0 to 99, not -1"),
        ({"attack": None}, "game: a count must be a whole number from 0 to 99, not None"),
        ({"goat": 1}, "game: `ingredients` knows the cards of the box, not 'goat'"),
        (7, "game: `ingredients` must map cards to counts, not 7"),
    ],
)
def test_a_map_that_makes_no_sense_is_refused(counts: object, why: str) -> None:
    """In a sentence that says which key, and what is known."""
    with pytest.raises(InvalidEvent, match=re.escape(why)):
        begun(ingredients=counts)


def test_a_missing_map_is_refused() -> None:
    """It is not read as an empty one."""
    with pytest.raises(InvalidEvent, match="must map cards to counts, not None"):
        begun()


REFUSED: list[tuple[dict[str, object], str]] = [
    ({"type": "play", "seat": 0, "cards": []}, "play: `t` is missing"),
    ({"type": "play", "more": []}, "play: does not know 'more'; it may carry cards, seat, t, target, type"),
    ({"t": 0, "type": "play", "seat": 3}, "play: `seat` must be a whole number from 0 to 2, not 3"),
    ({"t": 0, "type": "play", "seat": 0}, "play: `cards` must be a list, not None"),
    ({"t": 0, "type": "play", "seat": 0, "cards": []}, "play: `cards` must name 1 to 5 cards, not 0"),
    ({"t": 0, "type": "play", "seat": 0, "cards": ["favor"] * 6}, "must name 1 to 5 cards, not 6"),
    ({"t": 0, "type": "play", "seat": 0, "cards": ["goat"]}, "play: a card must be one of attack, cat_1, "),
    ({"t": 0, "type": "score"}, "score: tells nothing: any of rats, lessons, up"),
    ({"t": 2, "type": "score", "rats": 3}, "score: `rats` must be a whole number from 0 to 2, not 3"),
    ({"t": 0, "type": "score", "lessons": ["5"]}, "score: a lesson must be points or a card, not '5'"),
    ({"t": 0, "type": "score", "lessons": [{}]}, "score: a lesson: `card` is missing"),
    ({"t": 0, "type": "sing"}, "`type` 'sing' is unknown; known are game, play, score"),
]


@pytest.mark.parametrize(("event", "why"), REFUSED)
def test_what_no_table_describes_is_refused(event: object, why: str) -> None:
    """In one sentence, about the first that is wrong: extra keys, then the fields in the order of the table."""
    with pytest.raises(InvalidEvent, match=re.escape(why)):
        READER.read(event, 3)


def test_an_object_is_no_list() -> None:
    """Where an object must be, the complaint says what it is to be."""
    with pytest.raises(InvalidEvent, match="a lesson must be an object, not 3"):
        LESSON(3, "a lesson", Scope(2, {}))


def test_the_goats_tables_name_the_fields_of_their_events() -> None:
    """What a table reads is what its dataclass holds: none is forgotten."""
    for kind, table in events.KINDS.kinds.items():
        made = table.make
        assert isinstance(made, type), kind
        assert table.names == {field.name for field in fields(made)}
