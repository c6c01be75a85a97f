"""A drawn evening with a host: what somebody says on a phone, the drawn people follow, and play on truthfully."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.core.cards import CELLS
from companion.errors import InvalidEvent

from ..kinds import mostly_slow
from .evenings import Drawn, S, quick_evening

BARE: dict[str, Any] = {str(cell): None for cell in CELLS}
BLUE = {"boat": "rowboat", "colour": "blue"}
# Longer than anybody takes to follow what is said; what is apart after that is nobody's word any more.
SOON_S = 20


def say(evening: Drawn, *events: dict[str, Any]) -> None:
    for event in events:
        evening.table.tell(event).result()
    evening.listen()


def end(evening: Drawn) -> None:
    """As the host's page does it: what is owed is forgiven, then nobody has a card left and no set lies there."""
    decks = [*evening.state["decks"]]
    if evening.state["owed"]:
        forgiven = [decks[0] + 60 - sum(decks), *decks[1:]]
        say(evening, {"type": "fix", "tops": BARE, "piles": [0] * 9, "decks": forgiven})
    tops = {**BARE, "0": BLUE}
    say(evening, {"type": "fix", "tops": tops, "piles": [60] + [0] * 8, "decks": [0] * len(decks)})


def begun(evening: Drawn) -> int:
    return evening.table.snapshot.evening.begun


def pass_time(evening: Drawn, seconds: float) -> None:
    until = evening.world.now + round(seconds * S)
    evening.until(lambda: evening.world.now >= until)


def is_true(evening: Drawn) -> bool:
    """The referee's table is the drawn one, as far as the referee can know it."""
    state, stage = evening.state, evening.stage
    tops = [None if top is None else top.as_json() for top in stage.tops]
    known = [not height or top is not None for height, top in zip(state["piles"], state["tops"], strict=True)]
    return (
        [*state["decks"]] == [len(deck) for deck in stage.decks]
        and [*state["piles"]] == [*stage.heights]
        and all(not sure or one == other for sure, one, other in zip(known, state["tops"], tops, strict=True))
    )


def check_goes_on(evening: Drawn) -> None:
    """They follow, lay another ten cards, and nothing is apart then or refused."""
    pass_time(evening, SOON_S)
    placed, apart = evening.count("placed"), evening.world.mismatches
    evening.until(lambda: evening.count("placed") >= placed + 10)
    evening.until(lambda: evening.state["piles"] is None or is_true(evening))
    assert apart == evening.world.mismatches == ()
    assert () == evening.world.refused


def owes(evening: Drawn, why: str) -> Callable[[], bool]:
    return lambda: evening.state["phase"] == "pickup" and evening.state["owed"][0]["why"] == why


def test_a_pile_is_put_back_when_it_was_not_to_be_picked_up(tmp_path: Path) -> None:
    """Half of what is owed is taken up, the host takes one pile back: it lies there again, and is picked up."""
    with quick_evening(tmp_path, 3, seed=4) as evening:
        evening.until(lambda: evening.count("turn") > 0)
        for _ in range(4):
            evening.until(owes(evening, "slowest"))
            evening.until(lambda: evening.events()[-1].count('"lift"') > 0)
            took = evening.count("took")
            say(evening, {"type": "undo"})
            evening.until(lambda took=took: evening.count("took") > took)
        check_goes_on(evening)


def test_a_pile_that_was_taken_back_after_all_was_paid_is_picked_up_again(tmp_path: Path) -> None:
    """The same where nothing was owed any more."""
    with quick_evening(tmp_path, 3, seed=4) as evening:
        evening.until(lambda: evening.count("took") >= 1)
        say(evening, {"type": "undo"})
        evening.until(lambda: evening.count("took") >= 2)
        check_goes_on(evening)


def test_a_top_that_the_referee_does_not_know_is_not_apart(tmp_path: Path) -> None:
    """Where a card of nobody knows what has been taken away, any card may lie on top; they play on."""
    with quick_evening(tmp_path, 2, seed=2) as evening:
        evening.until(lambda: evening.count("placed") >= 3 and evening.state["phase"] == "play")
        decks, piles = [*evening.state["decks"]], [*evening.state["piles"]]
        cell = piles.index(0)
        piles[cell], decks[0] = 2, decks[0] - 2
        named = {"type": "fix", "piles": piles, "decks": decks, "tops": {str(cell): BLUE}}
        say(evening, named, {"type": "foul", "seat": 0, "reason": "peeked", "cell": cell})
        assert (1, None) == (evening.state["piles"][cell], evening.state["tops"][cell])
        check_goes_on(evening)


