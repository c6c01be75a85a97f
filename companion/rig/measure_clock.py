"""`companion timing`: measures the resolution of this machine's clock."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from typing import Final

from companion.app.build_rig import open_buttons, open_pins
from companion.app.config import RigPlan
from companion.rig.clock_resolution import USUAL_US, Resolution, resolution_from_gaps
from hardware.faults import HardwareError
from hardware.gpio.loopback import loop_back
from hardware.gpio.pins import GpiodFactory
from hardware.ports import EdgeSource

# A switch rattles about a dozen times at each press, so this many presses give enough pairs.
PRESSES: Final = 30
ENOUGH_S: Final = 120.0
RATTLING_NS: Final = 20_000_000


class NotMeasured(HardwareError, RuntimeError):
    """No edges arrived that could be measured."""


def by_wire(plan: RigPlan, output: int, inputs: tuple[int, int], pairs: int) -> Resolution:
    """Measures with a wire from one output to two inputs, which therefore change at the same instant."""
    factory = GpiodFactory(chip=plan.chip, consumer="table companion")
    try:
        return resolution_from_gaps(loop_back(factory, output, inputs, pairs), "by a wire")
    finally:
        factory.close()


def by_pressing(
    plan: RigPlan, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
) -> Resolution:
    """Measures with people's presses of rattling switches. Raises `NotMeasured` if none comes in time."""
    with ExitStack() as parts:
        source = open_buttons(plan, parts.enter_context(open_pins(plan)))
        if source is None:
            raise NotMeasured("There are no buttons to press; name some in rig.toml.")
        parts.callback(source.close)
        say(f"Press any buttons, {PRESSES} times in all, the harder the better.")
        gaps = rattling(source, clock() + ENOUGH_S, clock)
    if not gaps:
        raise NotMeasured("Nobody pressed, or the switches do not rattle: measure with a wire instead (--output).")
    # The clock can tell apart at least the two closest contacts.
    found = replace(resolution_from_gaps([min(gaps)], "by pressing"), pairs=len(gaps))
    # A pin's edges carry the kernel's timestamps. One rattling switch can't improve on the default for them: how
    # fast it rattles says nothing about the gap between two lines.
    return replace(found, us=USUAL_US) if plan.buttons == "gpio" else found


def rattling(source: EdgeSource, until: float, clock: Callable[[], float]) -> list[int]:
    """The gaps in ns between the contacts of one switch while it rattles, heard until `until`."""
    times: dict[int, list[int]] = {}
    presses = 0
    while presses < PRESSES and clock() < until:
        for edge in source.read(0.2):
            contacts = times.setdefault(edge.button, [])
            presses += not contacts or edge.t_ns - contacts[-1] > RATTLING_NS
            contacts.append(edge.t_ns)
    return [
        later - earlier
        for contacts in times.values()
        for earlier, later in pairwise(contacts)
        if 0 < later - earlier <= RATTLING_NS
    ]
