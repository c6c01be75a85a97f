"""The seats' buttons: gpiozero `Button`s whose edges keep the kernel's time.

gpiozero tells a handler that a button was pressed, not when. What it tells its own devices bears the time, so a
device of ours listens there; that serves any pin factory, and what the others can't promise is said.
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
# Nobody asks whether one is held; gpiozero's thread that watches for it is not to be waited for at the end.
HOLD_S: Final = 0.05
# Six seats with a grab and a call each.
MOST: Final = 12
# How soon lines that have died are asked for again, and the longest pause between two tries.
AGAIN_S: Final = 0.5
SELDOM_S: Final = 8.0


class SeatButton(Button):
    """`bounce_time` stays unset: such a filter stamps a press with the end of its rattling."""

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
    """An `EdgeSource`."""

    def __init__(self, pins: Sequence[int | str], factory: Factory) -> None:
        self._factory = factory
        self._inbox = EdgeQueue()
        self._buttons: list[SeatButton] = []
        self._refusal = ""
        """Why lines that have died can't be had again."""
        self._pause_s = AGAIN_S
        self._again_at = 0.0
        try:
            for number, pin in enumerate(pins):
                self._buttons.append(SeatButton(number, pin, self._inbox.put, factory))
        except Exception as error:
            self.close()
            if isinstance(error, HardwareError | GPIOZeroError):
                raise
            # Of some other factory's own kind.
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
        # Each waits a tenth of a second for a thread of its own.
        with ThreadPoolExecutor(MOST) as closing:
            list(closing.map(SeatButton.close, self._buttons))
