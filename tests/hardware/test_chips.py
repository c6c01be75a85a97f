"""The header's chip is known by what it is, never by its number."""

import errno
from pathlib import Path

import pytest

from hardware.faults import NoAccess, NoChip
from hardware.gpio.chips import find_header
from hardware.gpio.simchip import SimChip, SimLine


class Machine:
    """A machine's /dev, and the chips behind it."""

    def __init__(self, folder: Path, **labels: str) -> None:
        self.folder = folder
        self.chips = {name: SimChip(label) for name, label in labels.items()}
        self.shut: set[str] = set()
        for name in labels:
            (folder / name).touch()

    def open(self, path: str) -> SimChip:
        name = Path(path).name
        if name in self.shut:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return self.chips[name]


@pytest.mark.parametrize(
    ("chips", "where", "revision"),
    [
        ({"gpiochip0": "pinctrl-bcm2835", "gpiochip1": "raspberrypi-exp-gpio"}, "gpiochip0", 0xA02082),
        ({"gpiochip0": "pinctrl-bcm2711", "gpiochip1": "raspberrypi-exp-gpio"}, "gpiochip0", 0xC03111),
        ({"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}, "gpiochip4", 0xC04170),
        ({"gpiochip0": "pinctrl-rp1", "gpiochip10": "gpio-brcmstb@107d508500"}, "gpiochip0", 0xC04170),
        ({"gpiochip11": "gpio-brcmstb@107d508500", "gpiochip15": "pinctrl-rp1"}, "gpiochip15", 0xC04170),
    ],
)
def test_every_pi_from_3_to_5(tmp_path: Path, chips: dict[str, str], where: str, revision: int) -> None:
    """Wherever kernels have put it."""
    header = find_header(folder=tmp_path, open_chip=Machine(tmp_path, **chips).open)
    assert (where, revision) == (Path(header.path).name, header.revision)


def test_a_link_to_a_chip_is_not_a_second_chip(tmp_path: Path) -> None:
    """Where the header has moved, its old number is left as a link."""
    machine = Machine(tmp_path, gpiochip0="pinctrl-rp1")
    (tmp_path / "gpiochip4").symlink_to(tmp_path / "gpiochip0")
    assert "gpiochip0" == Path(find_header(folder=tmp_path, open_chip=machine.open).path).name


def test_a_stranger_with_a_pis_line_names_is_taken(tmp_path: Path) -> None:
    """Whatever its label; and its lines are found by name."""
    machine = Machine(tmp_path, gpiochip0="a stranger", gpiochip1="another")
    machine.chips["gpiochip0"].lines = {0: SimLine("LED")}
    machine.chips["gpiochip1"].lines = {0: SimLine(""), 1: SimLine("GPIO17")}
    header = find_header(folder=tmp_path, open_chip=machine.open)
    assert ("gpiochip1", 1) == (Path(header.path).name, header.offset(17))
    assert 22 == header.offset(22)


@pytest.mark.parametrize("wanted", ["gpiochip1", "my board", "{folder}/gpiochip1"])
def test_the_builder_may_name_it(tmp_path: Path, wanted: str) -> None:
    """By name, label or path."""
    machine = Machine(tmp_path, gpiochip0="pinctrl-rp1", gpiochip1="my board")
    header = find_header(wanted.format(folder=tmp_path), tmp_path, machine.open)
    assert "my board" == header.label


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    """Without pins, with others' pins only, and with pins that are shut."""
    with pytest.raises(NoChip, match="no GPIO pins"):
        find_header(folder=tmp_path)
    machine = Machine(tmp_path, gpiochip0="a stranger")
    machine.chips["gpiochip0"].lines = {0: SimLine("LED")}
    with pytest.raises(NoChip, match=r"there are: .*gpiochip0 \(a stranger\)"):
        find_header(folder=tmp_path, open_chip=machine.open)
    with pytest.raises(NoChip, match="no GPIO chip called 'kettle'"):
        find_header("kettle", tmp_path, machine.open)
    machine.shut.add("gpiochip0")
    with pytest.raises(NoAccess, match="group gpio"):
        find_header(folder=tmp_path, open_chip=machine.open)
