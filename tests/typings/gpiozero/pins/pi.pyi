from gpiozero.pins import Factory, Pin
from gpiozero.pins import PinInfo as PinInfo

class PiFactory(Factory):
    pins: dict[PinInfo, Pin]
    pin_class: type[Pin] | None

class PiPin(Pin):
    _number: int
    def __init__(self, factory: PiFactory, info: PinInfo) -> None: ...
    @property
    def factory(self) -> PiFactory: ...
    def _call_when_changed(self, ticks: float | None = None, state: int | None = None) -> None: ...
