"""The errors that a builder may meet: each says what is wrong, where, and what to do about it."""

from gpiozero.exc import GPIODeviceError, GPIOPinInUse


class HardwareError(Exception):
    """The base class of all hardware errors."""


class NoChip(HardwareError, FileNotFoundError):
    """This machine has no header pins, or not the requested chip."""


class NoFactory(HardwareError, LookupError):
    """The pin factory that was named does not exist, or does not work here."""


class NoAccess(HardwareError, PermissionError):
    """The device exists, but this user may not open it."""


class LineBusy(HardwareError, GPIOPinInUse):
    """Another program holds that line; for gpiozero, a pin in use."""


class LineLost(HardwareError, GPIODeviceError):
    """The chip does not answer any more."""


class NoButtons(HardwareError, LookupError):
    """There is no such input device, or it has no such button."""


class CameraTrouble(HardwareError):
    """The camera gives no pictures; the subclasses say why."""


class NoCamera(CameraTrouble, FileNotFoundError):
    """No camera is there."""


class CameraBusy(CameraTrouble, BlockingIOError):
    """Another program uses the camera."""


class CameraGone(CameraTrouble, ConnectionError):
    """The camera gave pictures, and gives none any more."""