def test_when_the_host_ends_a_game_the_next_one_begins(tmp_path: Path) -> None:
    """It is nobody's win, whatever was owed; the table is cleared, and the same people play again."""
    with quick_evening(tmp_path, 4, seed=3) as evening:
        evening.until(lambda: evening.count("placed") >= 5 and evening.state["phase"] == "play")
        end(evening)
        assert (1, 0) == (evening.count("stalemate"), evening.count("win"))
        evening.until(lambda: begun(evening) == 2)
        evening.until(owes(evening, "slowest"))
        end(evening)
        assert (2, 0) == (evening.count("stalemate"), evening.count("win"))
        evening.until(lambda: begun(evening) == 3)
        check_goes_on(evening)


@pytest.mark.parametrize("after_s", mostly_slow([4.0, 0.0, 8.0]))
def test_other_people_play_when_the_host_says_so(after_s: float, tmp_path: Path) -> None:
    """Whenever the host begins it, even while the people are about to: they play that game, and the next one with
    the same names and options."""
    with quick_evening(tmp_path, 4, seed=3) as evening:
        evening.until(lambda: evening.count("placed") >= 5 and evening.state["phase"] == "play")
        end(evening)
        pass_time(evening, after_s)
        assert 1 == begun(evening)
        game = {"type": "game", "game": "goat", "seats": ["Gil", "Hal", "<b>"], "starter": 2}
        say(evening, {**game, "double_grab": "ignore", "resolution_us": 80})
        check_goes_on(evening)
        end(evening)
        evening.until(lambda: begun(evening) == 3)
        (event,) = [one for one in evening.events() if '"type":"game"' in one][2:]
        assert '"seats":["Gil","Hal","<b>"],"starter":0,"resolution_us":80,"double_grab":"ignore"' in event


def test_nobody_begins_a_game_that_has_begun(tmp_path: Path) -> None:
    """In the very instant in which the people begin, the host does: one game is begun, and nothing refused."""
    with quick_evening(tmp_path, 2, seed=3) as evening:
        evening.until(lambda: evening.count("placed") >= 5 and evening.state["phase"] == "play")
        game = {"type": "game", "game": "goat", "seats": ["Gil", "Hal"], "starter": 0}
        end(evening)
        evening.until(lambda: not any(evening.stage.heights) and evening.world.next > evening.world.now)
        say(evening, game)
        pass_time(evening, SOON_S)
        assert 2 == begun(evening)
        check_goes_on(evening)


@pytest.mark.parametrize("seats", mostly_slow([2, 5]))
def test_without_the_camera_people_tell_what_they_do(seats: int, tmp_path: Path) -> None:
    """Where the host lets play without it, whoever lays or takes says so; whole games end and the decks agree."""
    with quick_evening(tmp_path, seats, seed=1) as evening:
        evening.until(lambda: evening.count("placed") >= 2 and evening.state["phase"] == "play")
        end(evening)
        names = [f"P{number}" for number in range(seats)]
        say(evening, {"type": "game", "game": "goat", "seats": names, "starter": 0, "grid": "none"})
        evening.until(lambda: evening.count("win") >= 1 and begun(evening) == 3)
        assert evening.state["piles"] is None
        evening.until(lambda: evening.count("took") >= 3)
        evening.until(lambda: [*evening.state["decks"]] == [len(deck) for deck in evening.stage.decks])
        assert () == evening.world.mismatches
        assert () == evening.world.refused


def test_whatever_is_corrected_the_evening_goes_on(tmp_path: Path) -> None:
    """Turns, decks, tops, fouls, calls and much taken back, one thing after the other: they follow all of it."""
    with quick_evening(tmp_path, 4, seed=6) as evening:
        for number in range(12):
            pass_time(evening, 7.3)
            decks = [*evening.state["decks"]]
            most = max(range(4), key=lambda seat, decks=decks: decks[seat])
            decks[most], decks[number % 4] = decks[most] - 1, decks[number % 4] + 1
            words: tuple[dict[str, Any], ...] = (
                {"type": "fix", "turn": number % 4},
                {"type": "undo"},
                {"type": "press", "seat": number % 4},
                {"type": "foul", "seat": number % 4, "reason": "outside"},
                {"type": "fix", "decks": decks},
                {"type": "accuse", "seat": 0, "target": 1 + number % 3},
            )
            # What makes no sense as the table stands is the host's to find out.
            with suppress(InvalidEvent):
                say(evening, words[number % 6], words[(number + 1) % 6])
        check_goes_on(evening)


@pytest.mark.parametrize("seats", mostly_slow([2, 4]))
def test_a_seat_whose_person_does_nothing_holds_up_nobody(seats: int, tmp_path: Path) -> None:
    """Its cards are laid and picked up, it never slaps, so it is always the slowest; and the games end."""
    with quick_evening(tmp_path, seats, seed=2, yours=1) as evening:
        evening.until(lambda: begun(evening) == 2)
        slowest = [one["seat"] for one in evening.rulings if one["ruling"] == "slowest"]
        assert set(slowest) == {1}
        assert () == evening.world.mismatches
        assert () == evening.world.refused
