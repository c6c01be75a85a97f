"""Simulated lines: the kernel's gpio-sim chip, which only root can create.

Unlike `hardware.gpio.simchip` this exercises the kernel: its interrupts, timestamps and buffers. A button is
pressed by writing to a file in sysfs; a driven level is read from another.
"""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from hardware.faults import HardwareError

CONFIG: Final = Path("/sys/kernel/config/gpio-sim")
DEVICES: Final = Path("/sys/devices/platform")
DOWN, UP = b"pull-down", b"pull-up"


class NoSimLines(HardwareError, OSError):
    """This kernel can't simulate lines, or this user may not."""


class Written(NamedTuple):
    """The times just before and after a line was pulled."""

    before: int
    after: int


class SimLines:
    """The lines of an existing simulated chip with that name."""

    def __init__(self, name: str = "rig") -> None:
        made = CONFIG / name
        self.chip = Path("/dev") / (made / "bank/chip_name").read_text().strip()
        self._lines = DEVICES / (made / "dev_name").read_text().strip() / self.chip.name
        self._pulls: dict[int, int] = {}

    def press(self, line: int) -> Written:
        return self._pull(line, DOWN)

    def let_go(self, line: int) -> Written:
        return self._pull(line, UP)

    def is_high(self, line: int) -> bool:
        return (self._lines / f"sim_gpio{line}/value").read_text().strip() == "1"

    def close(self) -> None:
        for pull in self._pulls.values():
            os.close(pull)
        self._pulls.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _pull(self, line: int, where: bytes) -> Written:
        if line not in self._pulls:
            self._pulls[line] = os.open(self._lines / f"sim_gpio{line}/pull", os.O_WRONLY)
        before = time.monotonic_ns()
        os.pwrite(self._pulls[line], where, 0)
        return Written(before, time.monotonic_ns())


@contextmanager
def sim_lines(name: str = "rig", label: str = "pinctrl-bcm2711", many: int = 28) -> Generator[SimLines]:
    """Creates a simulated chip and removes it at the end. `label`: the label that it shows."""
    made = CONFIG / name
    try:
        (made / "bank").mkdir(parents=True)
        (made / "bank/num_lines").write_text(str(many))
        (made / "bank/label").write_text(label)
        (made / "live").write_text("1")
    except OSError as error:
        raise NoSimLines(
            f"No lines can be simulated here ({error.strerror}): that takes root, and a kernel with gpio-sim "
            "(modprobe gpio-sim)."
        ) from error
    try:
        with SimLines(name) as lines:
            yield lines
    finally:
        (made / "live").write_text("0")
        (made / "bank").rmdir()
        made.rmdir()
