"""A pin factory for gpiozero on libgpiod 2: `GPIOZERO_PIN_FACTORY=gpiod` serves any gpiozero program.

Unlike gpiozero's own factories: each edge carries the kernel's timestamp from the interrupt, in nanoseconds, and a
sequence number that shows whether one is missing (`KernelTicks`); the kernel buffers 1,024 edges while Python is
late; the chip is found by its label, not by its number; no files are left in the working directory.
"""

from contextlib import suppress
from datetime import timedelta
from typing import Any, Final, Self
from weakref import ref

import gpiod
from gpiod.line import Bias, Clock, Direction, Edge, Value
from gpiozero import Device
from gpiozero.exc import (
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinInvalidState,
    PinPWMFixedValue,
    PinSetInput,
    PinUnknownPi,
)
from gpiozero.pins.local import LocalPiFactory, LocalPiPin
from gpiozero.pins.pi import PinInfo

from hardware.gpio.chips import Header, find_header
from hardware.gpio.dimmer import Dimmer
from hardware.gpio.line_bank import LineBank, LineEdge
from hardware.gpio.line_requests import request_lines
from hardware.ports import LineRequest

PULLS: Final = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
EDGES: Final = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}


class KernelTicks(float):
    """Seconds, as gpiozero wants them, with the kernel's timestamp in nanoseconds and the edge's sequence
    number."""

    ns: int
    number: int

    def __new__(cls, ns: int, number: int) -> Self:
        ticks = super().__new__(cls, ns / 1_000_000_000)
        ticks.ns, ticks.number = ns, number
        return ticks


class GpiodFactory(LocalPiFactory):
    """The pin factory: `Button(17, pin_factory=GpiodFactory())`."""

    def __init__(
        self, header: Header | None = None, *, chip: str | None = None, consumer: str = "gpiozero"
    ) -> None:
        """`chip`: its path, name or label, if it is not the one of the 40-pin header."""
        super().__init__()
        self.pin_class = GpiodPin
        self.header = header or find_header(chip)
        self.consumer = consumer
        self.bank = LineBank(self.header.chip, consumer)
        self.dimmer = Dimmer()

    def close(self) -> None:
        super().close()
        self.dimmer.close()
        self.bank.close()
        self.header.chip.close()

    def pin(self, name: int | str) -> Any:
        try:
            return super().pin(name)
        except Exception:
            # gpiozero reserves a pin before it is made, and a device that failed to open can't give it back. A
            # later attempt would be told that a closed device uses the pin.
            self._forget_the_closed(name)
            raise

    def _forget_the_closed(self, name: int | str) -> None:
        # Weak references to gpiozero's own devices; `getattr` because gpiozero has no types.
        reserved: dict[PinInfo, list[ref[Device]]] = getattr(self, "_reservations")  # noqa: B009
        for _, info in self.board_info.find_pin(name):
            reserved[info] = [user for user in reserved[info] if (it := user()) is not None and not it.closed]

    def _get_revision(self) -> int:
        try:
            return super()._get_revision()
        except PinUnknownPi:
            return self.header.revision


