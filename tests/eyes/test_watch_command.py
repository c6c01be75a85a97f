"""`companion watch`, as it is started from a shell."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.drawn.drawn_film import Film, Lay
from companion.drawn.drawn_lot import scene_by_lot

from .conftest import Taught
from .lessons import faces


def command(deck: Path, *arguments: object) -> list[str]:
    return [sys.executable, "-m", "companion", "watch", "--deck", str(deck), *map(str, arguments)]


@pytest.fixture(scope="session")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A card laid on an empty cell, as a folder of pictures."""
    folder = tmp_path_factory.mktemp("film")
    deck = faces("harbour")
    scene = scene_by_lot(8, [*deck.values()], light="neutral", filled=0, width=640, height=480)
    frames: list[dict[str, object]] = []
    for number, shot in enumerate(Film(scene, (Lay(1.2, 4, deck["raft", "pink"]),), 3.0)):
        frames.append({"file": f"{number:03d}.jpg", "t_ns": shot.t_ns})
        cv2.imwrite(str(folder / f"{number:03d}.jpg"), shot.picture)
    (folder / "frames.json").write_text(json.dumps({"frames": frames}))
    return folder


def test_a_folder_is_told_in_events(on_mat: Taught, filmed: Path) -> None:
    """First the grid, then the card; up to when all is seen, at least once a second of quiet."""
    done = subprocess.run(command(on_mat.deck, filmed), capture_output=True, text=True, check=False)
    events = [json.loads(line) for line in done.stdout.splitlines()]

    assert (0, "") == (done.returncode, done.stderr)
    assert [("grid", None), ("card", 4)] == [
        (event["type"], event.get("cell")) for event in events if event["type"] != "seen"
    ]
    assert {"boat": "raft", "colour": "pink"} == {key: events_card(events)[key] for key in ("boat", "colour")}
    assert events_card(events)["from"] <= 1_200_000_000 <= events_card(events)["t"]
    assert events[-1]["t"] > 2_000_000_000


def events_card(events: list[dict[str, Any]]) -> dict[str, Any]:
    return next(event for event in events if event["type"] == "card")


@pytest.mark.parametrize(
    ("frames", "code"),
    [("{", 2), ('{"frames": [{"file": "000.jpg", "t_ns": -1}]}', 2), ('{"frames": []}', 1)],
)
def test_what_cannot_be_watched_is_said_in_one_line(
    frames: str, code: int, on_mat: Taught, tmp_path: Path
) -> None:
    """With the exit code of its kind."""
    (tmp_path / "frames.json").write_text(frames)
    done = subprocess.run(command(on_mat.deck, tmp_path), capture_output=True, text=True, check=False)

    assert (code, "", 1) == (done.returncode, done.stdout, len(done.stderr.splitlines()))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Whoever runs the tests in the background may have them ignore Ctrl-C, and what they start would too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl-C goes to all programs of a window")
@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_it(on_mat: Taught, filmed: Path, tmp_path: Path) -> None:
    """Each line is out before the next picture; Ctrl-C then ends with 130."""
    frames = json.loads((filmed / "frames.json").read_text())["frames"][:4]
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number, frame in enumerate(frames):
        (pictures / f"{number}.jpg").write_bytes((filmed / frame["file"]).read_bytes())
    many = [{"file": f"{number % 4}.jpg", "t_ns": number * 66_000_000} for number in range(20_000)]
    (pictures / "frames.json").write_text(json.dumps({"frames": many}))
    with subprocess.Popen(command(on_mat.deck, pictures), stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        first = json.loads(watching.stdout.readline())
        os.kill(watching.pid, signal.SIGINT)
        watching.stdout.read()
    assert ("grid", 130) == (first["type"], watching.returncode)
