"""Switches that rattle, some for an instant and some for as long as any does, when they are pressed and when they
are let go: `python bounce.py OUT`.
"""

import json
import random
import shutil
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Final

from service import DATA, SECOND, serving

from companion.app.config import USUAL
from hardware.gpio.simlines import SimLines, Written

PRESSES: Final = 60
SEATS: Final = 3
MS: Final = 1_000_000
# What is measured on real switches: how long they rattle, and how often they close while they do.
RATTLES_MS: Final = (0.5, 15.0)
EDGES: Final = (0, 40)
# This machine draws a breath at times, and the kernel's stamps then come milliseconds late: what was to be one
# rattling has become two contacts with a rest between them, which is a press more. Such a train is done again.
LONGEST: Final = 20 * MS
REST: Final = 10 * MS
MOST_TRIES: Final = 10 * PRESSES
HELD_S, REST_S = (0.06, 0.12), (0.08, 0.15)
GAME: Final = {"type": "game", "game": "goat", "seats": ["Ada", "Ben", "Cy"], "starter": 0, "grid": "none"}


def main(out: Path) -> None:
    lot = random.Random(7)
    pressed: list[dict[str, int]] = []
    with serving("none", out) as (phone, lines):
        phone.say(GAME)
        while sum(press["as_drawn"] for press in pressed) < PRESSES and len(pressed) < MOST_TRIES:
            pressed.append(_press(lines, len(pressed) % SEATS, lot))
    # Whoever comes next begins with an evening of its own.
    (out / "game.jsonl").rename(out / "bounce.jsonl")
    shutil.rmtree(DATA)
    (out / "bounce.json").write_text(json.dumps(pressed))


def _press(lines: SimLines, seat: int, lot: random.Random) -> dict[str, int]:
    pin = int(USUAL[seat].grab)
    down = _rattle(lines, pin, lot, down=True)
    time.sleep(lot.uniform(*HELD_S))
    up = _rattle(lines, pin, lot, down=False)
    time.sleep(lot.uniform(*REST_S))
    return {"seat": seat, **down[0]._asdict(), "as_drawn": _is_as_drawn(down) and _is_as_drawn(up)}


def _rattle(lines: SimLines, pin: int, lot: random.Random, *, down: bool) -> list[Written]:
    """Ends as it begins."""
    lasts = round(lot.uniform(*RATTLES_MS) * MS)
    due = sorted(lot.randrange(lasts) for _ in range(lot.randrange(*EDGES, 2)))
    change, back = (lines.press, lines.let_go) if down else (lines.let_go, lines.press)
    written = [change(pin)]
    for number, after in enumerate(due):
        time.sleep(max(0, written[0].before + after - time.monotonic_ns()) / SECOND)
        written.append((change if number % 2 else back)(pin))
    return written


def _is_as_drawn(train: list[Written]) -> bool:
    rests = (late.after - early.before for early, late in pairwise(train))
    return train[-1].after - train[0].before <= LONGEST and max(rests, default=0) <= REST


if __name__ == "__main__":
    main(Path(sys.argv[1]))
