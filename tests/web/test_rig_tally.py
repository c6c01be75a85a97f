"""How the buttons have been doing, from their edges and from what the debouncing makes of them."""

from pathlib import Path

import pytest

from companion.core.button_faults import Chattering, Lost, Recovered, Stuck
from companion.core.debounce import Edge, Press, Timing, begin, hear, until
from companion.rig.button_stats import ButtonStats
from companion.rig.protocols import Button

from ..demo.evenings import quick_evening

MS = 1_000_000


class Clock:
    now = 0

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tally(clock: Clock) -> ButtonStats:
    return ButtonStats(clock)


def test_a_button_that_was_never_heard_of_is_not_there(tally: ButtonStats) -> None:
    """Nothing is known of it, not even that it exists."""
    assert {} == tally.buttons()


def test_presses_and_bounces_are_counted(tally: ButtonStats, clock: Clock) -> None:
    """One press with three contacts has two bounces; while it is not settled it has none."""
    contacts = ((0, True), (1, False), (2, True), (3, False), (4, True), (90, False))
    switches = begin(Timing(), 0)
    for number, (after, is_down) in enumerate(contacts, 1):
        edge = Edge(2, (100 + after) * MS, is_down, number)
        switches = hear(switches, edge)
        tally.hear(2, edge.t_ns, is_down=is_down)
    assert {} == tally.buttons()
    clock.now = 110 * MS
    assert {2: Button(down=True)} == tally.buttons()
    switches, news = until(switches, 160 * MS)
    for one in news:
        assert not isinstance(one, Recovered)
        tally.note(2, one)
    clock.now = 160 * MS
    assert {2: Button(down=True, presses=1, ago_ms=60)} == tally.buttons()
    clock.now = 1100 * MS
    assert {2: Button(presses=1, bounces=2, ago_ms=1000)} == tally.buttons()


def test_buttons_that_are_gone_are_not_there(tally: ButtonStats, clock: Clock) -> None:
    """Phones stand in for them meanwhile; drawn ones never were."""
    assert tally.exists
    tally.gone = True
    assert not tally.exists
    assert not ButtonStats(clock, drawn=True).exists


def test_what_is_wrong_stands_until_it_is_well(tally: ButtonStats) -> None:
    """Stuck or chattering, by its stable name; what got lost stays counted."""
    tally.note(1, Stuck(1, 5))
    tally.note(0, Lost(0, 5, 3))
    tally.note(0, Lost(0, 6, 1))
    assert {0: Button(lost=4), 1: Button(wrong="button_stuck")} == tally.buttons()
    tally.note(1, Chattering(1, 6))
    assert "button_chatters" == tally.buttons()[1].wrong
    tally.note(1, Recovered(1, 7))
    assert {0: Button(lost=4)} == tally.buttons()


def test_a_press_is_not_of_the_future(tally: ButtonStats, clock: Clock) -> None:
    """However the clocks are read, it was never pressed in minus three seconds."""
    clock.now = 5
    tally.note(0, Press(0, 5 * MS))
    assert 0 == tally.buttons()[0].ago_ms


def test_the_drawn_buttons_show_their_presses(tmp_path: Path) -> None:
    """Each press that the referee has heard of is counted, each with the bounce that it was drawn with."""
    with quick_evening(tmp_path, 3, seed=3) as evening:
        evening.until(lambda: evening.count("slowest") >= 1)
        told = [event for event in evening.events() if '"type":"press"' in event]
        buttons = evening.world.stats.buttons()
        assert len(told) == sum(button.presses for button in buttons.values())
        now = evening.world.now
        evening.until(lambda: evening.world.now > now + 200 * MS)
        settled = evening.world.stats.buttons()
        assert all(button.bounces >= button.presses - 1 for button in settled.values())
        assert {None} == {button.wrong for button in settled.values()}
