from collections.abc import Callable
from typing import Self

from gpiozero.pins import Factory, Pin

class Device:
    pin_factory: Factory | None
    closed: bool
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...

class GPIODevice(Device):
    @property
    def pin(self) -> Pin: ...

class Button(GPIODevice):
    when_pressed: Callable[[], object] | None
    when_released: Callable[[], object] | None
    is_pressed: bool
    held_time: float | None
    active_time: float | None
    def __init__(
        self,
        pin: int | str,
        *,
        pull_up: bool | None = True,
        active_state: bool | None = None,
        bounce_time: float | None = None,
        hold_time: float = 1,
        hold_repeat: bool = False,
        pin_factory: Factory | None = None,
    ) -> None: ...
    def _pin_changed(self, ticks: float, state: int) -> None: ...
    def wait_for_press(self, timeout: float | None = None) -> bool: ...

class LED(GPIODevice):
    is_lit: bool
    value: float
    def __init__(
        self,
        pin: int | str,
        *,
        active_high: bool = True,
        initial_value: bool | None = False,
        pin_factory: Factory | None = None,
    ) -> None: ...
    def on(self) -> None: ...
    def off(self) -> None: ...

class PWMLED(LED):
    frequency: float | None
    def __init__(
        self,
        pin: int | str,
        *,
        active_high: bool = True,
        initial_value: float = 0,
        frequency: int = 100,
        pin_factory: Factory | None = None,
    ) -> None: ...
