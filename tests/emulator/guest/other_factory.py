"""Two buttons through gpiozero's own lgpio instead of our factory: `python other_factory.py OUT`."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from hardware.gpio.factory_choice import VARIABLE, pin_factory
from hardware.gpio.gpio_buttons import GpioButtons
from hardware.gpio.simlines import sim_lines
from hardware.ports import PRESSED

PINS: Final = (5, 6)
PAIRS: Final = 20
APART_S: Final = 0.002
HELD_S: Final = 0.05
SOON_S: Final = 5.0
# It believes in a Pi only: this is a 4B.
REVISION: Final = "Revision\t: c03112\n"


def become_a_pi() -> None:
    real, told = Path("/proc/cpuinfo"), Path("/tmp/cpuinfo")  # noqa: S108 - on a machine of our own
    told.write_text(real.read_text() + REVISION)
    subprocess.run(["/usr/bin/mount", "--bind", told, real], check=True)


def main(out: Path) -> None:
    become_a_pi()
    os.environ[VARIABLE] = "lgpio"
    told: list[list[dict[str, int]]] = []
    with sim_lines() as lines:
        factory = pin_factory(chip=None, consumer="rig")
        buttons = GpioButtons(PINS, factory)
        for pair in range(PAIRS):
            first = pair % 2
            pressed: list[dict[str, int]] = []
            for button in (first, 1 - first):
                pressed.append({"button": button, **lines.press(PINS[button])._asdict()})
                time.sleep(APART_S)
            time.sleep(HELD_S)
            for pin in PINS:
                lines.let_go(pin)
            time.sleep(HELD_S)
            heard = [edge for edge in buttons.read(SOON_S) if edge.level == PRESSED]
            for one in pressed:
                one["t"] = next((edge.t_ns for edge in heard if edge.button == one["button"]), 0)
            told.append(pressed)
        doubts = buttons.doubts
        buttons.close()
        factory.close()
    (out / "lgpio.json").write_text(
        json.dumps({"factory": type(factory).__name__, "pairs": told, "doubts": doubts})
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
