"""Requests lines of a chip; failures are reported in plain words."""

from typing import Final

from gpiod import LineSettings
from gpiod.line import Value

from hardware.faults import LineBusy, NoAccess
from hardware.ports import Chip, LineRequest

# The largest buffer of edges that the kernel gives one request.
BUFFER: Final = 1024


def request_lines(
    chip: Chip, config: dict[int, LineSettings], consumer: str, values: dict[int, Value] | None = None
) -> LineRequest:
    """Those lines; raises `NoAccess` or `LineBusy` with a sentence where the reason is known."""
    try:
        return chip.request_lines(config, consumer, BUFFER, values)
    except PermissionError as error:
        raise NoAccess(
            f"The buttons' lines are not open to this user ({error.filename or 'gpiochip'}): add it to the group "
            "gpio (sudo usermod -aG gpio NAME) and log in again."
        ) from error
    except OSError as error:
        used = [(offset, chip.get_line_info(offset)) for offset in config]
        taken = [f"GPIO{offset} ({info.consumer or 'the kernel'})" for offset, info in used if info.used]
        if not taken:
            raise
        raise LineBusy(
            f"{', '.join(taken)} is in use by another program, or by the Pi itself (SPI, 1-Wire, sound): end that "
            "one, switch that off (sudo raspi-config), or name other pins."
        ) from error
