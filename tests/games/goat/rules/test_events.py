"""What makes no sense is refused with a sentence that says what and why, and nothing changes."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError, InvalidEvent
from companion.table.evening import Evening
from companion.table.recording import event_of

from ....exploring import examples
from .play import Event, card, fix, game, heard, lift, press, rulings_of, seen, state_of, undo

RAFT = {"boat": "raft", "colour": "pink"}
HUGE = 10**5000

SENSELESS_GAMES: list[tuple[Event, str]] = [
    (game() | {"game": "chess"}, "`game` must be one of goat, not 'chess'"),
    (game() | {"game": None}, "`game` must be one of"),
    ({"t": 0, "type": "game"}, "`game` must be one of goat, and is missing"),
    (game() | {"t": -1}, "`t` must be a whole number from 0"),
    (game() | {"t": HUGE}, "not a number far too large"),
    (game() | {"t": 1.0}, "not 1.0"),
    (game() | {"t": True}, "not True"),
    (game() | {"seats": "Ada"}, "`seats` must be a list"),
    (game() | {"seats": ["Ada"]}, "must name 2 to 6 people, not 1"),
    (game() | {"seats": ["Ada"] * 7}, "must name 2 to 6 people, not 7"),
    (game() | {"seats": ["Ada", 7]}, "name must be 1 to 100 characters, not 7"),
    (game() | {"seats": ["Ada", " "]}, "name must be 1 to 100 characters"),
    (game() | {"seats": ["Ada", "x" * 101]}, "name must be 1 to 100 characters"),
    (game() | {"seats": ["Ada", "\ud800"]}, "holds what is no character"),
    (game() | {"seats": ["Ada", "B\nen"]}, "holds what is no character"),
    (game() | {"seats": ["Ada", "\x1b[2J"]}, "holds what is no character"),
    (game() | {"resolution_us": 1_000_001}, "`resolution_us` must be"),
    (game() | {"starter": 2}, "`starter` must be a whole number from 0 to 1, not 2"),
    (game() | {"resolution_us": -1}, "`resolution_us` must be"),
    (game() | {"resolution_us": HUGE}, "`resolution_us` must be"),
    (game() | {"double_grab": "forgive"}, "`double_grab` must be one of ignore, penalty"),
    (game() | {"grid": True}, "`grid` must be one of camera, none"),
    (game() | {"places": 3}, "`places` must be a list, not 3"),
    (game() | {"places": [0]}, "`places` must name a place for each of the 2 seats, not for 1"),
    (game() | {"places": [0, 1, 2]}, "a place for each of the 2 seats, not for 3"),
    (game() | {"places": [0, "2"]}, "a place in `places` must be a whole number from 0 to 8, not '2'"),
    (game() | {"places": [0, True]}, "a place in `places` must be a whole number from 0 to 8, not True"),
    (game() | {"places": [0, 9]}, "a place in `places` must be a whole number from 0 to 8, not 9"),
    (game() | {"places": [2, 0]}, "`places` must ascend, each place once, not [2, 0]"),
    (game() | {"places": [2, 2]}, "`places` must ascend, each place once, not [2, 2]"),
    (game() | {"places": None}, "`places` must be a list, not None"),
    (game() | {"colour": "red"}, "does not know 'colour'"),
]

SENSELESS: list[tuple[Any, str]] = [
    (None, "must be a JSON object"),
    ([], "must be a JSON object"),
    ({}, "needs a `type`"),
    ({"t": 0}, "needs a `type`"),
    ({"t": 0, "type": "slap"}, "`type` 'slap' is unknown"),
    ({"t": 0, "type": ["press"]}, "is unknown"),
    ({"type": "press", "seat": 0}, "press: `t` is missing"),
    ({"t": 0, "type": "press"}, "press: `seat` is missing"),
    (press(0, 7), "press: `seat` must be a whole number from 0 to 1, not 7"),
    (press(0, -1), "press: `seat`"),
    (press(0, 0) | {"t": float("nan")}, "not nan"),
    (press(0, 0) | {"seat": "0"}, "not '0'"),
    (press(0, 0) | {"seat": False}, "not False"),
    (press(0, 0) | {"seats": 1}, "press: does not know 'seats'; it may carry seat, t, type"),
    (press(0, 0) | {"\N{GOAT}": 1}, "does not know '\\U0001f410'"),
    ({"t": 0, "type": "call", "seat": 9}, "call: `seat`"),
    ({"t": 0, "type": "accuse", "seat": 0}, "accuse: `target` is missing"),
    ({"t": 0, "type": "accuse", "seat": 0, "target": 2}, "accuse: `target`"),
    (seen(0) | {"seat": 0}, "seen: does not know 'seat'"),
    (card(0, 9), "card: `cell` must be a whole number from 0 to 8, not 9"),
    (card(0, 0, "ship"), "card: `boat` must be one of jetski, raft, ring, rowboat, not 'ship'"),
    (card(0, 0, "raft", "red"), "card: `colour` must be one of blue, orange, pink, yellow"),
    (card(0, 0) | {"colour": ["pink"]}, "card: `colour` must be one of"),
    (card(1, 0, since=2), "card: `from` must be a whole number from 0 to 1000000000"),
    (card(1, 0, seat=2), "card: `seat`"),
    ({"t": 0, "type": "card", "cell": 0, "boat": "raft"}, "card: `colour` must be one of"),
    ({"t": 0, "type": "lift"}, "lift: `cells` must be a list, not None"),
    (lift(0), "at least one cell"),
    (lift(0, 1, 1), "none twice"),
    (lift(0, 9), "lift: a cell must be a whole number from 0 to 8, not 9"),
    ({"t": 0, "type": "grid", "cells": [None] * 8}, "grid: `cells` must be nine, not 8"),
    ({"t": 0, "type": "grid", "cells": [0] * 9}, "grid: a cell must be a card or null, not 0"),
    ({"t": 0, "type": "grid", "cells": [{"hidden": False}] * 9}, "`hidden` can only be true, not False"),
    ({"t": 0, "type": "grid", "cells": [{"hidden": True, **RAFT}] * 9}, "grid: does not know"),
    ({"t": 0, "type": "grid", "cells": [RAFT | {"sure": 1}] * 9}, "does not know 'sure'"),
    ({"t": 0, "type": "foul", "seat": 0, "reason": "cheated"}, "foul: `reason` must be one of outside, peeked"),
    ({"t": 0, "type": "foul", "seat": 0, "reason": "peeked", "cell": 4}, "foul: no card lies on cell 4"),
    (fix(0), "fix: names nothing to correct"),
    (fix(0, tops=[]), "fix: `tops` must map cells to cards"),
    (fix(0, tops={"9": None}), 'knows the cells "0" to "8", not \'9\''),
    (fix(0, tops={"04": None}), "knows the cells"),
    (fix(0, tops={"4": "raft"}), "fix: a top must be a card or null"),
    (fix(0, tops={"4": RAFT}), "cell 4 has a card on top, so its pile cannot be 0 cards high"),
    (fix(0, piles=[0] * 8), "fix: `piles` must be 9 numbers, not 8"),
    (fix(0, piles=[1] + [0] * 8), "cell 0 has 1 cards, so say in `tops` which one lies on top"),
    (fix(0, decks=[30, 31]), "61 cards in the decks and 0 in the piles make 61, not 60"),
    (fix(0, decks=[30]), "fix: `decks` must be 2 numbers"),
    (fix(0, decks=[61, -1]), "fix: `decks`: a count must be a whole number from 0 to 60"),
    (fix(0, turn=None), "fix: `turn` must be a whole number"),
    ({"t": 0, "type": "laid"}, "the camera watches this game"),
    ({"t": 0, "type": "take", "seat": 0, "cards": 1}, "the camera watches this game"),
    (undo(0), "nothing left to take back"),
    (game(), "the game before is not over yet"),
]

SENSELESS_WITHOUT_CAMERA: list[tuple[Event, str]] = [
    (card(0, 0), "played without a camera"),
    (lift(0, 0), "played without a camera"),
    ({"t": 0, "type": "grid", "cells": [None] * 9}, "played without a camera"),
    ({"t": 0, "type": "foul", "seat": 0, "reason": "peeked", "cell": 0}, "leave `cell` out"),
    (fix(0, tops={}), "only `decks` and `turn`"),
    (fix(0, piles=[0] * 9), "only `decks` and `turn`"),
    (fix(0, decks=[60, 1]), "61 cards in the decks are more than the 60 there are"),
    ({"t": 0, "type": "take", "seat": 0, "cards": 1}, "only 0 cards lie on the table, not 1"),
    ({"t": 0, "type": "take", "seat": 0, "cards": -1}, "take: `cards`"),
]


@pytest.mark.parametrize(("event", "why"), SENSELESS_GAMES)
def test_a_senseless_game_does_not_begin(event: Event, why: str) -> None:
    """A game that cannot be is refused in words that name what is wrong."""
    with pytest.raises(InvalidEvent, match=re.escape(why)) as refused:
        Evening().hear(event)

    assert str(refused.value).isprintable()


@pytest.mark.parametrize(("event", "why"), SENSELESS)
def test_a_senseless_event_is_refused(event: Any, why: str) -> None:
    """An event that cannot be is refused in words that name what is wrong, and the evening stands."""
    evening = heard([game()])
    before = state_of(evening)
    with pytest.raises(InvalidEvent, match=re.escape(why)) as refused:
        evening.hear(event)

    assert str(refused.value).isprintable()
    assert before == state_of(evening)


@pytest.mark.parametrize(("event", "why"), SENSELESS_WITHOUT_CAMERA)
def test_without_a_camera_nobody_knows_the_cells(event: Event, why: str) -> None:
    """What only a camera can tell is refused where there is none."""
    with pytest.raises(InvalidEvent, match=re.escape(why)):
        heard([game(grid="none"), event])


def test_nothing_happens_before_the_first_game() -> None:
    """An evening begins with a game."""
    with pytest.raises(InvalidEvent, match="no game has begun"):
        Evening().hear(press(0, 0))


def test_nobody_lays_a_card_that_is_not_there() -> None:
    """A card while nobody has one is refused, with a camera and without."""
    # With a set on the grid it is no stalemate yet.
    bare = fix(0, decks=[0, 0], tops={"0": RAFT, "1": RAFT, "2": RAFT}, piles=[58, 1, 1] + [0] * 6)
    with pytest.raises(InvalidEvent, match="nobody has a card left"):
        heard([game(), bare, card(1, 1)])
    with pytest.raises(InvalidEvent, match="nobody has a card left"):
        heard([game(grid="none"), fix(0, decks=[0, 0]), {"t": 1, "type": "laid"}])


def test_another_seats_card_is_not_taken_back() -> None:
    """A foul with a cell is for the seat whose card lies on top."""
    foul = {"t": 9, "type": "foul", "seat": 1, "reason": "peeked", "cell": 4}
    with pytest.raises(InvalidEvent, match="was laid by seat 0, not by 1"):
        heard([game(), card(0, 4), foul])


def test_both_parents_of_an_error_catch_it() -> None:
    """Whoever knows nothing of us catches a senseless event as a ValueError."""
    with pytest.raises(ValueError, match="no game"):
        Evening().hear(press(0, 0))
    with pytest.raises(CompanionError, match="no game"):
        Evening().hear(press(0, 0))


LINES = {
    b"{": "no JSON",
    b"\xff": "no JSON",
    b"\xef\xbb\xbf{}": "BOM",
    b'{"t":NaN}': "NaN is no number",
    b'{"t":-Infinity}': "-Infinity is no number",
    b'{"t":0,"t":0}': "stands in it twice",
    b'{"t":' + b"9" * 5000 + b"}": "far too large",
    b"[" * 200_000: "nested too deeply",
    b" " * 1_000_001: "no event is",
}


@pytest.mark.parametrize("line", LINES, ids=LINES.values())
def test_a_line_that_is_no_event_is_refused(line: bytes) -> None:
    """What is no JSON, or JSON that means two things, is refused in words."""
    with pytest.raises(InvalidEvent, match=LINES[line]):
        event_of(line)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
KEYS = (
    "t",
    "type",
    "seat",
    "target",
    "cell",
    "cells",
    "boat",
    "colour",
    "from",
    "cards",
    "reason",
    "tops",
    "turn",
)
KINDS = (
    "card",
    "lift",
    "grid",
    "press",
    "call",
    "accuse",
    "foul",
    "fix",
    "take",
    "undo",
    "game",
    "seen",
    "sprint",
)
ALMOST = st.dictionaries(st.sampled_from(KEYS), JSON | st.integers(0, 9)).map(dict)


@given(JSON | ALMOST, st.sampled_from(KINDS))
@settings(max_examples=examples(1000))
def test_whatever_comes_in_is_heard_or_refused_in_words(event: Any, kind: str) -> None:
    """Nothing but a `InvalidEvent` ever comes out of the rules, and its text fits on one line of plain ASCII."""
    evening = heard([game()])
    if isinstance(event, dict):
        event = {"t": 1, **event, "type": kind}  # pyright: ignore[reportUnknownVariableType]
    said = "."
    try:
        evening = evening.hear(event)
    except InvalidEvent as refused:
        said = str(refused)

    assert said.isascii()
    assert said.isprintable()
    assert json.dumps(rulings_of(evening))
