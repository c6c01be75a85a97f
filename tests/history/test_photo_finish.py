"""Photo finishes: out of every recorded race, as it was ruled."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from companion.games.goat.history import Finish, PressMark, make_story

from ..games.goat.rules.play import MS, S, card, game, press, undo
from .past import EVENINGS, closed, golden, raced, records_of, rulings_of, told


def orders_in(rulings: Iterable[Any]) -> list[tuple[int, ...]]:
    """For each race who was safe, first to last, and then the slowest, by the recording's own rulings."""
    orders: list[tuple[int, ...]] = []
    order: list[int] | None = None
    for line in rulings:
        kind = line.get("ruling")
        if kind in ("safe", "dead_heat") and order is None:
            order = []
        if kind in ("safe", "slowest") and order is not None:
            order.append(line["seat"])
        if kind == "slowest":
            orders.append(tuple(order or ()))
            order = None
    return orders if order is None else [*orders, tuple(order)]


def of_evening(evening: Path) -> list[Finish]:
    return [finish for record in records_of(evening) for finish in make_story(record).finishes]


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda path: path.stem)
def test_every_race_has_a_photo_finish_in_the_order_of_its_rulings(evening: Path) -> None:
    """The seats stand in the order in which they were ruled safe, and the slowest comes last."""
    races = [finish for finish in of_evening(evening) if finish.race]

    assert orders_in(rulings_of(evening)) == [race.order for race in races]


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda path: path.stem)
def test_the_order_on_the_time_line_is_the_rulings_order(evening: Path) -> None:
    """Where no sprint had to decide, whoever is drawn further left got the better lifebuoy."""
    for race in of_evening(evening):
        if race.race and not race.heats:
            drawn = [mark.seat for mark in race.raced]
            assert list(race.order[: len(drawn)]) == drawn


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda path: path.stem)
def test_every_ruled_press_is_on_a_time_line_with_its_verdict(evening: Path) -> None:
    """None is left out, and none is made up: a safe seat outside a sprint, a false grab, a void one."""
    drawn = sorted(
        (mark.t, mark.seat, mark.verdict)
        for finish in of_evening(evening)
        for mark in finish.marks
        if mark.verdict not in ("tied", "late", "same_slap", "unheard")
    )
    sprinted = {seat for finish in of_evening(evening) for heat in finish.heats for seat in heat.seats}
    ruled = sorted(
        (line["t"], line["seat"], line.get("reason", "safe"))
        for line in rulings_of(evening)
        if line.get("ruling") in ("safe", "false_grab", "void")
    )

    assert set(drawn) <= set(ruled)
    # In a sprint `safe` carries another press's time, and a penalty that lapses later rules on no press.
    assert all(kind in ("safe", "no_pile") for _, _, kind in set(ruled) - set(drawn))
    assert all(seat in sprinted for _, seat, kind in set(ruled) - set(drawn) if kind == "safe")


def test_reactions_count_from_the_set() -> None:
    """A press 400 ms after the third card has taken 400 ms."""
    race = told([game(), *raced(1, (0.4, 1), (0.65, 0))]).finishes[0]

    assert 3 * S == race.since
    assert 3 * S + 400 * MS == race.t
    assert [PressMark(race.t, 1, "safe", 1, 400_000), PressMark(race.t + 250 * MS, 0, "late", None, 650_000)] == [
        *race.marks
    ]
    assert (0, 3) == (race.slowest, race.took)
    assert ((0, 1, 2),) == race.lines


def test_the_lines_of_a_race_that_is_still_on_stay_secret() -> None:
    """As long as others look for it, the page does not say where the set lies."""
    race = told([game(3), *raced(1, (0.4, 1))[:-1]]).finishes[0]

    assert () == race.lines
    assert () == race.choices
    assert race.slowest is None


def test_a_dead_heat_and_both_its_sprints_are_told() -> None:
    """Two presses 30 us apart, then two answers 30 us apart, then one answer decides."""
    race = golden("two-last-ones").races[0]

    assert ["tied", "tied"] == [mark.verdict for mark in race.marks]
    assert [[(1, 300), (0, 300)], [(0, 250)]] == [
        [(answer.seat, (answer.t - (heat.lit or 0)) // MS) for answer in heat.answers] for heat in race.heats
    ]
    assert (0, 1) == race.order


def test_who_jumps_the_lamps_is_drawn_as_jumping() -> None:
    """An answer 50 ms after the lamps is too soon for anybody."""
    heat = golden("jumps-the-lamps").races[0].heats[0]

    assert [(0, True)] == [(answer.seat, answer.jumped) for answer in heat.answers]


def test_a_guess_before_the_lamps_is_an_answer_too() -> None:
    """The lamps were never lit: the guess ended the sprint."""
    heat = golden("jumps-before-the-lamps").races[0].heats[0]

    assert heat.lit is None
    assert [(0, True)] == [(answer.seat, answer.jumped) for answer in heat.answers]


def test_slaps_at_the_same_nothing_share_a_picture() -> None:
    """Two hands a second apart are one photo finish, a third one much later is another."""
    events = [
        game(4),
        *(card(1 + cell, cell, boat, "blue") for cell, boat in ((0, "raft"), (4, "ring"), (5, "raft"))),
    ]
    story = told([*events, press(7, 0), press(8, 1), press(20, 2)])

    assert [[0, 1], [2]] == [[mark.seat for mark in finish.marks] for finish in story.finishes]
    assert [False, False] == [finish.race for finish in story.finishes]
    assert () == story.races


def test_what_is_taken_back_leaves_no_photo_finish() -> None:
    """An undone press never was."""
    story = told([game(), card(1, 0), press(2, 1), undo(3)])

    assert () == story.finishes


def test_a_second_press_of_the_same_slap_is_only_a_tick() -> None:
    """Within half a second it is the same hand."""
    race = told([game(3), *raced(1, (0.4, 1), (0.6, 1), (0.9, 2))]).finishes[0]

    assert [(1, "safe"), (1, "same_slap"), (2, "safe")] == [(mark.seat, mark.verdict) for mark in race.marks]


def test_without_a_camera_there_is_no_grid_and_no_set() -> None:
    """Only the presses are known."""
    race = golden("an-evening-without-a-camera").races[0]

    assert (None, None, ()) == (race.since, race.tops, race.lines)


def test_a_running_game_tells_only_what_is_ruled() -> None:
    """A press that still waits for the camera is in no photo finish."""
    events = [game(), *raced(1, (0.4, 1))[:-1]]
    waiting = closed(events[:1])[0]
    for event in events[1:]:
        waiting = waiting.hear(event)

    assert () == make_story(waiting).finishes
    assert 1 == len(make_story(waiting.closed()).finishes)
