"""What is learnt late, what waits, and what is taken back."""

import pytest

from companion.games.goat.rules import Record
from companion.table.evening import Evening

from .play import (
    Event,
    S,
    card,
    fix,
    game,
    heard,
    judged,
    lift,
    names,
    only,
    pinks,
    press,
    rulings_of,
    seen,
    state_of,
    undo,
)

RAFT = {"boat": "raft", "colour": "pink"}


def record_of(evening: Evening) -> Record:
    assert isinstance(evening.game, Record)
    return evening.game


def test_a_press_waits_until_the_grid_is_known() -> None:
    """A press after the last that the camera told is in no state, until the camera has seen so far."""
    waiting = heard([game(), *pinks(), press(3.4, 1)])

    assert state_of(waiting)["phase"] == "play"
    assert waiting.game is not None
    assert 3.4 * S == waiting.game.waits_for
    assert state_of(waiting.hear(seen(3.3)))["phase"] == "play"
    known = waiting.hear(seen(3.4))
    assert state_of(known)["phase"] == "pickup"
    assert known.game is not None
    assert known.game.waits_for is None


def test_a_look_at_the_table_is_only_worth_noting_if_a_press_waits_for_it() -> None:
    """A camera says once a second that it has seen nothing new; all else is noted."""
    quiet, waiting = heard([game(), *pinks()]).game, heard([game(), *pinks(), press(3.4, 1)]).game
    assert quiet is not None
    assert waiting is not None
    assert not quiet.is_worth_noting(seen(9))
    assert quiet.is_worth_noting(press(9, 0))
    assert not waiting.is_worth_noting(seen(3.3))
    assert waiting.is_worth_noting(seen(3.4))


def test_at_the_end_all_is_known() -> None:
    """A closed record has judged what waited; an open one of the same game has not."""
    waiting = heard([game(), *pinks(), press(3.4, 1)])

    assert waiting.game is not None
    assert waiting.game.closed().state()["phase"] == "pickup"
    assert waiting.game.closed().waits_for is None


def test_a_game_knows_whether_a_camera_tells_of_its_cards() -> None:
    """As it was begun."""
    watched, blind = heard([game()]).game, heard([game(grid="none")]).game
    assert watched is not None
    assert blind is not None
    assert (True, False) == (watched.has_camera, blind.has_camera)


def test_without_a_camera_no_press_waits() -> None:
    """Nobody can tell what lies there, so there is nothing to wait for."""
    evening = heard([game(grid="none"), press(1, 1)])

    assert state_of(evening)["safe"] == [1]


def test_a_card_taken_back_is_unknown_again() -> None:
    """Presses that only that card had made known wait again."""
    told = heard([game(), *pinks(), press(3.4, 1), card(4, 5)])
    back = told.hear(undo(5))

    assert state_of(told)["safe"] == [1]
    assert state_of(back)["safe"] == []
    assert state_of(back.hear(seen(4)))["safe"] == [1]


def test_a_waiting_press_is_taken_back() -> None:
    """The newest event goes even if it is in no state yet."""
    back = heard([game(), *pinks(), press(3.4, 1), press(3.5, 0), undo(4)])

    assert names(only(rulings_of(back), "safe", "late")) == ["safe"]


def test_what_came_before_the_game_is_ignored_but_can_be_taken_back() -> None:
    """Ignored events are the newest ones too; `seen` and `undo` before the game do nothing at all."""
    evening = heard([game(t=10), card(11, 0), card(9, 1), seen(9), undo(9), undo(12)])

    assert names(rulings_of(evening)) == ["turn", "placed", "turn"]
    assert names(rulings_of(evening.hear(undo(13)))) == ["turn"]


def test_a_grid_before_the_game_is_ignored() -> None:
    """It is of another game."""
    assert names(judged(game(t=10), {"t": 9 * S, "type": "grid", "cells": [RAFT] * 9})) == ["turn"]


def test_an_older_record_stands_as_it_was() -> None:
    """Hearing changes nothing that anybody holds."""
    before = heard([game(), *pinks()])
    rulings = rulings_of(before)
    before.hear(press(3.4, 1)).hear(card(2.5, 4)).hear(undo(4))

    assert rulings == rulings_of(before)


def test_news_is_what_the_older_record_did_not_say() -> None:
    """A late card brings its own rulings and those that it changes, once each."""
    before = record_of(heard([game(), card(1, 0), card(3, 1)]))
    after = before.hear(card(2, 5))

    assert [said.as_json() for _, said in after.news(before)] == [
        {"t": 2 * S, "ruling": "placed", "seat": 1, "cell": 5, "pile": 1},
        {"t": 2 * S, "ruling": "turn", "seat": 0},
        {"t": 3 * S, "ruling": "placed", "seat": 0, "cell": 1, "pile": 1},
        {"t": 3 * S, "ruling": "turn", "seat": 1},
    ]
    assert before.news(before) == []