class GpiodPin(LocalPiPin):
    """One pin of the header, for gpiozero."""

    def __init__(self, factory: GpiodFactory, info: PinInfo) -> None:
        super().__init__(factory, info)
        self._chip = factory
        self._offset = factory.header.offset(self._number)
        self._bias = PULLS[info.pull or "floating"]
        self._bounce = timedelta()
        self._edges = Edge.BOTH
        self._listening = False
        self._output: LineRequest | None = None
        self._pwm: tuple[float, float] | None = None
        self._request_input()

    def close(self) -> None:
        self.when_changed = None
        self._release_output()
        self._chip.bank.release_line(self._offset)

    # Inputs

    def _request_input(self) -> None:
        """Requests the line as an input, with the settings that were made last."""
        settings = gpiod.LineSettings(
            direction=Direction.INPUT,
            edge_detection=self._edges if self._listening else Edge.NONE,
            bias=self._bias,
            debounce_period=self._bounce,
            event_clock=Clock.MONOTONIC,
        )
        self._chip.bank.set_line(self._offset, settings, self._on_edge if self._listening else None)

    def _on_edge(self, signal: LineEdge) -> None:
        self._call_when_changed(KernelTicks(signal.t_ns, signal.number), int(signal.high))

    def _enable_event_detect(self) -> None:
        self._listening = True
        self._request_input()

    def _disable_event_detect(self) -> None:
        self._listening = False
        # A device closed after its factory has no line any more.
        if self._chip.bank.has_line(self._offset):
            self._request_input()

    def _get_pull(self) -> str:
        return next(name for name, bias in PULLS.items() if bias is self._bias)

    def _set_pull(self, value: str) -> None:
        if self._output is not None:
            raise PinFixedPull(f"{self!r} is an output, and pulls nothing")
        if value not in PULLS:
            raise PinInvalidPull(f"{value!r} is no pull of {self!r}: floating, up or down")
        if self.info.pull not in ("", value):
            raise PinFixedPull(f"{self!r} has a resistor that pulls it {self.info.pull}")
        self._bias = PULLS[value]
        self._request_input()

    def _get_bounce(self) -> float | None:
        return self._bounce.total_seconds() or None

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and value < 0:
            raise PinInvalidBounce("a bounce time is 0 or more seconds")
        self._bounce = timedelta(seconds=value or 0)
        if self._output is None:
            self._request_input()

    def _get_edges(self) -> str:
        return next(name for name, edges in EDGES.items() if edges is self._edges)

    def _set_edges(self, value: str) -> None:
        if value not in EDGES:
            raise PinInvalidEdges(f"{value!r} are no edges of {self!r}: both, rising, falling or none")
        self._edges = EDGES[value]
        if self._listening:
            self._request_input()

    # Outputs

    def _get_function(self) -> str:
        return "input" if self._output is None else "output"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f"{value!r} is no function of {self!r}: input or output")
        if value == "input" and self._output is not None:
            self._release_output()
            self._request_input()
        elif value == "output" and self._output is None:
            self.output_with_state(0)

    def output_with_state(self, state: float) -> None:
        """Sets level and direction at once, so that a lamp does not flash and a relay does not click."""
        value = Value.ACTIVE if state else Value.INACTIVE
        self.when_changed = None
        self._release_output()
        self._chip.bank.release_line(self._offset)
        settings = gpiod.LineSettings(direction=Direction.OUTPUT, output_value=value)
        self._output = request_lines(self._chip.header.chip, {self._offset: settings}, self._chip.consumer)

    def input_with_pull(self, pull: str) -> None:
        self._set_function("input")
        self._set_pull(pull)

    def _release_output(self) -> None:
        self._set_frequency(None)
        if self._output is not None:
            self._output.release()
            self._output = None

    def _get_state(self) -> Any:
        if self._pwm is not None:
            return self._pwm[1]
        if self._output is not None:
            return int(self._output.get_value(self._offset) is Value.ACTIVE)
        return int(self._chip.bank.is_high(self._offset))

    def _set_state(self, value: float) -> None:
        if self._output is None:
            raise PinSetInput(f"{self!r} is an input, its state is not ours to set")
        if self._pwm is None:
            self._switch(on=bool(value))
            return
        if not 0 <= value <= 1:
            raise PinInvalidState(f"{value!r} is no share of the time for {self!r}: 0 to 1")
        self._pwm = (self._pwm[0], float(value))
        self._chip.dimmer.glow(self._offset, self._switch_for_dimmer, *self._pwm)

    def _switch(self, *, on: bool) -> None:
        if self._output is not None:
            self._output.set_value(self._offset, Value.ACTIVE if on else Value.INACTIVE)

    def _switch_for_dimmer(self, on: bool) -> None:  # noqa: FBT001 - what the dimmer calls
        self._switch(on=on)

    def _get_frequency(self) -> float | None:
        return self._pwm[0] if self._pwm is not None else None

    def _set_frequency(self, value: float | None) -> None:
        if not value:
            if self._pwm is not None:
                self._pwm = None
                # A dead line is reported when the dimmer uses it; here the error must not keep other pins from
                # closing.
                with suppress(OSError):
                    self._chip.dimmer.dark(self._offset)
                with suppress(OSError):
                    self._switch(on=False)
            return
        if self._output is None:
            raise PinPWMFixedValue(f"{self!r} is an input, it can't glow")
        self._pwm = (value, self._pwm[1] if self._pwm is not None else 0.0)
        self._chip.dimmer.glow(self._offset, self._switch_for_dimmer, *self._pwm)
