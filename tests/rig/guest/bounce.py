"""Switches that rattle, some for an instant and some for as long as any does, when they are pressed and when they
are let go: `python bounce.py OUT`.
"""

import json
import random
import shutil
import sys
import time
from pathlib import Path
from typing import Final

from service import DATA, SECOND, serving

from companion.config import USUAL
from hardware.simlines import SimLines, Written

PRESSES: Final = 60
SEATS: Final = 3
# What is measured on real switches: how long they rattle, and how often they close while they do.
RATTLES_MS: Final = (0.5, 15.0)
EDGES: Final = (0, 40)
MS: Final = 1_000_000
HELD_S, REST_S = (0.06, 0.12), (0.08, 0.15)
GAME: Final = {"type": "game", "game": "goat", "seats": ["Ada", "Ben", "Cy"], "starter": 0, "grid": "none"}


def main(out: Path) -> None:
    lot = random.Random(7)
    pressed: list[dict[str, int]] = []
    with serving("none", out) as (phone, lines):
        phone.say(GAME)
        for number in range(PRESSES):
            seat = number % SEATS
            first = _rattle(lines, int(USUAL[seat].grab), lot, down=True)
            pressed.append({"seat": seat, **first._asdict()})
            time.sleep(lot.uniform(*HELD_S))
            _rattle(lines, int(USUAL[seat].grab), lot, down=False)
            time.sleep(lot.uniform(*REST_S))
    # Whoever comes next begins with an evening of its own.
    (out / "game.jsonl").rename(out / "bounce.jsonl")
    shutil.rmtree(DATA)
    (out / "bounce.json").write_text(json.dumps(pressed))


def _rattle(lines: SimLines, pin: int, lot: random.Random, *, down: bool) -> Written:
    """Ends as it begins; says between which instants the first edge was."""
    lasts = round(lot.uniform(*RATTLES_MS) * MS)
    due = sorted(lot.randrange(lasts) for _ in range(lot.randrange(*EDGES, 2)))
    change, back = (lines.press, lines.let_go) if down else (lines.let_go, lines.press)
    first = change(pin)
    for opens, closes in zip(due[::2], due[1::2], strict=True):
        # This machine comes late at times; no switch rattles for longer because of that.
        if time.monotonic_ns() > first.before + lasts:
            break
        for after, move in ((opens, back), (closes, change)):
            time.sleep(max(0, first.before + after - time.monotonic_ns()) / SECOND)
            move(pin)
    return first


if __name__ == "__main__":
    main(Path(sys.argv[1]))
