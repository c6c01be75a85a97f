"""Loopback test: one output, wired to two inputs, is switched, and the two inputs' timestamps are compared.

Their difference is the resolution: closer presses can't be put in order on this machine.
"""

import time
from collections.abc import Callable
from threading import Condition
from typing import Final

from gpiozero import LED

from hardware.faults import HardwareError
from hardware.gpio.gpio_buttons import SeatButton
from hardware.gpio.pins import GpiodFactory
from hardware.ports import KernelEdge

# A timeout for the edges: enough for the slowest interrupt thread, also on a busy machine.
ANSWER_S: Final = 0.5
REST_S: Final = 0.004


class NoLoop(HardwareError, LookupError):
    """The loopback wire is missing."""


class _Pair:
    def __init__(self) -> None:
        self._edges: dict[int, int] = {}
        self._came = Condition()

    def hear(self, edge: KernelEdge) -> None:
        with self._came:
            self._edges.setdefault(edge.button, edge.t_ns)
            self._came.notify()

    def gap(self) -> int | None:
        """The time between the next edges of both lines; None if one of them is missing."""
        with self._came:
            both = self._came.wait_for(lambda: len(self._edges) == 2, ANSWER_S)
            gap = self._edges[1] - self._edges[0] if both else None
            self._edges.clear()
            return gap


def loop_back(
    factory: GpiodFactory,
    output: int,
    inputs: tuple[int, int],
    pairs: int,
    *,
    rest: Callable[[float], None] = time.sleep,
) -> list[int]:
    """Measures that many gaps, in nanoseconds."""
    heard = _Pair()
    gaps: list[int] = []
    with (
        LED(output, initial_value=True, pin_factory=factory) as wire,
        SeatButton(0, inputs[0], heard.hear, factory),
        SeatButton(1, inputs[1], heard.hear, factory),
    ):
        heard.gap()
        for number in range(pairs):
            (wire.on if number % 2 else wire.off)()
            gap = heard.gap()
            if gap is None:
                raise NoLoop(
                    f"GPIO{output} was switched and GPIO{inputs[0]} or GPIO{inputs[1]} heard nothing of it: are "
                    "all three wired together?"
                )
            gaps.append(gap)
            rest(REST_S)
    return gaps
