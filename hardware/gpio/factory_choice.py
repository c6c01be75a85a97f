"""Chooses the pin factory: ours, unless `GPIOZERO_PIN_FACTORY` names another, as for any gpiozero program."""

import os
from importlib.metadata import entry_points
from typing import Final

from gpiozero.pins import Factory

from hardware.faults import HardwareError, NoFactory
from hardware.gpio.pins import GpiodFactory

VARIABLE: Final = "GPIOZERO_PIN_FACTORY"
OURS: Final = "gpiod"


def pin_factory(*, chip: str | None, consumer: str) -> Factory:
    """`chip`: for our factory only; the others always use their own."""
    name = os.environ.get(VARIABLE, OURS).lower()
    if name == OURS:
        return GpiodFactory(chip=chip, consumer=consumer)
    known = {entry.name: entry for entry in entry_points(group="gpiozero_pin_factories")}
    if name not in known:
        raise NoFactory(f"{VARIABLE} says {name}, and there is none of that name: {', '.join(sorted(known))}.")
    try:
        return known[name].load()()
    except HardwareError:
        raise
    except Exception as error:  # each of them has errors of its own, and none a family
        raise NoFactory(
            f"The pins can't be had through {name} ({error}): unset {VARIABLE}, and gpiod serves."
        ) from error
