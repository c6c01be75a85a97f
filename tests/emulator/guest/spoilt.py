"""What the page says of a camera whose picture is spoilt, and of one that somebody else has, and after how long:
`python spoilt.py FILM OUT`.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from phone import Phone
from service import SERVICE, plug_in, serving, show, systemctl

TAKING: Final = """
import sys, time, cv2
camera = cv2.VideoCapture(0, cv2.CAP_V4L2)
assert camera.read()[0]
sys.stdout.write("taken"); sys.stdout.flush()
time.sleep(600)
"""


def main(folder: Path, out: Path) -> None:
    webcam = plug_in(folder)
    with serving("usb:0", out) as (phone, _):
        told = [*_spoilt(folder, phone), _taken(phone)]
    webcam.kill()
    (out / "spoilt.json").write_text(json.dumps(told))


def _spoilt(folder: Path, phone: Phone) -> list[tuple[str, float]]:
    """What it was, and the seconds until the page said so; each stays until it has said so, and then that all is
    well: slow eyes are no reason to tell something else."""
    told: list[tuple[str, float]] = []
    for name, spoilt, well in json.loads((folder / "spoilt.json").read_text()):
        begun = time.monotonic()
        show(folder, 0, spoilt)
        phone.until(lambda name=name: phone.health()["camera"] == name)
        told.append((name, time.monotonic() - begun))
        show(folder, 0, well)
        phone.until(lambda: phone.health()["camera"] is None)
    return told


def _taken(phone: Phone) -> tuple[str, float]:
    """Somebody else opens the camera before the companion does."""
    systemctl("stop", SERVICE)
    taking = subprocess.Popen([sys.executable, "-c", TAKING], stdout=subprocess.PIPE)
    assert taking.stdout is not None
    assert taking.stdout.read(5) == b"taken"
    systemctl("start", SERVICE)
    begun = time.monotonic()
    phone.until(lambda: phone.health()["camera"] == "busy")
    said = time.monotonic() - begun
    taking.kill()
    taking.wait()
    phone.until(lambda: phone.health()["camera"] is None)
    return "busy", said


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
