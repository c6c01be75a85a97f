"""What a builder meets: each error says what is wrong, where, and what to do about it."""

from gpiozero.exc import GPIODeviceError, GPIOPinInUse


class HardwareError(Exception):
    """The family."""


class NoChip(HardwareError, FileNotFoundError):
    """This machine shows no header pins, or not the ones that were asked for."""


class NoFactory(HardwareError, LookupError):
    """The pin factory that somebody has named is not there, or does not work here."""


class NoAccess(HardwareError, PermissionError):
    """The lines are there, but not for this user."""


class LineBusy(HardwareError, GPIOPinInUse):
    """Somebody else holds that line; gpiozero knows this as a pin in use."""


class LineLost(HardwareError, GPIODeviceError):
    """The chip does not answer any more."""


class NoButtons(HardwareError, LookupError):
    """There is no such input device, or it has no such button."""


class CameraTrouble(HardwareError):
    """There are no pictures; its kinds say why."""


class NoCamera(CameraTrouble, FileNotFoundError):
    """Nothing answers there."""


class CameraBusy(CameraTrouble, BlockingIOError):
    """Somebody else has it."""


class CameraGone(CameraTrouble, ConnectionError):
    """There were pictures, and there are none any more."""
