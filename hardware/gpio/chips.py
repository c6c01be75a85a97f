"""Finds the GPIO chip of the 40-pin header.

Never by its number: on the Pi 5 the header has been gpiochip4, gpiochip0 and gpiochip11 to 15, depending on the
kernel. It is found by its label, or, if that is unknown, by the names of its lines.
"""

import errno
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import gpiod

from hardware.faults import NoAccess, NoChip
from hardware.ports import Chip

# The labels of that chip on Raspberry Pis, with the revision code of a Pi that has it, for a machine with the chip
# that reports no revision: Pi 5, Pi 4, and Pi 3 or older.
REVISIONS: Final = {"pinctrl-rp1": 0xC04170, "pinctrl-bcm2711": 0xC03111, "pinctrl-bcm2835": 0xA02082}
OTHER: Final = REVISIONS["pinctrl-bcm2711"]
# A line of the header that has this name on every Pi.
LINE: Final = "GPIO17"

Open = Callable[[str], Chip]


@dataclass(frozen=True, slots=True)
class Header:
    """The header's chip, opened."""

    chip: Chip
    path: str
    label: str

    @property
    def revision(self) -> int:
        return REVISIONS.get(self.label, OTHER)

    def offset(self, number: int) -> int:
        """The line's offset for that GPIO number: by the lines' names, if they have any; on the Pis' own chips
        GPIO0 is the first."""
        named = self.named(f"GPIO{number}")
        return number if named is None else named

    def named(self, name: str) -> int | None:
        try:
            return self.chip.line_offset_from_id(name)
        except OSError:
            return None


def find_header(wanted: str | None = None, folder: Path = Path("/dev"), open_chip: Open = gpiod.Chip) -> Header:
    """Opens the header's chip. `wanted`: a chip's path, name or label, to skip the search."""
    found: list[Header] = []
    shut: list[str] = []
    for path in sorted(folder.glob("gpiochip*")):
        # After the header has moved, its old number is left as a link.
        if not path.is_symlink():
            _try(str(path), open_chip, found, shut)
    chosen = _choose(found, wanted)
    for header in found:
        if header is not chosen:
            header.chip.close()
    if chosen is None:
        raise _none(wanted, found, shut)
    return chosen


def _try(path: str, open_chip: Open, found: list[Header], shut: list[str]) -> None:
    try:
        chip = open_chip(path)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM):
            raise
        shut.append(path)
    else:
        found.append(Header(chip, path, chip.get_info().label))


def _choose(found: list[Header], wanted: str | None) -> Header | None:
    if wanted is not None:
        return next((one for one in found if wanted in (one.path, Path(one.path).name, one.label)), None)
    for label in REVISIONS:
        for header in found:
            if header.label == label:
                return header
    return next((header for header in found if header.named(LINE) is not None), None)


def _none(wanted: str | None, found: list[Header], shut: list[str]) -> NoChip | NoAccess:
    if shut:
        return NoAccess(
            f"{', '.join(shut)} may not be opened by this user: add it to the group gpio "
            "(sudo usermod -aG gpio NAME) and log in again."
        )
    if not found:
        return NoChip(
            "This machine has no GPIO pins (no /dev/gpiochip*): play with buttons on a USB encoder or with the "
            "keyboard, or on a Raspberry Pi."
        )
    seen = ", ".join(f"{header.path} ({header.label})" for header in found)
    what = f"There is no GPIO chip called {wanted!r}" if wanted else "No GPIO chip here has a Raspberry Pi's pins"
    return NoChip(f"{what}; there are: {seen}. Name the right one as `chip` in rig.toml.")
