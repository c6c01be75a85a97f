"""A USB encoder of the kernel's own making, unplugged and plugged in again: `python encoder.py OUT`."""

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from hardware.input.arcade_encoder import EncoderButtons, open_encoder

BUTTONS: Final = range(0x120, 0x12A)
KEY: Final = 1
SOON_S: Final = 10.0


def plugged_in() -> Any:
    # It is there on the rig's machine only.
    device: Any = import_module("evdev").UInput({KEY: [*BUTTONS]}, name="Rig arcade encoder")
    time.sleep(1)
    return device


def pressed(device: Any, button: int) -> tuple[int, int]:
    before = time.monotonic_ns()
    for down in (1, 0):
        device.write(KEY, BUTTONS[button], down)
        device.syn()
    return before, time.monotonic_ns()


def _until(buttons: EncoderButtons, *, plugged: bool) -> None:
    while (buttons.trouble is None) is not plugged:
        buttons.read(0.1)


def main(out: Path) -> None:
    device = plugged_in()
    buttons = EncoderButtons((1, 2), open_encoder(device.device.path), "encoder")
    told: list[Any] = []
    for button in (0, 1):
        before, after = pressed(device, button)
        time.sleep(0.5)
        edge, *_ = buttons.read(SOON_S)
        told.append({"button": edge.button, "exact": before - 1000 <= edge.t_ns <= after})
        if button == 0:
            device.close()
            _until(buttons, plugged=False)
            told.append(buttons.trouble)
            device = plugged_in()
            _until(buttons, plugged=True)
    buttons.close()
    (out / "encoder.json").write_text(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