def test_news_of_a_record_that_has_grown_shorter() -> None:
    """After an undo there is nothing new to say."""
    after = record_of(heard([game(), card(1, 0), card(2, 1)]))

    assert after.hear(undo(3)).news(after) == []


def test_two_games_have_no_news_of_each_other() -> None:
    """Records of different games cannot be compared."""
    with pytest.raises(ValueError, match="two different games"):
        record_of(heard([game(), card(1, 0)])).news(record_of(heard([game()])))


def test_an_accepted_event_that_later_makes_no_sense_is_without_effect() -> None:
    """A late card covers the fouled one: the foul cannot be refused any more, and no longer finds its card."""
    full = fix(0, tops={str(cell): RAFT for cell in range(9)}, piles=[1] * 8 + [50], decks=[1, 1])
    foul = {"t": 9 * S, "type": "foul", "seat": 0, "reason": "peeked", "cell": 0}
    evening = heard([game(), full, card(1, 0, "ring", "blue"), foul, card(2, 0, "raft", "blue")])

    assert only(rulings_of(evening), "misplay") == []
    assert state_of(evening)["decks"] == [0, 0]
    assert state_of(evening)["piles"][0] == 3


def test_the_next_game_begins_when_one_is_over() -> None:
    """The finished game is kept, closed, until the next one after it."""
    bare = fix(0, tops={"0": RAFT, "1": RAFT, "2": RAFT}, piles=[58, 1, 1, *[0] * 6], decks=[0, 0])
    evening = heard([game(), bare, press(1, 0), game(t=2)])

    assert evening.begun == 2
    assert evening.past is not None
    assert evening.past.over
    assert state_of(evening)["phase"] == "play"


def test_a_call_just_before_the_card_is_told_once() -> None:
    """It is `called` at the exposure; that it fitted nobody when it was heard is not told any more."""
    table = fix(0, tops={"0": RAFT}, piles=[28, *[0] * 8], decks=[2, 30])
    call = {"t": 1 * S, "type": "call", "seat": 0}
    evening = heard([game(), table, call, card(2, 1, "ring", "blue")])

    assert only(rulings_of(evening), "called", "no_effect") == [{"t": 2 * S, "ruling": "called", "seat": 0}]


def test_a_doubtful_press_is_held_innocent_of_what_comes_between() -> None:
    """Presses of others under the same hand are not judged before the hand is gone."""
    events = [game(3), *pinks()[:2], press(2.4, 1), press(2.6, 2), lift(2.7, 5), card(3, 2, "jetski", since=2.2)]

    assert names(only(judged(*events), "safe", "slowest", "wrong_lift", "false_grab")) == [
        "wrong_lift",
        "safe",
        "safe",
        "slowest",
    ]


BARE: dict[str, None] = {str(cell): None for cell in range(9)}
AWAY = fix(5, tops={**BARE, "0": RAFT}, piles=[60, *[0] * 8], decks=[0, 0])
CLEARED = fix(4, tops=BARE, piles=[0] * 9, decks=[32, 28])
LOOKED: Event = {"t": 9 * S // 2, "type": "grid", "cells": [None] * 9}


@pytest.mark.parametrize(
    ("events", "decks"),
    [([], (30, 30)), ([card(1, 0)], (29, 30)), ([card(1, 0), CLEARED, LOOKED], (29, 30))],
)
def test_a_game_that_the_host_ends_is_put_away(events: list[Event], decks: tuple[int, ...]) -> None:
    """It was played up to the first of the corrections that ended it, whatever the camera saw between these."""
    played = record_of(heard([game(), *events, AWAY])).put_away
    assert played is not None
    assert decks == played.state.hands.decks


def test_a_game_that_the_cards_end_is_not_put_away() -> None:
    """Nor one that goes on. Without a camera it takes the host to say that nobody has a card left."""
    won = [game(), *pinks(), fix(3.1, decks=[0, 57]), press(3.4, 0), seen(9)]
    laid: list[Event] = [{"t": (1 + number) * S, "type": "laid"} for number in range(60)]
    empty = [fix(70, decks=[0, 0]), fix(71, decks=[0, 0])]
    for events in (won, [game(), card(1, 0)], [game(grid="none"), *laid, *empty]):
        record = record_of(heard(events))
        assert record.over == (events[1:] != [card(1, 0)])
        assert record.put_away is None
    assert record_of(heard([game(grid="none"), *laid[:3], *empty])).put_away is not None
