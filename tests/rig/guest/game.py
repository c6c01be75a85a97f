"""A filmed game played at a real rig: `python game.py FILM OUT CAMERA`. Real lines are pressed when fingers came down,
a phone says what people said, and a webcam shows what they did; the companion runs as the service that it is.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer
from typing import Any, Final

from phone import Phone

from companion.config import USUAL
from hardware.simlines import SimLines, Written

SECOND: Final = 1_000_000_000
DATA: Final = Path("/var/lib/table-companion")
SERVICE: Final = "table-companion"
HELD_S: Final = 0.08
# From the first picture of the film on the camera must be open and the empty mat be known.
BEFORE_S: Final = 8.0


def main(film: Path, out: Path, camera: str) -> None:
    with SimLines() as lines:
        _start(camera)
        phone = Phone()
        _pair(phone, lines)
        phone.until("/healthz", lambda answer: answer[1]["camera"] is None)
        time.sleep(BEFORE_S)
        pressed = _play(film, phone, lines)
        phone.until("/api/state", lambda answer: answer[1]["state"]["phase"] == "over")
        _systemctl("stop", SERVICE)
    (out / "presses.json").write_text(json.dumps(pressed))
    (out / "restarts").write_text(_systemctl("show", "--property=NRestarts", "--value", SERVICE))
    subprocess.run(
        ["/opt/table-companion/.venv/bin/companion", "journal", "export", out / "game.jsonl", "--data", DATA], check=True
    )


def _start(camera: str) -> None:
    DATA.mkdir(exist_ok=True)
    (DATA / "rig.toml").write_text(f'camera = "{camera}"\n')
    _systemctl("start", SERVICE)


def _systemctl(*words: str) -> str:
    return subprocess.run(["systemctl", *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def _pair(phone: Phone, lines: SimLines) -> None:
    """With the button of seat 0."""
    assert phone.ask("/api/pair", {"seat": 0})[0] == 202
    _press(lines, 0)
    phone.until("/api/pair", lambda answer: answer[0] == 200, {"seat": 0})


def _press(lines: SimLines, seat: int) -> Written:
    pin = int(USUAL[seat].grab)
    written = lines.press(pin)
    Timer(HELD_S, lines.let_go, [pin]).start()
    return written


def _play(film: Path, phone: Phone, lines: SimLines) -> list[dict[str, Any]]:
    begun = time.monotonic_ns()
    (film / "begun").write_text(str(begun))
    pressed: list[dict[str, Any]] = []
    for deed in json.loads((film / "deeds.json").read_text()):
        time.sleep(max(0, begun + deed.pop("t") - time.monotonic_ns()) / SECOND)
        if deed["type"] == "press":
            pressed.append({"seat": deed["seat"], **_press(lines, deed["seat"])._asdict()})
        else:
            phone.say(deed)
    return pressed


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
