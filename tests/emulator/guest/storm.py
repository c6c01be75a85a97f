"""A loose wire at seat 0 while somebody presses at seat 1: `python storm.py OUT`."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from service import press, process, serving

from companion.app.config import USUAL
from companion.units import SECOND
from hardware.gpio.simlines import SimLines

A_SECOND: Final = 10_000
LASTS_S: Final = 10
EVERY_S: Final = 0.3
CALM: Final = 1
GAME: Final = {"type": "game", "game": "goat", "seats": ["Ada", "Ben", "Cy"], "starter": 0, "grid": "none"}


def main(out: Path) -> None:
    with serving("none", out) as (phone, lines):
        phone.say(GAME)
        told = _stormed(lines)
        # However late: it is only not to be lost, and its time is the kernel's.
        phone.until(lambda: phone.presses(CALM) == len(told["pressed"]))
    (out / "storm.json").write_text(json.dumps(told))


def _stormed(lines: SimLines) -> dict[str, Any]:
    seconds = os.sysconf("SC_CLK_TCK")
    companion = int(process())
    pressed: list[dict[str, int]] = []
    wire = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE)
    cpu, begun = _ticks(companion), time.monotonic()
    while wire.poll() is None:
        time.sleep(EVERY_S)
        pressed.append(press(lines, CALM)._asdict())
    share = (_ticks(companion) - cpu) / seconds / (time.monotonic() - begun)
    assert wire.stdout is not None
    edges = int(wire.stdout.read())
    return {"pressed": pressed, "edges": edges, "cpu": share}


def _ticks(process: int) -> int:
    """Of processor time, in all."""
    said = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(said[11]) + int(said[12])


def loose_wire() -> None:
    lines, pin = SimLines(), int(USUAL[0].grab)
    begun, made = time.monotonic_ns(), 0
    while time.monotonic_ns() - begun < LASTS_S * SECOND:
        (lines.let_go if made % 2 else lines.press)(pin)
        made += 1
        while time.monotonic_ns() - begun < made * SECOND // A_SECOND:
            pass
    lines.let_go(pin)
    sys.stdout.write(f"{made}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1])) if len(sys.argv) > 1 else loose_wire()
