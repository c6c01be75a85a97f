"""What a finger does with a button: from presses and releases, as the debouncing tells them, to gestures.

A PRESS is told at once, at the instant of its first edge: a race can't wait for what the finger does next. A game
in which a long press means something else than a short one asks for `waits_for_hold`; then a PRESS is told only
once the button has been let go in time, still with the instant at which it began.

Times are the kernel's; the state is a value, and whoever hears a change or lets time pass gets the next one.
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
# Chosen by hand: two presses that are meant as one gesture follow each other faster, two draws of a card don't.
DOUBLE_WITHIN: Final[Ns] = 400 * MILLISECOND


class ButtonUse(Enum):
    """Which of a seat's buttons it is, as rig.toml calls them."""

    GRAB = "grab"
    CALL = "call"


class ButtonGesture(Enum):
    PRESS = "press"
    RELEASE = "release"
    HOLD = "hold"
    """Told while the button is still held."""
    DOUBLE = "double"
    """A second press soon after the first; told right after its PRESS."""


@dataclass(frozen=True, slots=True)
class GestureMade:
    gesture: ButtonGesture
    button: int
    t: Ns
    pressed: Ns
    """When the press that belongs to it began."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A button that is down."""

    pressed: Ns
    is_told: bool
    """Whether its PRESS or its HOLD has been told, so that it can't become the other one any more."""
    is_long: bool = False
    """Whether its HOLD has been told."""


@dataclass(frozen=True, slots=True)
class Fingers:
    """All buttons at one instant."""

    held: Mapping[int, _Held] = field(default_factory=dict[int, _Held])
    presses: Mapping[int, Ns] = field(default_factory=dict[int, Ns])
    """Of each button the newest press that may be the first half of a DOUBLE."""


Made = tuple[Fingers, tuple[GestureMade, ...]]


def hear(fingers: Fingers, change: Press | Release | Fault, *, waits_for_hold: bool = False) -> Made:
    """`waits_for_hold`: whether a PRESS that begins now is told only when it is known to be no HOLD."""
    match change:
        case Press():
            return _press(fingers, change, waits_for_hold=waits_for_hold)
        case Release():
            return _release(fingers, change)
        case Chattering() | Stuck():
            # Nobody knows what a finger does with a button that is left out.
            return Fingers(_without(fingers.held, change.button), _without(fingers.presses, change.button)), ()
        case _:
            return fingers, ()


def until(fingers: Fingers, settled: Ns) -> Made:
    """The HOLDs of which it is certain by now: no press or release before `settled` is still to come."""
    made: list[GestureMade] = []
    for button, held in fingers.held.items():
        if held.pressed + HOLD_AFTER < settled:
            fingers, news = _hold(fingers, button, held)
            made += news
    return fingers, tuple(sorted(made, key=lambda one: (one.t, one.button)))


def _press(fingers: Fingers, press: Press, *, waits_for_hold: bool) -> Made:
    # Of a press that is down already nobody saw the end, which was before this one.
    fingers, missed = _decide(fingers, press.button)
    held = {**fingers.held, press.button: _Held(press.t, is_told=False)}
    fingers = replace(fingers, held=held)
    if waits_for_hold:
        return fingers, missed
    fingers, made = _decide(fingers, press.button)
    return fingers, (*missed, *made)


def _release(fingers: Fingers, release: Release) -> Made:
    button, held = release.button, fingers.held.get(release.button)
    if held is None:
        return fingers, ()
    made: tuple[GestureMade, ...] = ()
    if release.t >= held.pressed + HOLD_AFTER:
        fingers, made = _hold(fingers, button, held)
    fingers, decided = _decide(fingers, button)
    let_go = GestureMade(ButtonGesture.RELEASE, button, release.t, held.pressed)
    return replace(fingers, held=_without(fingers.held, button)), (*made, *decided, let_go)


def _hold(fingers: Fingers, button: int, held: _Held) -> Made:
    if held.is_long:
        return fingers, ()
    long = replace(held, is_told=True, is_long=True)
    # A long press is no half of a double.
    after = Fingers({**fingers.held, button: long}, _without(fingers.presses, button))
    return after, (GestureMade(ButtonGesture.HOLD, button, held.pressed + HOLD_AFTER, held.pressed),)


def _decide(fingers: Fingers, button: int) -> Made:
    """What is down, or was, is a PRESS unless more has been told of it."""
    held = fingers.held.get(button)
    if held is None or held.is_told:
        return fingers, ()
    t, before = held.pressed, fingers.presses.get(button)
    made = (GestureMade(ButtonGesture.PRESS, button, t, t),)
    told = {**fingers.held, button: replace(held, is_told=True)}
    if before is not None and t - before <= DOUBLE_WITHIN:
        double = GestureMade(ButtonGesture.DOUBLE, button, t, t)
        return Fingers(told, _without(fingers.presses, button)), (*made, double)
    return Fingers(told, {**fingers.presses, button: t}), made


def _without(all_of: Mapping[int, Value], button: int) -> Mapping[int, Value]:
    return {key: value for key, value in all_of.items() if key != button}
