"""Ours serves unless another is named; what does not work is said in words."""

from importlib.metadata import EntryPoint

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.faults import NoFactory
from hardware.gpio import factory_choice
from hardware.gpio.chips import Header
from hardware.gpio.factory_choice import VARIABLE, pin_factory
from hardware.gpio.pins import GpiodFactory
from hardware.gpio.simchip import SimChip


@pytest.mark.parametrize("name", [None, "gpiod", "GPIOD"])
def test_ours_serves(name: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the chip that the builder has named."""
    chip, asked = SimChip(), list[str | None]()

    def find(wanted: str | None) -> Header:
        asked.append(wanted)
        return Header(chip, "/dev/gpiochip0", chip.label)

    monkeypatch.setattr("hardware.gpio.pins.find_header", find)
    if name is None:
        monkeypatch.delenv(VARIABLE, raising=False)
    else:
        monkeypatch.setenv(VARIABLE, name)
    factory = pin_factory(chip="rp1", consumer="test")
    assert isinstance(factory, GpiodFactory)
    assert ["rp1"] == asked
    factory.close()


def test_another_one_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for any gpiozero program."""
    monkeypatch.setenv(VARIABLE, "mock")
    factory = pin_factory(chip=None, consumer="test")
    assert isinstance(factory, MockFactory)
    factory.close()


@pytest.mark.parametrize(
    ("name", "word"),
    [("gipod", "none of that name: broken"), ("broken", "unset GPIOZERO_PIN_FACTORY, and gpiod serves")],
)
def test_what_is_not_there_is_said(name: str, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or is there, and its library is not."""
    broken = EntryPoint("broken", "hardware.nowhere:Factory", "gpiozero_pin_factories")

    def known(group: str) -> list[EntryPoint]:
        return [broken] if group == broken.group else []

    monkeypatch.setattr(factory_choice, "entry_points", known)
    monkeypatch.setenv(VARIABLE, name)
    with pytest.raises(NoFactory, match=word):
        pin_factory(chip=None, consumer="test")
