"""The pin factory: any gpiozero program runs on it, and edges bear the kernel's time."""

from threading import Event

import pytest
from gpiod import LineSettings
from gpiozero import LED, PWMLED, Button
from gpiozero.exc import (
    GPIOPinInUse,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinInvalidState,
    PinPWMFixedValue,
    PinSetInput,
)

from hardware.faults import LineBusy
from hardware.gpio.pins import KernelTicks

from .conftest import SOON, Heard, Rig


def test_a_button_is_a_button(rig: Rig) -> None:
    """gpiozero's own device hears presses and releases."""
    pressed, released = Event(), Event()
    with Button(17, pin_factory=rig.factory) as button:
        button.when_pressed, button.when_released = pressed.set, released.set
        assert not button.is_pressed
        rig.chip.press(17)
        assert pressed.wait(SOON)
        assert button.is_pressed
        rig.chip.let_go(17)
        assert released.wait(SOON)


def test_ticks_are_the_kernels(rig: Rig) -> None:
    """To the nanosecond, also where a float of seconds is too coarse for it, with the edge's number."""
    heard = Heard(2)
    pin = rig.factory.pin(17)
    pin.input_with_pull("up")
    pin.when_changed = heard
    long_ago = 400 * 24 * 3600 * 1_000_000_000 + 123_456_789
    rig.chip.press(17, at_ns=long_ago)
    rig.chip.let_go(17, at_ns=long_ago + 60_000)
    ticks = [tick for tick, _ in heard.wait()]
    assert all(isinstance(tick, KernelTicks) for tick in ticks)
    assert [(long_ago, 1), (long_ago + 60_000, 2)] == [(tick.ns, tick.number) for tick in ticks]
    assert ticks[0] == long_ago / 1_000_000_000


def test_all_buttons_are_one_request(rig: Rig) -> None:
    """With one numbering and the kernel's largest buffer."""
    buttons = [Button(pin, pin_factory=rig.factory) for pin in (5, 6, 13, 19, 26, 21)]
    (request,) = rig.chip.requests
    assert {5, 6, 13, 19, 26, 21} == set(request.offsets)
    assert 1024 == request.events.maxlen
    for button in buttons:
        button.close()


def test_a_button_that_joins_costs_the_others_no_press(rig: Rig) -> None:
    """What has come before the new request is still told."""
    heard = Heard(2)
    first = rig.factory.pin(5)
    first.input_with_pull("up")
    first.when_changed = heard
    rig.chip.press(5, at_ns=1)
    second = rig.factory.pin(6)
    second.input_with_pull("up")
    rig.chip.let_go(5, at_ns=2)
    assert [1, 2] == [tick.number for tick, _ in heard.wait()]


def test_a_lamp_is_a_lamp(rig: Rig) -> None:
    """On, off, and given back as an input."""
    with LED(22, pin_factory=rig.factory) as lamp:
        assert not rig.chip.level(22)
        lamp.on()
        assert rig.chip.level(22)
        assert lamp.is_lit
        lamp.off()
        assert not rig.chip.level(22)
    assert not any(22 in request.offsets for request in rig.chip.requests)


def test_a_lamp_that_begins_lit_was_never_dark(rig: Rig) -> None:
    """Nor does one that begins dark flash."""
    with LED(22, initial_value=True, pin_factory=rig.factory) as lamp:
        assert rig.chip.level(22)
        assert lamp.is_lit


def test_a_lamp_glows(rig: Rig) -> None:
    """It is switched on and off by itself, and stays dark or lit at the ends of the scale."""
    with PWMLED(22, pin_factory=rig.factory) as lamp:
        lamp.value = 0.5
        assert 0.5 == lamp.value
        seen: set[bool] = set()
        while seen != {True, False}:
            seen.add(rig.chip.level(22))
        lamp.value = 1
        assert lamp.is_lit
        lamp.value = 0
        assert not lamp.is_lit


def test_closing_gives_every_line_back(rig: Rig) -> None:
    """And a second program may have them."""
    with Button(5, pin_factory=rig.factory), LED(6, pin_factory=rig.factory):
        rig.factory.close()
        assert [] == rig.chip.requests


def test_a_line_in_use_is_named_with_its_user(rig: Rig) -> None:
    """It is gpiozero's pin in use, and in words."""
    rig.chip.request_lines({17: LineSettings()}, "kitchen radio")
    with pytest.raises(LineBusy, match=r"GPIO17 \(kitchen radio\) is in use") as caught:
        Button(17, pin_factory=rig.factory)
    assert isinstance(caught.value, GPIOPinInUse)
    with Button(5, pin_factory=rig.factory) as other:
        assert not other.is_pressed


def test_a_line_that_was_in_use_may_be_had_later(rig: Rig) -> None:
    """A device that was never made reserves nothing, though somebody still holds its error."""
    radio = rig.chip.request_lines({17: LineSettings()}, "kitchen radio")
    with pytest.raises(LineBusy) as caught:
        Button(17, pin_factory=rig.factory)
    radio.release()
    with Button(17, pin_factory=rig.factory) as button:
        assert not button.is_pressed
    assert caught.value


def test_pulls(rig: Rig) -> None:
    """As asked for; GPIO2 has a resistor of its own."""
    pin = rig.factory.pin(17)
    for pull in ("up", "down", "floating"):
        pin.pull = pull
        assert pull == pin.pull
    with pytest.raises(PinInvalidPull):
        pin.pull = "sideways"
    with pytest.raises(PinFixedPull):
        rig.factory.pin(2).pull = "down"
    pin.function = "output"
    with pytest.raises(PinFixedPull):
        pin.pull = "up"


def test_what_a_pin_can_not_do_is_said(rig: Rig) -> None:
    """In gpiozero's own kinds of error."""
    pin = rig.factory.pin(17)
    with pytest.raises(PinInvalidFunction):
        pin.function = "kettle"
    with pytest.raises(PinInvalidBounce):
        pin.bounce = -1
    with pytest.raises(PinInvalidEdges):
        pin.edges = "round"
    with pytest.raises(PinSetInput):
        pin.state = 1
    with pytest.raises(PinPWMFixedValue):
        pin.frequency = 100
    pin.function = "output"
    pin.frequency = 100
    with pytest.raises(PinInvalidState):
        pin.state = 2


def test_only_the_edges_that_were_asked_for(rig: Rig) -> None:
    """Falling ones, here."""
    heard = Heard(2)
    pin = rig.factory.pin(17)
    pin.input_with_pull("up")
    pin.edges = "falling"
    pin.when_changed = heard
    for _ in range(2):
        rig.chip.press(17)
        rig.chip.let_go(17)
    assert [0, 0] == [state for _, state in heard.wait()]


def test_an_input_may_become_an_output_and_an_input_again(rig: Rig) -> None:
    """And is pulled as before."""
    pin = rig.factory.pin(17)
    pin.input_with_pull("up")
    pin.output_with_state(1)
    assert ("output", 1) == (pin.function, pin.state)
    pin.input_with_pull("up")
    assert ("input", 1) == (pin.function, pin.state)
    assert "up" == pin.pull


def test_bounce_is_the_kernels(rig: Rig) -> None:
    """Who wants a filter gets the kernel's; nobody else does."""
    pin = rig.factory.pin(17)
    assert pin.bounce is None
    pin.bounce = 0.01
    assert 0.01 == pin.bounce
    settings = rig.chip.lines[17].settings
    assert settings is not None
    assert 0.01 == settings.debounce_period.total_seconds()
