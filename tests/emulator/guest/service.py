"""The companion as the service that it is at the table, with a filmed table before its webcam."""

import json
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from threading import Timer
from typing import Any, Final

from phone import Phone

from companion.app.config import USUAL
from companion.units import SECOND
from hardware.gpio.simlines import SimLines, Written, sim_lines

HERE: Final = Path(__file__).parent
DATA: Final = Path("/var/lib/table-companion")
SERVICE: Final = "table-companion"
COMPANION: Final = "/opt/table-companion/.venv/bin/companion"
HELD_S: Final = 0.08
NEVER: Final = 1 << 62
CELLS: Final = 9


def plug_in(film: Path) -> subprocess.Popen[bytes]:
    """The webcam; whoever kills it pulls it out."""
    webcam = subprocess.Popen([sys.executable, HERE / "webcam.py", film])
    while not Path("/dev/video0").exists():
        assert webcam.poll() is None
        time.sleep(0.1)
    return webcam


@contextmanager
def serving(camera: str, out: Path) -> Generator[tuple[Phone, SimLines]]:
    """The host's phone, once the camera sees the empty mat, and the lines; what came of it is at last in `out`."""
    with sim_lines() as lines:
        try:
            yield _begun(camera, lines), lines
        finally:
            _end(out)


def _begun(camera: str, lines: SimLines) -> Phone:
    DATA.mkdir(exist_ok=True)
    (DATA / "rig.toml").write_text(f'camera = "{camera}"\n')
    systemctl("start", SERVICE)
    phone = Phone()
    assert phone.ask("/api/pair", {"seat": 0})[0] == HTTPStatus.ACCEPTED
    press(lines, 0)
    phone.until(lambda: phone.ask("/api/pair", {"seat": 0})[0] == HTTPStatus.OK)
    if camera != "none":
        phone.until(lambda: phone.empty_cells() == CELLS)
    return phone


def press(lines: SimLines, seat: int) -> Written:
    pin = int(USUAL[seat].grab)
    written = lines.press(pin)
    Timer(HELD_S, lines.let_go, [pin]).start()
    return written


def show(film: Path, begun: int, end: int) -> None:
    """The webcam shows that film as of then, and so far."""
    draft = film / "shown.new"
    draft.write_text(f"{begun} {end}")
    draft.replace(film / "shown")


class Film:
    """What fingers did and phones said, done again when it is due. Where the companion has not yet seen what was
    seen by then, the film stands still: it is the moves that are tried, not how fast this machine is."""

    def __init__(self, folder: Path) -> None:
        self.steps: list[tuple[int, int, dict[str, Any] | None]] = json.loads((folder / "steps.json").read_text())
        self.pressed: list[dict[str, int]] = []
        self._folder = folder
        self._begun = time.monotonic_ns()
        self._seen = 0

    def do(self, number: int, phone: Phone, lines: SimLines) -> None:
        t, moves, deed = self.steps[number]
        show(self._folder, self._begun, t)
        time.sleep(max(0, self._begun + t - time.monotonic_ns()) / SECOND)
        if moves > self._seen:
            self._seen = moves
            phone.until(lambda: phone.moves() >= moves)
            self._begun = time.monotonic_ns() - t
        if deed is None:
            return
        if deed["type"] == "press":
            self.pressed.append({"seat": deed["seat"], **press(lines, deed["seat"])._asdict()})
        else:
            phone.say(deed)

    def run_on(self) -> None:
        show(self._folder, self._begun, NEVER)


def _end(out: Path) -> None:
    systemctl("stop", SERVICE)
    (out / "restarts").write_text(systemctl("show", "--property=NRestarts", "--value", SERVICE))
    (out / "journal").write_text(_output("/usr/bin/journalctl", "--no-pager", f"--unit={SERVICE}"))
    subprocess.run([COMPANION, "journal", "export", out / "game.jsonl", "--data", DATA], check=True)


def process() -> str:
    return systemctl("show", "--property=MainPID", "--value", SERVICE)


def systemctl(*words: str) -> str:
    return _output("/usr/bin/systemctl", *words)


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
