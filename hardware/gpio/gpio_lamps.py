"""The lamps in the seats' buttons, by gpiozero; dimmed with PWM where the pins can."""

import errno
from collections.abc import Sequence

from gpiozero import LED, PWMLED
from gpiozero.exc import PinPWMUnsupported
from gpiozero.pins import Factory

from hardware.gpio.pins import GpiodFactory

# No visible flicker, also out of the corner of the eye, and slow enough for one thread with six lamps.
GLOW_HZ = 120


class GpioLamps:
    """Lamps behind transistors: a high line is a lit lamp. A seat without a lamp has no pin."""

    def __init__(self, pins: Sequence[int | str | None], factory: Factory) -> None:
        self._factory = factory
        self._lamps: dict[int, LED] = {}
        try:
            for seat, pin in enumerate(pins):
                if pin is not None:
                    self._lamps[seat] = _lamp(pin, factory)
        except Exception:
            self.close()
            raise

    def shine(self, seat: int, brightness: float) -> None:
        """Raises `OSError` if that lamp can't be switched."""
        lamp = self._lamps.get(seat)
        try:
            if isinstance(lamp, PWMLED):
                lamp.value = brightness
            elif lamp is not None:
                (lamp.on if brightness >= 0.5 else lamp.off)()
        except OSError:
            raise
        except Exception as error:
            # Other pin factories raise errors of their own kinds.
            raise OSError(errno.EIO, str(error)) from error

    @property
    def trouble(self) -> str | None:
        """Why dimming does not work any more, in words. The next `shine` retries it."""
        if isinstance(self._factory, GpiodFactory) and not self._factory.dimmer.is_working:
            return "What lets the lamps glow has died."
        return None

    def close(self) -> None:
        for lamp in self._lamps.values():
            lamp.close()


def _lamp(pin: int | str, factory: Factory) -> LED:
    try:
        return PWMLED(pin, frequency=GLOW_HZ, pin_factory=factory)
    except PinPWMUnsupported:
        return LED(pin, pin_factory=factory)
