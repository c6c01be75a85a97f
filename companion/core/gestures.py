"""Gestures: turns the presses and releases from the debouncing into single, long and double presses.

A PRESS is reported at once, with the time of its first edge: a race can't wait for what the finger does next. A
game in which a long press means something else than a short one asks for `waits_for_hold`; then a PRESS is
reported only once the button has been released in time, still with the time at which it began.

Times are the kernel's. The state is an immutable value: `hear` and `until` return the next one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, TypeVar

from companion.core.button_faults import Chattering, Fault, Stuck
from companion.core.debounce import Press, Release
from companion.units import MILLISECOND, SECOND, Ns

Value = TypeVar("Value")

HOLD_AFTER: Final[Ns] = SECOND
# Timeout of a double press, chosen by hand: the two presses of a double are faster, two draws of a card slower.
DOUBLE_WITHIN: Final[Ns] = 400 * MILLISECOND


class ButtonUse(Enum):
    """Which of a seat's two buttons it is, with the names of rig.toml."""

    GRAB = "grab"
    CALL = "call"


class ButtonGesture(Enum):
    """What a finger did with a button."""

    PRESS = "press"
    RELEASE = "release"
    HOLD = "hold"
    """A long press; reported while the button is still held."""
    DOUBLE = "double"
    """A second press soon after the first; reported right after its PRESS."""


@dataclass(frozen=True, slots=True)
class GestureMade:
    """A gesture of one button."""

    gesture: ButtonGesture
    button: int
    t: Ns
    pressed: Ns
    """When the gesture's press began; for a DOUBLE its second press."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A button that is down."""

    pressed: Ns
    is_told: bool
    """Whether its PRESS or its HOLD has been reported, so that it can't become the other one any more."""
    is_long: bool = False
    """Whether its HOLD has been reported."""


@dataclass(frozen=True, slots=True)
class ButtonsHeld:
    """The state of all buttons at one instant."""

    held: Mapping[int, _Held] = field(default_factory=dict[int, _Held])
    presses: Mapping[int, Ns] = field(default_factory=dict[int, Ns])
    """For each button its newest press that may be the first half of a DOUBLE."""


Made = tuple[ButtonsHeld, tuple[GestureMade, ...]]


def hear(buttons: ButtonsHeld, change: Press | Release | Fault, *, waits_for_hold: bool = False) -> Made:
    """The next state, and the gestures made by this change. `waits_for_hold`: whether a PRESS that begins now is
    reported only when it is known to be no HOLD."""
    match change:
        case Press():
            return _press(buttons, change, waits_for_hold=waits_for_hold)
        case Release():
            return _release(buttons, change)
        case Chattering() | Stuck():
            # The button is faulty and left out: forget its presses.
            return ButtonsHeld(_without(buttons.held, change.button), _without(buttons.presses, change.button)), ()
        case _:
            return buttons, ()


def until(buttons: ButtonsHeld, settled: Ns) -> Made:
    """The next state, and the HOLDs that are certain: all presses and releases before `settled` are known."""
    made: list[GestureMade] = []
    for button, held in buttons.held.items():
        if held.pressed + HOLD_AFTER < settled:
            buttons, news = _hold(buttons, button, held)
            made += news
    return buttons, tuple(sorted(made, key=lambda one: (one.t, one.button)))


def _press(buttons: ButtonsHeld, press: Press, *, waits_for_hold: bool) -> Made:
    # If the button is down already, its release was lost: decide about the earlier press first.
    buttons, missed = _decide(buttons, press.button)
    held = {**buttons.held, press.button: _Held(press.t, is_told=False)}
    buttons = replace(buttons, held=held)
    if waits_for_hold:
        return buttons, missed
    buttons, made = _decide(buttons, press.button)
    return buttons, (*missed, *made)


def _release(buttons: ButtonsHeld, release: Release) -> Made:
    button, held = release.button, buttons.held.get(release.button)
    if held is None:
        return buttons, ()
    made: tuple[GestureMade, ...] = ()
    if release.t >= held.pressed + HOLD_AFTER:
        buttons, made = _hold(buttons, button, held)
    buttons, decided = _decide(buttons, button)
    let_go = GestureMade(ButtonGesture.RELEASE, button, release.t, held.pressed)
    return replace(buttons, held=_without(buttons.held, button)), (*made, *decided, let_go)


def _hold(buttons: ButtonsHeld, button: int, held: _Held) -> Made:
    if held.is_long:
        return buttons, ()
    long = replace(held, is_told=True, is_long=True)
    # A long press is no half of a double.
    after = ButtonsHeld({**buttons.held, button: long}, _without(buttons.presses, button))
    return after, (GestureMade(ButtonGesture.HOLD, button, held.pressed + HOLD_AFTER, held.pressed),)


def _decide(buttons: ButtonsHeld, button: int) -> Made:
    """Reports a button that is or was down as a PRESS, unless its PRESS or HOLD has been reported."""
    held = buttons.held.get(button)
    if held is None or held.is_told:
        return buttons, ()
    t, before = held.pressed, buttons.presses.get(button)
    made = (GestureMade(ButtonGesture.PRESS, button, t, t),)
    told = {**buttons.held, button: replace(held, is_told=True)}
    if before is not None and t - before <= DOUBLE_WITHIN:
        double = GestureMade(ButtonGesture.DOUBLE, button, t, t)
        return ButtonsHeld(told, _without(buttons.presses, button)), (*made, double)
    return ButtonsHeld(told, {**buttons.presses, button: t}), made


def _without(all_of: Mapping[int, Value], button: int) -> Mapping[int, Value]:
    return {key: value for key, value in all_of.items() if key != button}
