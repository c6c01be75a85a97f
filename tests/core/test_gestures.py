"""What a finger does: presses and releases in milliseconds, and the gestures that they are."""

import pytest

from companion.core.button_faults import Chattering, Lost, Stuck
from companion.core.debounce import Press, Release
from companion.core.gestures import ButtonGesture, ButtonsHeld, GestureMade, hear, until
from companion.units import MILLISECOND as MS

PRESS, RELEASE, HOLD, DOUBLE = ButtonGesture


def play(
    *changes: int, waits_for_hold: bool = False, end_ms: int | None = None
) -> list[tuple[ButtonGesture, int]]:
    """Presses and releases of one button by turns, and time passing from each to the next and to the end."""
    fingers, told = ButtonsHeld(), list[GestureMade]()
    for index, ms in enumerate(changes):
        fingers, held = until(fingers, ms * MS)
        change = Release(0, ms * MS) if index % 2 else Press(0, ms * MS)
        fingers, made = hear(fingers, change, waits_for_hold=waits_for_hold)
        told += [*held, *made]
    for _ in range(2):
        fingers, held = until(fingers, (changes[-1] if end_ms is None else end_ms) * MS)
        told += held
    return [(one.gesture, one.t // MS) for one in told]


def test_a_press_is_told_at_once() -> None:
    """A race can't wait for what the finger does next."""
    _, made = hear(ButtonsHeld(), Press(3, 17))
    assert (GestureMade(PRESS, 3, 17, 17),) == made


def test_a_press_and_its_release() -> None:
    assert [(PRESS, 5), (RELEASE, 900)] == play(5, 900)


def test_a_hold_is_told_while_it_is_held() -> None:
    """With its own instant and that of its press, once."""
    assert [(PRESS, 5), (HOLD, 1005)] == play(5, end_ms=1006)
    assert [(PRESS, 5)] == play(5, end_ms=1005)
    fingers, _ = hear(ButtonsHeld(), Press(0, 5 * MS))
    assert (GestureMade(HOLD, 0, 1005 * MS, 5 * MS),) == until(fingers, 1006 * MS)[1]


def test_a_hold_that_is_learnt_of_late_comes_before_its_release() -> None:
    """The thread may have been held up until the finger was gone."""
    fingers, _ = hear(ButtonsHeld(), Press(0, 0))
    _, made = hear(fingers, Release(0, 1500 * MS))
    assert [HOLD, RELEASE] == [one.gesture for one in made]


def test_after_a_hold_comes_its_release() -> None:
    assert [(PRESS, 0), (HOLD, 1000), (RELEASE, 1500)] == play(0, 1500)


def test_two_quick_presses_are_a_double_too() -> None:
    """The third begins anew."""
    assert [(PRESS, 0), (RELEASE, 90), (PRESS, 400), (DOUBLE, 400), (RELEASE, 500), (PRESS, 600)] == play(
        0, 90, 400, 500, 600
    )
    assert DOUBLE not in [gesture for gesture, _ in play(0, 90, 401, 500)]


def test_a_long_press_is_no_half_of_a_double() -> None:
    assert DOUBLE not in [gesture for gesture, _ in play(0, 1001, 1100, 1200)]


def test_where_a_hold_means_something_else_a_press_waits_until_it_is_none() -> None:
    """It still bears the instant at which it began."""
    assert [] == play(0, waits_for_hold=True, end_ms=900)
    assert [(PRESS, 0), (RELEASE, 300)] == play(0, 300, waits_for_hold=True)
    assert [(HOLD, 1000), (RELEASE, 1200)] == play(0, 1200, waits_for_hold=True)
    assert [(PRESS, 0), (RELEASE, 90), (PRESS, 200), (DOUBLE, 200), (RELEASE, 250)] == play(
        0, 90, 200, 250, waits_for_hold=True
    )


def test_a_press_whose_end_nobody_saw_is_one_all_the_same() -> None:
    """The next one shows that it was let go."""
    fingers, made = hear(ButtonsHeld(), Press(0, 0), waits_for_hold=True)
    assert () == made
    fingers, made = hear(fingers, Press(0, 700 * MS), waits_for_hold=True)
    assert [(PRESS, 0)] == [(one.gesture, one.t) for one in made]
    _, made = hear(fingers, Release(0, 800 * MS))
    assert [(PRESS, 700 * MS), (RELEASE, 800 * MS)] == [(one.gesture, one.t) for one in made]


@pytest.mark.parametrize("fault", [Chattering(0, 5), Stuck(0, 5)])
def test_a_button_that_is_left_out_makes_no_gesture(fault: Chattering | Stuck) -> None:
    """Nobody knows what a finger does with it."""
    fingers, _ = hear(ButtonsHeld(), Press(0, 0), waits_for_hold=True)
    fingers, made = hear(fingers, fault)
    assert () == made
    assert () == until(fingers, 9000 * MS)[1]
    assert () == hear(fingers, Release(0, 900 * MS))[1]


def test_lost_signals_change_nothing() -> None:
    fingers, _ = hear(ButtonsHeld(), Press(0, 0))
    assert (fingers, ()) == hear(fingers, Lost(0, 1, 2))


def test_each_button_is_by_itself() -> None:
    """Holds of several are told by their time."""
    fingers = ButtonsHeld()
    for button, t in ((2, 0), (0, 7), (1, 7)):
        fingers, _ = hear(fingers, Press(button, t))
    assert [2, 0, 1] == [one.button for one in until(fingers, 2000 * MS)[1]]
