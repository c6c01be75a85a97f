"""The seats' buttons: gpiozero `Button`s that keep the kernel's timestamps.

gpiozero's handlers are not given the time of a press, but its devices are. So a subclass listens there. That works
with any pin factory; what the others can't guarantee is listed in `doubts`.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from gpiozero import Button
from gpiozero.exc import GPIOZeroError
from gpiozero.pins import Factory

from hardware.edge_queue import EdgeQueue
from hardware.faults import HardwareError, NoButtons
from hardware.gpio.line_bank import LineBank
from hardware.gpio.pins import GpiodFactory, KernelTicks
from hardware.ports import KernelEdge

NO_NUMBERS = (
    "The buttons are read through {name}: a signal that the kernel loses is not noticed, and of a switch that "
    "rattles more than 16 times some are lost. With GPIOZERO_PIN_FACTORY=gpiod neither happens."
)
# gpiozero's hold event is not used; a short time lets its thread end quickly on close.
HOLD_S: Final = 0.05
# The most buttons: six seats with a grab and a call button each.
MOST: Final = 12
# The retry intervals for lines that have died: the first one, and the longest.
AGAIN_S: Final = 0.5
SELDOM_S: Final = 8.0


class SeatButton(Button):
    """A gpiozero button that passes on each edge. `bounce_time` stays unset: that filter would stamp a press with
    the end of its bouncing."""

    def __init__(self, number: int, pin: int | str, heard: Callable[[KernelEdge], None], factory: Factory) -> None:
        self._number = number
        self._heard = heard
        self._edges = 0
        super().__init__(pin, pull_up=True, hold_time=HOLD_S, pin_factory=factory)

    def _pin_changed(self, ticks: float, state: int) -> None:
        if isinstance(ticks, KernelTicks):
            t_ns, self._edges = ticks.ns, ticks.number
        else:
            t_ns, self._edges = round(ticks * 1_000_000_000), self._edges + 1
        self._heard(KernelEdge(self._number, t_ns, int(state), self._edges))
        super()._pin_changed(ticks, state)


class GpioButtons:
    """The buttons as an `EdgeSource`."""

    def __init__(self, pins: Sequence[int | str], factory: Factory) -> None:
        self._factory = factory
        self._inbox = EdgeQueue()
        self._buttons: list[SeatButton] = []
        self._refusal = ""
        """Why dead lines can't be requested again."""
        self._pause_s = AGAIN_S
        self._again_at = 0.0
        try:
            for number, pin in enumerate(pins):
                self._buttons.append(SeatButton(number, pin, self._inbox.put, factory))
        except Exception as error:
            self.close()
            if isinstance(error, HardwareError | GPIOZeroError):
                raise
            # An error of some other pin factory's own kind.
            raise NoButtons(f"The buttons can't be had through {type(factory).__name__}: {error}.") from error

    @property
    def doubts(self) -> tuple[str, ...]:
        if isinstance(self._factory, GpiodFactory):
            return ()
        return (NO_NUMBERS.format(name=type(self._factory).__name__),)

    def held(self) -> tuple[int, ...]:
        return tuple(number for number, button in enumerate(self._buttons) if button.is_pressed)

    @property
    def trouble(self) -> str | None:
        if isinstance(self._factory, GpiodFactory) and not self._factory.bank.is_working:
            return (
                f"The buttons' lines have died and are asked for again and again: look at the wiring, or start "
                f"the companion again. {self._refusal}".rstrip()
            )
        return None

    def read(self, timeout_s: float) -> tuple[KernelEdge, ...]:
        if isinstance(self._factory, GpiodFactory):
            self._revive(self._factory.bank)
            self._factory.bank.deliver_pending()
        return self._inbox.take(timeout_s)

    def _revive(self, bank: LineBank) -> None:
        now = time.monotonic()
        if bank.is_working and now > self._again_at + SELDOM_S:
            self._pause_s = AGAIN_S
        if bank.is_working or now < self._again_at:
            return
        self._again_at, self._pause_s = now + self._pause_s, min(2 * self._pause_s, SELDOM_S)
        try:
            bank.restart()
        except (HardwareError, GPIOZeroError, OSError) as error:
            self._refusal = str(error)
        else:
            self._refusal = ""

    def close(self) -> None:
        # In parallel: each waits a tenth of a second for a thread of its own.
        with ThreadPoolExecutor(MOST) as closing:
            list(closing.map(SeatButton.close, self._buttons))
